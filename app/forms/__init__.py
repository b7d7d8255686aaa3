"""YAML files as checked values: each mistake with its file, line and field."""
