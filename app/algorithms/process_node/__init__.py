"""The ProcessNode of one of the notes, as it is written and as it is repaired."""
