"""How the Lab page presents the report of a sweep."""
