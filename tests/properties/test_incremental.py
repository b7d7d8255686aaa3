"""Venkatesan's incremental snapshots record the same as full ones on the same schedule, and cost only used channels."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.algorithms.registry import algorithm
from app.core.kernel.step import step
from app.core.model.notes import Received, Recorded, Sent
from app.core.model.recorded_state import channels, parts
from app.core.model.system import System
from app.core.model.values import APP, CONTROL, MARKER, Action, Deliver, Message, Move, Start, World
from app.core.oracle import checks
from app.core.oracle.checks import CHECKS
from app.core.oracle.history import History
from app.run.explore import explore
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from tests.often import often
from tests.properties.graphs import both_ways
from tests.tiny import made

STARTS = st.lists(
    st.builds(lambda at: {"process": 0, "at": at}, st.sampled_from((0, 10, 25, 40, 60, 80, 100))),
    min_size=1,
    max_size=6,
)


def ran(values: dict[str, Any]) -> Run:
    """Return the run; starts before the last snapshot is complete are skipped."""
    scenario = made(values | {"algorithm": "venkatesan"})
    return record(scenario, RunKey(seed=scenario.form.schedule.seed + 1))


@often(250)
@given(both_ways(STARTS))
def test_every_complete_snapshot_holds_every_check(values: dict[str, Any]) -> None:
    run = ran(values)
    conserves = values["program"]["kind"] in ("token", "bank")
    for number, verdict in run.verdicts.items():
        if run.history.recordings[number].completed is None:
            assert run.end.queues and verdict.broken == ()
            continue
        assert verdict.checks == dict.fromkeys(CHECKS, True) | {"conserved": True if conserves else None, "cost": None}
    assert run.undisturbed and run.verdicts


@often(250)
@given(both_ways(STARTS))
def test_the_first_costs_a_marker_a_channel_and_later_ones_what_was_used(values: dict[str, Any]) -> None:
    run = ran(values)
    names, count = run.system.topology.names, len(run.system.topology.channels)
    tree = {
        frozenset(note.channel.split("->"))
        for one in run.steps
        for note in one.notes
        if isinstance(note, Recorded) and note.snapshot == 1 and note.channel
    }
    for number, seen in run.history.recordings.items():
        if seen.completed is None:
            continue
        if number == 1:
            assert (sum(seen.markers.values()), len(tree)) == (count, len(names) - 1)
            ahead = 0
        else:
            before = run.history.recordings[number - 1].cut
            used = {
                event.channel
                for event in run.history.events
                if event.kind == "send"
                and before[event.process] < event.index <= seen.cut[event.process]
                and event.channel
                and frozenset(event.channel.split("->")) not in tree
            }
            ahead = sum(
                isinstance(note, Sent) and (note.message.snapshot, note.message.payload) == (number, "ahead")
                for one in run.steps
                for note in one.notes
            )
            assert seen.markers == {}
            assert seen.controls - ahead == 2 * (len(names) - 1) + 2 * len(used)


# --- beside a full Chandy–Lamport on the same schedule ------------------------------------------------------------


class Full:
    """Chandy–Lamport on the schedule of an incremental run: the same moves, starts and arrivals. A marker arrives when
    the incremental run makes a process record, and otherwise as late as possible."""

    def __init__(self, run: Run) -> None:
        given = run.system
        self.system = System(given.topology, given.program, algorithm("chandy-lamport"), collect=False)
        self.history = History(given.topology.names)
        self.world: World = self.system.begin()
        for one in run.steps:
            self.follow(one.action, [note for note in one.notes if isinstance(note, Received | Recorded)])
        for channel in given.topology.channels:
            while self.head(channel) == MARKER:
                self.make(Deliver(channel))

    def make(self, action: Action) -> None:
        self.world, notes = step(self.system, self.world, action)
        self.history.watch(action, notes)

    def head(self, channel: str) -> str | None:
        queue = self.world.queues.get(channel)
        return queue[0].kind if queue else None

    def follow(self, action: Action, facts: list[Received | Recorded]) -> None:
        if isinstance(action, Move | Start):
            self.make(action)
        elif isinstance(action, Deliver):
            (received,) = [note for note in facts if isinstance(note, Received)]
            numbers = [note.snapshot for note in facts if isinstance(note, Recorded)]
            if received.message.kind == APP:
                while self.head(action.channel) == MARKER:
                    self.make(Deliver(action.channel))
                self.make(action)
            for number in numbers:
                while number not in self.at_head(action.channel):
                    self.make(Deliver(action.channel))
                self.make(Deliver(action.channel))

    def at_head(self, channel: str) -> tuple[int | None, ...]:
        message = self.world.queues[channel][0]
        assert message.kind == MARKER
        return (message.snapshot,)


def told(system: System, history: History, world: World, number: int) -> Any:
    """Return the states, and by channel the places of its recorded messages among all that were sent on it."""
    found = parts(system, world, number)
    order: dict[str, list[int]] = {}
    for event in history.events:
        if event.kind == "send" and event.channel and event.message:
            order.setdefault(event.channel, []).append(event.message.id)

    def places(channel: str, messages: tuple[Message, ...]) -> list[int]:
        return [order[channel].index(message.id) for message in messages]

    states = {name: part.state for name, part in found.items()}
    return states, {c: places(c, messages) for c, messages in channels(system, found).items()}


@often(300)
@given(both_ways(STARTS))
def test_every_snapshot_is_what_a_full_one_records_on_the_same_schedule(values: dict[str, Any]) -> None:
    run = ran(values)
    if run.end.queues:
        return  # a receiver refuses forever, so nothing is complete
    full = Full(run)
    assert list(full.history.recordings) == list(run.history.recordings)
    for number, seen in full.history.recordings.items():
        assert seen.completed is not None
        assert sum(seen.markers.values()) == len(run.system.topology.channels)
        assert told(full.system, full.history, full.world, number) == told(run.system, run.history, run.end, number)
        assert checks.Oracle(full.system, full.history).judge(full.world, number).broken == ()


def test_the_random_runs_do_have_messages_in_channels_and_markers_that_go_ahead() -> None:
    filled = ahead = regular = 0
    for seed in range(20):
        run = ran(
            {
                "topology": {"complete": 4},
                "program": {"kind": "bank", "everyone": 9, "amounts": [1, 2]},
                "schedule": {"kind": "seeded", "seed": seed, "moves": 40},
                "initiators": [{"process": "P1", "at": at} for at in (0, 30, 50, 70, 90)],
            }
        )
        for number in run.history.recordings:
            found = channels(run.system, parts(run.system, run.end, number))
            filled += number > 1 and any(found.values())
        said = [
            n.message.payload for s in run.steps for n in s.notes if isinstance(n, Sent) and n.message.kind == CONTROL
        ]
        ahead += said.count("ahead")
        regular += said.count("regular")
    assert filled > 10 and ahead > 10 and regular > 10


THREE: dict[str, Any] = {
    "topology": {"complete": 3},
    "program": {"kind": "bank", "accounts": {"P1": 1, "P2": 2, "P3": 1}},
    "algorithm": "venkatesan",
}


@pytest.mark.parametrize("moves", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_no_interleaving_of_two_snapshots_of_three_processes_breaks_it(moves: int) -> None:
    found = explore(made(THREE | {"explore": {"moves": moves, "starts": ["P1", "P1"]}}))
    assert not found.bounded and found.complete and not found.incomplete and found.counterexamples == {}


def test_out_of_order_some_interleaving_breaks_it() -> None:
    found = explore(made(THREE | {"discipline": "any", "explore": {"moves": 1, "starts": ["P1"]}}))
    assert set(found.counterexamples) == {"consistent", "channels", "conserved", "reachable"}
