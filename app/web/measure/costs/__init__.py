"""The costs of snapshots and of recovery."""
