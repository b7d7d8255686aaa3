"""Variants that are wrong on purpose: each leaves out one rule."""
