"""Runs as rows of Parquet files."""
