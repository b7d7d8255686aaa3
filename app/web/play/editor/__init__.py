"""The editor of scenarios."""
