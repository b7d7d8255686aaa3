"""Chandy–Lamport over any channels: numbers for messages and markers alike make every channel FIFO and reliable.

Each process numbers what it sends on a channel, messages of the program and markers in one sequence. The receiver takes
only the next number: it discards what it has had, and also what comes too early, because that will be resent (go back
N). Each arrival is acknowledged, beside the channels, with the number that is expected next; one acknowledgement covers
all earlier numbers. As long as something is not acknowledged, a timer runs, and each time it expires the oldest
unacknowledged message or marker is resent. A timer is a deferred step.

So the marker stands between the same two messages however often it is lost, duplicated or overtaken, and Chandy and
Lamport's rule does the rest. With fair loss (whatever is resent again and again arrives some time) everything arrives.

After PATIENCE timers in a row without an answer the process considers the channel partitioned: it aborts the snapshots
whose marker waits there, and starts another one. After LIMIT it abandons the channel. So the algorithm always ends.

The numbers are in no snapshot, so nothing is promised of a system that rolls back to one: they begin anew, and what was
restored in a channel has a number that no process expects.

Notes: those of Chandy–Lamport, and Deferred, Told, Discarded, Aborted.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 2: channels are error-free and deliver in the order sent; this
is what must be built first where they are not. V. Cerf, R. Kahn, "A Protocol for Packet Network Intercommunication",
IEEE Transactions on Communications 22(5), 1974 (sequence numbers, cumulative acknowledgement, retransmission).
"""

from collections.abc import Iterable
from typing import Any

from immutables import Map
from msgspec import structs
from msgspec.structs import replace

from app.algorithms.markers import chandy_lamport
from app.algorithms.markers.chandy_lamport import Table
from app.algorithms.shared.retransmission import answered, expired
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Discarded, Rule
from app.core.model.topology import source_of
from app.core.model.value import Value
from app.core.model.values import APP, MARKER, Defer, Message, Part, Post, Process, Swallow, Tell, Todo

NAME = "sequenced"
BASE = chandy_lamport
REQUIRES = "any"
PROMISE: str | None = None
MARKERS = False
MENDS = True
COST = "2|E| + m"
PSEUDOCODE = (
    ("on-numbering", 0),
    ("number", 1),
    ("keep-copy", 1),
    ("on-arrival", 0),
    ("if-next", 1),
    ("expect-next", 2),
    ("obey", 2),
    ("throw", 1),
    ("answer-number", 1),
    ("on-answer", 0),
    ("forget-copies", 1),
    ("on-timer", 0),
    ("resend-oldest", 1),
    ("start-anew", 1),
)

UPTO = "upto"

Sending = tuple[int, Message | int]
"""The number of what was sent on a channel, and a message of the program, or the snapshot of a marker."""


class Memory(Value):
    """The tables of Chandy–Lamport; by output, how many were sent, which of them are not acknowledged, and, where a
    timer runs, how often it expired without an answer; by input, the number that is expected."""

    tables: "Map[int, Table]"
    sent: "Map[str, int]"
    waiting: "Map[str, tuple[Sending, ...]]"
    tries: "Map[str, int]"
    expected: "Map[str, int]"


def start(process: Process) -> Memory:
    """Return a memory with nothing recorded or sent; the first number is expected."""
    return Memory(Map(), Map(), Map(), Map(), Map())


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record and send numbered markers."""
    tables, effects = chandy_lamport.on_initiate(process, memory.tables, state, snapshot)
    return _numbered(replace(memory, tables=tables), effects)


def carries(process: Process, memory: Memory, channel: str) -> int:
    """Return the message's number."""
    return memory.sent.get(channel, 0)


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Keep a copy until it is acknowledged."""
    memory, timers = _sending(memory, channel, message)
    return memory, (*timers, Rule(("on-numbering", "number", "keep-copy")))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Take what is next, discard the rest, and say what is expected."""
    number = message.tag if message.kind == APP else message.payload
    expected = memory.expected.get(channel, 0)
    if number != expected:
        thrown = Swallow() if message.kind == APP else Discarded(process.name, channel, message)
        said = Rule(("on-arrival", "throw", "answer-number"))
        return memory, (thrown, said, Tell(source_of(channel), None, (UPTO, channel, expected)))
    tables, effects = chandy_lamport.on_receive(process, memory.tables, state, channel, message)
    memory = replace(memory, tables=tables, expected=memory.expected.set(channel, expected + 1))
    memory, effects = _numbered(memory, effects)
    said = Rule(("on-arrival", "if-next", "expect-next", "obey", "answer-number"))
    return memory, (*effects, said, Tell(source_of(channel), None, (UPTO, channel, expected + 1)))


def on_told(
    process: Process, memory: Memory, state: object, source: str, snapshot: int | None, word: Any
) -> Reply[Memory]:
    """Take an acknowledgement: everything before the number has arrived."""
    _, channel, number = word
    left = tuple(one for one in memory.waiting.get(channel, ()) if one[0] >= number)
    waiting, tries = answered(memory.waiting, memory.tries, channel, left)
    return replace(memory, waiting=waiting, tries=tries), (Rule(("on-answer", "forget-copies")),)


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Resend, at the expiry of an output's timer, the oldest message or marker that is not acknowledged there."""
    channel = what.name
    due = memory.waiting.get(channel, ())
    if not due or channel not in process.outputs:
        return replace(memory, tries=memory.tries.delete(channel)), (Rule(("on-timer",)),)
    tries, after = expired(memory.tries, what, (content for _, content in due if isinstance(content, int)))
    resent = (_again(channel, due[0]), Rule(("on-timer", "resend-oldest")))
    return replace(memory, tries=tries), (*resent, *after)


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return what Chandy–Lamport recorded."""
    return chandy_lamport.result(process, memory.tables, snapshot)


def _again(channel: str, one: Sending) -> Post:
    """Send the same once more, with the same number."""
    number, content = one
    if isinstance(content, int):
        return Post(channel, MARKER, content, number)
    return Post(channel, APP, None, copy=content)


def _sending(memory: Memory, channel: str, content: Message | int) -> tuple[Memory, tuple[Defer, ...]]:
    """Remember what is being sent as the next of its channel; start a timer where none runs."""
    number = memory.sent.get(channel, 0)
    waiting = (*memory.waiting.get(channel, ()), (number, content))
    memory = replace(memory, sent=memory.sent.set(channel, number + 1), waiting=memory.waiting.set(channel, waiting))
    if channel in memory.tries:
        return memory, ()
    return replace(memory, tries=memory.tries.set(channel, 0)), (Defer(Todo("resend", name=channel)),)


def _numbered(memory: Memory, effects: Iterable[Effect]) -> tuple[Memory, tuple[Effect, ...]]:
    """Return the effects of recording, each marker with the next number of its channel. What Chandy–Lamport executes is
    one line here."""
    done: list[Effect] = []
    late: list[Effect] = []
    marked = False
    for effect in effects:
        match effect:
            case Post(channel=channel, snapshot=int(snapshot)):
                done.append(structs.replace(effect, payload=memory.sent.get(channel, 0)))
                memory, timers = _sending(memory, channel, snapshot)
                late += timers
                marked = True
            case Rule():
                pass
            case _:
                done.append(effect)
    said = (Rule(("on-numbering", "number", "keep-copy")),) if marked else ()
    return memory, (*done, *late, *said)
