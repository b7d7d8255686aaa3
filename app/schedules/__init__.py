"""Schedules: what happens next in a run."""
