"""Runs as values that the browser reads."""
