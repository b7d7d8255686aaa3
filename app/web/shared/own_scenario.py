"""Own scenarios: made by visitors, and carried by their links or stored.

A ref names a scenario in a URL: one of the library, or it carries the scenario (``app.wire.scenario_link``), or is
``x-<hash>``, its id in the store.
"""

from starlette.requests import Request

from app.core.model.values import BluecutError, Json
from app.scenario.format import VISITOR_BYTES
from app.scenario.library import LIBRARY
from app.scenario.scenario import Scenario
from app.web.base.store import Store
from app.wire.scenario_link import CARRIED, LONGEST, canonical, checked, mapping, packed, scenario_in, unpacked

KEPT_BYTES = 65_536
"""Bytes of JSON of the largest scenario that the store accepts."""

KEPT = "x-"


def is_own(ref: str) -> bool:
    """Does the ref name an own scenario? No name in the library looks like one."""
    return ref.startswith((CARRIED, KEPT))


def keep(values: Json, store: Store, client: str | None = None) -> str:
    """Return the ref of a scenario of ``client``, after checking it. It is stored only if it does not fit into a link.

    Raises SourceError for a mistake in the scenario, BluecutError if it is too large or cannot be stored.
    """
    checked(values, "scenario")
    text = canonical(values)
    ref = packed(text)
    if len(ref) <= LONGEST and len(text.encode()) <= VISITOR_BYTES:
        return ref
    if len(text.encode()) > KEPT_BYTES:
        size = len(text.encode())
        raise BluecutError("the scenario has {size:,} bytes of JSON; at most {most:,}", size=size, most=KEPT_BYTES)
    return store.save(text, client)


def resolve(ref: str, request: Request) -> Scenario:
    """Return the scenario that ``ref`` names. Raises Unknown, Missing or BluecutError; no ref ever becomes part of a
    path."""
    return scenario_of(ref, request.app.state.store) if is_own(ref) else LIBRARY.scenario(ref)


def scenario_of(ref: str, store: Store) -> Scenario:
    """Return the own scenario that a ref names. Raises BluecutError.

    Its name is derived from its content, so that no two scenarios share one. Its lines are those of the text that
    ``written`` makes of it, so a mistake in a run names the line that the editor shows.
    """
    return scenario_in(_text_of(ref, store))


def values_of(ref: str, store: Store) -> dict[str, Json]:
    """Return the plain values of an own scenario. Raises BadRef, or Missing for an unknown id."""
    return mapping(_text_of(ref, store))


def _text_of(ref: str, store: Store) -> str:
    """Return the JSON that a ref carries or names in the store. Raises BadRef or Missing."""
    return store.load(ref) if ref.startswith(KEPT) else unpacked(ref)
