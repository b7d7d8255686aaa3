"""What is wrong with a snapshot, as sentences of the step that completes it and of the end of the run."""

from collections.abc import Iterable, Iterator

from app.core.model.values import Json
from app.words.sentence_fields import FIELDS, Sentence

PRICE = ("markers", "records")
"""Faults of the price. The recorded state itself is right, and the price is known only at the end."""


def fault_sentences(witnesses: Iterable[Json]) -> tuple[Sentence, ...]:
    """Return what is wrong with the recorded state, the sum first: at most two sentences, because one reason is
    enough."""
    told = [each for each in witnesses if each.get("fault") not in PRICE]
    sums = [_total(each) for each in told if "fault" not in each]
    reasons = [_reason(each) for each in told if "fault" in each]
    return (*sums[:1], *reasons[:1])


def price_sentences(witnesses: Iterable[Json]) -> tuple[Sentence, ...]:
    """Return what is wrong with the price of a snapshot."""
    return tuple(_reason(each) for each in witnesses if each.get("fault") in PRICE)[:1]


def _total(witness: Json) -> Sentence:
    recorded, total = witness["recorded"], witness["total"]
    if total == {"token": 1} and isinstance(recorded, dict):
        return Sentence("fault.tokens", (recorded.get("token", 0), 1))
    return Sentence("fault.total", (recorded, total))


def _reason(witness: Json) -> Sentence:
    """Return why: a fault that only says that no run passes through the state names no message."""
    key = f"fault.{witness['fault']}"
    if key not in FIELDS:
        return Sentence("fault.impossible", ())
    message = witness.get("message")
    about = message if isinstance(message, dict) else {}
    known = {**witness, "channel": witness.get("channel", about.get("channel")), "message": about.get("payload")}
    return Sentence(key, tuple(_values(known, FIELDS[key])))


def _values(known: dict[str, Json], names: Iterable[str]) -> Iterator[Json]:
    for name in names:
        yield known[name]
