"""The judge: a class that somebody has written is tried in every run of small systems."""
