"""The sentences of a step of a dataflow, and of a crash and a recovery."""

from collections.abc import Callable, Iterable
from typing import Any

from app.core.model.commit_log import Ranges, range_texts
from app.core.model.notes import (
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
    Received,
    Recorded,
    Restored,
    Returned,
    Rule,
    Sent,
    Stored,
    Unblocked,
)
from app.core.model.values import CONTROL, END, MARKER, Deed, Message, Move
from app.words.sentence_fields import Sentence, control


def recovered(
    note: Note,
    facts: tuple[Note, ...],
    named: Callable[[Message], Any],
    show: Callable[[Any], Any],
    view: Callable[[Any], Any],
) -> Iterable[Sentence]:
    """Return the sentences of a note of a dataflow, or of a crash and a recovery; it is one of the ``facts`` of a
    step."""
    if isinstance(note, Acted) and note.move.detail in (Deed.WRITE, Deed.READ, Deed.VOID):
        return  # outputs and sent messages have their own sentences; items that go nowhere have none
    if isinstance(note, Acted):
        if note.move.detail != Deed.OUT:
            yield _acted(note.process, note.move, show)
    elif isinstance(note, Unblocked):
        yield Sentence("unblocked", (note.process, note.channel))
    elif isinstance(note, Hurried):
        yield Sentence("hurried", (note.channel, named(note.message)))
    elif isinstance(note, Asked):
        yield Sentence("asked", (note.process, note.target, control(note.what.word)))
    elif isinstance(note, Forgotten):
        yield Sentence("forgotten", (note.process, control(note.what.word)))
    elif isinstance(note, Stored):
        yield Sentence("stored", (note.process, note.saved, view(note.state)))
    elif isinstance(note, Catalogued) and note.collected:
        yield Sentence("catalogued", (note.process, note.kept, note.collected))
    else:
        yield from _after_a_crash(note, facts, view)


def _after_a_crash(note: Note, facts: tuple[Note, ...], view: Callable[[Any], Any]) -> Iterable[Sentence]:
    if isinstance(note, Down):
        yield Sentence("down", (note.process,))
    elif isinstance(note, Restored) and note.kept:
        driver = note.kept[0]
        again = Sentence("restarted", (driver, note.snapshot))
        yield again if note.snapshot else Sentence("restarted.beginning", (driver,))
    elif isinstance(note, Restored):
        yield Sentence("restored", (note.snapshot,)) if note.snapshot else Sentence("restored.beginning", ())
    elif isinstance(note, Returned) and "ask-inputs" in executed(facts):
        key = "retried" if note.saved else "retried.beginning"
        yield Sentence(key, (note.process, view(note.state)))
    elif isinstance(note, Returned) and note.saved:
        yield Sentence("returned", (note.process, note.saved, view(note.state)))
    elif isinstance(note, Returned):
        yield Sentence("returned.beginning", (note.process, view(note.state)))


def executed(facts: Iterable[Note]) -> tuple[str, ...]:
    """Return the lines of the pseudocode that a step executes."""
    return tuple(line for note in facts if isinstance(note, Rule) for line in note.lines)


def _acted(process: str, move: Move, show: Callable[[Any], Any]) -> Sentence:
    """Return what the program of a process does spontaneously in a step."""
    if move.channel is not None:
        return Sentence("emits", (process, show(move.payload), move.channel))
    if move.detail == Deed.EXPIRE:
        return Sentence("expired", (process, show(move.payload)))
    if move.detail == Deed.LOG:
        return _written(process, *move.payload)
    return Sentence("sealed" if move.detail == Deed.SEAL else "committed", (process,))


def _written(process: str, log: str, number: int, ranges: Ranges = ()) -> Sentence:
    """Return what a coordinator writes to one of its logs."""
    values = (process, number, list(range_texts(ranges))) if ranges else (process, number)
    return Sentence(f"log.{log}", values)


def reading(action: Move, facts: tuple[Note, ...], show: Callable[[Any], Any]) -> Sentence:
    """Describe how a source reads its next item, or finds none."""
    payload = next((n.move.payload for n in facts if isinstance(n, Acted)), None)
    if payload is None:  # its outputs are full, and the item read waits
        pending = next((n.state.pending for n in facts if isinstance(n, Changed)), ())
        payload = pending[0][1] if pending else END
    return (
        Sentence("read.end", (action.process,)) if payload is END else Sentence("read", (action.process, show(payload)))
    )


def _last_barrier(facts: tuple[Note, ...], snapshot: int) -> str:
    """Choose the words for a barrier that makes its process record: is it the last of several, and does it move on?"""
    if not any(isinstance(n, Sent) and n.message.kind == MARKER for n in facts):
        return "barrier.recorded.end"
    inputs = sum(isinstance(n, Closed) and n.snapshot == snapshot for n in facts)
    return "barrier.recorded" if inputs > 1 else "barrier.recorded.only"


def barrier(received: Received, facts: tuple[Note, ...], logged: Callable[[int, str], list[object]]) -> Sentence:
    """Describe the arrival of a barrier: its process records, blocks the input, closes it, or only counts; or it is too
    late."""
    name, channel, snapshot = received.process, received.channel, received.message.snapshot or 0
    if isinstance(received.message.payload, str):  # the driver's name travels along
        return _boundary(received, facts)
    if any(isinstance(n, Recorded) and n.snapshot == snapshot for n in facts):
        if received.message.payload is not None:  # it has overtaken, or could have
            overtaken = logged(snapshot, channel)
            if overtaken:
                return Sentence("barrier.first", (name, channel, overtaken, snapshot))
            return Sentence("barrier.first.empty", (name, channel, snapshot))
        return Sentence(_last_barrier(facts, snapshot), (name, channel, snapshot))
    if any(isinstance(n, Blocked) for n in facts):
        return Sentence("barrier.blocked", (name, channel, snapshot))
    if any(isinstance(n, Closed) and n.snapshot == snapshot for n in facts):
        return Sentence("barrier.closed", (name, channel, logged(snapshot, channel), snapshot))
    if any(isinstance(n, Rule) for n in facts):
        return Sentence("barrier.counted", (name, channel, snapshot))
    refused = any(isinstance(n, Sent) and n.message.kind == CONTROL for n in facts)
    return Sentence("barrier.refused" if refused else "barrier.late", (name, channel, snapshot))


def _boundary(received: Received, facts: tuple[Note, ...]) -> Sentence:
    """Describe the arrival of an epoch's marker, or of the end of a batch: a reader notes its offset; a task with
    several inputs waits for the others, and continues with the last; one with a single input need not wait."""
    name, channel, snapshot = received.process, received.channel, received.message.snapshot or 0
    kind = "epoch" if "on-epoch-marker" in executed(facts) else "end"
    recorded = next((n for n in facts if isinstance(n, Recorded)), None)
    if recorded is None:
        blocked = any(isinstance(n, Blocked) for n in facts)
        return Sentence(f"{kind}.blocked" if blocked else "barrier.late", (name, channel, snapshot))
    if (offset := getattr(recorded.state, "offset", None)) is not None:
        return Sentence(f"{kind}.reader", (name, offset, snapshot))
    if any(isinstance(n, Unblocked) for n in facts):
        return Sentence(f"{kind}.aligned", (name, channel, snapshot))
    onward = any(isinstance(n, Sent) and n.message.kind == MARKER for n in facts)
    return Sentence(f"{kind}.passes" if onward else f"{kind}.sink", (name, channel, snapshot))
