"""The names of processes and channels in the values of a scenario: replaced everywhere, or gone."""

from collections.abc import Callable, Collection
from typing import Any

from app.forms.json_shape import items, mapping
from app.web.play.editor.form import FIRST, PLACES, Values

NAMES = frozenset(
    (
        *("processes", "start", "wake", "read", "crash", "restart", "forget", "join", "leave", "newcomers", "process"),
        *("service", "initiators", "starts", *FIRST.values(), "edges", "unreachable", "absent", "unusable", "returned"),
        *("outside", "possible", "taken", "counted", "places", "useless", "kept"),
        *("channels", "on", "deliver", "collect", "drop", "duplicate", "overtake", "partition", "heal", "mend"),
        *("open", "delays", "disciplines", "loss", "duplication", "capacity"),
    )
)
"""Fields that name processes or channels."""
OPAQUE = ("message", "state", "set", "then", "say", "title", "story", "ending", "surprise", "from", "to", "receive")
"""Fields whose text is never a name."""


def rename(here: Any, called: Callable[[str], str]) -> None:
    """Replace the name of every process and channel in the values. Changes ``here``."""
    for inner in items(here):
        rename(inner, called)
    for field, value in list(mapping(here).items()):
        if field in OPAQUE:
            continue
        match value:
            case str() if field in NAMES:
                here[field] = called(value)
            case list() if field in NAMES:
                here[field] = [called(inner) if isinstance(inner, str) else inner for inner in value]
            case dict() if field == "newcomers":
                here[field] = {called(key): called(str(parent)) for key, parent in value.items()}
            case dict() if field in NAMES and field not in ("start", "process"):
                here[field] = {called(key): inner for key, inner in value.items()}
        if field not in FIRST.values():
            rename(here[field], called)


def forget(values: Values, gone: Collection[str]) -> None:
    """Remove everything that the values say about processes and channels that are gone, except for the topology."""
    for field in [field for field in values if field != "topology"]:
        part = {field: values.pop(field)}
        if _left(part, gone) or field == "program":
            values |= part


PARTS = ("initiators", "processes", "starts")
"""Lists of names without which what they belong to says nothing."""


def _left(here: Any, gone: Collection[str]) -> bool:
    """Remove what is said about names that are gone. Is anything left to say? Changes ``here``."""
    if isinstance(here, list):
        here[:] = [inner for inner in here if _left(inner, gone)]
        return True
    for field, value in list(mapping(here).items()):
        if field in OPAQUE:
            continue
        if isinstance(value, str) and field in NAMES and value in gone:
            return False
        if isinstance(value, dict) and field in NAMES:
            here[field] = {
                key: inner
                for key, inner in value.items()
                if key not in gone and not (field == "newcomers" and inner in gone)
            }
        elif isinstance(value, list) and field in NAMES:
            here[field] = [inner for inner in value if not (isinstance(inner, str) and inner in gone)]
        inside = field == "edges" or field not in NAMES or isinstance(value, list)
        if inside and not _left(here[field], gone):
            if field in PLACES:
                return False
            del here[field]
        if field in PARTS and value and not here.get(field):
            return False
    return True
