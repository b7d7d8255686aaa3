"""The sentences about uncoordinated checkpoints, and the checkpoints' names."""

from collections.abc import Iterable

from app.core.model.notes import Asked, Deferred, Note, Returned, Sent, Stored
from app.core.model.values import APP, Wake
from app.words.sentence_fields import Sentence
from app.words.telling import Telling


def called(process: str, number: int) -> str:
    """Return the name of a checkpoint: p2 is the second of P, s1.2 the second of s1."""
    return f"{process.lower()}{'.' if process[-1:].isdigit() else ''}{number}"


def saved(told: Telling) -> Sentence:
    """Describe how a process takes its own checkpoint."""
    note = next(told.of(Stored))
    return Sentence("start.own", (note.process, called(note.process, note.saved), told.view(note.state)))


def heard(action: Wake, told: Telling) -> Sentence:
    """Describe how a process learns that a neighbour has rolled back: it rolls back too, or stays."""
    return Sentence("back.orphan" if told.has(Returned) else "back.nothing", (action.process, action.what.name))


def own(note: Note, told: Telling) -> Iterable[Sentence] | None:
    """Return the sentences of a note about uncoordinated checkpoints; None if the note reads the same as elsewhere."""
    match note:
        case Stored():
            return ()
        case Returned(saved=0):
            return (told.sentence("returned.own.beginning", note),)
        case Returned():
            name = called(note.process, note.saved)
            return (Sentence("returned.own", (note.process, name, told.view(note.state))),)
        case Asked():
            return (told.sentence("back.told", note),)
        case Sent(message=message) if message.kind == APP and message.origin is not None:
            return (told.sentence("back.again", note),)
        case Deferred() if isinstance(told.action, Wake) and note.what == told.action.what:
            name = called(note.process, next(told.of(Returned)).saved)
            return (Sentence("back.further", (note.process, name)),)
    return None
