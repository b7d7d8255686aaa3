"""What Spark's engines can run, and what one crash does to the same items under each of them."""

from typing import Any

import pytest

from app.algorithms.registry import algorithm
from app.core.model.notes import Done, Received, Rule, Sent
from app.core.model.values import Todo, Wake
from app.programs.dataflow import Dataflow, Record
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import unfit
from tests.tiny import made

ENGINES = ("micro-batch", "continuous", "real-time")


def visible(scenario: str, engine: str) -> list[str]:
    """Return the keys of the items that are visible at the end."""
    run = record(LIBRARY.scenario(scenario), RunKey(algorithm=engine))
    program = run.system.program
    assert isinstance(program, Dataflow) and not run.missed
    return [str(one.key) for one in program.visible(run.end.durable.outside["out"])]


@pytest.mark.parametrize("engine", ["continuous", "real-time"])
def test_after_the_same_crash_a_b_and_c_leave_again(engine: str) -> None:
    assert visible(engine, engine) == ["a", "b", "c", "a", "b", "c"]


@pytest.mark.parametrize("scenario", ENGINES)
def test_a_sink_that_knows_batches_by_their_numbers_shows_each_record_once(scenario: str) -> None:
    assert visible(scenario, "micro-batch") == ["a", "b", "c"]


def test_without_copies_the_same_run_makes_the_same() -> None:
    twice, alone = (record(LIBRARY.scenario("slow-task"), RunKey(algorithm=one)) for one in (None, "micro-batch"))
    assert not alone.missed
    assert alone.end.states["sum"] == twice.end.states["sum"]
    assert alone.end.durable.outside == twice.end.durable.outside


def test_a_copy_makes_what_is_left_in_one_step_and_one_that_is_late_makes_nothing() -> None:
    steps = record(LIBRARY.scenario("slow-task"), RunKey()).steps
    copies = {
        one.action.process: one.notes
        for one in steps
        if isinstance(one.action, Wake) and one.action.what.word == "copy"
    }
    assert [n.message.payload.value for n in copies["m2"] if isinstance(n, Received)] == [4, 5]
    assert [n.message.payload.value for n in copies["m2"] if isinstance(n, Sent)] == [40, 50]
    assert [n for n in copies["m1"] if not isinstance(n, Rule)] == []


def test_a_source_that_is_slow_reads_its_range_a_second_time_and_no_more() -> None:
    values = {
        "topology": {"processes": ["JM", "s", "out"], "channels": ["JM->s", "s->out"]},
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True, "batch": 2},
                "s": {"source": [1, 2, 3]},
                "out": {"sink": "plain"},
            },
        },
        "algorithm": "micro-batch-speculation",
        "script": [
            {"start": "JM"},
            {"deliver": "JM->s"},
            {"read": "s"},
            {"wake": "s", "what": "speculate 1"},
            {"wake": "s", "what": "copy 1"},
        ],
    }
    run = record(made(values), RunKey())
    copied = next(one for one in run.steps if one.action == Wake("s", Todo("copy", (1,))))
    assert [n.message.payload.value for n in copied.notes if isinstance(n, Sent)] == [2]
    assert run.world(copied.number).states["s"].offset == 2
    assert [one.value for one in run.end.durable.outside["out"] if isinstance(one, Record)] == [1, 2, 3]


def flow(operators: dict[str, Any], links: list[str]) -> str:
    """Return why each engine cannot run a dataflow, in one line; nothing if all can."""
    names = list(dict.fromkeys(name for link in links for name in link.split("->")))
    values = {
        "topology": {"processes": names, "channels": links},
        "program": {"kind": "dataflow", "operators": operators},
        "algorithm": "aligned",
    }
    scenario = made(values)
    told = ((engine, unfit(algorithm(engine), scenario.topology, scenario.program)) for engine in ENGINES)
    return "; ".join(f"{engine}: {reason}" for engine, reason in told if reason)


def test_all_engines_run_what_looks_at_one_record_at_a_time() -> None:
    operators = {"JM": {"coordinator": True}, "s": {"source": [1]}, "m": {"map": {"plus": 1}}, "out": {"sink": "plain"}}
    assert flow(operators, ["JM->s", "s->m", "m->out"]) == ""


def test_continuous_processing_knows_no_operator_that_keeps_something() -> None:
    operators = {"JM": {"coordinator": True}, "s": {"source": [1]}, "m": {"sum": "all"}, "out": {"sink": "plain"}}
    assert flow(operators, ["JM->s", "s->m", "m->out"]) == (
        "continuous: it knows only operators that keep nothing: no sum, no count, no join"
    )


def test_continuous_processing_knows_no_transaction() -> None:
    operators = {"JM": {"coordinator": True}, "s": {"source": [1]}, "out": {"sink": "transactional"}}
    assert flow(operators, ["JM->s", "s->out"]) == "continuous: its output leaves item by item: there is no transaction"


def test_stages_cannot_run_in_a_loop() -> None:
    operators = {
        "JM": {"coordinator": True},
        "s": {"source": [1]},
        "h": {"filter": {"below": 0}},
        "out": {"sink": "plain"},
    }
    told = flow(operators, ["JM->s", "s->h", "h->t", "t->h", "h->out"])
    assert "micro-batch: its stages run one after another, so there can be no loop" in told


def test_without_a_coordinator_there_are_no_logs() -> None:
    scenario = LIBRARY.scenario("chain-from-a")
    reason = unfit(algorithm("micro-batch"), scenario.topology, scenario.program)
    assert str(reason) == "it needs a dataflow with a coordinator, which writes the logs"


def test_a_task_that_was_lost_twice_and_is_answered_twice_is_done_once() -> None:
    values = {
        "topology": {"processes": ["JM", "s", "o", "k0", "k1"], "channels": ["JM->s", "s->o", "o->k0", "o->k1"]},
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True, "batch": 1},
                "s": {"source": [1, 2]},
                "o": {"map": {"plus": 1}, "route": "all"},
                "k0": {"sink": "batch"},
                "k1": {"sink": "batch"},
            },
        },
        "algorithm": "lineage",
        "script": [
            {"start": "JM"},
            {"deliver": "JM->s"},
            {"read": "s"},
            {"wake": "s"},
            {"wake": "JM"},
            {"collect": "s->o"},
            {"deliver": "s->o"},
            {"wake": "o"},
            {"wake": "JM"},
            {"crash": "k0"},
            {"restart": "k0"},
            {"crash": "k0"},
            {"wake": "o", "what": "remake k0"},
            {"restart": "k0"},
            {"wake": "o", "what": "remake k0"},
            {"collect": "o->k0"},
            {"collect": "o->k0"},
            {"deliver": "o->k0"},
            {"wake": "k0", "what": "write 1"},
            {"collect": "o->k0"},
            {"wake": "k0", "what": "finish 1"},
            {"wake": "JM", "what": "report k0"},
            {"crash": "k1"},
            {"restart": "k1"},
        ],
    }
    run = record(made(values), RunKey())
    done = [(n.snapshot, n.process) for one in run.steps for n in one.notes if isinstance(n, Done)]
    assert sorted(done) == [(batch, name) for batch in (1, 2) for name in ("JM", "k0", "k1", "o", "s")]
    assert [progress.waiting for progress in run.end.snapshots.values()] == [0, 0]
    assert not any(verdict.broken for verdict in run.verdicts.values()) and run.undisturbed
    program = run.system.program
    assert isinstance(program, Dataflow)
    outside = [program.visible(run.end.durable.outside[sink]) for sink in ("k0", "k1")]
    assert [[one.value for one in shown] for shown in outside] == [[2, 3], [2, 3]]


def test_batches_follow_each_other_to_the_end_of_the_log_however_many_they_are() -> None:
    values = {
        "topology": {"processes": ["JM", "s", "out"], "channels": ["JM->s", "s->out"]},
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True, "batch": 1},
                "s": {"source": list(range(20))},
                "out": {"sink": "batch"},
            },
        },
        "algorithm": "micro-batch",
        "script": [{"start": "JM"}],
    }
    run = record(made(values), RunKey())
    program = run.system.program
    assert isinstance(program, Dataflow)
    assert len(run.end.snapshots) == 20
    assert [one.value for one in program.visible(run.end.durable.outside["out"])] == list(range(20))
