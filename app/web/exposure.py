"""Broken variants do harm only in some runs: for each, the library scenario that shows the harm."""

from app.core.system import System, suffices

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
    "at-least-once": "counted-twice",
    "no-log": "loop-forgotten",
}
"""By algorithm."""

DISORDERED = {"acharya-badrinath": "token-outrun", "alagar-venkatesan": "end-outrun"}
"""For an algorithm that needs ordered channels and does not have them."""

OTHERWISE = "non-fifo-lost"
"""For any other such algorithm."""


def exposure(system: System) -> str | None:
    """Return the scenario that shows what is wrong with ``system``; None if nothing is."""
    algorithm = system.algorithm
    if algorithm.WRONG is not None:
        return EXPOSED[algorithm.NAME]
    if all(suffices(system.order(channel), algorithm.REQUIRES) for channel in system.topology.channels):
        return None
    return DISORDERED.get(algorithm.NAME, OTHERWISE)
