"""The player: a run, step by step."""
