"""The recovery line: where all processes are after recovery from a crash, seen from outside.

It is computed from the history of a run and asks no process. The time between two checkpoints of a process is an
*interval*, numbered from 0: interval 2 begins with the second checkpoint. Nodes of the *rollback-dependency graph* are
the intervals; an edge leads from each to what is undone with it: the next interval of the same process, and every
interval in which a message that was sent in it was received. What can be reached from the interval lost in a crash is
undone; each process rolls back to where the first of its undone intervals begins. That is the latest consistent set of
checkpoints, the *line*: the same as rolling back one by one while a message is received and not sent.

A checkpoint on a cycle of zigzag paths is *useless*: it is in no consistent set. In the graph: undoing what came after
it undoes what came before it, too.

References
----------
B. Randell, "System Structure for Software Fault Tolerance", IEEE TSE SE-1(2), 1975.
E. N. Elnozahy, L. Alvisi, Y.-M. Wang, D. B. Johnson, ACM Computing Surveys 34(3), 2002, section 3.1.
R. H. B. Netzer, J. Xu, "Necessary and Sufficient Conditions for Consistent Global Snapshots", IEEE TPDS 6(2), 1995.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from app.core.model.algorithm import Kind
from app.core.model.notes import Down, Note, Restored, Returned
from app.core.model.system import System
from app.core.model.values import Action, Json, World
from app.core.oracle.history import RECEIVE, Event, History

Interval: TypeAlias = tuple[str, int]
Line: TypeAlias = dict[str, int | None]
"""By process, the checkpoint that it rolls back to: 0 is its beginning, None that it stays where it is."""


def _interval(history: History, event: Event) -> Interval:
    return event.process, bisect_left(history.saved.get(event.process, ()), event.index)


def latest(history: History, name: str) -> Interval:
    """Return the interval in which a process is now."""
    return name, len(history.saved.get(name, ()))


def _arrivals(history: History) -> list[Event]:
    return [e for e in history.events if e.kind == RECEIVE and e.message is not None]


def graph(history: History) -> dict[Interval, list[Interval]]:
    """Return edges from each interval to those that are undone with it."""
    edges: dict[Interval, list[Interval]] = {}
    for name in history.names:
        last = latest(history, name)[1]
        for number in range(last + 1):
            edges[name, number] = [(name, number + 1)] if number < last else []
    for event in _arrivals(history):
        assert event.message is not None
        identity = event.message.identity
        if identity not in history.undone:
            edges[_interval(history, history.sends[identity])].append(_interval(history, event))
    return edges


def _reached(edges: Mapping[Interval, Iterable[Interval]], seeds: Iterable[Interval]) -> dict[Interval, None]:
    """Return the seeds and everything that can be reached from them."""
    found = dict.fromkeys(seeds)
    todo = list(found)
    while todo:
        for follower in edges[todo.pop()]:
            if follower not in found:
                found[follower] = None
                todo.append(follower)
    return found


def line(history: History, down: Iterable[str]) -> Line:
    """Return the recovery line when the processes ``down`` have lost what they had since their last checkpoints. What
    was received although its sending has been undone already is undone as well."""
    seeds = [latest(history, name) for name in down]
    seeds += [_interval(history, e) for e in _arrivals(history) if e.message and e.message.identity in history.undone]
    gone = _reached(graph(history), seeds)
    return {name: min((number for one, number in gone if one == name), default=None) for name in history.names}


def useless(history: History) -> dict[str, tuple[int, ...]]:
    """Return, by process, its checkpoints that are on no recovery line whatever crashes; processes without any are left
    out."""
    edges = graph(history)
    found: dict[str, tuple[int, ...]] = {}
    for name in history.names:
        numbers = range(1, latest(history, name)[1] + 1)
        mine = tuple(n for n in numbers if (name, n - 1) in _reached(edges, [(name, n)]))
        if mine:
            found[name] = mine
    return found


# --- the outcome of a crash --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Fall:
    """A crash and what followed from it, until no process is down and none has to roll back. Steps count from 1.

    ``crash`` is the step of the first crash, ``since`` that of the first return, ``until`` the last step of all, None
    where it is not over. ``disk`` counts the existing checkpoints, ``useless`` names those that no line could use.
    ``line`` is the observer's, drawn at the first return, empty where all roll back together; ``places`` is where the
    processes have gone. ``returns`` counts the returns, ``lost`` the undone events, by process. ``exact``: no process
    went further than the line as it was then, and in the end nothing is received and not sent; None where no process
    was free to go further, or where that is still open.
    """

    crash: int
    disk: dict[str, int]
    useless: dict[str, tuple[int, ...]]
    since: int | None = None
    until: int | None = None
    line: Line = field(default_factory=dict)
    places: Line = field(default_factory=dict)
    returns: int = 0
    lost: dict[str, int] = field(default_factory=dict)
    exact: bool | None = None
    reached: dict[int, Line] = field(default_factory=dict)
    """By the step of each return, where the processes had gone by then."""

    def over(self, step: int) -> bool:
        """Is it over by ``step``? Only then is it known where the line is."""
        return self.until is not None and self.until <= step

    def seen(self, step: int) -> Line:
        """Return what can be seen of the line by ``step``: while processes still roll back, how far they have gone."""
        if self.over(step):
            return self.line
        return next((places for at, places in reversed(self.reached.items()) if at <= step), {})

    @property
    def rollbacks(self) -> int:
        """Return how many returns followed the first."""
        return max(0, self.returns - 1)


def falls(system: System, steps: Iterable[tuple[Action, tuple[Note, ...], World]]) -> tuple[Fall, ...]:
    """Return the outcome of each crash of a run, in the order in which they happened. ``steps`` are the actions, their
    notes and the worlds after them."""
    history = History(system.topology.names)
    found: list[Fall] = []
    down: dict[str, None] = {}
    too_far = False
    for number, (action, notes, world) in enumerate(steps, 1):
        if any(isinstance(note, Down) for note in notes) and (not found or found[-1].until is not None):
            disk = {name: len(history.saved.get(name, ())) for name in history.names}
            found.append(Fall(number, disk, useless(history), places=dict.fromkeys(history.names)))
            too_far = False
        for note in notes:
            if isinstance(note, Down):
                down[note.process] = None
            elif isinstance(note, Returned | Restored) and found:
                too_far = _went_back(history, found[-1], number, note, tuple(down)) or too_far
                down = {} if isinstance(note, Restored) else {one: None for one in down if one != note.process}
        history.watch(action, notes)
        if found and found[-1].until is None and _over(system, world):
            found[-1].until = number
            if system.algorithm.KIND is Kind.PRIVATE:
                found[-1].exact = not too_far and not history.orphans(history.counts)
    return tuple(found)


def _went_back(history: History, fall: Fall, step: int, note: Returned | Restored, down: tuple[str, ...]) -> bool:
    """Note that one process, or all, rolled back. Is that further than the line?"""
    drawn = line(history, down)
    if fall.since is None:
        fall.since, fall.line = step, drawn if isinstance(note, Returned) else {}
    fall.returns += 1
    if isinstance(note, Restored):
        cut = history.recordings[note.snapshot].cut if note.snapshot else {}
        for name in history.names:
            fall.lost[name] = fall.lost.get(name, 0) + history.counts[name] - cut.get(name, 0)
        return False
    name, before = note.process, fall.places[note.process]
    fall.places[name] = note.saved if before is None else min(before, note.saved)
    fall.reached[step] = dict(fall.places)
    start = (0, *history.saved.get(name, ()))[note.saved]
    fall.lost[name] = fall.lost.get(name, 0) + history.counts[name] - start
    limit = drawn[name]
    return limit is None or note.saved < limit


def _over(system: System, world: World) -> bool:
    """Is no process down, and does none have to roll back?"""
    patient = system.algorithm.RECOVERY.patient
    return not world.down and not any(what.word in patient for _, what in world.wakes)


def fall_json(fall: Fall) -> Json:
    """Return the outcome of a crash, as ``bluecut run --json`` prints it."""
    return {
        "crash": fall.crash,
        "until": fall.until,
        "line": fall.line,
        "places": fall.places,
        "rollbacks": fall.rollbacks,
        "lost": sum(fall.lost.values()),
        "disk": fall.disk,
        "useless": {name: list(numbers) for name, numbers in fall.useless.items()},
        "exact": fall.exact,
    }
