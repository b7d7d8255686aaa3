"""Markers on FIFO channels: Chandy–Lamport and what was made of it."""
