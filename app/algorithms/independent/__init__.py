"""Processes that save their states without a common cut."""
