"""Snapshots where messages are delivered in causal order."""
