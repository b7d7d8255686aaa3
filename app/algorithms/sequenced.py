"""Chandy–Lamport over any channels: numbers for messages and markers alike make every channel FIFO and reliable.

Each process numbers what it sends on a channel, messages of the program and markers in one sequence. The receiver takes
only the number that is next: what it has had is thrown away, and so is what comes too early, because it will be sent
again (go back N). Each arrival is acknowledged, beside the channels, with the number that is expected next; one
acknowledgement stands for all before it. As long as something is not acknowledged, a timer runs, and each time it runs
out the oldest of it is sent again. A timer is a step put off.

So the marker stands between the same two messages however often it is lost, doubled or overtaken, and Chandy and
Lamport's rule does the rest. With fair loss (whatever is sent again and again arrives some time) everything arrives.

After PATIENCE timers in a row without an answer the process takes the channel for cut: it gives the snapshots up whose
marker waits there, and starts another one. After LIMIT it gives the channel up. So nothing goes on for ever.

Notes: those of Chandy–Lamport, and Deferred, Told, Discarded, Aborted.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 2: channels are error-free and deliver in the order sent; this
is what must be built first where they are not. V. Cerf, R. Kahn, "A Protocol for Packet Network Intercommunication",
IEEE Transactions on Communications 22(5), 1974 (sequence numbers, cumulative acknowledgement, retransmission).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from immutables import Map

from app.algorithms import chandy_lamport
from app.algorithms.chandy_lamport import Table
from app.algorithms.resent_marker import LIMIT, PATIENCE, kept
from app.core.algorithm import Effect, Reply
from app.core.model import APP, MARKER, Abort, Defer, Message, Part, Post, Process, Swallow, Tell
from app.core.notes import Discarded, Rule
from app.core.topology import source_of

NAME = "sequenced"
BASE = chandy_lamport
REQUIRES = "any"
MARKERS = False
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


@dataclass(frozen=True, slots=True)
class Memory:
    """The tables of Chandy–Lamport; by output, how many were sent, what of it is not acknowledged, and, where a timer
    runs, how often it ran out without an answer; by input, the number that is expected."""

    tables: "Map[int, Table]"
    sent: "Map[str, int]"
    waiting: "Map[str, tuple[Sending, ...]]"
    tries: "Map[str, int]"
    expected: "Map[str, int]"


def start(process: Process) -> Memory:
    """Nothing recorded, sent or expected but the first."""
    return Memory(Map(), Map(), Map(), Map(), Map())


def on_initiate(process: Process, memory: Memory, state: Any, snapshot: int) -> Reply:
    """Record and send numbered markers."""
    tables, effects = chandy_lamport.on_initiate(process, memory.tables, state, snapshot)
    return numbered(replace(memory, tables=tables), effects)


def carries(process: Process, memory: Memory, channel: str) -> int:
    """Its number."""
    return memory.sent.get(channel, 0)


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply:
    """Keep a copy until it is acknowledged."""
    memory, timers = sending(memory, channel, message)
    return memory, (*timers, Rule(("on-numbering", "number", "keep-copy")))


def on_receive(process: Process, memory: Memory, state: Any, channel: str, message: Message) -> Reply:
    """Take what is next, throw the rest away, and say what is expected."""
    number = message.tag if message.kind == APP else message.payload
    expected = memory.expected.get(channel, 0)
    if number != expected:
        thrown = Swallow() if message.kind == APP else Discarded(process.name, channel, message)
        said = Rule(("on-arrival", "throw", "answer-number"))
        return memory, (thrown, said, Tell(source_of(channel), None, (UPTO, channel, expected)))
    tables, effects = chandy_lamport.on_receive(process, memory.tables, state, channel, message)
    memory = replace(memory, tables=tables, expected=memory.expected.set(channel, expected + 1))
    memory, effects = numbered(memory, effects)
    said = Rule(("on-arrival", "if-next", "expect-next", "obey", "answer-number"))
    return memory, (*effects, said, Tell(source_of(channel), None, (UPTO, channel, expected + 1)))


def on_told(process: Process, memory: Memory, state: Any, source: str, snapshot: int | None, word: Any) -> Reply:
    """All before the number have arrived."""
    _, channel, number = word
    left = tuple(one for one in memory.waiting.get(channel, ()) if one[0] >= number)
    tries = memory.tries.set(channel, 0) if channel in memory.tries else memory.tries
    waiting = kept(memory.waiting, channel, left)
    return replace(memory, waiting=waiting, tries=tries), (Rule(("on-answer", "forget-copies")),)


def on_wake(process: Process, memory: Memory, state: Any, what: str) -> Reply:
    """The timer of an output has run out: send the oldest again that is not acknowledged there."""
    channel = what.removeprefix("resend ")
    due = memory.waiting.get(channel, ())
    if not due or channel not in process.outputs:
        return replace(memory, tries=memory.tries.delete(channel)), (Rule(("on-timer",)),)
    tries = memory.tries[channel] + 1
    effects: list[Effect] = [again(channel, due[0]), Rule(("on-timer", "resend-oldest"))]
    marked = [content for _, content in due if isinstance(content, int)]
    if marked and tries % PATIENCE == 0:
        effects += [Rule(("start-anew",)), *(Abort(number, again=tries < LIMIT) for number in marked)]
    if tries == LIMIT:
        return replace(memory, tries=memory.tries.delete(channel)), effects
    return replace(memory, tries=memory.tries.set(channel, tries)), (*effects, Defer(what))


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """What Chandy–Lamport recorded."""
    return chandy_lamport.result(process, memory.tables, snapshot)


def again(channel: str, one: Sending) -> Post:
    """The same once more, with the same number."""
    number, content = one
    if isinstance(content, int):
        return Post(channel, MARKER, content, number)
    return Post(channel, APP, None, copy=content)


def sending(memory: Memory, channel: str, content: Message | int) -> tuple[Memory, tuple[Defer, ...]]:
    """Remember what is being sent as the next of its channel; let a timer run where none does."""
    number = memory.sent.get(channel, 0)
    waiting = (*memory.waiting.get(channel, ()), (number, content))
    memory = replace(memory, sent=memory.sent.set(channel, number + 1), waiting=memory.waiting.set(channel, waiting))
    if channel in memory.tries:
        return memory, ()
    return replace(memory, tries=memory.tries.set(channel, 0)), (Defer(f"resend {channel}"),)


def numbered(memory: Memory, effects: Iterable[Effect]) -> tuple[Memory, tuple[Effect, ...]]:
    """The effects of recording, each marker with the next number of its channel. What Chandy–Lamport executes is one
    line here."""
    done: list[Effect] = []
    late: list[Effect] = []
    marked = False
    for effect in effects:
        if isinstance(effect, Post) and effect.snapshot is not None:
            done.append(replace(effect, payload=memory.sent.get(effect.channel, 0)))
            memory, timers = sending(memory, effect.channel, effect.snapshot)
            late += timers
            marked = True
        elif not isinstance(effect, Rule):
            done.append(effect)
    said = (Rule(("on-numbering", "number", "keep-copy")),) if marked else ()
    return memory, (*done, *late, *said)
