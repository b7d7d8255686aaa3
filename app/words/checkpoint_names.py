"""The sentences about uncoordinated checkpoints, and the checkpoints' names."""

from collections.abc import Callable, Iterable
from typing import Any

from app.core.model.notes import Asked, Deferred, Note, Returned, Sent, Stored
from app.core.model.values import APP, Wake
from app.words.sentence_fields import Sentence


def called(process: str, number: int) -> str:
    """Return the name of a checkpoint: p2 is the second of P, s1.2 the second of s1."""
    return f"{process.lower()}{'.' if process[-1:].isdigit() else ''}{number}"


def saved(facts: Iterable[Note], view: Callable[[Any], Any]) -> Sentence:
    """Describe how a process takes its own checkpoint."""
    note = next(n for n in facts if isinstance(n, Stored))
    return Sentence("start.own", (note.process, called(note.process, note.saved), view(note.state)))


def heard(action: Wake, facts: Iterable[Note]) -> Sentence:
    """Describe how a process learns that a neighbour has rolled back: it rolls back too, or stays."""
    source = action.what.name
    falls = any(isinstance(n, Returned) for n in facts)
    return Sentence("back.orphan" if falls else "back.nothing", (action.process, source))


def own(
    note: Note, action: Any, facts: Iterable[Note], show: Callable[[Any], Any], view: Callable[[Any], Any]
) -> Iterable[Sentence] | None:
    """Return the sentences of a note about uncoordinated checkpoints; None if the note reads the same as elsewhere."""
    if isinstance(note, Stored):
        return ()
    if isinstance(note, Returned):
        if not note.saved:
            return (Sentence("returned.own.beginning", (note.process, view(note.state))),)
        return (Sentence("returned.own", (note.process, called(note.process, note.saved), view(note.state))),)
    if isinstance(note, Asked):
        return (Sentence("back.told", (note.process, note.target)),)
    if isinstance(note, Sent) and note.message.kind == APP and note.message.origin is not None:
        return (Sentence("back.again", (note.process, show(note.message.payload), note.channel)),)
    if isinstance(note, Deferred) and isinstance(action, Wake) and note.what == action.what:
        back = next(n for n in facts if isinstance(n, Returned))
        return (Sentence("back.further", (note.process, called(note.process, back.saved))),)
    return None
