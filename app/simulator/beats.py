"""Beats: runs of the same programs under several algorithms, aligned by application event.

Beat k is the moment right after the k-th application event of the longest run; each other run stands where it has
done the same event, or, where it never did, where it stood before. After the last event each step is a beat of its
own: what is left are the algorithm's messages.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.causality import RECEIVE, SEND, Event, History
from app.core.model import Json
from app.simulator.run import Run

Sign = tuple[str, str, int, int]
"""What names an application event in every run: its kind, its channel or process, which message of that channel, or
event of that process, it concerns (from 0), and the how many-th event about it this is (from 0)."""


@dataclass(frozen=True, slots=True)
class Beats:
    """``steps`` gives, for each run, its step at each beat, the beginning (0) included; ``events`` is how many beats
    are application events; ``reference`` is the run whose events they are, by its place."""

    steps: tuple[tuple[int, ...], ...]
    events: int
    reference: int

    @property
    def last(self) -> int:
        """The last beat."""
        return len(self.steps[self.reference]) - 1


@dataclass(frozen=True, slots=True)
class Difference:
    """What a run did otherwise than another: ``missing`` are the events that only the other has, ``extra`` those that
    only this one has, ``changed`` those that both have with another message or another state afterwards; ``order``:
    both have the same events, but not in the same order."""

    missing: tuple[Event, ...]
    extra: tuple[Event, ...]
    changed: tuple[Event, ...]
    order: bool

    @property
    def same(self) -> bool:
        """Is there none?"""
        return not (self.missing or self.extra or self.changed or self.order)


def beats(runs: Sequence[Run]) -> Beats:
    """The runs, aligned. There must be one at least."""
    reference = max(range(len(runs)), key=lambda i: (len(runs[i].history.events), -i))
    wanted = list(signed(runs[reference].history))
    aligned: list[list[int]] = []
    for run in runs:
        happened = {sign: event.step for sign, event in signed(run.history).items()}
        at, steps = 0, [0]
        for sign in wanted:
            at = max(at, happened.get(sign, 0))
            steps.append(at)
        aligned.append(steps)
    rest = max(len(run.steps) - steps[-1] for run, steps in zip(runs, aligned, strict=True))
    for run, steps in zip(runs, aligned, strict=True):
        begun = steps[-1]
        steps += [min(begun + more, len(run.steps)) for more in range(1, rest + 1)]
    return Beats(tuple(map(tuple, aligned)), len(wanted), reference)


def difference(run: Run, other: Run) -> Difference:
    """What ``run`` did otherwise than ``other``, as application events."""
    mine, theirs = signed(run.history), signed(other.history)
    missing = tuple(event for sign, event in theirs.items() if sign not in mine)
    extra = tuple(event for sign, event in mine.items() if sign not in theirs)
    changed = tuple(
        event for sign, event in mine.items() if sign in theirs and content(run, event) != content(other, theirs[sign])
    )
    order = not missing and not extra and list(mine) != list(theirs)
    return Difference(missing, extra, changed, order)


def content(run: Run, event: Event) -> Json:
    """What an event was about, and what came of it, as people see it."""
    program = run.system.program
    payload = program.show(event.message.payload) if event.message else None
    return [payload, program.view(event.state)]


def signed(history: History) -> dict[Sign, Event]:
    """The application events by their signs, in the order in which they happened."""
    found: dict[Sign, Event] = {}
    sends: dict[str, int] = {}
    ordinals: dict[int, int] = {}
    again: dict[tuple[str, str, int], int] = {}
    for event in history.events:
        if event.kind == SEND and event.channel and event.message:
            ordinals[event.step] = sends.get(event.channel, 0)
            sends[event.channel] = ordinals[event.step] + 1
            about = (SEND, event.channel, ordinals[event.step])
        elif event.kind == RECEIVE and event.channel and event.message:
            about = (RECEIVE, event.channel, ordinals[history.sends[event.message.identity].step])
        else:
            about = (event.kind, event.process, 0)
        found[(*about, again.get(about, 0))] = event
        again[about] = again.get(about, 0) + 1
    return found
