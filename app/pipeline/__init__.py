"""Spark: many runs are made, judged and measured."""
