"""What a step says: which sentences, with which values. The words are in the catalogues.

A sentence is a key and values in the order of FIELDS. Its text may mark its most important words with ``**``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from app.core.model import APP, MARKER, PART, Action, Collect, Move, Start, Wake
from app.core.notes import (
    Assembled,
    Changed,
    Closed,
    Completed,
    Logged,
    Note,
    Received,
    Recorded,
    Sent,
    Started,
    Uncollected,
    Unreachable,
)

FIELDS: dict[str, tuple[str, ...]] = {
    "start": ("process", "snapshot"),
    "start.alone": ("process", "snapshot"),
    "start.late": ("process", "snapshot"),
    "photograph": ("process",),
    "unreachable": ("snapshot", "processes"),
    "send": ("process", "message", "channel"),
    "change": ("process", "state"),
    "receive": ("process", "message", "channel"),
    "receive.recorded": ("process", "message", "channel"),
    "logged": ("message", "channel", "snapshot"),
    "marker.first": ("process", "channel", "snapshot"),
    "marker.first.late": ("process", "channel", "snapshot"),
    "marker.close": ("process", "channel", "messages", "snapshot"),
    "marker.empty": ("process", "channel", "snapshot"),
    "marker.ignored": ("process", "channel"),
    "markers.late": ("process", "snapshot"),
    "complete": ("snapshot",),
    "part.arrives": ("process", "part", "snapshot"),
    "part.passes": ("process", "part", "channel"),
    "assembled": ("process", "snapshot"),
    "uncollected": ("process",),
}
"""The sentences, and the names of their values in order."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: ``key`` in the catalogues, ``values`` in the order of FIELDS[key]."""

    key: str
    values: tuple[Any, ...]

    def fields(self) -> dict[str, Any]:
        """The values by name."""
        return dict(zip(FIELDS[self.key], self.values, strict=True))


def sentences(
    action: Action,
    notes: Iterable[Note],
    *,
    show: Callable[[Any], Any],
    view: Callable[[Any], Any],
    logged: Callable[[int, str], list[Any]],
    photographs: bool = False,
) -> tuple[Sentence, ...]:
    """What a step says.

    ``show`` and ``view`` make payloads and states readable; ``logged(snapshot, channel)`` gives what a channel has
    recorded so far; ``photographs`` says that the algorithm knows no markers.
    """
    facts = tuple(notes)
    said = list(headline(action, facts, show, view, logged, photographs))
    for note in facts:
        if isinstance(note, Unreachable):
            said.append(Sentence("unreachable", (note.snapshot, list(note.processes))))
        elif isinstance(note, Completed):
            said.append(Sentence("complete", (note.snapshot,)))
        elif isinstance(note, Assembled):
            said.append(Sentence("assembled", (note.process, note.snapshot)))
        elif isinstance(note, Uncollected):
            said.append(Sentence("uncollected", (note.process,)))
    return tuple(said)


def headline(
    action: Action,
    facts: tuple[Note, ...],
    show: Callable[[Any], Any],
    view: Callable[[Any], Any],
    logged: Callable[[int, str], list[Any]],
    photographs: bool,
) -> Iterable[Sentence]:
    """What the action itself says."""
    if isinstance(action, Start):
        yield starting(facts, photographs)
    elif isinstance(action, Wake):
        number = action.what.rpartition(" ")[2]
        yield Sentence("markers.late", (action.process, number))
    elif isinstance(action, Move):
        yield moving(action, facts, show, view)
    elif isinstance(action, Collect):
        yield collecting(facts)
    else:
        yield from arriving(facts, show, logged)


def starting(facts: tuple[Note, ...], photographs: bool) -> Sentence:
    """A process starts a snapshot."""
    started = next(n for n in facts if isinstance(n, Started))
    if photographs:
        return Sentence("photograph", (started.process,))
    sends = any(isinstance(n, Sent) and n.message.kind == MARKER for n in facts)
    waits = any(n.key == "deferred" for n in facts)
    key = "start" if sends else "start.late" if waits else "start.alone"
    return Sentence(key, (started.process, started.snapshot))


def moving(action: Move, facts: tuple[Note, ...], show: Callable[[Any], Any], view: Callable[[Any], Any]) -> Sentence:
    """A program sends, or changes its state."""
    for note in facts:
        if isinstance(note, Sent) and note.message.kind == APP:
            return Sentence("send", (note.process, show(note.message.payload), note.channel))
    changed = next(n for n in facts if isinstance(n, Changed))
    return Sentence("change", (changed.process, view(changed.state)))


def collecting(facts: tuple[Note, ...]) -> Sentence:
    """A recorded part arrives at the initiator, or is passed on."""
    received = next(n for n in facts if isinstance(n, Received))
    part, snapshot = received.message.payload, received.message.snapshot
    for note in facts:
        if isinstance(note, Sent) and note.message.kind == PART:
            return Sentence("part.passes", (note.process, part, note.channel))
    return Sentence("part.arrives", (received.process, part, snapshot))


def arriving(
    facts: tuple[Note, ...], show: Callable[[Any], Any], logged: Callable[[int, str], list[Any]]
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
    recorded = next((n for n in facts if isinstance(n, Recorded)), None)
    if recorded is not None:
        late = any(n.key == "deferred" for n in facts)
        key = "marker.first.late" if late else "marker.first"
        yield Sentence(key, (name, channel, recorded.snapshot))
        return
    closed = [n for n in facts if isinstance(n, Closed)]
    if not closed:
        yield Sentence("marker.ignored", (name, channel))
    for note in closed:
        content = logged(note.snapshot, channel)
        if content:
            yield Sentence("marker.close", (name, channel, content, note.snapshot))
        else:
            yield Sentence("marker.empty", (name, channel, note.snapshot))
