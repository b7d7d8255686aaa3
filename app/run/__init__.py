"""Runs: recorded, explored, and repeated."""
