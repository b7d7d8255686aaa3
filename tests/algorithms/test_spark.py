"""What Spark's engines can run, and what one crash makes of the same records under each of them."""

from typing import Any

import pytest

from app.algorithms.registry import algorithm
from app.programs.dataflow import Dataflow
from app.simulator.key import RunKey
from app.simulator.library import LIBRARY
from app.simulator.run import record
from app.simulator.scenario import unfit
from tests.tiny import made

ENGINES = ("micro-batch", "continuous", "real-time")


def visible(scenario: str, engine: str) -> list[str]:
    """The keys of the records that are visible in the end."""
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


def flow(operators: dict[str, Any], links: list[str]) -> str:
    """Why each engine cannot run a dataflow, in one line; nothing where all can."""
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
        "continuous: it knows only operators with one input that keep nothing: no sum, no count, no join"
    )


def test_continuous_processing_knows_no_transaction() -> None:
    operators = {"JM": {"coordinator": True}, "s": {"source": [1]}, "out": {"sink": "transactional"}}
    assert (
        flow(operators, ["JM->s", "s->out"])
        == "continuous: its output leaves record by record: there is no transaction"
    )


def test_stages_cannot_run_in_a_loop() -> None:
    operators = {
        "JM": {"coordinator": True},
        "s": {"source": [1]},
        "h": {"filter": {"below": 0}},
        "out": {"sink": "plain"},
    }
    told = flow(operators, ["JM->s", "s->h", "h->t", "t->h", "h->out"])
    assert "micro-batch: its stages run one after the other, so there can be no loop" in told


def test_without_a_coordinator_there_are_no_logs() -> None:
    scenario = LIBRARY.scenario("chain-from-a")
    reason = unfit(algorithm("micro-batch"), scenario.topology, scenario.program)
    assert str(reason) == "it needs a dataflow with a coordinator, which writes the logs"
