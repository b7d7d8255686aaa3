"""Notes as the browser receives them: a key and a few values, in no language."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from app.core.model.notes import Acted, Changed, Derived, Note, Output, Restored, Returned, Sent
from app.core.model.program import Program
from app.core.model.values import APP, MARKER, Message, Todo, World
from app.programs.dataflow import Dataflow

NOTES = {
    **{
        key: tuple("id" if name == "message" else name for name in names)
        for key, kind in Note.kinds.items()
        if (names := kind.names())
    },
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
        match note:
            case Acted():
                continue
            case Restored():
                looks = {name: program.view(state) for name, state in note.states}
            case Returned():
                looks[note.process] = program.view(note.state)
            case Changed(process=name):
                was = looks[name] if name in looks else program.view(before.states[name])
                looks[name] = program.view(note.state)
                if looks[name] == was:
                    continue
        yield note


def wire(program: Program[Any, Any], note: Note) -> list[object]:
    """Return a note as NOTES describes it."""
    if special := _SPECIAL.get(type(note)):
        return [note.key, *special(program, note)]
    return [note.key, *(_encoded(program, name, getattr(note, name)) for name in note.names())]


def _encoded(program: Program[Any, Any], name: str, value: object) -> object:
    """Return the value of a field: a message by its id, a state as people see it."""
    if name == "state":
        return program.view(value)
    match value:
        case Message():
            return value.id
        case Todo():
            return str(value)
        case tuple():
            return list(value)
    return value


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


_SPECIAL: Mapping[type[Note], Callable[[Program[Any, Any], Any], list[Any]]] = {
    Sent: _sent,
    Derived: _derived,
    Output: _output,
    Restored: _restored,
    Returned: _returned,
}
"""The notes whose values are not simply those of their fields."""


def _back(program: Program[Any, Any], message: Message) -> list[object]:
    told, tag = [message.id, program.show(message.payload)], visible_tag(program, message)
    return told if tag is None else [*told, tag]


def visible_tag(program: Program[Any, Any], message: Message) -> Any:
    """Return what a message carries, as people see it: in a batch, that it is sent for another attempt, and for
    which."""
    if isinstance(program, Dataflow) and program.batches and message.tag is not None:
        return message.tag[1] or None
    return message.tag
