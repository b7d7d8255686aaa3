"""The sentences of a step, and their values. The catalogues have the words.

A sentence is a key and values in the order of FIELDS. Its text may mark its most important words with ``**``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import singledispatch

from app.core.model.notes import (
    Absent,
    Acted,
    Asked,
    Assembled,
    Catalogued,
    Changed,
    Closed,
    Completed,
    Copied,
    Deferred,
    Derived,
    Discarded,
    Logged,
    Lost,
    Note,
    Output,
    Paused,
    Received,
    Recorded,
    Region,
    Resumed,
    Sent,
    Started,
    Stored,
    Told,
    Unreachable,
    Unusable,
)
from app.core.model.values import (
    APP,
    CONTROL,
    END,
    MARKER,
    WORD,
    Abandon,
    Action,
    Collect,
    Crash,
    Deed,
    Deliver,
    Json,
    Move,
    Overtake,
    Start,
    Todo,
    Wake,
)
from app.words.checkpoint_names import heard, own, saved
from app.words.dataflow_sentences import barrier, reading
from app.words.sentence_fields import Sentence, spoken
from app.words.telling import Ending, Telling, noted


def sentences(told: Telling) -> tuple[Sentence, ...]:
    """Return the sentences of a step."""
    said = list(_headline(told.action, told))
    if not any(sentence.key.startswith(TELLING) for sentence in said):
        said += [told.sentence("recorded", note) for note in told.of(Recorded)]
    for note in _worth_telling(told):
        more = own(note, told) if told.private else None
        said += noted(note, told) if more is None else more
    return tuple(sentence.of_dataflow() for sentence in said) if told.barriers else tuple(said)


def ordinary(action: Action, notes: Sequence[Note], show: Callable[[object], Json]) -> tuple[Sentence, ...]:
    """Return the sentences of a step in which a message of the program is sent, or arrives, and nothing else happens:
    most of a run consists of them. Return none for any other step; ``sentences`` knows every case."""
    if len(notes) != 2 or type(notes[1]) is not Changed:
        return ()
    kind, note = _ORDINARY.get(type(action)), notes[0]
    if not isinstance(note, Sent | Received) or type(note) is not kind:
        return ()
    message = note.message
    if message.kind != APP or message.origin is not None or message.payload is END:
        return ()
    key = "send" if kind is Sent else "receive"
    return (Sentence(key, (note.process, show(message.payload), note.channel)),)


_ORDINARY: Mapping[type[Action], type[Note]] = {Move: Sent, Deliver: Received}
"""What a program's own step notes first, by its action."""


def _worth_telling(told: Telling) -> Iterator[Note]:
    """Yield the notes without those that another sentence covers: a crash says that all messages in flight are gone, a
    missing part says that its process takes no part, and a recorded state is also saved."""
    missing = {(note.snapshot, note.process) for note in told.of(Unusable)}
    recorded = {note.process for note in told.of(Recorded)}
    for note in told.facts:
        match note:
            case Stored() if note.process in recorded:
                continue
            case Lost() if isinstance(told.action, Crash):
                continue
            case Absent() if (note.snapshot, note.process) in missing:
                continue
        yield note


TELLING = (
    "start",
    "photograph",
    "marker.first",
    "barrier.recorded",
    "barrier.first",
    "epoch.",
    "end.",
    "wake.record",
    "wake.node-record",
    "wake.hand-record",
)
"""Sentences that already say that a process records."""

WORTH: dict[str, type[Note]] = {
    "record": Recorded,
    "markers": Sent,
    "letter": Sent,
    "resend": Sent,
    "timeout": Recorded,
    "trigger": Acted,
    "remake": Sent,
    "speculate": Deferred,
    "copy": Changed,
}
"""The note without which a postponed step had no effect, by the step's word."""


# --- notes that do not simply have the sentence of their key ---------------------------------------------------------


@noted.register(Recorded)
@noted.register(Logged)
def _told_above(note: Note, told: Telling) -> Iterable[Sentence]:
    """Say nothing: the sentences of the action have said it."""
    return ()


@noted.register(Unreachable)
@noted.register(Derived)
@noted.register(Catalogued)
def _of_some(note: Note, told: Telling) -> Iterable[Sentence]:
    """Say nothing of a note whose last value is empty: no processes, no messages, or no ids."""
    return [told.sentence(note.key, note)] if note.values()[-1] else []


@noted.register
def _discarded(note: Discarded, told: Telling) -> Iterable[Sentence]:
    """Say why a message is discarded: it is acknowledged, was for another attempt, or is not the next."""
    attempt = "discarded.attempt" if "drop-item" in told.executed() else "discarded"
    yield told.sentence("discarded.known" if told.has(Asked) else attempt, note)


@noted.register
def _region(note: Region, told: Telling) -> Iterable[Sentence]:
    if note.border:
        yield told.sentence("region.border", note)
    elif note.process != note.master:
        yield told.sentence("region", note)


@noted.register(Paused)
@noted.register(Resumed)
def _held(note: Paused | Resumed, told: Telling) -> Iterable[Sentence]:
    yield told.sentence(note.key if note.channel is None else f"{note.key}.channel", note)


@noted.register
def _unusable(note: Unusable, told: Telling) -> Iterable[Sentence]:
    recorded = note.process in told.ending(note.snapshot).parts
    yield told.sentence("unusable" if recorded else "unusable.unrecorded", note)


@noted.register
def _assembled(note: Assembled, told: Telling) -> Iterable[Sentence]:
    ending = told.ending(note.snapshot)
    wrong = "assembled.wrong" if ending.faults else "assembled"
    yield told.sentence(wrong if ending.complete else "assembled.before", note)


@noted.register
def _output(note: Output, told: Telling) -> Iterable[Sentence]:
    key = "output.keyed" if told.overwrites(note.process) else "output"
    yield Sentence(key, (note.process, told.shown(note.payload)))


@noted.register
def _completed(note: Completed, told: Telling) -> Iterable[Sentence]:
    """Describe a snapshot that waits for no process any more, unless the same step has just done so."""
    snapshot = note.snapshot
    ending = told.ending(snapshot)
    if any(missing.snapshot == snapshot for missing in told.of(Unusable)):
        yield Sentence("lacking.now", (snapshot,))
    elif ending.lacking:
        yield Sentence("lacking", (snapshot, list(ending.lacking)))
    else:
        yield Sentence(_completion(ending), (snapshot,))
        yield from ending.faults


def _completion(ending: Ending) -> str:
    """Return how to say that a snapshot is complete."""
    if ending.faults:
        return "complete.wrong"
    if not ending.watched:
        return "complete.unseen"
    return "complete.members" if ending.absent else "complete"


# --- the action itself -----------------------------------------------------------------------------------------------


@singledispatch
def _headline(action: Action, told: Telling) -> Iterable[Sentence]:
    return ()


@_headline.register
def _abandoning(action: Abandon, told: Telling) -> Iterable[Sentence]:
    yield Sentence("abandon", (action.snapshot,))


@_headline.register
def _waking(action: Wake, told: Telling) -> Iterable[Sentence]:
    if told.private:
        yield heard(action, told)
        return
    what = action.what.word
    if what in _BY_HAND:
        yield _by_hand(action, told)
        return
    idle = what in WORTH and not told.has(WORTH[what])
    yield Sentence(f"wake.{what}.nothing" if idle else f"wake.{what}", (action.process, *_about(action.what)))


_BY_HAND = ("hand-record", "hand-send", "hand-log", "hand-close", "hand-done")


def _by_hand(action: Wake, told: Telling) -> Sentence:
    """Describe what somebody lets a process do."""
    what = action.what
    key, about = f"wake.{what.word}", (action.process, *((what.name,) if what.name else ()))
    if what.word == "hand-close":
        return Sentence(key, (*about, told.logged(what.number, what.name), what.number))
    copied = told.first(Copied)
    return Sentence(key, (*about, what.number, *(map(told.named, copied.messages) if copied else ())))


def _about(what: Todo) -> tuple[str, ...]:
    """Return what a deferred step is about, as its sentence needs it."""
    if what.word == "letter":
        return (str(what.number),)  # whose turn it is does not matter
    return (what.name, what.item) if what.name and what.item else (what.about,)


@_headline.register
def _starting(action: Start, told: Telling) -> Iterable[Sentence]:
    """Describe how a process starts a snapshot."""
    if told.private:
        yield saved(told)
        return
    key = "photograph" if told.photographs else _beginning(told)
    if told.barriers and told.posted(MARKER):
        key = "start.barrier"
    for line, special in (("end-batch", "start.end"), ("mark-epoch", "start.epoch"), ("turn-red", "start.record")):
        if line in told.executed():
            key = special
    yield told.sentence(key, next(told.of(Started)))


def _beginning(told: Telling) -> str:
    """Return the words for the start of a snapshot: the first thing that the initiator sends, or puts off."""
    for note in told.facts:
        match note:
            case Sent(message=message) if message.kind == MARKER:
                return "start"
            case Sent(message=message) if message.kind == CONTROL:
                word = spoken(message.payload)
                return "start.pause.again" if word == "pause" and not told.has(Paused) else f"start.{word}"
            case Sent(message=message) if message.kind == WORD:
                return f"start.{spoken(message.payload[2])}"
            case Deferred(what=what):
                alone = what.word == "node-record" and not told.posted(MARKER)
                return "start.node-record.alone" if alone else f"start.{what.word}"
    return "start.alone" if told.has(Recorded) else "start.unrecorded"


@_headline.register
def _moving(action: Move, told: Telling) -> Iterable[Sentence]:
    """Describe how a program reads, sends, or changes its state."""
    if action.detail == Deed.READ:
        yield reading(action, told)
        return
    sent = next((note for note in told.of(Sent) if note.message.kind == APP), None)
    yield told.sentence("send", sent) if sent else told.sentence("change", next(told.of(Changed)))


@_headline.register
def _collecting(action: Collect, told: Telling) -> Iterable[Sentence]:
    """Describe the arrival of a recorded part at the initiator, or of a message from one process to another; or its
    forwarding."""
    received = next(told.of(Received))
    kind, part, snapshot = received.message.kind, received.message.payload, received.message.snapshot
    onward = next((note for note in told.of(Sent) if note.message.kind == kind), None)
    heard_of = told.first(Told)
    if heard_of is not None:
        word = spoken(heard_of.word)
        silent = word == "agree" and not told.posted(WORD)
        yield told.sentence(f"told.{word}.silent" if silent else f"told.{word}", heard_of)
    elif onward is not None and kind == WORD:
        yield Sentence("word.passes", (onward.process, part[0], part[1], onward.channel))
    elif onward is not None:
        yield Sentence("part.passes", (onward.process, part, onward.channel))
    else:
        yield Sentence("part.arrives", (received.process, part, snapshot))


def _first_marker(told: Telling) -> str:
    """Choose the words for a marker that makes its process record: does the process record channels too, and does it
    send its own markers now, later, or not at all?"""
    if not told.has(Closed):
        return "marker.first.state"
    if told.posted(MARKER):
        return "marker.first"
    late = any(note.what.word == "markers" for note in told.of(Deferred))
    return "marker.first.late" if late else "marker.first.end"


@_headline.register(Deliver)
@_headline.register(Overtake)
def _arriving(action: Action, told: Telling) -> Iterable[Sentence]:
    """Describe the arrival of a message or a marker."""
    received = next(told.of(Received))
    name, channel, message = received.process, received.channel, received.message
    recorded = told.first(Recorded)
    if message.kind == APP:
        copies = list(told.of(Logged))
        yield told.sentence("receive.recorded" if copies else "receive", received)
        for copy in copies:
            yield Sentence("logged", (told.shown(message.payload), channel, copy.snapshot))
    elif message.kind == CONTROL:
        word = spoken(message.payload)
        again = word in ("token", "letter") and not recorded
        yield Sentence(f"control.{word}.again" if again else f"control.{word}", (name, channel, message.snapshot))
    elif told.barriers:
        yield barrier(received, told)
    elif recorded is not None:
        yield Sentence(_first_marker(told), (name, channel, recorded.snapshot))
    else:
        yield from _closing(received, told)


def _closing(received: Received, told: Telling) -> Iterable[Sentence]:
    """Describe a marker whose process has recorded before."""
    name, channel = received.process, received.channel
    if "hand-marker" in told.executed():
        yield Sentence("marker.by-hand", (name, channel))
    elif not told.has(Closed, Discarded):
        yield Sentence("marker.forwarded" if told.posted(MARKER) else "marker.ignored", (name, channel))
    for note in told.of(Closed):
        if content := told.logged(note.snapshot, note.channel):
            yield Sentence("marker.close", (name, note.channel, content, note.snapshot))
        else:
            yield Sentence("marker.empty", (name, note.channel, note.snapshot))
