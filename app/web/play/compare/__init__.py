"""Several algorithms on the same events."""
