"""Cuts, global states, stable properties, Theorem 1, and the words of the field."""
