"""The consistent cuts nearest to any cut: the smallest that contains it, and the largest inside it.

Consistent cuts are closed under union and intersection, so there is just one of each.

Source: F. Mattern, "Virtual Time and Global States of Distributed Systems", 1989, section 4 (the lattice of consistent
cuts).
"""

from collections.abc import Mapping

from app.core.oracle.history import RECEIVE, History


def above(history: History, cut: Mapping[str, int]) -> dict[str, int] | None:
    """Return the smallest consistent cut that contains ``cut``, with everything that its events know of. None where a
    message inside has a sending that was removed: no event that can be added sends it."""
    grown = {name: cut.get(name, 0) for name in history.names}
    for name in history.names:
        if clock := history.clocks.get((name, cut.get(name, 0))):
            grown = {other: max(grown[other], known) for other, known in zip(history.names, clock, strict=True)}
    return None if history.orphans(grown) else grown


def below(history: History, cut: Mapping[str, int]) -> dict[str, int]:
    """Return the largest consistent cut inside ``cut``: remove events that know of others outside it until none are
    left."""
    shrunk = {name: cut.get(name, 0) for name in history.names}
    for event in history.events:  # an event that received something whose sending was removed can never be inside
        if event.kind == RECEIVE and event.message and event.message.identity in history.undone:
            shrunk[event.process] = min(shrunk[event.process], event.index - 1)
    again = True
    while again:
        again = False
        for name in history.names:
            while shrunk[name] and any(
                known > shrunk[other]
                for other, known in zip(history.names, history.clocks[name, shrunk[name]], strict=True)
            ):
                shrunk[name] -= 1
                again = True
    return shrunk
