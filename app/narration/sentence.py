"""What a step says: which sentences, with which values. The words are in the catalogues.

A sentence is a key and values in the order of FIELDS. Its text may mark its most important words with ``**``.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from app.core.model import (
    APP,
    CONTROL,
    END,
    MARKER,
    WORD,
    Abandon,
    Action,
    Collect,
    Crash,
    Deliver,
    Message,
    Move,
    Overtake,
    Start,
    Wake,
)
from app.core.notes import (
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
    Joined,
    Leaving,
    Left,
    Logged,
    Lost,
    Mended,
    Note,
    Overtook,
    Parted,
    Paused,
    Received,
    Recorded,
    Region,
    Resumed,
    Round,
    Sent,
    Started,
    Told,
    Uncollected,
    Unreachable,
    Unusable,
)
from app.core.program import READ
from app.narration.fields import FIELDS, Sentence, control, sign, spoken
from app.narration.recovery import barrier, reading, recovered
from app.narration.rollback import heard, own, saved


@dataclass(frozen=True, slots=True)
class Ending:
    """How a snapshot stands after a step. ``lacking``: whose parts are missing for good; ``absent``: who takes no part;
    ``watched``: has anybody looked at a channel, or is there none? ``parts``: who has recorded."""

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
    logged: Callable[[int, str], list[Any]],
    ending: Callable[[int], Ending],
    photographs: bool = False,
    barriers: bool = False,
    private: bool = False,
) -> tuple[Sentence, ...]:
    """What a step says.

    ``show`` and ``view`` make payloads and states readable; ``logged(snapshot, channel)`` gives what a channel has
    recorded so far, ``ending(snapshot)`` how the snapshot stands after the step; ``photographs`` says that the
    algorithm knows no markers, ``barriers`` that they are those of a dataflow, ``private`` that every process saves by
    itself.
    """
    show = saying(show)
    facts = tuple(notes)
    said = list(headline(action, facts, show, view, logged, photographs, barriers, private))
    if not any(sentence.key.startswith(TELLING) for sentence in said):
        said += [Sentence("recorded", (n.process, n.snapshot)) for n in facts if isinstance(n, Recorded)]
    for note in worth_telling(action, facts):
        if isinstance(note, Completed):
            said.append(completed(note.snapshot, ending(note.snapshot), facts))
        elif private and (more := own(note, action, facts, show, view)) is not None:
            said += more
        else:
            said += noted(note, show, view, ending, any(isinstance(n, Asked) for n in facts), barriers)
    return tuple(sentence.of_dataflow() for sentence in said) if barriers else tuple(said)


def saying(show: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """``show`` for sentences, where the end of a stream is a word, and not what a record holds."""
    return lambda payload: control(str(END)) if payload is END else show(payload)


def worth_telling(action: Action, facts: tuple[Note, ...]) -> Iterator[Note]:
    """The notes without what another sentence says: a crash says that all on its way there is gone, and that a part
    is missing says that its process takes no part."""
    missing = {(note.snapshot, note.process) for note in facts if isinstance(note, Unusable)}
    for note in facts:
        if isinstance(note, Lost) and isinstance(action, Crash):
            continue
        if isinstance(note, Absent) and (note.snapshot, note.process) in missing:
            continue
        yield note


TELLING = ("start", "photograph", "marker.first", "barrier.recorded", "barrier.first")
"""Sentences that say of themselves that a process records."""

WORTH: dict[str, type[Note]] = {
    "resend": Sent,
    "timeout": Recorded,
    "trigger": Acted,
    "speculate": Deferred,
    "copy": Changed,
}
"""By the word of a step put off, the note without which nothing has come of it."""


def noted(
    note: Note,
    show: Callable[[Any], Any],
    view: Callable[[Any], Any],
    ending: Callable[[int], Ending],
    known: bool = False,
    barriers: bool = False,
) -> Iterable[Sentence]:
    """What a note says beside the action's own sentence. ``known``: a message that is thrown away is acknowledged;
    ``barriers``: markers are those of a dataflow."""

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
        yield Sentence("discarded.known" if known else "discarded", (note.process, named(note.message)))
    elif isinstance(note, Crashed):
        yield Sentence("crashed", (note.process, view(note.state)))
    elif isinstance(note, Joined | Parted | Mended | Leaving | Left):
        yield Sentence(note.key, note.values())
    elif isinstance(note, Derived) and note.messages:
        yield Sentence("derived", (note.channel, [named(m) for m in note.messages], note.snapshot))
    elif isinstance(note, Region):
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
    else:
        yield from recovered(note, named, show, view)


def completed(snapshot: int, ending: Ending, facts: tuple[Note, ...]) -> Sentence:
    """Nobody is waited for any more: what that is worth, unless the same step has just said it."""
    if any(isinstance(note, Unusable) and note.snapshot == snapshot for note in facts):
        return Sentence("lacking.now", (snapshot,))
    if ending.lacking:
        return Sentence("lacking", (snapshot, list(ending.lacking)))
    if not ending.watched:
        return Sentence("complete.unseen", (snapshot,))
    return Sentence("complete.members" if ending.absent else "complete", (snapshot,))


def headline(
    action: Action,
    facts: tuple[Note, ...],
    show: Callable[[Any], Any],
    view: Callable[[Any], Any],
    logged: Callable[[int, str], list[Any]],
    photographs: bool,
    barriers: bool,
    private: bool,
) -> Iterable[Sentence]:
    """What the action itself says."""
    if isinstance(action, Start):
        yield saved(facts, view) if private else starting(facts, photographs, barriers)
    elif isinstance(action, Wake) and private:
        yield heard(action, facts)
    elif isinstance(action, Wake):
        what, _, number = action.what.partition(" ")
        idle = what in WORTH and not any(isinstance(note, WORTH[what]) for note in facts)
        yield Sentence(f"wake.{what}.nothing" if idle else f"wake.{what}", (action.process, *number.split(":")))
    elif isinstance(action, Move):
        yield reading(action, facts, show) if action.detail == READ else moving(action, facts, show, view)
    elif isinstance(action, Collect):
        yield from collecting(facts)
    elif isinstance(action, Deliver | Overtake):
        yield from arriving(facts, show, logged, barriers)
    elif isinstance(action, Abandon):
        yield Sentence("abandon", (action.snapshot,))


def starting(facts: tuple[Note, ...], photographs: bool, barriers: bool) -> Sentence:
    """A process starts a snapshot."""
    started = next(n for n in facts if isinstance(n, Started))
    if barriers and any(isinstance(n, Sent) and n.message.kind == MARKER for n in facts):
        return Sentence("start.barrier", (started.process, started.snapshot))
    if photographs:
        return Sentence("photograph", (started.process,))
    return Sentence(beginning(facts), (started.process, started.snapshot))


def beginning(facts: tuple[Note, ...]) -> str:
    """How the start of a snapshot is told: by the first thing that the initiator sends, or puts off."""
    for note in facts:
        if isinstance(note, Sent) and note.message.kind == MARKER:
            return "start"
        if isinstance(note, Sent) and note.message.kind == CONTROL:
            return f"start.{spoken(note.message.payload)}"
        if isinstance(note, Sent) and note.message.kind == WORD:
            return f"start.{spoken(note.message.payload[2])}"
        if isinstance(note, Deferred):
            return f"start.{note.what.partition(' ')[0]}"
    return "start.alone"


def moving(action: Move, facts: tuple[Note, ...], show: Callable[[Any], Any], view: Callable[[Any], Any]) -> Sentence:
    """A program sends, or changes its state."""
    for note in facts:
        if isinstance(note, Sent) and note.message.kind == APP:
            return Sentence("send", (note.process, show(note.message.payload), note.channel))
    changed = next(n for n in facts if isinstance(n, Changed))
    return Sentence("change", (changed.process, view(changed.state)))


def collecting(facts: tuple[Note, ...]) -> Iterable[Sentence]:
    """A recorded part arrives at the initiator, or what a process tells another one; or it is passed on."""
    received = next(n for n in facts if isinstance(n, Received))
    part, snapshot = received.message.payload, received.message.snapshot
    onward = next((n for n in facts if isinstance(n, Sent) and n.message.kind == received.message.kind), None)
    told = next((n for n in facts if isinstance(n, Told)), None)
    if told is not None:
        yield Sentence(f"told.{spoken(told.word)}", (told.process, told.source, told.snapshot))
    elif onward is not None and received.message.kind == WORD:
        yield Sentence("word.passes", (onward.process, part[0], part[1], onward.channel))
    elif onward is not None:
        yield Sentence("part.passes", (onward.process, part, onward.channel))
    else:
        yield Sentence("part.arrives", (received.process, part, snapshot))


def unclosed(facts: tuple[Note, ...]) -> str:
    """How a marker is told that neither records nor closes."""
    if any(isinstance(n, Sent) and n.message.kind == MARKER for n in facts):
        return "marker.forwarded"
    return "marker.ignored"


def arriving(
    facts: tuple[Note, ...], show: Callable[[Any], Any], logged: Callable[[int, str], list[Any]], barriers: bool
) -> Iterable[Sentence]:
    """A message or a marker arrives."""
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
        yield Sentence(f"control.{spoken(message.payload)}", (name, channel, message.snapshot))
        return
    if barriers:
        yield barrier(received, facts, logged)
        return
    recorded = next((n for n in facts if isinstance(n, Recorded)), None)
    if recorded is not None:
        late = any(isinstance(n, Deferred) and n.what.startswith("markers ") for n in facts)
        key = "marker.first.late" if late else "marker.first"
        yield Sentence(key, (name, channel, recorded.snapshot))
        return
    closed = [n for n in facts if isinstance(n, Closed)]
    if not closed and not any(isinstance(n, Discarded) for n in facts):
        yield Sentence(unclosed(facts), (name, channel))
    for note in closed:
        content = logged(note.snapshot, channel)
        if content:
            yield Sentence("marker.close", (name, channel, content, note.snapshot))
        else:
            yield Sentence("marker.empty", (name, channel, note.snapshot))
