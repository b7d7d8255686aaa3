"""Bluecut: see how distributed snapshots work."""

import gc

from app.compiled import COMPILED as COMPILED

gc.set_threshold(50_000, 20, 50)
"""Values never refer to each other in a circle. Looking for circles among them as often as Python does by default took
a third of the time of a long run."""
