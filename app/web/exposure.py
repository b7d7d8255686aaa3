"""Broken variants do harm only in some runs. For each, the scenario of the library in which the harm is seen."""

from app.core.system import System

EXPOSED = {
    "late-marker": "late-marker",
    "no-channels": "no-channels",
    "unlabelled": "unlabelled-overlap",
    "photographs": "photographs-two",
    "resent-marker": "resent-marker",
    "merge-joiner": "joiner-merged",
    "node-as-written": "node-as-written",
    "node-guarded": "node-guarded",
    "node-record-first": "node-record-first",
    "node-data-silent": "node-data-silent",
    "wall-clock": "wall-clock-skewed",
    "colour-blind": "colour-blind",
    "unicast-token": "token-as-letters",
}
"""By algorithm."""

DISORDERED = "non-fifo-lost"
"""For an algorithm that needs its channels in order, and has not got that."""


def exposure(system: System) -> str | None:
    """The scenario that shows what is wrong with ``system``; None where nothing is."""
    algorithm = system.algorithm
    if algorithm.WRONG is not None:
        return EXPOSED[algorithm.NAME]
    return DISORDERED if algorithm.REQUIRES == "fifo" and system.discipline == "any" else None
