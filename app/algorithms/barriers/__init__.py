"""Barriers in dataflows, as in Flink."""
