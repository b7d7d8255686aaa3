"""Acharya–Badrinath, broken: the token leaves as separate messages instead of one broadcast.

The initiator records and sends the token to the first process; the others get theirs in later events of the initiator.
A message that the first process sends after its token does not come causally after the second token, so even causal
delivery lets it arrive first: its receiver has not recorded yet and counts it as received.

Notes: those of Acharya–Badrinath, and Deferred.

References
----------
A. Acharya, B. R. Badrinath, IPL 44(6), 1992: the token is one causal broadcast; this module drops that. They continue
Chandy and Lamport, ACM TOCS 3(1), 1985.
"""

from collections.abc import Iterator

from app.algorithms.causal import acharya_badrinath
from app.algorithms.causal.acharya_badrinath import Memory
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Assembled, Done, Recorded, Rule
from app.core.model.values import CONTROL, Defer, Post, Process, Todo

NAME = "unicast-token"
BASE = acharya_badrinath
WRONG: str | None = "token-broadcast"


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record, and send the first token only."""
    return acharya_badrinath.initiated(process, memory, state, snapshot), _initiating(process, state, snapshot)


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Send the next token."""
    snapshot, place = what.numbers
    return memory, _letter(process, snapshot, place)


def _initiating(process: Process, state: object, snapshot: int) -> Iterator[Effect]:
    yield Recorded(snapshot, process.name, state, None)
    yield from _letter(process, snapshot, 0)
    yield Rule(("on-start", "start-record"))
    yield Done(snapshot, process.name)
    if not process.outputs:
        yield Assembled(snapshot, process.name)


def _letter(process: Process, snapshot: int, place: int) -> Iterator[Effect]:
    """Yield one token, and defer the rest."""
    if place < len(process.outputs):
        yield Post(process.outputs[place], CONTROL, snapshot, "letter")
        yield Rule(("token-broadcast",))
    if place + 1 < len(process.outputs):
        yield Defer(Todo("letter", (snapshot, place + 1)))
