"""What a step of a dataflow says, and what a crash and a recovery say."""

from collections.abc import Callable, Iterable
from typing import Any

from app.core.logs import LOG, WRITE, Ranges, shown
from app.core.model import CONTROL, END, Message, Move
from app.core.notes import (
    Acted,
    Asked,
    Blocked,
    Catalogued,
    Changed,
    Closed,
    Down,
    Forgotten,
    Hurried,
    Note,
    Output,
    Received,
    Recorded,
    Restored,
    Returned,
    Rule,
    Sent,
    Stored,
    Unblocked,
)
from app.core.program import EXPIRE, OUT, READ, SEAL, VOID
from app.narration.fields import Sentence, control


def recovered(
    note: Note, named: Callable[[Message], Any], show: Callable[[Any], Any], view: Callable[[Any], Any]
) -> Iterable[Sentence]:
    """What a note of a dataflow, or of a crash and a recovery, says."""
    if isinstance(note, Acted) and note.move.detail in (WRITE, READ, VOID):
        return  # what leaves then is told, and what is sent; what goes nowhere is not
    if isinstance(note, Acted):
        if note.move.detail != OUT:
            yield acted(note.process, note.move, show)
    elif isinstance(note, Output):
        yield Sentence("output", (note.process, show(note.payload)))
    elif isinstance(note, Unblocked):
        yield Sentence("unblocked", (note.process, note.channel))
    elif isinstance(note, Hurried):
        yield Sentence("hurried", (note.channel, named(note.message)))
    elif isinstance(note, Asked):
        yield Sentence("asked", (note.process, note.target, control(note.what.partition(" ")[0])))
    elif isinstance(note, Forgotten):
        yield Sentence("forgotten", (note.process, control(note.what.partition(" ")[0])))
    elif isinstance(note, Stored):
        yield Sentence("stored", (note.process, note.saved, view(note.state)))
    elif isinstance(note, Catalogued) and note.collected:
        yield Sentence("catalogued", (note.process, note.kept, note.collected))
    elif isinstance(note, Down):
        yield Sentence("down", (note.process,))
    elif isinstance(note, Restored):
        yield Sentence("restored", (note.snapshot,)) if note.snapshot else Sentence("restored.beginning", ())
    elif isinstance(note, Returned) and note.saved:
        yield Sentence("returned", (note.process, note.saved, view(note.state)))
    elif isinstance(note, Returned):
        yield Sentence("returned.beginning", (note.process, view(note.state)))


def acted(process: str, move: Move, show: Callable[[Any], Any]) -> Sentence:
    """What the program of a process does by itself in a step."""
    if move.channel is not None:
        return Sentence("emits", (process, show(move.payload), move.channel))
    if move.detail == EXPIRE:
        return Sentence("expired", (process, show(move.payload)))
    if move.detail == LOG:
        return written(process, *move.payload)
    return Sentence("sealed" if move.detail == SEAL else "committed", (process,))


def written(process: str, log: str, number: int, ranges: Ranges = ()) -> Sentence:
    """What a coordinator writes to one of its logs."""
    values = (process, number, list(shown(ranges))) if ranges else (process, number)
    return Sentence(f"log.{log}", values)


def reading(action: Move, facts: tuple[Note, ...], show: Callable[[Any], Any]) -> Sentence:
    """A source reads its next record, or finds that there is none."""
    payload = next((n.move.payload for n in facts if isinstance(n, Acted)), None)
    if payload is None:  # its outputs are full, and what was read waits
        pending = next((n.state.pending for n in facts if isinstance(n, Changed)), ())
        payload = pending[0][1] if pending else END
    return (
        Sentence("read.end", (action.process,)) if payload is END else Sentence("read", (action.process, show(payload)))
    )


def barrier(received: Received, facts: tuple[Note, ...], logged: Callable[[int, str], list[Any]]) -> Sentence:
    """A barrier arrives: its process records, blocks the input, closes it, or only counts; or it comes too late."""
    name, channel, snapshot = received.process, received.channel, received.message.snapshot or 0
    if any(isinstance(n, Recorded) and n.snapshot == snapshot for n in facts):
        if received.message.payload is not None:  # it has overtaken, or could have
            overtaken = logged(snapshot, channel)
            if overtaken:
                return Sentence("barrier.first", (name, channel, overtaken, snapshot))
            return Sentence("barrier.first.empty", (name, channel, snapshot))
        return Sentence("barrier.recorded", (name, channel, snapshot))
    if any(isinstance(n, Blocked) for n in facts):
        return Sentence("barrier.blocked", (name, channel, snapshot))
    if any(isinstance(n, Closed) and n.snapshot == snapshot for n in facts):
        return Sentence("barrier.closed", (name, channel, logged(snapshot, channel), snapshot))
    if any(isinstance(n, Rule) for n in facts):
        return Sentence("barrier.counted", (name, channel, snapshot))
    refused = any(isinstance(n, Sent) and n.message.kind == CONTROL for n in facts)
    return Sentence("barrier.refused" if refused else "barrier.late", (name, channel, snapshot))
