"""The Lab: sweeps, and the figures of their reports."""
