"""A crash of a task and one of the driver: what rolls back, what runs again, and how the observer judges it."""

from typing import Any

import pytest

from app.analysis.ledger import ledger
from app.core.kernel.enabled import enabled, faults
from app.core.kernel.step import step
from app.core.model.notes import Acted, Restored, Returned
from app.core.model.values import Action, Crash, Deed, Refused, Restart, Restore, Todo, Wake, World
from app.programs.dataflow import Dataflow
from app.run.run import Run, Step, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.tiny import made

FIRST: list[dict[str, Any]] = [
    {"start": "JM"},
    {"deliver": "JM->s"},
    {"read": "s"},
    {"read": "s"},
    {"wake": "s", "what": "finish 1"},
    {"collect": "s->sum"},
    {"deliver": "s->sum"},
    {"deliver": "s->sum"},
    {"wake": "sum", "what": "finish 1"},
    {"collect": "sum->out"},
    {"deliver": "sum->out"},
    {"deliver": "sum->out"},
    {"wake": "out", "what": "write 1"},
    {"wake": "out", "what": "finish 1"},
    {"wake": "JM", "what": "report s"},
    {"wake": "JM", "what": "report sum"},
]
"""Batch 1, all except its commit."""

COMMIT = {"wake": "JM", "what": "report out"}
SECOND: list[dict[str, Any]] = [
    {"wake": "JM", "what": "trigger 2"},
    {"deliver": "JM->s"},
    {"read": "s"},
    {"read": "s"},
    {"wake": "s", "what": "finish 2"},
    {"collect": "s->sum"},
    {"deliver": "s->sum"},
]
"""Batch 2, until the sum has half of it."""
LOST: list[dict[str, Any]] = [{"crash": "out"}, {"restart": "out"}]
ANSWERED = [
    *FIRST[: FIRST.index({"collect": "sum->out"})],
    *LOST,
    {"collect": "sum->out"},
    {"wake": "sum", "what": "remake out"},
    *[{"deliver": "sum->out"}] * 4,
]
"""Batch 1, until the sink, which was lost once, has two items as first sent; it has thrown away those sent again."""


def flow(*script: dict[str, Any], algorithm: str = "micro-batch", sink: str = "batch") -> Run:
    """Return a run of a source with four items, two per batch, a sum and a sink, with a script."""
    values = {
        "topology": {"processes": ["JM", "s", "sum", "out"], "channels": ["JM->s", "s->sum", "sum->out"]},
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True, "batch": 2},
                "s": {"source": [1, 2, 3, 4]},
                "sum": {"sum": "all"},
                "out": {"sink": sink},
            },
        },
        "algorithm": algorithm,
        "script": list(script),
    }
    return record(made(values), RunKey())


def visible(run: Run) -> list[int]:
    """Return the values at the sink in the end."""
    program = run.system.program
    assert isinstance(program, Dataflow)
    return [one.value for one in program.visible(run.end.durable.outside["out"])]


def held(world: World) -> tuple[int, int]:
    """Return the offset of the source, and the sum."""
    return world.states["s"].offset, world.states["sum"].total


def made_by(run: Run, kind: type[Action]) -> Step:
    """Return the first step that an action of a kind made."""
    return next(each for each in run.steps if isinstance(each.action, kind))


def good(run: Run) -> bool:
    """Does every judged snapshot hold, and was the program not disturbed?"""
    assert any(verdict.checks["reachable"] for verdict in run.verdicts.values())
    return run.undisturbed is True and not any(verdict.broken for verdict in run.verdicts.values())


def test_a_task_that_crashes_comes_back_alone_with_the_state_of_the_last_batch_that_it_finished() -> None:
    run = flow(*FIRST, COMMIT, *SECOND, {"crash": "sum"}, {"restart": "sum"})
    back = made_by(run, Restart)
    before = run.world(back.number - 1)
    assert held(before) == (4, 6) and held(run.world(back.number)) == (4, 3)
    others = [name for name in run.system.topology.names if name != "sum"]
    assert all(run.world(back.number).states[name] == before.states[name] for name in others)
    assert all(run.world(back.number).memories[name] is before.memories[name] for name in others)
    assert not any(isinstance(note, Restored) for each in run.steps for note in each.notes)
    assert held(run.end) == (4, 10) and visible(run) == [1, 3, 6, 10]
    assert good(run)


def test_what_a_task_sent_in_the_attempt_that_crashed_is_gone_and_its_input_comes_once_more_in_order() -> None:
    run = flow(*FIRST, COMMIT, *SECOND, {"crash": "sum"}, {"restart": "sum"})
    back = made_by(run, Restart)
    assert "sum->out" in run.world(back.number - 1).queues and "sum->out" not in run.world(back.number).queues
    rows = [message.payload.value for message in run.world(back.number).queues["s->sum"]]
    answered = next(each for each in run.steps if each.number > back.number and "remake" in str(each.action))
    assert [rows, [m.payload.value for m in run.world(answered.number).queues["s->sum"]]] == [[4], [4, 3, 4]]


def test_a_task_that_waits_for_its_input_to_come_again_has_lost_nothing() -> None:
    run = flow(*FIRST, COMMIT, *SECOND, {"deliver": "s->sum"}, {"crash": "sum"}, {"restart": "sum"})
    back = made_by(run, Restart)
    assert not run.world(back.number).in_flight() and held(run.world(back.number)) == (4, 3)
    waiting, over = ledger(run, back.number), ledger(run)
    assert waiting is not None and over is not None
    assert (waiting.settled, waiting.state, waiting.lost) == (False, None, 0)
    assert (over.settled, over.state, over.lost) == (True, "exactly-once", 0)


def test_an_answer_whose_items_came_before_the_task_was_lost_again_is_not_waited_for() -> None:
    run = flow(*ANSWERED, *LOST, {"collect": "sum->out"})
    assert held(run.end) == (4, 10) and visible(run) == [1, 3, 6, 10]
    assert good(run)


def test_a_task_that_was_lost_itself_knows_how_often_it_has_answered() -> None:
    run = flow(*ANSWERED, {"crash": "sum"}, {"restart": "sum"}, *LOST)
    assert held(run.end) == (4, 10) and visible(run) == [1, 3, 6, 10]
    assert good(run)


def test_the_driver_that_crashes_takes_everybody_back_and_its_log_says_what_is_run_again() -> None:
    run = flow(*FIRST, COMMIT, *SECOND, {"crash": "JM"}, {"restore": "latest"})
    back = made_by(run, Restore)
    assert back.action == Restore(1)
    assert held(run.world(back.number)) == (2, 3) and not run.world(back.number).queues
    assert run.world(back.number).states["JM"].logs.started == (("s", 2, 4),)
    entries = [n.move.payload for s in run.steps for n in s.notes if isinstance(n, Acted) and n.move.detail == Deed.LOG]
    assert [entry for entry in entries if entry[0] == "offsets"] == [
        ("offsets", 1, (("s", 0, 2),)),
        ("offsets", 2, (("s", 2, 4),)),
    ]
    assert held(run.end) == (4, 10) and visible(run) == [1, 3, 6, 10]
    assert good(run)


def test_a_task_that_is_retried_after_a_rollback_knows_nothing_of_the_batch_that_was_undone() -> None:
    crash = ({"crash": "JM"}, {"restore": "latest"})
    done = ({"deliver": "s->sum"}, {"wake": "sum", "what": "finish 2"})
    run = flow(*FIRST, COMMIT, *SECOND, *done, *crash, *SECOND, {"crash": "sum"}, {"restart": "sum"})
    again = made_by(run, Restart)
    assert held(run.world(made_by(run, Restore).number - 1)) == (4, 10)
    assert held(run.world(again.number)) == (4, 3)
    assert [note.saved for note in again.notes if isinstance(note, Returned)] == [1]
    assert held(run.end) == (4, 10) and visible(run) == [1, 3, 6, 10]
    assert good(run)


def test_the_observer_forgets_what_was_saved_of_a_batch_that_was_undone() -> None:
    rest: tuple[dict[str, Any], ...] = (
        {"deliver": "s->sum"},
        {"wake": "sum", "what": "finish 2"},
        {"collect": "sum->out"},
        {"deliver": "sum->out"},
        {"deliver": "sum->out"},
        {"wake": "out", "what": "write 2"},
        {"wake": "out", "what": "finish 2"},
    )
    crash = ({"crash": "JM"}, {"restore": "latest"})
    script = (*FIRST, COMMIT, *SECOND, *rest, *crash, *SECOND, *rest, {"crash": "out"}, {"restart": "out"})
    run = flow(*script, sink="transactional")
    assert visible(run) == [1, 3, 6, 10]
    assert good(run)


def test_while_the_driver_is_down_nobody_comes_back_alone() -> None:
    run = flow(*FIRST, COMMIT, *SECOND)
    system, world = run.system, run.world(len(FIRST) + 1 + len(SECOND))
    alone, _ = step(system, world, Crash("sum"))
    assert [a for a in enabled(system, alone) if isinstance(a, Restore | Restart)] == [Restart("sum")]
    with pytest.raises(Refused, match="the crashed ones restart alone"):
        step(system, alone, Restore(1))
    both, _ = step(system, alone, Crash("JM"))
    assert [a for a in enabled(system, both) if isinstance(a, Restore | Restart)] == [Restore(0), Restore(1)]
    with pytest.raises(Refused, match="sum cannot restart now"):
        step(system, both, Restart("sum"))
    back, _ = step(system, both, Restore(1))
    assert back.down == () and held(back) == (2, 3)


def test_what_was_reported_to_the_driver_that_crashed_is_reported_again() -> None:
    run = flow(*FIRST)
    world, _ = step(run.system, run.world(len(FIRST)), Crash("JM"))
    assert world.durable.asked["JM"] == (Todo("report", name="out"),)
    world, _ = step(run.system, world, Restore(0))
    assert not world.durable.asked and world.wakes == (("JM", Todo("trigger", (1,))),)


@pytest.mark.parametrize("engine", ["continuous", "real-time"])
@pytest.mark.parametrize("name", ["driver", "map"])
def test_where_no_task_is_retried_any_crash_takes_everybody_back(engine: str, name: str) -> None:
    run = record(LIBRARY.scenario(engine), RunKey(manual=True))
    world, _ = step(run.system, run.begin, Crash(name))
    assert [a for a in faults(run.system, world) if isinstance(a, Restore | Restart)] == [Restore(0)]


def test_lineage_knows_no_crash_of_the_driver() -> None:
    run = flow(*FIRST, algorithm="lineage")
    crashes = [action for action in faults(run.system, run.begin) if isinstance(action, Crash)]
    assert crashes == [Crash("s"), Crash("sum"), Crash("out")]


def test_a_source_that_crashes_hears_its_range_from_the_offset_log_and_reads_it_again() -> None:
    run = flow(*FIRST, COMMIT, *SECOND[:3], {"crash": "s"}, {"restart": "s"})
    assert held(run.world(made_by(run, Restart).number - 1))[0] == 3
    assert held(run.world(made_by(run, Restart).number))[0] == 2
    assert held(run.end) == (4, 10) and visible(run) == [1, 3, 6, 10]
    assert good(run)


@pytest.mark.parametrize(
    ("crash", "back"), [("out", {"restart": "out"}), ("JM", {"restore": "latest"})], ids=["task", "driver"]
)
@pytest.mark.parametrize(("sink", "shown"), [("batch", [1, 3, 6, 10]), ("plain", [1, 3, 1, 3, 6, 10])])
def test_after_the_write_a_plain_sink_has_the_batch_twice_whichever_of_them_crashes(
    crash: str, back: dict[str, str], sink: str, shown: list[int]
) -> None:
    written = next(i for i, line in enumerate(FIRST) if line.get("what") == "write 1") + 1
    assert visible(flow(*FIRST[:written], {"crash": crash}, back, sink=sink)) == shown


def test_a_transactional_sink_that_is_down_when_its_batch_is_committed_hears_of_it_when_it_is_back() -> None:
    run = flow(*FIRST, {"crash": "out"}, COMMIT, {"restart": "out"}, sink="transactional")
    assert visible(run) == [1, 3, 6, 10]
    last = flow(*FIRST, COMMIT, sink="transactional")
    at = next(
        each.number
        for each in last.steps
        if each.action == Wake("JM", Todo("report", name="out")) and each.number > len(FIRST) + 1
    )
    world, _ = step(last.system, last.world(at - 1), Crash("out"))
    for action in (last.steps[at - 1].action, Restart("out")):
        world, _ = step(last.system, world, action)
    assert ("out", Todo("complete", (2,))) in world.wakes


def test_a_driver_that_crashes_when_nothing_is_left_to_read_begins_no_empty_batch() -> None:
    calm = flow(*FIRST, COMMIT)
    world, _ = step(calm.system, calm.end, Crash("JM"))
    world, _ = step(calm.system, world, Restore(2))
    assert world.wakes == () and held(world) == (4, 10)
