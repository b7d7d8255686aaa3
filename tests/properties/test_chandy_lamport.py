"""Chandy–Lamport on FIFO channels is right, whatever the graph, the program, the schedule and the overlap."""

from typing import Any

import networkx as nx
from hypothesis import given

from app.core.kernel.enabled import enabled, obstacle
from app.core.kernel.step import step
from app.core.model.notes import Changed, Logged, Recorded
from app.core.model.recorded_state import parts
from app.core.model.values import (
    Collect,
    Crash,
    Deliver,
    Drop,
    Duplicate,
    Leave,
    Move,
    Overtake,
    Partition,
    Start,
    Wake,
)
from app.core.oracle.checks import CHECKS
from app.run.explore import choices
from app.run.run import Run, record, replay
from app.scenario.run_key import RunKey
from app.wire.action_text import text
from tests.often import often
from tests.properties.colours import colours
from tests.properties.systems import systems
from tests.tiny import made

RANKS: dict[type, int] = {
    Deliver: 0,
    Collect: 1,
    Wake: 2,
    Move: 3,
    Start: 4,
    Drop: 5,
    Duplicate: 6,
    Overtake: 7,
    Partition: 8,
    Crash: 9,
    Leave: 11,
}


def stuck(run: Run) -> bool:
    """Does a message wait forever because its receiver refuses it?"""
    return any(obstacle(run.system, run.end, channel) for channel in run.end.queues)


@often(300)
@given(systems())
def test_every_complete_snapshot_holds_every_check_and_theorem_1(values: dict[str, Any]) -> None:
    run = record(made(values))
    for number, verdict in run.verdicts.items():
        seen = run.history.recordings[number]
        if seen.completed is None:
            assert verdict.broken == ()
            continue
        conserves = values["program"]["kind"] in ("token", "bank")
        assert verdict.checks == dict.fromkeys(CHECKS, True) | {"conserved": True if conserves else None}
        assert all(verdict.since[check] <= seen.completed for check in verdict.since)
    assert run.undisturbed


@often(200)
@given(systems())
def test_a_snapshot_completes_exactly_where_all_processes_can_be_reached(values: dict[str, Any]) -> None:
    run = record(made(values))
    graph: Any = nx.DiGraph()
    graph.add_nodes_from(run.system.topology.names)
    graph.add_edges_from((c.source, c.target) for c in run.system.topology.channels.values())
    for seen in run.history.recordings.values():
        (initiator,) = seen.initiators
        missing = set(graph) - {initiator} - nx.descendants(graph, initiator)
        assert set(seen.unreachable) == missing
        if missing:
            assert seen.completed is None
        elif not stuck(run):
            assert seen.completed is not None


@often(200)
@given(systems())
def test_an_independent_checker_by_colours_sees_the_same(values: dict[str, Any]) -> None:
    run = record(made(values))
    for number, verdict in run.verdicts.items():
        if verdict.checks["channels"] is None:
            continue
        seen = colours(run, number)
        assert seen.closed_downwards() and not seen.orphans()
        for part in parts(run.system, run.end, number).values():
            for channel, messages in part.channels:
                assert [m.id for m in messages] == seen.in_channel(channel)


@often(150)
@given(systems())
def test_collecting_changes_nothing_that_is_recorded_and_no_application_event(values: dict[str, Any]) -> None:
    def facts(collect: bool) -> list[Any]:
        run = record(made(values | {"collect": collect}))
        told: list[Any] = []
        for one in run.steps:
            for note in one.notes:
                if isinstance(note, Changed | Recorded):
                    told.append(note)
                elif isinstance(note, Logged):
                    told.append((note.snapshot, note.channel, note.message.payload))
        return told

    assert facts(True) == facts(False)


@often(150)
@given(systems())
def test_the_actions_of_a_run_lead_to_its_end_again(values: dict[str, Any]) -> None:
    run = record(made(values))
    assert replay(run.system, [one.action for one in run.steps]) == run.end
    assert record(made(values)).digest == run.digest


@often(100)
@given(systems())
def test_what_is_conserved_is_there_at_every_step(values: dict[str, Any]) -> None:
    run = record(made(values))
    program = run.system.program

    def total(number: int) -> dict[str, int]:
        world = run.world(number)
        amounts: dict[str, int] = {}
        for name in run.system.topology.names:
            for what, much in (program.amounts(world.states[name]) or {}).items():
                amounts[what] = amounts.get(what, 0) + much
        for messages in world.in_flight().values():
            for message in messages:
                for what, much in program.worth(message.payload).items():
                    amounts[what] = amounts.get(what, 0) + much
        return amounts

    assert all(total(number) == total(0) for number in range(len(run.steps) + 1))


@often(100)
@given(systems())
def test_enabled_keeps_the_documented_order_and_every_action_in_it_can_be_made(values: dict[str, Any]) -> None:
    run = record(made(values))
    system = run.system
    channels, names = list(system.topology.channels), list(system.topology.names)

    def place(action: Any) -> tuple[int, int, int]:
        rank = RANKS[type(action)]
        if hasattr(action, "channel") and not isinstance(action, Move):
            return rank, channels.index(action.channel), getattr(action, "position", 0)
        return rank, names.index(action.process) if not isinstance(action, Wake) else 0, 0

    for number in range(0, len(run.steps) + 1, 5):
        world = run.world(number)
        offered = enabled(system, world)
        assert [place(a) for a in offered] == sorted(place(a) for a in offered)
        assert len({text(action, system.program.show) for action in offered}) == len(offered)
        for action in offered:
            step(system, world, action)


@often(100)
@given(systems())
def test_a_branch_shares_its_prefix_and_every_choice_can_be_taken(values: dict[str, Any]) -> None:
    scenario = made(values)
    run = record(scenario)
    for number in {0, len(run.steps) // 2, len(run.steps)}:
        offered = enabled(run.system, run.world(number))
        for index in {0, len(offered) - 1} if offered else ():
            branch = record(scenario, run.key.branch(number, index))
            assert [s.action for s in branch.steps[:number]] == [s.action for s in run.steps[:number]]
            assert branch.steps[number].action == offered[index]


@often(80)
@given(systems())
def test_a_run_can_be_told_as_choices_alone_and_then_only_what_is_under_way_arrives(values: dict[str, Any]) -> None:
    scenario = made(values)
    run = record(scenario)
    path = tuple(one.action for one in run.steps)
    half = path[: len(path) // 2]
    drained = record(scenario, RunKey(choices=choices(run.system, half), drain=True))
    rest = [one.action for one in drained.steps[len(half) :]]
    assert tuple(one.action for one in drained.steps[: len(half)]) == half
    assert all(isinstance(action, Deliver | Collect | Wake) for action in rest)
    assert stuck(drained) or not (drained.end.queues or drained.end.lanes)
