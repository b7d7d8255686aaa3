"""Beats: runs of the same programs under several algorithms, aligned by application event.

Beat k is the moment right after the k-th application event of the run that has the most; each other run stands where it
has done the same event, or, if it never did, where it stood before. After the last event each step is a beat of its
own: what is left are the algorithm's messages.

Where a process crashes and comes back, the crash and the return are beats, too, and so is what they undid, both the
first time and when it is repeated: so the same crash stands at the same beat everywhere, and a run with less to repeat
waits.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from app.compact_json import compact
from app.core.model.value import Frozen
from app.core.model.values import Action, Crash, Json, Restart, Restore
from app.core.oracle.history import INTERNAL, Event, History
from app.run.run import Run

AHEAD = 24
"""How many events are looked ahead for a common one where two runs differ."""

Pair = tuple[int | None, int | None]
"""The places of one event in two runs, from 0; None where a run does not have it."""


class Moment(Frozen):
    """What a beat can be: an application event, or a crash or a return (then there is no ``event``), at a step."""

    step: int
    event: Event | None
    action: Action
    sign: str


class Beats(Frozen):
    """``steps`` gives, for each run, its step at each beat, the beginning (0) included; ``events`` is how many beats
    are moments; ``reference`` is the run whose moments they are, by its place."""

    steps: tuple[tuple[int, ...], ...]
    events: int
    reference: int

    @property
    def last(self) -> int:
        """Return the last beat."""
        return len(self.steps[self.reference]) - 1


class Difference(Frozen):
    """How a run differs from another: ``missing`` are the events that only the other has, ``extra`` those that only
    this one has, ``changed`` those after which the process is in another state. ``order``: both have the same events,
    but not in the same order."""

    missing: tuple[Event, ...]
    extra: tuple[Event, ...]
    changed: tuple[Event, ...]
    order: bool = False

    @property
    def same(self) -> bool:
        """Do the runs not differ?"""
        return not (self.missing or self.extra or self.changed or self.order)


def beats(runs: Sequence[Run]) -> Beats:
    """Return the runs, aligned. There must be at least one."""
    found = [moments(run) for run in runs]
    reference = max(range(len(runs)), key=lambda i: (len(found[i]), -i))
    wanted = [moment.sign for moment in found[reference]]
    lines: list[list[int]] = []
    for mine in found:
        pairs = aligned(wanted, [moment.sign for moment in mine])
        there = {place: mine[at].step for place, at in pairs if place is not None and at is not None}
        steps = [0]
        for place in range(len(wanted)):
            steps.append(there.get(place, steps[-1]))
        lines.append(steps)
    rest = max(len(run.steps) - steps[-1] for run, steps in zip(runs, lines, strict=True))
    for run, steps in zip(runs, lines, strict=True):
        begun = steps[-1]
        steps += [min(begun + more, len(run.steps)) for more in range(1, rest + 1)]
    return Beats(tuple(map(tuple, lines)), len(wanted), reference)


def moments(run: Run) -> tuple[Moment, ...]:
    """Return what happened in a run, in order: its application events, also those that were undone, its crashes, and
    its returns."""
    if not run.end.durable.lives and not run.end.down:
        return tuple(Moment(e.step, e, e.action, _sign(run, e)) for e in run.history.events)
    history = History(run.system.topology.names)
    found: list[Moment] = []
    for step in run.steps:
        history.watch(step.action, step.notes)
        match step.action:
            case Crash(process=name):
                found.append(Moment(step.number, None, step.action, f"crash {name}"))
            case Restart() | Restore() if not run.world(step.number).down:
                found.append(Moment(step.number, None, step.action, "back"))
        fresh: list[Moment] = []
        for event in reversed(history.events):
            if event.step != step.number:
                break
            fresh.append(Moment(step.number, event, event.action, _sign(run, event)))
        found += reversed(fresh)
    return tuple(found)


def difference(run: Run, other: Run) -> Difference:
    """Return how ``run`` differs from ``other``, as application events."""
    mine, theirs = _done(run), _done(other)
    pairs = list(aligned(_signs(other), _signs(run)))
    missing = tuple(theirs[place] for place, here in pairs if here is None and place is not None)
    extra = tuple(mine[here] for place, here in pairs if place is None and here is not None)
    found = [(theirs[place], mine[here]) for place, here in pairs if place is not None and here is not None]
    changed = tuple(here for there, here in found if _state(run, here) != _state(other, there))
    if (missing or extra) and Counter(_signs(run)) == Counter(_signs(other)):
        return Difference((), (), changed, True)
    return Difference(missing, extra, changed)


def _state(run: Run, event: Event) -> Json:
    """Return the state after an event, as people see it."""
    return run.system.program.view(event.state)


def _done(run: Run) -> list[Event]:
    """Return the application events of a run. Where no process reads again what a crash undoes, it counts as done: it
    is lost, but the runs do not differ."""
    if run.system.eager or not run.end.durable.lives:
        return run.history.events
    return [moment.event for moment in moments(run) if moment.event]


def _signs(run: Run) -> list[str]:
    """Return the identity of each application event in every run: its kind, where it happened, and what it was
    about."""
    return [_sign(run, event) for event in _done(run)]


def _sign(run: Run, event: Event) -> str:
    if event.kind == INTERNAL or event.message is None:
        return f"{event.kind} {event.process} {compact(_state(run, event))}"
    return f"{event.kind} {event.channel} {compact(run.system.program.show(event.message.payload))}"


def aligned(wanted: Sequence[str], got: Sequence[str]) -> Iterator[Pair]:
    """Yield the two lists side by side, in order. Where they differ, look for the nearest common entry."""
    i = j = 0
    while i < len(wanted) and j < len(got):
        if wanted[i] == got[j]:
            yield i, j
            i, j = i + 1, j + 1
            continue
        skip, pass_over = _apart(wanted, got, i, j)
        yield from ((place, None) for place in range(i, i + skip))
        yield from ((None, place) for place in range(j, j + pass_over))
        i, j = i + skip, j + pass_over
    yield from ((place, None) for place in range(i, len(wanted)))
    yield from ((None, place) for place in range(j, len(got)))


def _apart(wanted: Sequence[str], got: Sequence[str], i: int, j: int) -> tuple[int, int]:
    """Return how many entries to skip in each list until both have the same; one of each where that is too far away."""
    for far in range(1, AHEAD + 1):
        for skip in range(far, -1, -1):
            here, there = i + skip, j + far - skip
            if here < len(wanted) and there < len(got) and wanted[here] == got[there]:
                return skip, far - skip
    return 1, 1
