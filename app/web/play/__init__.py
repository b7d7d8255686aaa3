"""Play: run scenarios, break them, and make your own."""
