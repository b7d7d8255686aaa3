"""Scenarios that links carry.

``1.<text>`` carries a scenario: its compact JSON, compressed with raw deflate and encoded as base64url. Two machines
may encode the same scenario differently, because their zlib may differ; every machine reads both.
"""

import base64
import binascii
import hashlib
import json
import re
import zlib
from functools import lru_cache
from typing import NoReturn

from app.compact_json import compact
from app.core.model.values import BluecutError, Json, Phrase
from app.forms.yaml_source import SourceError, read
from app.scenario.format import FILE_BYTES, VISITOR_BYTES
from app.scenario.scenario import Scenario, build
from app.scenario.yaml_writer import ordered, written

LONGEST = 4_096
"""The most characters in a ref that carries its scenario."""

CARRIED = "1."

OWN = "own-"
"""How the names of own scenarios begin."""


class BadRef(BluecutError):
    """A link that names no scenario; the text says why."""


def canonical(values: dict[str, Json]) -> str:
    """Return the one text that stands for the values. It keeps the order of names, because a process's first variable
    matters."""
    return compact(ordered(values))


@lru_cache(maxsize=64)
def scenario_in(text: str) -> Scenario:
    """Return the scenario that JSON describes. The same text always gives the same scenario, so the latest are
    cached."""
    values = mapping(text)
    return checked(values, OWN + hashed(canonical(values)))


def mapping(text: str) -> dict[str, Json]:
    """Return the values of a scenario in JSON. Raises BadRef."""
    values = parsed(text)
    if not isinstance(values, dict):
        raise BadRef("this link does not carry a scenario; copy it again, from its beginning to its end")
    return values


def checked(values: Json, name: str) -> Scenario:
    """Return the scenario made of plain values. Raises SourceError, or Unwritable if no text can express a value."""
    if not isinstance(values, dict):
        raise SourceError(name, None, "", Phrase("a scenario is a mapping with topology, program, script, …"))
    return build(read(written(values), name, limit=FILE_BYTES))


def hashed(text: str) -> str:
    """Return the first 20 hexadecimal digits of a text's SHA-256. Half a character is refused later, in a sentence."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def packed(text: str) -> str:
    """Return the ref that carries ``text``."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = deflate.compress(text.encode()) + deflate.flush()
    return CARRIED + base64.urlsafe_b64encode(raw).decode().rstrip("=")


def unpacked(ref: str) -> str:
    """Return the text that a ref carries. Raises BadRef; never inflates more than VISITOR_BYTES."""
    if not ref.startswith(CARRIED):
        raise BadRef("this link names no scenario; an own scenario begins with 1. or x-")
    if len(ref) > LONGEST:
        raise BadRef(
            "this link is longer than {most:,} characters; larger scenarios are kept under an id", most=LONGEST
        )
    if not re.fullmatch(r"[A-Za-z0-9_-]+", ref[len(CARRIED) :]):
        _broken()
    try:
        raw = base64.urlsafe_b64decode(ref[len(CARRIED) :] + "=" * (-(len(ref) - len(CARRIED)) % 4))
        inflate = zlib.decompressobj(-15)
        data = inflate.decompress(raw, VISITOR_BYTES + 1)
        if len(data) > VISITOR_BYTES:
            raise BadRef("the scenario in this link is larger than {most:,} bytes", most=VISITOR_BYTES)
        if not inflate.eof or inflate.unused_data:
            _broken()
        return data.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        _broken()


def _broken() -> NoReturn:
    """Raise BadRef: these characters are not those of a link made here."""
    raise BadRef("this link is damaged or incomplete; copy it again, from its beginning to its end")


def parsed(text: str | bytes) -> Json:
    """Return JSON as plain values. Raises BadRef for repeated keys, NaN and deep nesting."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except (RecursionError, ValueError):
        raise BadRef("this JSON does not make a scenario") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the mapping. Raises ValueError for a repeated key, because its meaning is unclear."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def _no_number(text: str) -> NoReturn:
    """Raise ValueError: NaN and Infinity are not JSON."""
    raise ValueError(f"{text} is not JSON")
