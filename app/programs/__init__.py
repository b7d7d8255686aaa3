"""The programs that snapshots are taken of."""
