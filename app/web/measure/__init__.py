"""Measure: what snapshots cost, and what sweeps of runs show."""
