"""Own scenarios: made by visitors, carried by their links or kept in the store.

A ref names a scenario in a URL: one that carries it (``app.view.carried``), or ``x-<hash>``, the id under which it is
kept.
"""

from app.core.model import BluecutError, Json
from app.simulator.format import VISITOR_BYTES
from app.simulator.scenario import Scenario
from app.view.carried import CARRIED, LONGEST, canonical, checked, mapping, packed, scenario_in, unpacked
from app.web.store import Store

KEPT_BYTES = 65_536
"""Bytes of JSON of the largest scenario that the store keeps."""

KEPT = "x-"


def is_own(ref: str) -> bool:
    """Does the ref name an own scenario? (No name of the library looks like one.)"""
    return ref.startswith((CARRIED, KEPT))


def keep(values: Json, store: Store) -> str:
    """The ref of a scenario, which is checked first. Only what does not fit into a link is saved.

    Raises SourceError for a mistake in the scenario, BluecutError where it is too large or cannot be kept.
    """
    checked(values, "scenario")
    text = canonical(values)
    ref = packed(text)
    if len(ref) <= LONGEST and len(text.encode()) <= VISITOR_BYTES:
        return ref
    if len(text.encode()) > KEPT_BYTES:
        size = len(text.encode())
        raise BluecutError("the scenario has {size:,} bytes of JSON; at most {most:,}", size=size, most=KEPT_BYTES)
    return store.save(text)


def scenario_of(ref: str, store: Store) -> Scenario:
    """The scenario that a ref names. Raises BluecutError.

    Its name is made of what it says, so that no two of them share one. Its lines are those of the text that
    ``written`` makes of it, so a mistake in a run names the line that the editor shows.
    """
    return scenario_in(text_of(ref, store))


def values_of(ref: str, store: Store) -> dict[str, Json]:
    """The plain values of an own scenario. Raises BadRef, or Missing for an id that is not kept."""
    return mapping(text_of(ref, store))


def text_of(ref: str, store: Store) -> str:
    """The JSON that a ref carries or under which it is kept. Raises BadRef or Missing."""
    return store.load(ref) if ref.startswith(KEPT) else unpacked(ref)
