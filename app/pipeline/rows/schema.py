"""The schema of traces: one table of rows, each of one kind, in integer columns.

Each row says what kind it is; ``KINDS`` lists the columns of each, and the other columns are null. Processes and
channels are places in the scenario's order, from 0; their names are in the rows of kind ``process`` and ``channel``.
Positions (``sent``, ``received``, ``cut``, ``position``) count the application events of one process from 1.

A run in which the system rolled back to a snapshot has several *lives*: what was undone has not happened in the next
one. Each life is a history of its own, and a snapshot belongs to the life in which it was taken. Every row except that
of the run says which.

A file holds whole runs, so that it can be judged without the others.
"""

from collections.abc import Mapping
from typing import Literal

from app.core.model.value import Frozen
from app.core.oracle.checks import CHECKS, ROW_CHECKS

VERSION = 2
"""Grows when a column changes its meaning or disappears, not when one is added."""

Type = Literal["string", "boolean", "short", "int", "long"]


class Column(Frozen):
    """A column: its name, its type, and its meaning, with the unit if it has one."""

    name: str
    type: Type
    about: str


VERDICT_COLUMNS = {name: f"verdict_{name}" for name in ROW_CHECKS}
"""By check, the column of the verdict on it."""

COLUMNS = (
    Column("kind", "string", "what the row is about; see KINDS"),
    Column("run", "long", "the number of the run in its sweep, from 0"),
    Column("life", "short", "the life of the run, from 0"),
    # the run
    Column("url", "string", "where the run can be seen: path and query"),
    Column("cell", "int", "the number of the cell of the sweep's grid, from 0"),
    Column("scenario", "string", "the scenario's name, or that of the generated one"),
    Column("topology", "string", "the shape of the graph"),
    Column("program", "string", "what processes do when nobody is looking"),
    Column("algorithm", "string", "the snapshot algorithm"),
    Column("discipline", "string", "the order in which channels deliver: fifo, causal or any"),
    Column("delay", "string", "how long a message travels, in ticks, as the sweep has it"),
    Column("interval", "int", "from one start of a snapshot to the next, in ticks or steps"),
    Column("seed", "long", "the seed of the schedule"),
    Column("processes", "int", "how many processes"),
    Column("channels", "int", "how many channels"),
    Column("diameter", "int", "channels of the longest of all shortest paths, where every process reaches every other"),
    Column("steps", "int", "steps of the run"),
    Column("events", "int", "rows of kind event that the run has"),
    Column("snapshots", "int", "rows of kind snapshot that the run has"),
    Column("messages", "int", "rows of kind message that the run has"),
    Column("cuts", "int", "rows of kind cut that the run has"),
    Column("lives", "int", "lives of the run that rows tell of; each has its own rows of kind process and channel"),
    Column("paused", "int", "steps after which a program was held up"),
    Column("blocked", "int", "steps after which an input was blocked"),
    Column("loss", "int", "how often a process read or took an item again after crashes; null where there were none"),
    Column("faults", "int", "messages and markers that the network lost, duplicated or let overtake others"),
    Column("conserves", "boolean", "does the program conserve anything?"),
    Column("full", "boolean", "did the run stop at a limit, with more to do?"),
    # processes and channels
    Column("process", "int", "the place of a process"),
    Column("name", "string", "the name of a process or channel"),
    Column("channel", "int", "the place of a channel"),
    Column("source", "int", "the process that sends on the channel"),
    Column("target", "int", "the process that receives from it"),
    Column("ordered", "boolean", "does the channel keep the order of its messages, and may the algorithm rely on it?"),
    # what happened
    Column("message", "long", "the identity of a message of the program, within its run"),
    Column("sent", "int", "the sender's event that sent it; null where that was taken back"),
    Column("received", "int", "the receiver's event that received it; null where that did not happen"),
    Column("lost", "boolean", "did it vanish for good?"),
    Column("copied", "int", "the step in which the network made it, a copy of another; null where it did not"),
    Column("position", "int", "the event's position in its process"),
    Column("event", "string", "send, receive or internal"),
    Column("step", "int", "the step in which it happened"),
    # what was recorded
    Column("snapshot", "int", "the number of the snapshot in its run"),
    Column("cut", "int", "how many events its process had behind it when it recorded"),
    Column("records", "int", "how often the process recorded"),
    Column("part", "boolean", "is there a recorded part of the process?"),
    Column("absent", "boolean", "does it take no part: false as a newcomer after the cut, true as one that had gone"),
    Column("unusable", "boolean", "did it go away in the middle?"),
    Column("place", "int", "where the message stands in the recorded channel, from 0"),
    Column("count", "int", "how many markers"),
    Column("quantity", "string", "the name of what is conserved"),
    Column("amount", "long", "how much of it"),
    Column("last", "long", "how much of it the process had in the end"),
    # the snapshot as its simulator saw it
    Column("started", "int", "the step in which the snapshot started"),
    Column("completed", "int", "the step in which it was complete; null where it never was"),
    Column("aborted", "boolean", "was it given up?"),
    Column("marked", "boolean", "does its algorithm promise one marker on each channel?"),
    Column("duration", "int", "steps from its start to its completion"),
    Column("ticks", "int", "virtual time from its start to its completion; null without virtual time"),
    Column("markers", "int", "markers that were sent for it"),
    Column("controls", "int", "all control messages that were sent for it, markers among them"),
    Column("recorded", "int", "messages recorded in channels"),
    Column("bytes", "long", "bytes of the messages recorded in channels, as compact JSON"),
    Column("state", "long", "bytes of the recorded states of the processes, as compact JSON"),
    *(
        Column(column, "boolean", f"{CHECKS[name].question} The simulator's verdict, null where it has none")
        for name, column in VERDICT_COLUMNS.items()
    ),
)

TYPES = {column.name: column.type for column in COLUMNS}

KINDS: Mapping[str, tuple[str, ...]] = {
    "run": (
        *("run", "url", "cell", "scenario", "topology", "program", "algorithm", "discipline", "delay", "interval"),
        *("seed", "processes", "channels", "diameter", "steps", "events", "snapshots", "messages", "cuts"),
        *("lives", "paused", "blocked", "loss", "faults", "conserves", "full"),
    ),
    "process": ("run", "life", "process", "name"),
    "channel": ("run", "life", "channel", "name", "source", "target", "ordered"),
    "message": ("run", "life", "message", "channel", "sent", "received", "lost", "copied"),
    "event": ("run", "life", "process", "position", "event", "message", "step"),
    "cut": ("run", "life", "snapshot", "process", "cut", "step", "records", "part", "absent", "unusable"),
    "recorded": ("run", "life", "snapshot", "channel", "place", "message"),
    "marker": ("run", "life", "snapshot", "channel", "count"),
    "stock": ("run", "life", "process", "quantity", "amount", "last"),
    "holding": ("run", "life", "snapshot", "process", "quantity", "amount"),
    "worth": ("run", "life", "message", "quantity", "amount"),
    "snapshot": (
        *("run", "life", "snapshot", "started", "completed", "aborted", "marked", "duration", "ticks", "markers"),
        *("controls", "recorded", "bytes", "state", *VERDICT_COLUMNS.values()),
    ),
}
"""The columns of each kind of row.

run, process, channel
    what the system consists of
message
    one row per message of the program and life: when it was sent and received
event
    one row per application event: the same again, in the order in which it happened
cut
    one row per process that belongs to a snapshot: where it recorded
recorded, marker
    what was recorded in a channel, in order; how many markers it carried
stock, holding, worth
    what is conserved: what a process had at first and at the end; what it recorded; the worth of a message that was
    recorded, copied or lost
snapshot
    one row per snapshot: its cost, and the simulator's own verdict, which no verifier reads before it has its own
"""


def ddl(kind: str | None = None) -> str:
    """Return the columns of a kind, or of all rows, in the notation of Spark and DuckDB."""
    names = KINDS[kind] if kind else tuple(TYPES)
    return ", ".join(f"`{name}` {SQL[TYPES[name]]}" for name in names)


SQL = {"string": "STRING", "boolean": "BOOLEAN", "short": "SMALLINT", "int": "INT", "long": "BIGINT"}
