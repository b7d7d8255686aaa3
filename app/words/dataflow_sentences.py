"""The sentences of a step of a dataflow, and of a crash and a recovery."""

from collections.abc import Iterable

from app.core.model.commit_log import Ranges, range_texts
from app.core.model.notes import (
    Acted,
    Blocked,
    Changed,
    Closed,
    Hurried,
    Received,
    Recorded,
    Restored,
    Returned,
    Rule,
    Unblocked,
)
from app.core.model.values import CONTROL, END, MARKER, Deed, Move
from app.words.sentence_fields import Sentence
from app.words.telling import Telling, noted


@noted.register
def _restored(note: Restored, told: Telling) -> Iterable[Sentence]:
    values = (note.snapshot,) if note.snapshot else ()
    key = "restarted" if note.kept else "restored"
    yield Sentence(key if note.snapshot else f"{key}.beginning", (*note.kept[:1], *values))


@noted.register
def _returned(note: Returned, told: Telling) -> Iterable[Sentence]:
    if "ask-inputs" in told.executed():
        yield told.sentence("retried" if note.saved else "retried.beginning", note)
    else:
        yield told.sentence("returned" if note.saved else "returned.beginning", note)


@noted.register
def _hurried(note: Hurried, told: Telling) -> Iterable[Sentence]:
    yield told.sentence("hurried.announced" if note.message.kind == CONTROL else "hurried", note)


@noted.register
def _acted(note: Acted, told: Telling) -> Iterable[Sentence]:
    """Say what the program of a process does by itself in a step. Outputs and sent messages have their own sentences;
    items that go nowhere have none."""
    process, move = note.process, note.move
    if move.detail in (Deed.WRITE, Deed.READ, Deed.VOID, Deed.OUT):
        return
    if move.channel is not None:
        yield Sentence("emits", (process, told.shown(move.payload), move.channel))
    elif move.detail == Deed.EXPIRE:
        yield Sentence("expired", (process, told.shown(move.payload)))
    elif move.detail == Deed.LOG:
        yield _written(process, *move.payload)
    else:
        yield Sentence("sealed" if move.detail == Deed.SEAL else "committed", (process,))


def _written(process: str, log: str, number: int, ranges: Ranges = ()) -> Sentence:
    values = (process, number, list(range_texts(ranges))) if ranges else (process, number)
    return Sentence(f"log.{log}", values)


def reading(action: Move, told: Telling) -> Sentence:
    """Describe how a source reads its next item, or finds none."""
    payload = next((note.move.payload for note in told.of(Acted)), None)
    if payload is None:  # its outputs are full, and the item read waits
        pending = next((note.state.pending for note in told.of(Changed)), ())
        payload = pending[0][1] if pending else END
    end = payload is END
    return Sentence("read.end", (action.process,)) if end else Sentence("read", (action.process, told.show(payload)))


def _last_barrier(told: Telling, snapshot: int) -> str:
    """Choose the words for a barrier that makes its process record: is it the last of several, and does it move on?"""
    if not told.posted(MARKER):
        return "barrier.recorded.end"
    inputs = sum(note.snapshot == snapshot for note in told.of(Closed))
    return "barrier.recorded" if inputs > 1 else "barrier.recorded.only"


def barrier(received: Received, told: Telling) -> Sentence:
    """Describe the arrival of a barrier: its process records, blocks the input, closes it, or only counts; or it is too
    late."""
    name, channel, snapshot = received.process, received.channel, received.message.snapshot or 0
    if isinstance(received.message.payload, str):  # the driver's name travels along
        return _boundary(received, told)
    if any(note.snapshot == snapshot for note in told.of(Recorded)):
        if received.message.payload is not None:  # it has overtaken, or could have
            overtaken = told.logged(snapshot, channel)
            if overtaken:
                return Sentence("barrier.first", (name, channel, overtaken, snapshot))
            return Sentence("barrier.first.empty", (name, channel, snapshot))
        return Sentence(_last_barrier(told, snapshot), (name, channel, snapshot))
    if any(note.snapshot == snapshot for note in told.of(Closed)):
        return Sentence("barrier.closed", (name, channel, told.logged(snapshot, channel), snapshot))
    if told.has(Blocked):
        return Sentence("barrier.blocked", (name, channel, snapshot))
    if told.has(Rule):
        return Sentence("barrier.counted", (name, channel, snapshot))
    return Sentence("barrier.refused" if told.posted(CONTROL) else "barrier.late", (name, channel, snapshot))


def _boundary(received: Received, told: Telling) -> Sentence:
    """Describe the arrival of an epoch's marker, or of the end of a batch: a reader notes its offset; a task with
    several inputs waits for the others, and continues with the last; one with a single input need not wait."""
    name, channel, snapshot = received.process, received.channel, received.message.snapshot or 0
    kind = "epoch" if "on-epoch-marker" in told.executed() else "end"
    recorded = told.first(Recorded)
    if recorded is None:
        return Sentence(f"{kind}.blocked" if told.has(Blocked) else "barrier.late", (name, channel, snapshot))
    if (offset := getattr(recorded.state, "offset", None)) is not None:
        return Sentence(f"{kind}.reader", (name, offset, snapshot))
    if told.has(Unblocked):
        return Sentence(f"{kind}.aligned", (name, channel, snapshot))
    return Sentence(f"{kind}.passes" if told.posted(MARKER) else f"{kind}.sink", (name, channel, snapshot))
