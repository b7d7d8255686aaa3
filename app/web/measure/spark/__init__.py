"""A Spark query that visitors watch and kill."""
