"""The values that a run is made of, and the contracts of programs and algorithms."""
