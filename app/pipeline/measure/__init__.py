"""What snapshots cost, over many runs."""
