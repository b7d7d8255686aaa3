"""Find and make runs in which a snapshot goes wrong."""
