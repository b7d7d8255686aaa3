"""The algorithms, as a table and as a tree."""
