"""Broken variants do harm only in some runs: for each, the library scenario that shows the harm."""

from app.algorithms.registry import DESCRIPTIONS
from app.core.model.system import System

WITHOUT_ORDER = "non-fifo-lost"
"""For a right algorithm that needs ordered channels, does not have them, and has no scenario of its own for it."""


def exposure(system: System) -> str | None:
    """Return the scenario that shows what is wrong with ``system``; None if nothing is, or no scenario shows it."""
    algorithm = system.algorithm
    shown_by = DESCRIPTIONS[algorithm.NAME].shown_by
    if algorithm.WRONG is not None:
        return shown_by
    if system.suits():
        return None
    return shown_by or WITHOUT_ORDER
