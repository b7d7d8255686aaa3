"""Notes as the browser receives them: a key and a few values, in no language."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from app.core.model.notes import (
    Acted,
    Asked,
    Changed,
    Crashed,
    Deferred,
    Derived,
    Discarded,
    Doubled,
    Folded,
    Forgotten,
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
from app.core.model.program import Program
from app.core.model.values import APP, MARKER, Message, World
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
    "judged": ("snapshot", "check", "holds", "witness"),
    "line": ("crash", "places", "disk", "useless"),
    "orphans": ("messages",),
    "fallen": ("crash", "rollbacks", "lost", "exact"),
    "keeps": ("process", "ids", "unheard"),
    "stuck": ("snapshot", "processes", "channels"),
}
"""What follows a note's key.

``changed`` is left out if the state looks the same as before. ``recorded`` copies the state that the process has at
that point in the list. ``sent`` stops at its last value that is not null; if a message is sent again, ``origin`` is the
id of the first copy. ``derived`` gives messages as [[id, payload], …]: the channel is final although its messages were
not logged one by one. ``logged`` may name a message that waits in the channel: a barrier has overtaken it. ``folded``
replaces the recorded state of a process.

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


def seen(program: Program[Any, Any], notes: Iterable[Note], before: World) -> Iterator[Note]:
    """Yield the notes of a step without changes that are invisible: a state that looks like the previous one."""
    looks: dict[str, object] = {}
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


def wire(program: Program[Any, Any], note: Note) -> list[object]:
    """Return a note as NOTES describes it."""
    encode = _ENCODERS.get(type(note))
    return [note.key, *(encode(program, note) if encode else note.values())]


def _sent(program: Program[Any, Any], note: Sent) -> list[object]:
    message = note.message
    payload = program.show(message.payload) if message.kind == APP else message.payload
    if message.kind == MARKER:
        payload = None  # the queue shows what a marker overtook
    tag = visible_tag(program, message)
    values = [note.channel, message.id, message.kind, payload, message.snapshot, tag, message.origin]
    while values[-1] is None:
        values.pop()
    return values


def _derived(program: Program[Any, Any], note: Derived) -> list[object]:
    return [note.snapshot, note.channel, [[m.id, program.show(m.payload)] for m in note.messages]]


def _output(program: Program[Any, Any], note: Output) -> list[object]:
    # Transactions also have numbers, which are not items.
    return [note.process, [[program.show(one), one.id] for one in note.outside if hasattr(one, "id")]]


def _restored(program: Program[Any, Any], note: Restored) -> list[object]:
    states = {name: program.view(state) for name, state in note.states}
    queues = {c: [_back(program, m) for m in messages] for c, messages in note.queues}
    return [note.snapshot, states, queues]


def _returned(program: Program[Any, Any], note: Returned) -> list[object]:
    retracted = [[channel, m.id] for channel, m in note.retracted]
    return [note.process, note.saved, program.view(note.state), retracted]


def _at_message(program: Program[Any, Any], note: Received | Discarded | Lost | Overtook) -> list[object]:
    return [note.channel, note.message.id]


_ENCODERS: Mapping[type[Note], Callable[[Program[Any, Any], Any], list[object]]] = {
    Sent: _sent,
    Received: _at_message,
    Discarded: _at_message,
    Lost: _at_message,
    Overtook: _at_message,
    Changed: lambda program, note: [note.process, program.view(note.state)],
    Recorded: lambda _, note: [note.snapshot, note.process, note.channel],
    Logged: lambda _, note: [note.snapshot, note.channel, note.message.id],
    Unreachable: lambda _, note: [note.snapshot, list(note.processes)],
    Deferred: lambda _, note: [note.process, str(note.what)],
    Derived: _derived,
    Folded: lambda program, note: [note.snapshot, note.process, program.view(note.state)],
    Crashed: lambda _, note: [note.process],
    Doubled: lambda _, note: [note.channel, note.message.id, note.copy.id],
    Rule: lambda _, note: [list(note.lines)],
    Output: _output,
    Hurried: lambda _, note: [note.channel, note.message.id, note.position],
    Stored: lambda program, note: [note.process, note.saved, program.view(note.state)],
    Restored: _restored,
    Returned: _returned,
    Asked: lambda _, note: [note.process, note.target, str(note.what)],
    Forgotten: lambda _, note: [note.process, str(note.what)],
}
"""What differs from the values of a note; the others are sent as they are."""


def _back(program: Program[Any, Any], message: Message) -> list[object]:
    """Return a message that is back in its channel."""
    told, tag = [message.id, program.show(message.payload)], visible_tag(program, message)
    return told if tag is None else [*told, tag]


def visible_tag(program: Program[Any, Any], message: Message) -> Any:
    """Return what a message carries, as people see it: in a batch, that it is sent for another attempt, and for
    which."""
    if isinstance(program, Dataflow) and program.batches and message.tag is not None:
        return message.tag[1] or None
    return message.tag
