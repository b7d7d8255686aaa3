"""Scenarios: the files, their fields, and the key of a run."""
