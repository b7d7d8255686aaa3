"""The plan of a stage: where processes stand and how channels run."""
