"""Spark sessions: started, extended, stopped."""
