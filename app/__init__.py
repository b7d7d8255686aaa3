"""Bluecut: see how distributed snapshots work."""
