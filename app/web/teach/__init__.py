"""Teach: material for a class."""
