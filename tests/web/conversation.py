"""Reading what the server says: events, and the JSON that a page carries."""

import json
import re
from dataclasses import dataclass
from typing import Any

from app.run.run import record
from app.scenario.library import LIBRARY

FIVE: dict[str, Any] = {
    "title": {"en": "Five steps", "zh": "五步"},
    "topology": {"processes": ["P1", "P2"], "channels": ["P1->P2", "P2->P1"]},
    "program": {"kind": "variables", "values": {"P1": {"X": 1}}},
    "collect": False,
    "script": [
        {"start": "P1"},
        {"send": {"on": "P2->P1", "message": "M"}},
        {"deliver": "P1->P2"},
        {"deliver": "P2->P1"},
        {"deliver": "P2->P1"},
    ],
}
"""A visitor's scenario of five steps: M crosses the cut."""

BLUE = record(LIBRARY.scenario("blue-figure"))
"""The run that most tests ask for."""

LAST = len(BLUE.steps)


@dataclass(frozen=True)
class Event:
    """One server-sent event."""

    name: str
    id: int
    data: Any


def visible(html: str) -> str:
    """Return the page without its data."""
    return re.sub(r"<script.*?</script>", "", html, flags=re.S)


def events(text: str) -> list[Event]:
    """Return the events of a stream."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(":", 1) for line in block.split("\n"))
        found.append(Event(fields["event"], int(fields["id"]), json.loads(fields["data"])))
    return found


def carried(html: str, name: str) -> Any:
    """Return the JSON in the script element ``name``."""
    match = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', html, re.S)
    assert match, f"no element {name}"
    return json.loads(match[1])
