"""Checks of rows without the simulator."""
