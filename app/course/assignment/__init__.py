"""Assignments: the same kinds of questions for everybody, about other numbers, and the answers that come back."""
