"""What the Lab page makes of the report of a sweep."""
