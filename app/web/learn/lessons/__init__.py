"""Lessons, and questions about any run."""
