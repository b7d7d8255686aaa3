"""The sentences of a step, and their values. The catalogues have the words.

A sentence is a key and values in the order of FIELDS. Its text may mark its most important words with ``**``.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from app.core.model.notes import (
    Aborted,
    Absent,
    Acted,
    Asked,
    Assembled,
    Changed,
    Closed,
    Completed,
    Counted,
    Crashed,
    Deferred,
    Derived,
    Discarded,
    Doubled,
    Folded,
    Healed,
    Joined,
    Leaving,
    Left,
    Logged,
    Lost,
    Note,
    Output,
    Overtook,
    Partitioned,
    Paused,
    Received,
    Recorded,
    Region,
    Resumed,
    Round,
    Sent,
    Started,
    Stored,
    Told,
    Uncollected,
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
    Message,
    Move,
    Overtake,
    Start,
    Todo,
    Wake,
)
from app.words.checkpoint_names import heard, own, saved
from app.words.dataflow_sentences import barrier, executed, reading, recovered
from app.words.sentence_fields import FIELDS, Sentence, control, sign, spoken


@dataclass(frozen=True, slots=True)
class Ending:
    """The status of a snapshot after a step. ``lacking``: the processes whose parts are missing for good; ``absent``:
    those that take no part, or are gone; ``watched``: is any channel recorded, or is there none? ``parts``: the
    processes that have recorded."""

    complete: bool
    lacking: tuple[str, ...]
    absent: tuple[str, ...]
    watched: bool
    parts: tuple[str, ...]

    def recorded(self, process: str) -> bool:
        """Has the process recorded?"""
        return process in self.parts


def sentences(
    action: Action,
    notes: Iterable[Note],
    *,
    show: Callable[[Any], Any],
    view: Callable[[Any], Any],
    logged: Callable[[int, str], list[object]],
    ending: Callable[[int], Ending],
    overwrites: Callable[[str], bool] = lambda process: False,
    photographs: bool = False,
    barriers: bool = False,
    private: bool = False,
) -> tuple[Sentence, ...]:
    """Return the sentences of a step.

    ``show`` and ``view`` make payloads and states readable; ``logged(snapshot, channel)`` gives what a channel has
    recorded so far, ``ending(snapshot)`` the status of the snapshot after the step; ``overwrites(process)`` says
    whether its outputs replace earlier ones with the same names; ``photographs`` says that the algorithm has no
    markers, ``barriers`` that its markers are those of a dataflow, ``private`` that every process saves independently.
    """
    show = _saying(show)
    facts = tuple(notes)
    said = list(_headline(action, facts, show, view, logged, photographs, barriers, private))
    if not any(sentence.key.startswith(TELLING) for sentence in said):
        said += [Sentence("recorded", (n.process, n.snapshot)) for n in facts if isinstance(n, Recorded)]
    for note in _worth_telling(action, facts):
        if isinstance(note, Completed):
            said.append(_completed(note.snapshot, ending(note.snapshot), facts))
        elif isinstance(note, Output):
            key = "output.keyed" if overwrites(note.process) else "output"
            said.append(Sentence(key, (note.process, show(note.payload))))
        elif private and (more := own(note, action, facts, show, view)) is not None:
            said += more
        else:
            said += _noted(note, facts, show, view, ending, barriers)
    return tuple(sentence.of_dataflow() for sentence in said) if barriers else tuple(said)


def _saying(show: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return ``show`` for sentences, in which the end of a stream is a word rather than the content of an item."""
    return lambda payload: control(str(END)) if payload is END else show(payload)


def _worth_telling(action: Action, facts: tuple[Note, ...]) -> Iterator[Note]:
    """Yield the notes without those that another sentence covers: a crash says that all messages in flight are gone, a
    missing part says that its process takes no part, and a recorded state is also saved."""
    missing = {(note.snapshot, note.process) for note in facts if isinstance(note, Unusable)}
    recorded = {note.process for note in facts if isinstance(note, Recorded)}
    for note in facts:
        if isinstance(note, Stored) and note.process in recorded:
            continue
        if isinstance(note, Lost) and isinstance(action, Crash):
            continue
        if isinstance(note, Absent) and (note.snapshot, note.process) in missing:
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


def _noted(
    note: Note,
    facts: tuple[Note, ...],
    show: Callable[[Any], Any],
    view: Callable[[Any], Any],
    ending: Callable[[int], Ending],
    barriers: bool,
) -> Iterable[Sentence]:
    """Return the sentences of a note, one of the ``facts`` of a step, besides those of the action itself. ``barriers``:
    markers are those of a dataflow."""

    def named(message: Message) -> Any:
        if message.kind == MARKER:
            return sign(message.snapshot, barriers)
        return control(message.payload) if message.kind == CONTROL else show(message.payload)

    if isinstance(note, Unreachable):
        if not note.processes:
            return
        yield Sentence("unreachable", (note.snapshot, list(note.processes)))
    elif isinstance(note, Lost | Doubled | Overtook):
        yield Sentence(note.key, (note.channel, named(note.message)))
    elif isinstance(note, Discarded):
        yield Sentence(_discarded(facts), (note.process, named(note.message)))
    elif isinstance(note, Crashed):
        yield Sentence("crashed", (note.process, view(note.state)))
    elif isinstance(note, Joined | Partitioned | Healed | Leaving | Left):
        yield Sentence(note.key, note.values())
    elif isinstance(note, Derived) and note.messages:
        yield Sentence("derived", (note.channel, [named(m) for m in note.messages], note.snapshot))
    else:
        yield from _of_a_snapshot(note, view, ending)
        yield from recovered(note, facts, named, show, view)


def _of_a_snapshot(note: Note, view: Callable[[Any], Any], ending: Callable[[int], Ending]) -> Iterable[Sentence]:
    if isinstance(note, Region):
        if note.border:
            yield Sentence("region.border", (note.process, note.master, list(note.border)))
        elif note.process != note.master:
            yield Sentence("region", (note.process, note.master))
    elif isinstance(note, Round):
        yield Sentence("round", (note.process, note.known, note.snapshot))
    elif isinstance(note, Folded):
        yield Sentence("folded", (note.process, view(note.state), note.snapshot))
    elif isinstance(note, Paused | Resumed):
        key = note.key if note.channel is None else f"{note.key}.channel"
        yield Sentence(key, note.values()[: len(FIELDS[key])])
    elif isinstance(note, Unusable):
        key = "unusable" if ending(note.snapshot).recorded(note.process) else "unusable.unrecorded"
        yield Sentence(key, (note.process, note.snapshot))
    elif isinstance(note, Assembled):
        key = "assembled" if ending(note.snapshot).complete else "assembled.before"
        yield Sentence(key, (note.process, note.snapshot))
    elif isinstance(note, Absent | Aborted):
        yield Sentence(note.key, (note.process, note.snapshot))
    elif isinstance(note, Counted):
        yield Sentence("counted", (note.process, note.missing, note.snapshot))
    elif isinstance(note, Uncollected):
        yield Sentence("uncollected", (note.process,))


def _discarded(facts: tuple[Note, ...]) -> str:
    """Return why a message is discarded: it is acknowledged, was for another attempt, or is not the next."""
    if any(isinstance(note, Asked) for note in facts):
        return "discarded.known"
    return "discarded.attempt" if "drop-item" in executed(facts) else "discarded"


def _completed(snapshot: int, ending: Ending, facts: tuple[Note, ...]) -> Sentence:
    """Describe a snapshot that waits for no process any more, unless the same step has just done so."""
    if any(isinstance(note, Unusable) and note.snapshot == snapshot for note in facts):
        return Sentence("lacking.now", (snapshot,))
    if ending.lacking:
        return Sentence("lacking", (snapshot, list(ending.lacking)))
    if not ending.watched:
        return Sentence("complete.unseen", (snapshot,))
    return Sentence("complete.members" if ending.absent else "complete", (snapshot,))


def _headline(
    action: Action,
    facts: tuple[Note, ...],
    show: Callable[[Any], Any],
    view: Callable[[Any], Any],
    logged: Callable[[int, str], list[object]],
    photographs: bool,
    barriers: bool,
    private: bool,
) -> Iterable[Sentence]:
    """Return the sentences of the action itself."""
    if isinstance(action, Start):
        yield saved(facts, view) if private else _starting(facts, photographs, barriers)
    elif isinstance(action, Wake) and private:
        yield heard(action, facts)
    elif isinstance(action, Wake):
        what = action.what.word
        idle = what in WORTH and not any(isinstance(note, WORTH[what]) for note in facts)
        values = _about(action.what)
        yield Sentence(f"wake.{what}.nothing" if idle else f"wake.{what}", (action.process, *values))
    elif isinstance(action, Move):
        yield reading(action, facts, show) if action.detail == Deed.READ else _moving(action, facts, show, view)
    elif isinstance(action, Collect):
        yield from _collecting(facts)
    elif isinstance(action, Deliver | Overtake):
        yield from _arriving(facts, show, logged, barriers)
    elif isinstance(action, Abandon):
        yield Sentence("abandon", (action.snapshot,))


def _about(what: Todo) -> tuple[str, ...]:
    """Return what a deferred step is about, as its sentence needs it."""
    if what.word == "letter":
        return (str(what.number),)  # whose turn it is does not matter
    return (what.name, what.item) if what.name and what.item else (what.about,)


def _starting(facts: tuple[Note, ...], photographs: bool, barriers: bool) -> Sentence:
    """Describe how a process starts a snapshot."""
    started = next(n for n in facts if isinstance(n, Started))
    for line, key in (("mark-epoch", "start.epoch"), ("end-batch", "start.end")):
        if line in executed(facts):
            return Sentence(key, (started.process, started.snapshot))
    if barriers and any(isinstance(n, Sent) and n.message.kind == MARKER for n in facts):
        return Sentence("start.barrier", (started.process, started.snapshot))
    if photographs:
        return Sentence("photograph", (started.process,))
    return Sentence(_beginning(facts), (started.process, started.snapshot))


def _beginning(facts: tuple[Note, ...]) -> str:
    """Return the words for the start of a snapshot: the first thing that the initiator sends, or puts off."""
    for note in facts:
        if isinstance(note, Sent) and note.message.kind == MARKER:
            return "start"
        if isinstance(note, Sent) and note.message.kind == CONTROL:
            word = spoken(note.message.payload)
            paused = word == "pause" and not any(isinstance(n, Paused) for n in facts)
            return "start.pause.again" if paused else f"start.{word}"
        if isinstance(note, Sent) and note.message.kind == WORD:
            return f"start.{spoken(note.message.payload[2])}"
        if isinstance(note, Deferred):
            word = note.what.word
            return f"start.{word}" if word != "node-record" or _posted(facts, MARKER) else "start.node-record.alone"
    return "start.alone" if any(isinstance(note, Recorded) for note in facts) else "start.unrecorded"


def _posted(facts: Iterable[Note], kind: str) -> bool:
    """Is anything of a kind sent?"""
    return any(isinstance(note, Sent) and note.message.kind == kind for note in facts)


def _moving(action: Move, facts: tuple[Note, ...], show: Callable[[Any], Any], view: Callable[[Any], Any]) -> Sentence:
    """Describe how a program sends, or changes its state."""
    for note in facts:
        if isinstance(note, Sent) and note.message.kind == APP:
            return Sentence("send", (note.process, show(note.message.payload), note.channel))
    changed = next(n for n in facts if isinstance(n, Changed))
    return Sentence("change", (changed.process, view(changed.state)))


def _collecting(facts: tuple[Note, ...]) -> Iterable[Sentence]:
    """Describe the arrival of a recorded part at the initiator, or of a message from one process to another; or its
    forwarding."""
    received = next(n for n in facts if isinstance(n, Received))
    part, snapshot = received.message.payload, received.message.snapshot
    onward = next((n for n in facts if isinstance(n, Sent) and n.message.kind == received.message.kind), None)
    told = next((n for n in facts if isinstance(n, Told)), None)
    if told is not None:
        word = spoken(told.word)
        silent = word == "agree" and not _posted(facts, WORD)
        yield Sentence(f"told.{word}.silent" if silent else f"told.{word}", (told.process, told.source, told.snapshot))
    elif onward is not None and received.message.kind == WORD:
        yield Sentence("word.passes", (onward.process, part[0], part[1], onward.channel))
    elif onward is not None:
        yield Sentence("part.passes", (onward.process, part, onward.channel))
    else:
        yield Sentence("part.arrives", (received.process, part, snapshot))


def _first_marker(facts: tuple[Note, ...]) -> str:
    """Choose the words for a marker that makes its process record: does the process record channels too, and does it
    send its own markers now, later, or not at all?"""
    if not any(isinstance(n, Closed) for n in facts):
        return "marker.first.state"
    if _posted(facts, MARKER):
        return "marker.first"
    late = any(isinstance(n, Deferred) and n.what.word == "markers" for n in facts)
    return "marker.first.late" if late else "marker.first.end"


def _unclosed(facts: tuple[Note, ...]) -> str:
    """Return the words for a marker that neither records nor closes."""
    if _posted(facts, MARKER):
        return "marker.forwarded"
    return "marker.ignored"


def _arriving(
    facts: tuple[Note, ...], show: Callable[[Any], Any], logged: Callable[[int, str], list[object]], barriers: bool
) -> Iterable[Sentence]:
    """Describe the arrival of a message or a marker."""
    received = next(n for n in facts if isinstance(n, Received))
    name, channel, message = received.process, received.channel, received.message
    if message.kind == APP:
        copies = [n for n in facts if isinstance(n, Logged)]
        said = "receive.recorded" if copies else "receive"
        yield Sentence(said, (name, show(message.payload), channel))
        for copy in copies:
            yield Sentence("logged", (show(message.payload), channel, copy.snapshot))
        return
    if message.kind == CONTROL:
        word = spoken(message.payload)
        again = word in ("token", "letter") and not any(isinstance(n, Recorded) for n in facts)
        yield Sentence(f"control.{word}.again" if again else f"control.{word}", (name, channel, message.snapshot))
        return
    if barriers:
        yield barrier(received, facts, logged)
        return
    recorded = next((n for n in facts if isinstance(n, Recorded)), None)
    if recorded is not None:
        yield Sentence(_first_marker(facts), (name, channel, recorded.snapshot))
        return
    closed = [n for n in facts if isinstance(n, Closed)]
    if not closed and not any(isinstance(n, Discarded) for n in facts):
        yield Sentence(_unclosed(facts), (name, channel))
    for note in closed:
        content = logged(note.snapshot, channel)
        if content:
            yield Sentence("marker.close", (name, channel, content, note.snapshot))
        else:
            yield Sentence("marker.empty", (name, channel, note.snapshot))
