"""Checks of runs while they are written."""
