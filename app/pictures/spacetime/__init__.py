"""Space-time diagrams."""
