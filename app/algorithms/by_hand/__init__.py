"""The algorithm that has no rule of its own: somebody else decides."""
