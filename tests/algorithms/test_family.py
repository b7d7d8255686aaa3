"""Colours, counts, clocks and pauses on the library's own runs: each one repeats another algorithm's events."""

import pytest

from app.algorithms.registry import ALGORITHMS, algorithm
from app.core.model.recorded_state import channels, parts
from app.core.model.values import BluecutError
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey

RIGHT = ("merged", "lai-yang", "mattern", "timestamp", "stop-the-world")
SCENARIOS = ("blue-figure", "three-banks", "random-twelve", "ring-five")
TWO = ("ring-five", "random-twelve")
ONE = {"merged": TWO, "lai-yang": ("ring-five",), "timestamp": ("ring-five",), "mattern": TWO}
"""Runs with fewer snapshots than Chandy–Lamport takes: two starters begin one, or the second is not allowed to."""


def ran(name: str, scenario: str, order: str | None = None) -> Run:
    """Return the events of a scenario's own run again, under another algorithm."""
    return record(LIBRARY.scenario(scenario), RunKey(algorithm=name, discipline=order))


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("name", RIGHT)
def test_the_run_completes_and_holds(name: str, scenario: str) -> None:
    run = ran(name, scenario)
    assert not run.full and run.missed == 0 and run.undisturbed
    assert [verdict.broken for verdict in run.verdicts.values()] == [()] * len(run.verdicts)
    assert all(seen.completed for seen in run.history.recordings.values())
    own = len(record(LIBRARY.scenario(scenario)).verdicts)
    assert len(run.verdicts) == (1 if scenario in ONE.get(name, ()) else own)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("name", ["lai-yang", "mattern", "timestamp"])
@pytest.mark.parametrize("order", ["causal", "any"])
def test_colours_hold_under_any_order(name: str, scenario: str, order: str) -> None:
    run = ran(name, scenario, order)
    assert algorithm(name).REQUIRES == "any"
    assert [verdict.broken for verdict in run.verdicts.values()] == [()] * len(run.verdicts)
    assert all(seen.completed for seen in run.history.recordings.values())


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("name", ["wall-clock", "colour-blind"])
def test_the_wrong_ones_complete_as_well(name: str, scenario: str) -> None:
    run = ran(name, scenario)
    assert run.missed == 0 and all(seen.completed for seen in run.history.recordings.values())


def test_a_stopped_world_has_empty_channels_where_chandy_and_lamport_record_some() -> None:
    def filled(run: Run) -> list[str]:
        return [c for c, messages in channels(run.system, parts(run.system, run.end, 1)).items() if messages]

    assert filled(record(LIBRARY.scenario("random-twelve")))
    assert filled(ran("stop-the-world", "random-twelve")) == []


@pytest.mark.parametrize("name", ["mattern", "stop-the-world"])
def test_who_needs_a_way_back_cannot_run_on_a_chain(name: str) -> None:
    with pytest.raises(BluecutError, match="it needs a path from every process to every other"):
        ran(name, "chain-from-a")


def test_who_mends_channels_is_right_where_messages_are_lost_and_doubled() -> None:
    mending = [name for name, rules in ALGORITHMS.items() if rules.MENDS]
    assert mending and "chandy-lamport" not in mending
    for name in mending:
        for seed in range(8):
            run = record(LIBRARY.scenario("lossy-network"), RunKey(algorithm=name, seed=seed))
            assert all(seen.completed for seen in run.history.recordings.values()), (name, seed)
            assert not any(verdict.broken for verdict in run.verdicts.values()), (name, seed)
