"""Runs and scenarios in the formats of other programs."""
