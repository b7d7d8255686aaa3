"""The home page, the page of each place, and the search."""
