"""Assignments: ``/assign`` makes one, ``/assign/sheet`` asks, ``/assign/read`` judges, ``/assign/paper`` prints."""
