"""Notes as the browser receives them: a key and a few values, in no language."""

from collections.abc import Iterable, Iterator
from typing import Any

from app.core.model import APP, MARKER, Message, World
from app.core.notes import (
    Acted,
    Changed,
    Crashed,
    Deferred,
    Derived,
    Discarded,
    Doubled,
    Folded,
    Hurried,
    Logged,
    Lost,
    Note,
    Output,
    Overtook,
    Received,
    Recorded,
    Restored,
    Returned,
    Rule,
    Sent,
    Stored,
    Unreachable,
)
from app.core.program import Program
from app.programs.dataflow import Dataflow

NOTES = {
    "sent": ("channel", "id", "kind", "payload", "snapshot", "tag", "origin"),
    "received": ("channel", "id"),
    "changed": ("process", "state"),
    "started": ("snapshot", "process"),
    "recorded": ("snapshot", "process", "channel"),
    "opened": ("snapshot", "channel"),
    "logged": ("snapshot", "channel", "id"),
    "closed": ("snapshot", "channel"),
    "done": ("snapshot", "process"),
    "completed": ("snapshot",),
    "unreachable": ("snapshot", "processes"),
    "assembled": ("snapshot", "process"),
    "uncollected": ("snapshot", "process"),
    "deferred": ("process", "what"),
    "derived": ("snapshot", "channel", "messages"),
    "folded": ("snapshot", "process", "state"),
    "absent": ("snapshot", "process", "inside"),
    "merged": ("snapshot", "process"),
    "unusable": ("snapshot", "process"),
    "aborted": ("snapshot", "process"),
    "told": ("process", "source", "snapshot", "word"),
    "paused": ("process", "channel"),
    "resumed": ("process", "channel"),
    "region": ("snapshot", "process", "master", "border"),
    "round": ("snapshot", "process", "known"),
    "counted": ("snapshot", "process", "missing"),
    "discarded": ("channel", "id"),
    "lost": ("channel", "id"),
    "doubled": ("channel", "id", "copy"),
    "overtook": ("channel", "id"),
    "parted": ("channel",),
    "mended": ("channel",),
    "crashed": ("process",),
    "output": ("process", "outside"),
    "hurried": ("channel", "id", "position"),
    "blocked": ("snapshot", "process", "channel"),
    "unblocked": ("snapshot", "process", "channel"),
    "acked": ("snapshot", "process"),
    "asked": ("process", "target", "what"),
    "forgotten": ("process", "what"),
    "stored": ("process", "saved", "state"),
    "catalogued": ("process", "kept", "collected"),
    "down": ("process",),
    "restored": ("snapshot", "states", "queues"),
    "returned": ("process", "saved", "state", "retracted"),
    "joined": ("process", "parent"),
    "leaving": ("process",),
    "left": ("process",),
    "rule": ("lines",),
    "can": ("process", "moves"),
    "held": ("channel", "id", "reason"),
    "judged": ("snapshot", "check", "holds", "witness"),
    "line": ("crash", "places", "disk", "useless"),
    "orphans": ("messages",),
    "fallen": ("crash", "rollbacks", "lost", "exact"),
    "keeps": ("process", "ids", "unheard"),
    "stuck": ("snapshot", "processes", "channels"),
}
"""What follows a note's key.

``changed`` is left out if the state looks the same as before. ``recorded`` copies the state that the process has at
that point in the list; ``held`` says why a message cannot be handled, regardless of its position in a FIFO queue and of
a partition of the channel (null: it can be handled again; the reason disappears with the message). A message that is
early and would be refused anyway has both reasons, as in ``early refused``. ``can`` replaces a process's moves.
``sent`` stops at its last value that is not null; if a message is sent again, ``origin`` is the id of the first copy.
``derived`` gives messages as [[id, payload], …]: the channel is final although its messages were not logged one by one.
``logged`` may name a message that waits in the channel: a barrier has overtaken it. ``folded`` replaces the recorded
state of a process.

``output`` gives everything that has left the system at a sink, as [[item, identity], …], ``hurried`` the new position
of a message in its queue. After ``restored`` the processes have these states ({process: state}) and the channels these
messages ({channel: [[id, payload], …]}, with any tags; unlisted channels are empty), the control lanes are empty,
nothing is put off, no process is down, nothing is blocked; snapshots that cannot continue are ``aborted`` before. After
``returned`` one process has this state, is not down and has put nothing off, and ``retracted`` ([[channel, id], …]) are
gone from the queues.

If every process saves independently, an observer says: ``line``, the recovery line of the crash in step ``crash``, as
{process: number of the checkpoint} (0: its beginning, null: it stays), how many checkpoints each had on disk, and which
of them no line could use; ``orphans``, the ids of all messages received whose sending was undone; and ``fallen``, when
no process has to roll back any more: how many rollbacks followed the first, how many events each process has lost, and
whether all have rolled back exactly to the line.

If duplicates are removed, ``keeps`` says, at each change, which ids a process knows, and which messages it has sent and
may have to send again, as [[id, payload, item], …], the item by its identity.

The last step of a run that has stopped says with ``stuck`` which processes wait in a circle, and on which inputs.
"""


def seen(program: Program, notes: Iterable[Note], before: World) -> Iterator[Note]:
    """Yield the notes of a step without changes that are invisible: a state that looks like the previous one."""
    looks: dict[str, Any] = {}
    for note in notes:
        if isinstance(note, Acted):
            continue
        if isinstance(note, Restored):
            looks = {name: program.view(state) for name, state in note.states}
        elif isinstance(note, Returned):
            looks[note.process] = program.view(note.state)
        elif isinstance(note, Changed):
            name = note.process
            was = looks[name] if name in looks else program.view(before.states[name])
            looks[name] = program.view(note.state)
            if looks[name] == was:
                continue
        yield note


def wire(program: Program, note: Note) -> list[Any]:
    """Return a note as NOTES describes it."""
    if isinstance(note, Sent):
        message = note.message
        payload = program.show(message.payload) if message.kind == APP else message.payload
        if message.kind == MARKER:
            payload = None  # the queue shows what a marker overtook
        tag = visible_tag(program, message)
        values = [note.channel, message.id, message.kind, payload, message.snapshot, tag, message.origin]
        while values[-1] is None:
            values.pop()
        return ["sent", *values]
    if isinstance(note, Received):
        return ["received", note.channel, note.message.id]
    if isinstance(note, Changed):
        return ["changed", note.process, program.view(note.state)]
    if isinstance(note, Recorded):
        return ["recorded", note.snapshot, note.process, note.channel]
    if isinstance(note, Logged):
        return ["logged", note.snapshot, note.channel, note.message.id]
    if isinstance(note, Unreachable):
        return ["unreachable", note.snapshot, list(note.processes)]
    if isinstance(note, Deferred):
        return ["deferred", note.process, note.what]
    if isinstance(note, Derived):
        messages = [[m.id, program.show(m.payload)] for m in note.messages]
        return ["derived", note.snapshot, note.channel, messages]
    if isinstance(note, Folded):
        return ["folded", note.snapshot, note.process, program.view(note.state)]
    if isinstance(note, Crashed):
        return ["crashed", note.process]
    if isinstance(note, Discarded | Lost | Overtook):
        return [note.key, note.channel, note.message.id]
    if isinstance(note, Doubled):
        return ["doubled", note.channel, note.message.id, note.copy.id]
    if isinstance(note, Rule):
        return ["rule", list(note.lines)]
    if isinstance(note, Output):
        # Transactions also have numbers, which are not items.
        return ["output", note.process, [[program.show(one), one.id] for one in note.outside if hasattr(one, "id")]]
    if isinstance(note, Hurried):
        return ["hurried", note.channel, note.message.id, note.position]
    if isinstance(note, Stored):
        return ["stored", note.process, note.saved, program.view(note.state)]
    if isinstance(note, Restored):
        states = {name: program.view(state) for name, state in note.states}
        queues = {c: [back(program, m) for m in messages] for c, messages in note.queues}
        return ["restored", note.snapshot, states, queues]
    if isinstance(note, Returned):
        retracted = [[channel, m.id] for channel, m in note.retracted]
        return ["returned", note.process, note.saved, program.view(note.state), retracted]
    return [note.key, *note.values()]


def back(program: Program, message: Message) -> list[Any]:
    """Return a message that is back in its channel."""
    told, tag = [message.id, program.show(message.payload)], visible_tag(program, message)
    return told if tag is None else [*told, tag]


def visible_tag(program: Program, message: Message) -> Any:
    """Return what a message carries, as people see it: in a batch, that it is sent for another attempt, and for
    which."""
    if isinstance(program, Dataflow) and program.batches and message.tag is not None:
        return message.tag[1] or None
    return message.tag
