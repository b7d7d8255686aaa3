"""What a lesson's expressions can ask a run: they know the names of ``Facts``, and of a question also ``cut`` and
``listed``, the cut that it draws and the STATES that it offers, by name. What a snapshot recorded is a ``Snapshot``.

A STEP that is not given is the last one, a NUMBER that of the first snapshot. A cut is a mapping from processes to
counts of events, a STATE one with ``processes`` and ``channels``, where channels that are not given are empty. Events
are called ``PROCESS.INDEX``.

Sources of what they say: ``app.core.oracle.checks``, ``app.core.oracle.history``, ``app.run.explore``.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain, product
from math import prod
from typing import Any
from urllib.parse import parse_qsl

from app.analysis.checkpoint_sizes import stores
from app.analysis.checkpoint_sizes import summary as weighed
from app.analysis.cost import Cost, controls, cost
from app.analysis.cost_runs import extra, runs
from app.analysis.cost_runs import mean as average
from app.analysis.expectations import same, total
from app.analysis.ledger import ledger, summary
from app.analysis.recovery_cost import recovery_cost
from app.analysis.recovery_cost import summary as paid
from app.core.kernel.enabled import enabled
from app.core.model.notes import Recorded, Rule
from app.core.model.program import conserved
from app.core.model.recorded_state import channels as recorded_channels
from app.core.model.recorded_state import parts as recorded_parts
from app.core.model.value import Frozen
from app.core.model.values import APP, BluecutError, Json, Message, Move
from app.core.oracle.history import SEND, Event, History
from app.core.oracle.replay import Replay
from app.course.expression import Unanswerable
from app.run.explore import Exploration, explore
from app.run.run import Run, final, record, snapshot
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.wire.run_url import Query, address

MOST_CUTS = 20_000
"""So many cuts are looked at when they are counted; a run with more has no such answer."""


class Sent(Frozen):
    """A message of the program: its number in the run, and what it says."""

    id: int
    payload: Json

    def __str__(self) -> str:
        return str(self.payload)


class Snapshot:
    """What a snapshot recorded: ``processes``, ``channels`` (what is in them), ``messages(CHANNEL)``, ``total`` and the
    ``amounts`` of which it is made, ``markers``, ``controls``, ``complete``, ``checks`` and ``witnesses`` of the oracle
    (by its names), ``cut`` (counts of events by process), ``started``, ``completed``, ``recorded`` and ``closed``
    (steps, by process and by channel), ``unreachable``, ``stuck`` (the processes that wait in a circle for each other's
    barrier), ``open(step)`` (the channels that are still recorded after a step), ``stable`` (before, recorded,
    after)."""

    def __init__(self, run: Run, number: int) -> None:
        if number not in run.verdicts:
            known = tuple(str(one) for one in run.verdicts)
            raise Unanswerable("this run has no snapshot {number}; it has {known}", number=number, known=known)
        self._run, self._number = run, number
        told, seen = snapshot(run, number), run.history.recordings[number]
        self.processes: Json = told["processes"]
        self.channels: Json = told["channels"]
        self.initiators: list[str] = told["initiators"]
        self.markers: int = told["markers"]
        self.controls: int = told["controls"]
        self.complete: bool = told["complete"]
        self.aborted: bool = told["aborted"]
        self.absent: list[str] = told["absent"]
        self.unusable: list[str] = told["unusable"]
        self.checks: dict[str, bool | None] = told["checks"]
        self.witnesses: dict[str, Json] = told["witnesses"]
        self.unreachable: list[str] = list(seen.unreachable)
        self.stuck: list[str] = [name for name, _ in told.get("deadlock", {}).get("waits", ())]
        self.cut, self.started, self.completed = dict(seen.cut), seen.started, seen.completed
        self.recorded, self.closed = dict(seen.recorded), dict(seen.closed)

    @property
    def total(self) -> Json:
        """What the program conserves, in all that was recorded."""
        return total(self._run, self._number)

    @property
    def amounts(self) -> dict[str, int]:
        """What the program conserves, by process and channel."""
        program, found = self._run.system.program, recorded_parts(self._run.system, self._run.end, self._number)
        amounts = {name: conserved(program, [part.state]).total() for name, part in found.items()}
        queues = recorded_channels(self._run.system, found).items()
        return amounts | {name: conserved(program, (), queue).total() for name, queue in queues}

    @property
    def stable(self) -> Json:
        """The program's stable property when it started, in what it recorded, and when it was complete."""
        return self._run.stable(self._number)

    def messages(self, channel: str) -> list[Sent]:
        """Return the messages recorded in a channel. Raises Unanswerable if it is not closed."""
        if channel not in self.channels:
            raise Unanswerable(
                "channel {channel} is not closed in snapshot {number}", channel=channel, number=self._number
            )
        parts = recorded_parts(self._run.system, self._run.end, self._number)
        return sent(self._run, recorded_channels(self._run.system, parts)[channel])

    def open(self, step: int) -> list[str]:
        """Return the channels whose receiver has recorded up to ``step``, and that are not closed then."""
        ends = self._run.system.topology.channels
        later = len(self._run.steps) + 1
        return [
            name
            for name, one in ends.items()
            if self.recorded.get(one.target, later) <= step and self.closed.get(name, later) > step
        ]


class Facts:
    """What can be asked of one run. ``steps``: how many it has; ``missed``: what a repeated run could not do; ``lines``
    are those of the algorithm's rule, and ``wrong`` the one that is wrong, or nothing."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.steps = len(run.steps)
        self.missed = run.missed
        self.lines = [line for line, _ in run.system.algorithm.PSEUDOCODE]
        self.wrong = run.system.algorithm.WRONG

    def live(self, name: str, step: int | None = None) -> Json:
        """Return the state of a process after a step."""
        states = self._world(step).states
        if name not in states:
            known = tuple(sorted(states))
            raise Unanswerable("no process is called {name!r}; known here: {known}", name=name, known=known)
        return self._run.system.program.view(states[name])

    def queue(self, channel: str, step: int | None = None) -> list[Sent]:
        """Return the program's messages in a channel after a step."""
        self._named(channel)
        return sent(self._run, self._world(step).in_flight().get(channel, ()))

    def total(self, step: int | None = None) -> int:
        """Return the quantity that the program conserves, in processes and channels, after a step."""
        world = self._world(step)
        flying = chain.from_iterable(world.in_flight().values())
        return conserved(self._run.system.program, world.states.values(), flying).total()

    def sent(self, channel: str | None = None, step: int | None = None) -> list[Sent]:
        """Return the program's messages that were sent up to a step, on one channel or on all."""
        until = len(self._run.steps) if step is None else step
        if channel is not None:
            self._named(channel)
        found = [
            e.message
            for e in self._run.history.events
            if e.kind == SEND and e.message and e.step <= until and channel in (None, e.channel)
        ]
        return sent(self._run, found)

    def snapshot(self, number: int = 1) -> Snapshot:
        """Return what a snapshot recorded."""
        return Snapshot(self._run, number)

    def next_recorder(self, step: int) -> str:
        """Return the process that records next after a step, for any snapshot. Raises Unanswerable if there is none."""
        for at, note in self._run.told(Recorded):
            if at > step:
                return note.process
        raise Unanswerable("nobody records after step {step}", step=step)

    def same_as(self, number: int = 1) -> list[int]:
        """Return the steps after which the system really was in the state that a snapshot recorded."""
        told, system = self.snapshot(number), self._run.system
        wanted = {"processes": told.processes, "channels": told.channels}
        found = []
        for step in range(self.steps + 1):
            now = final(system, self._run.world(step))
            if same({key: now[key] for key in wanted}, wanted):
                found.append(step)
        return found

    def before(self, number: int = 1) -> list[str]:
        """Return the events inside a snapshot's cut, in the order in which they happened."""
        cut = self._cut(number)
        return [marked(e) for e in self._run.history.events if self._run.history.inside(e, cut)]

    def after(self, number: int = 1) -> list[str]:
        """Return the events outside a snapshot's cut, in the same order."""
        cut = self._cut(number)
        return [marked(e) for e in self._run.history.events if not self._run.history.inside(e, cut)]

    def reordered(self, number: int = 1) -> list[str]:
        """Return the events in the order of the run of Theorem 1: those inside first."""
        return self.before(number) + self.after(number)

    def passes(self, events: Iterable[str], number: int = 1) -> bool:
        """Are the events, in an order of one's own, a legal run that passes through what was recorded?"""
        run = self._run
        known = {marked(e): e for e in run.history.events}
        given = list(events)
        if sorted(given) != sorted(known):
            return False
        replay, recorded = Replay(run.system, run.history), recorded_parts(run.system, run.end, number)
        channels = recorded_channels(run.system, recorded)
        met = replay.differs(recorded, channels) is None
        for name in given:
            if replay.happen(known[name]) is not None:
                return False
            met = met or replay.differs(recorded, channels) is None
        return met

    def events(self) -> list[str]:
        """Return all events, in the order in which they happened."""
        return [marked(e) for e in self._run.history.events]

    def fate(self, message: Sent, number: int = 1) -> str:
        """Return what a snapshot makes of a message, see ``fated``."""
        return fated(self._run.history, self._cut(number), message.id)

    def fates(self, number: int = 1) -> list[str]:
        """Return what a snapshot makes of each message, in the order in which they were sent."""
        return [self.fate(message, number) for message in self.sent()]

    def happened(self, channel: str, number: int) -> int:
        """Return the step in which the ``number``-th message of a channel, from 1, was received. Raises Unanswerable if
        it was not."""
        self._named(channel)
        arrivals = [e.step for e in self._run.history.events if e.kind != SEND and e.channel == channel]
        if not 0 < number <= len(arrivals):
            count = len(arrivals)
            raise Unanswerable("on {channel} {count} messages are received", channel=channel, count=count)
        return arrivals[number - 1]

    def consistent(self, cut: Mapping[str, int]) -> bool:
        """Is a cut consistent?"""
        return self._run.history.consistent(dict(cut))

    def orphans(self, cut: Mapping[str, int]) -> list[Sent]:
        """Return the messages that a cut has received but not sent."""
        return sent(self._run, self._run.history.orphans(dict(cut)))

    def cuts(self) -> int:
        """Return how many cuts there are, consistent or not."""
        return prod(count + 1 for count in self._run.history.counts.values())

    def consistent_cuts(self) -> int:
        """Return how many cuts are consistent. Raises Unanswerable if there are more than MOST_CUTS cuts."""
        if self.cuts() > MOST_CUTS:
            raise Unanswerable("this run has {count:,} cuts; at most {most:,}", count=self.cuts(), most=MOST_CUTS)
        counts = self._run.history.counts
        every = product(*(range(count + 1) for count in counts.values()))
        return sum(self._run.history.consistent(dict(zip(counts, cut, strict=True))) for cut in every)

    def enabled(self, step: int) -> int:
        """Return how many things could happen after a step."""
        return len(enabled(self._run.system, self._run.world(step)))

    def moves(self, step: int) -> int:
        """Return how many of these the programs could do by themselves."""
        return sum(isinstance(action, Move) for action in enabled(self._run.system, self._run.world(step)))

    def controls(self, step: int) -> int:
        """Return how many control messages (markers, barriers, words) were sent up to a step."""
        return controls(self._run)[step]

    def followed(self, line: str) -> list[int]:
        """Return the steps that executed a line of the rule. Raises Unanswerable if there is no such line."""
        if line not in self.lines:
            raise Unanswerable("the rule has no line {line!r}; it has {known}", line=line, known=tuple(self.lines))
        return [step for step, note in self._run.told(Rule) if line in note.lines]

    def notes(self, step: int) -> list[str]:
        """Return the kinds of facts that a step brought, in order: recorded, closed and so on, see
        ``app.core.model.notes``, without the rule itself. Raises Unanswerable if the run has no such step, and at its
        beginning."""
        if not 0 < step <= self.steps:
            raise Unanswerable("this run has steps 1 to {steps}, not {step}", steps=self.steps, step=step)
        return [note.key for note in self._run.steps[step - 1].notes if not isinstance(note, Rule)]

    def outcomes(self, after: int = 0) -> list[Json]:
        """Return all states that the explorer finds can be recorded, in runs that begin with the first steps of this
        one."""
        return [{"processes": one.processes, "channels": one.channels} for one in self._explored(after).outcomes]

    def possible(self, state: Mapping[str, Json], after: int = 0) -> bool:
        """Can this state be recorded, in such runs?"""
        empty: Json = {name: [] for name in self._run.system.topology.channels}
        whole = {"processes": dict(state["processes"]), "channels": empty | dict(state.get("channels", {}))}
        return any(same(whole, one) for one in self.outcomes(after))

    def recordable(self, listed: Mapping[str, Mapping[str, Json]], after: int = 0) -> list[str]:
        """Return the names of those of these states, by name, that can be recorded."""
        return [name for name, one in listed.items() if self.possible(one, after)]

    def under(self, query: str = "") -> "Facts":
        """Return the same scenario under another key, such as ``algorithm=late-marker&seed=3``."""
        return Facts(ran(self._run.scenario.name, query))

    def run(self, name: str, query: str = "") -> "Facts":
        """Return another scenario of the library."""
        return Facts(ran(name, query))

    def states(self) -> int:
        """Return how many states the explorer finds."""
        return self._explored().states

    def final(self) -> Json:
        """Return the state at the end of the run."""
        return final(self._run.system, self._run.end)

    def cost(self) -> Cost:
        """Return what the snapshots cost: ``paused``, ``stopped`` and ``blocked`` steps and so on, see
        ``app.analysis.cost``."""
        return cost(self._run)

    def overhead(self, every: int, price: int, mean: int) -> float:
        """Return how many percent longer the work takes with a checkpoint every so many ticks that costs ``price``
        ticks, where crashes come every ``mean`` ticks: the mean of what the page of costs has measured. The values are
        those of its sliders. Raises Unanswerable if it has not, or if one of the runs does not end."""
        found = [one for name in ("interval", "rarely") for one in runs(name, every=every, price=price, mean=mean)]
        if not found:
            raise Unanswerable(
                "overhead({every}, {price}, {mean}) is not among what was measured; see the page Costs",
                every=every,
                price=price,
                mean=mean,
            )
        over = average(found, "over")
        if over is None:
            raise Unanswerable("with a checkpoint every {every} ticks, some runs never end", every=every)
        return extra()(over)

    def ledger(self, step: int | None = None) -> Json:
        """Compare the run of a dataflow, after a step, with the one without failures. Raises Unanswerable for another
        program."""
        book = ledger(self._run, step)
        if book is None:
            raise Unanswerable("only the run of a dataflow has a ledger")
        return summary(book)

    def recovery(self) -> Json:
        """Return what it costs to be safe and to recover. Raises Unanswerable if the program is not a dataflow."""
        cost = recovery_cost(self._run)
        if cost is None:
            raise Unanswerable("only the run of a dataflow has costs of recovery")
        return paid(cost)

    def files(self) -> Json:
        """Return the sizes of the checkpoints of a dataflow. Raises Unanswerable if none are written."""
        written = stores(self._run)
        if written is None:
            raise Unanswerable("this run writes no checkpoint")
        return weighed(written)

    def line(self) -> Json:
        """Return where each process is after the last crash, and what that took. Raises Unanswerable if nobody
        crashes."""
        if not self._run.falls:
            raise Unanswerable("nobody crashes in this run")
        fall = self._run.falls[-1]
        return {"places": dict(fall.places), "rollbacks": fall.rollbacks, "lost": sum(fall.lost.values())}

    def _cut(self, number: int) -> dict[str, int]:
        return self._run.history.recordings[number].cut

    def _world(self, step: int | None) -> Any:
        if step is not None and not 0 <= step <= self.steps:
            raise Unanswerable("this run has steps 0 to {steps}, not {step}", steps=self.steps, step=step)
        return self._run.end if step is None else self._run.world(step)

    def _named(self, channel: str) -> None:
        channels = tuple(self._run.system.topology.channels)
        if channel not in channels:
            raise Unanswerable("no channel is called {name!r}; known here: {known}", name=channel, known=channels)

    def _explored(self, after: int = 0) -> Exploration:
        found = _explored(self._run.scenario.name, self._run.key, after)
        if found.bounded:
            raise Unanswerable("the explorer reached its limit of {count:,} states", count=found.states)
        return found


def names(facts: Facts) -> dict[str, object]:
    """Return the names that expressions know, with their values."""
    return {name: getattr(facts, name) for name in dir(facts) if not name.startswith("_")}


def fated(history: History, cut: Mapping[str, int], message: int) -> str:
    """Return what a cut makes of a message: ``state`` (sent and received inside), ``channel`` (sent inside, not
    received), ``future`` (sent outside) or ``orphan`` (received inside and sent outside)."""
    arrival, inside = history.receives.get(message), dict(cut)
    arrived = arrival is not None and history.inside(arrival, inside)
    if history.inside(history.sends[message], inside):
        return "state" if arrived else "channel"
    return "orphan" if arrived else "future"


def sent(run: Run, messages: Iterable[Message]) -> list[Sent]:
    """Return messages as they are shown."""
    return [Sent(m.identity, run.system.program.show(m.payload)) for m in messages if m.kind == APP]


def marked(event: Event) -> str:
    """Return an event by its process and its number there, from 1."""
    return f"{event.process}.{event.index}"


@lru_cache(maxsize=64)
def ran(name: str, query: str = "") -> Run:
    """Return the run of a scenario of the library under a key, written as in an address. Raises BluecutError if the key
    is wrong."""
    scenario = LIBRARY.scenario(name)
    try:
        asked = Query.model_validate(dict(parse_qsl(query, strict_parsing=bool(query))))
    except ValueError:
        raise BluecutError(
            "{query!r} is not the query of a run; write it as after the ? in its address", query=query[:80]
        ) from None
    return record(scenario, address(name, scenario, asked).key)


@lru_cache(maxsize=16)
def _explored(name: str, key: RunKey, after: int = 0) -> Exploration:
    """Explore all that can happen in a small scenario of the library, or after the first steps of a run."""
    scenario = LIBRARY.scenario(name)
    return explore(scenario, key, begun=[one.action for one in record(scenario, key).steps[:after]])
