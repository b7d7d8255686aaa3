"""The five verbs of every snapshot: record, send a marker, log a message, close a channel, be done.

Whoever decides when to use them (a person with buttons, or a class that somebody writes) can be wrong about the moment,
but not about the facts: what is recorded is the state that the process has, and what is logged is a message that has
arrived. Each verb answers with the process's new ledger and the effects, and raises Refused where it makes no sense.

Source: K. M. Chandy, L. Lamport, "Distributed Snapshots", ACM TOCS 3(1), 1985, section 3.2.
"""

from typing import TypeAlias

from immutables import Map
from msgspec.structs import replace

from app.core.model.algorithm import Reply
from app.core.model.notes import Closed, Done, Logged, Opened, Recorded
from app.core.model.value import Value
from app.core.model.values import MARKER, Message, Part, Post, Process, Refused

RECORD, SEND_MARKER, LOG, CLOSE, DONE = VERBS = ("record", "send_marker", "log", "close", "done")
STEPS = {verb: f"hand-{verb.partition('_')[0]}" for verb in VERBS}
"""The words of the steps by hand, by the verbs."""


class Table(Value):
    """What a process has of one snapshot: its state, as a tuple of one once it is recorded, the messages logged on each
    input, and which inputs are closed."""

    state: tuple[object, ...] = ()
    logs: "Map[str, tuple[Message, ...]]" = Map()
    closed: tuple[str, ...] = ()
    done: bool = False


EMPTY = Table()
Ledger: TypeAlias = "Map[int, Table]"
"""The tables of a process, by the number of the snapshot."""


def record(process: Process, ledger: Ledger, snapshot: int, state: object, first: str | None) -> Reply[Ledger]:
    """Record ``state``, the present one of the process; ``first`` is the input whose marker has just come."""
    table = ledger.get(snapshot, EMPTY)
    if table.state:
        raise Refused("{process} has recorded for snapshot {snapshot} already", process=process.name, snapshot=snapshot)
    opened = (Opened(snapshot, c) for c in process.inputs if c not in table.closed)
    return (
        ledger.set(snapshot, replace(table, state=(state,))),
        (Recorded(snapshot, process.name, state, first), *opened),
    )


def send_marker(process: Process, ledger: Ledger, snapshot: int, channel: str, word: object = None) -> Reply[Ledger]:
    """Put a marker on an output; ``word`` travels with it."""
    if channel not in process.outputs:
        raise Refused("{channel} is no output of {process}", channel=channel, process=process.name)
    return ledger, (Post(channel, MARKER, snapshot, word),)


def log(process: Process, ledger: Ledger, snapshot: int, channel: str, message: Message) -> Reply[Ledger]:
    """Copy ``message``, which has arrived on ``channel``, into the recorded state of that channel."""
    table = _open(process, ledger, snapshot, channel)
    logs = table.logs.set(channel, (*table.logs.get(channel, ()), message))
    return ledger.set(snapshot, replace(table, logs=logs)), (Logged(snapshot, channel, message),)


def close(process: Process, ledger: Ledger, snapshot: int, channel: str) -> Reply[Ledger]:
    """Close an input: what has been logged on it is its recorded state."""
    table = _open(process, ledger, snapshot, channel)
    closed = tuple(c for c in process.inputs if c == channel or c in table.closed)  # whichever was first
    return ledger.set(snapshot, replace(table, closed=closed)), (Closed(snapshot, channel),)


def done(process: Process, ledger: Ledger, snapshot: int) -> Reply[Ledger]:
    """Finish the part of the process: its state is recorded, and all its inputs are closed."""
    table = ledger.get(snapshot, EMPTY)
    if not table.state:
        raise Refused("{process} has not recorded for snapshot {snapshot}", process=process.name, snapshot=snapshot)
    if left := [channel for channel in process.inputs if channel not in table.closed]:
        raise Refused("{process} has not closed {channel}", process=process.name, channel=left[0])
    if table.done:
        raise Refused("{process} is done with snapshot {snapshot} already", process=process.name, snapshot=snapshot)
    return ledger.set(snapshot, replace(table, done=True)), (Done(snapshot, process.name),)


def part(process: Process, ledger: Ledger, snapshot: int) -> Part | None:
    """Return what a process has recorded for a snapshot; None before it has recorded."""
    table = ledger.get(snapshot, EMPTY)
    if not table.state:
        return None
    channels = tuple((c, table.logs.get(c, ())) for c in process.inputs)
    return Part(process.name, table.state[0], channels, tuple(c for c in process.inputs if c not in table.closed))


def _open(process: Process, ledger: Ledger, snapshot: int, channel: str) -> Table:
    """Return the table of a snapshot in which an input is not closed. Raises Refused."""
    if channel not in process.inputs:
        raise Refused("{channel} is no input of {process}", channel=channel, process=process.name)
    table = ledger.get(snapshot, EMPTY)
    if channel in table.closed:
        raise Refused("{process} has closed {channel} already", process=process.name, channel=channel)
    return table
