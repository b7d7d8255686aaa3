"""Traces of other systems, read as rows."""
