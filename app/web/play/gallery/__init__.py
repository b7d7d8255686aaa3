"""The gallery of scenarios."""
