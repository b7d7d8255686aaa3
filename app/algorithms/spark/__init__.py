"""How Spark saves the progress of its queries."""
