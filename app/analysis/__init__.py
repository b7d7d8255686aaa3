"""What can be computed from a run that is recorded."""
