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

``changed`` is left out where the state looks the same as before. ``recorded`` copies the state that the process has at
that very point of the list; ``held`` says why a message cannot be handled, whatever its place in a FIFO queue and
whether or not the channel is cut (null: it can again; the message takes the reason with it when it leaves). A message
that is too early and would not be handled besides has both reasons, as in ``early refused``. ``can`` replaces a
process's moves. ``sent`` stops at its last value that is not null; of what is sent again, ``origin`` is the first's id.
``derived`` gives its messages as [[id, payload], …]: the channel is final without its messages having been logged one
by one. ``logged`` may name a message that waits in the channel: a barrier has overtaken it. ``folded`` replaces the
recorded state of a process.

``output`` gives all that has left the system at a sink, as [[record, identity], …], ``hurried`` the new place of a
message in its queue. After ``restored`` the processes have these states ({process: state}) and the channels these
messages ({channel: [[id, payload], …]}, with their tags where they have some; others none), the control lanes are
empty, nothing is put off, nobody is down, nothing is blocked; snapshots of which nothing more will come are told of as
``aborted`` before. After ``returned`` one process has this state, is not down and has put nothing off, and
``retracted`` ([[channel, id], …]) are gone from the queues.

Where every process saves by itself, an observer says: ``line``, the recovery line of the crash in step ``crash``, as
{process: number of the checkpoint} (0: its beginning, null: it stays), how many checkpoints each had on disk, and which
of them no line could use; ``orphans``, the ids of all messages that have been received and are not sent any more; and
``fallen``, when nobody has to go back any more: how many rollbacks that took beside the first, how many events each
process has lost, and whether everybody has gone back just as far as the line.

Where duplicates are removed, ``keeps`` says whenever that changes which ids a process knows, and which messages it has
sent and may have to send again, as [[id, payload, record], …], the record by its identity.

The last step of a run that nothing can lead on says with ``stuck`` who waits in a circle, and on which inputs.
"""


def seen(program: Program, notes: Iterable[Note], before: World) -> Iterator[Note]:
    """The notes of a step without the changes that nobody can see: a state that looks as the one before it did."""
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
    """A note as NOTES describes it."""
    if isinstance(note, Sent):
        message = note.message
        payload = program.show(message.payload) if message.kind == APP else message.payload
        if message.kind == MARKER:
            payload = None  # what a marker overtook is told by the queue
        values = [note.channel, message.id, message.kind, payload, message.snapshot, message.tag, message.origin]
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
        # Of transactions there are their numbers, too: they are no records.
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
    """A message that is in its channel again."""
    told = [message.id, program.show(message.payload)]
    return told if message.tag is None else [*told, message.tag]
