"""Rooms: what the presenter shows is on every phone, and the class votes."""
