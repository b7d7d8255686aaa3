"""Chandy–Lamport: markers cut the history of every channel, and what lies between two cuts is in flight.

Rule for sending markers: a process records its state, then puts one marker on each output channel, before any other
message goes there. Recording and putting the markers is one step.

Rule for receiving a marker on channel c: a process that has not recorded does so now, by the rule for sending, and
records c as empty; from then on it logs what arrives on every other input. A process that has recorded closes c: the
recorded state of c is what was logged on it.

Markers carry the id of their snapshot, so any process may start one at any time; the tables of different ids never
affect each other. A process is done when a marker has arrived on each of its input channels; the snapshot is complete
when all processes are done.

Notes: Recorded, Opened, Logged, Closed, Done, Rule.

References
----------
K. M. Chandy, L. Lamport, "Distributed Snapshots: Determining Global States of Distributed Systems", ACM TOCS 3(1),
1985, 63-75, sections 3.2 (rules) and 3.3 (termination).
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, TypeAlias

from immutables import Map
from msgspec.structs import replace

from app.core.model.algorithm import Effect, Recovery, Reply
from app.core.model.notes import Closed, Done, Logged, Opened, Recorded, Rule
from app.core.model.value import Value
from app.core.model.values import APP, MARKER, Message, Part, Post, Process

NAME = "chandy-lamport"
REQUIRES = "fifo"
MARKERS = True
RECOVERY = Recovery("rollback")
PROMISE: str | None = "exactly-once"
COST = "|E|"
PSEUDOCODE = (
    ("on-start", 0),
    ("start-record", 1),
    ("start-send", 1),
    ("start-open", 1),
    ("on-marker", 0),
    ("if-first", 1),
    ("record", 2),
    ("empty", 2),
    ("send", 2),
    ("open", 2),
    ("else", 1),
    ("close", 2),
    ("on-message", 0),
    ("log", 1),
    ("process", 1),
)


class Table(Value):
    """What a process keeps for one snapshot: its recorded state, a log for each input, and which are open, in their
    order."""

    state: Any
    logs: "Map[str, tuple[Message, ...]]"
    open: tuple[str, ...]


Memory: TypeAlias = "Map[int, Table]"
"""What a process keeps of each snapshot, by its number."""

_NOTHING: "Map[str, tuple[Message, ...]]" = Map()
_LOGGING = Rule(("on-message", "log", "process"))
_CLOSING = Rule(("on-marker", "else", "close"))
"""What thousands of steps say or keep alike; made once."""


def start(process: Process) -> Memory:
    """Return a memory with nothing recorded."""
    return Map()


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record and send markers, in one step."""
    return record(process, memory, state, snapshot, None)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Log a message on every open channel of every snapshot; obey a marker."""
    if message.kind == APP:
        return log(memory, channel, message) if memory else (memory, ())
    assert message.snapshot is not None
    if message.snapshot not in memory:
        return record(process, memory, state, message.snapshot, channel)
    return close(process, memory, message.snapshot, channel)


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the recorded state and the logs, inputs in the scenario's order."""
    table = memory.get(snapshot)
    if table is None:
        return None
    channels = tuple((c, table.logs.get(c, ())) for c in process.inputs)
    return Part(process.name, table.state, channels, tuple(c for c in process.inputs if c in table.open))


def record(process: Process, memory: Memory, state: object, snapshot: int, first: str | None) -> Reply[Memory]:
    """Copy the state, send the markers, open every input but ``first``."""
    opened = tuple(c for c in process.inputs if c != first)
    table = Table(state, _NOTHING, opened)
    return memory.set(snapshot, table), _recording(process, state, snapshot, first, opened)


def _recording(
    process: Process, state: object, snapshot: int, first: str | None, opened: Iterable[str]
) -> Iterator[Effect]:
    opened = tuple(opened)
    yield Recorded(snapshot, process.name, state, first)
    if first is not None:
        yield Closed(snapshot, first)
    for channel in process.outputs:
        yield Post(channel, MARKER, snapshot)
    for channel in opened:
        yield Opened(snapshot, channel)
    yield Rule(_lines_of_recording(first is None, bool(process.outputs), bool(opened)))
    if not opened:
        yield Done(snapshot, process.name)


@cache
def _lines_of_recording(starts: bool, sends: bool, opens: bool) -> tuple[str, ...]:
    lines: tuple[str, ...]
    if starts:
        lines = ("on-start", "start-record", "start-send", "start-open")
    else:
        lines = ("on-marker", "if-first", "record", "empty", "send", "open")
    skip = {"send"} if not sends else set()
    skip |= {"open"} if not opens else set()
    return tuple(line for line in lines if line.removeprefix("start-") not in skip)


def log(memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Copy ``message`` into every table that has ``channel`` open."""
    effects: list[Effect] = []
    for snapshot in memory if len(memory) == 1 else sorted(memory):
        table = memory[snapshot]
        if channel in table.open:
            logs = table.logs.set(channel, (*table.logs.get(channel, ()), message))
            memory = memory.set(snapshot, replace(table, logs=logs))
            effects.append(Logged(snapshot, channel, message))
    if effects:
        effects.append(_LOGGING)
    return memory, effects


def without(channels: tuple[str, ...], channel: str) -> tuple[str, ...]:
    """Return the channels without one of them."""
    at = channels.index(channel)
    return channels[:at] + channels[at + 1 :]


def close(process: Process, memory: Memory, snapshot: int, channel: str, rule: Rule = _CLOSING) -> Reply[Memory]:
    """Close ``channel``, whose marker is here: its log is its recorded state. ``rule`` names the lines that say so."""
    table = memory[snapshot]
    if channel not in table.open:
        return memory, ()
    table = replace(table, open=without(table.open, channel))
    effects: list[Effect] = [Closed(snapshot, channel), rule]
    if not table.open:
        effects.append(Done(snapshot, process.name))
    return memory.set(snapshot, table), effects
