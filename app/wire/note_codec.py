"""Notes as the browser receives them: a key and a few values, in no language."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from app.core.model.notes import Acted, Changed, Copied, Derived, Note, Output, Received, Restored, Returned, Sent
from app.core.model.program import AnyProgram
from app.core.model.values import APP, MARKER, Json, Message, Todo, World
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
not logged one by one; so does ``copied``, which leaves the channel open. ``logged`` may name a message that waits in
the channel: a barrier has overtaken it. ``folded`` replaces the recorded state of a process.

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


class NoteCodec:
    """Encodes the notes of a run, step by step. It remembers how the state of each process looks, because a change that
    nobody can see is left out."""

    def __init__(self, program: AnyProgram, begin: World) -> None:
        self.program = program
        self.looks = {name: program.view(state) for name, state in begin.states.items()}

    def encoded(self, notes: Iterable[Note]) -> list[list[Json]]:
        """Return the notes of the next step as NOTES describes them."""
        program, looks = self.program, self.looks
        found: list[list[Json]] = []
        for note in notes:
            if isinstance(note, Changed):
                name, look = note.process, program.view(note.state)
                if looks[name] != look:
                    looks[name] = look
                    found.append([note.key, name, look])
            elif special := _SPECIAL.get(type(note)):
                found.append([note.key, *special(self, note)])
            elif not isinstance(note, Acted):
                found.append([note.key, *(self._value(name, getattr(note, name)) for name in note.names())])
        return found

    def _value(self, name: str, value: object) -> Json:
        """Return the value of a field: a message by its id, a state as people see it."""
        if name == "state":
            return self.program.view(value)
        match value:
            case Message():
                return value.id
            case Todo():
                return str(value)
            case tuple():
                return list(value)
        return value

    def _sent(self, note: Sent) -> list[Json]:
        message, program = note.message, self.program
        payload = program.show(message.payload) if message.kind == APP else message.payload
        if message.kind == MARKER:
            payload = None  # the queue shows what a marker overtook
        tag = visible_tag(program, message)
        values = [note.channel, message.id, message.kind, payload, message.snapshot, tag, message.origin]
        while values[-1] is None:
            values.pop()
        return values

    def _received(self, note: Received) -> list[Json]:
        return [note.channel, note.message.id]

    def _derived(self, note: Derived) -> list[Json]:
        return [note.snapshot, note.channel, [[m.id, self.program.show(m.payload)] for m in note.messages]]

    def _output(self, note: Output) -> list[Json]:
        # Transactions also have numbers, which are not items.
        return [note.process, [[self.program.show(one), one.id] for one in note.outside if hasattr(one, "id")]]

    def _restored(self, note: Restored) -> list[Json]:
        states = {name: self.program.view(state) for name, state in note.states}
        self.looks |= states
        return [note.snapshot, states, {c: [self._back(m) for m in messages] for c, messages in note.queues}]

    def _returned(self, note: Returned) -> list[Json]:
        look = self.looks[note.process] = self.program.view(note.state)
        return [note.process, note.saved, look, [[channel, m.id] for channel, m in note.retracted]]

    def _back(self, message: Message) -> list[Json]:
        told, tag = [message.id, self.program.show(message.payload)], visible_tag(self.program, message)
        return told if tag is None else [*told, tag]


_SPECIAL: Mapping[type[Note], Callable[[NoteCodec, Any], list[Json]]] = {
    Sent: NoteCodec._sent,
    Received: NoteCodec._received,
    Copied: NoteCodec._derived,
    Derived: NoteCodec._derived,
    Output: NoteCodec._output,
    Restored: NoteCodec._restored,
    Returned: NoteCodec._returned,
}
"""The notes whose values are not simply those of their fields, and the most frequent one of the others."""


def visible_tag(program: AnyProgram, message: Message) -> Any:
    """Return what a message carries, as people see it: in a batch, that it is sent for another attempt, and for
    which."""
    if message.tag is not None and isinstance(program, Dataflow) and program.batches:
        return message.tag[1] or None
    return message.tag
