"""What checkpoints that every process takes by itself say, and how they are called."""

from collections.abc import Callable, Iterable
from typing import Any

from app.core.model import APP, Wake
from app.core.notes import Asked, Deferred, Note, Returned, Sent, Stored
from app.narration.fields import Sentence


def called(process: str, number: int) -> str:
    """The name of a checkpoint: p2 is the second of P, s1.2 the second of s1."""
    return f"{process.lower()}{'.' if process[-1:].isdigit() else ''}{number}"


def saved(facts: Iterable[Note], view: Callable[[Any], Any]) -> Sentence:
    """A process takes a checkpoint of its own."""
    note = next(n for n in facts if isinstance(n, Stored))
    return Sentence("start.own", (note.process, called(note.process, note.saved), view(note.state)))


def heard(action: Wake, facts: Iterable[Note]) -> Sentence:
    """A process hears what a neighbour takes back: it goes back too, or stays."""
    source = action.what.split()[1]
    falls = any(isinstance(n, Returned) for n in facts)
    return Sentence("back.orphan" if falls else "back.nothing", (action.process, source))


def own(
    note: Note, action: Any, facts: Iterable[Note], show: Callable[[Any], Any], view: Callable[[Any], Any]
) -> Iterable[Sentence] | None:
    """What a note says where every process saves by itself; None where it says what it says elsewhere."""
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
