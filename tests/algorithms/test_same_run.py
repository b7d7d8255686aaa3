"""Causal tokens, regions and increments on runs of the library that were written for another algorithm: the programs do
the same, and the recorded states pass the checks."""

import pytest

from app.algorithms.registry import algorithm
from app.core.model.values import BluecutError, Start
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import unfit

NAMES = ("spezialetti-kearns", "venkatesan", "acharya-badrinath", "alagar-venkatesan")
SCENARIOS = ("complete", "three-banks", "random-twelve", "two-labels")
FITTING = [
    (name, scenario)
    for scenario in SCENARIOS
    for name in NAMES
    if unfit(algorithm(name), LIBRARY.scenario(scenario).topology) is None
]


def test_each_fits_somewhere_and_a_graph_that_does_not_fit_is_refused_in_words() -> None:
    assert {name for name, _ in FITTING} == set(NAMES) and len(FITTING) == 10
    for name in NAMES:
        with pytest.raises(BluecutError, match=f"{name} cannot run here: it needs a channel"):
            record(LIBRARY.scenario("random-twelve"), RunKey(algorithm=name))


def test_the_same_ring_takes_eight_markers_for_one_shared_snapshot_and_sixteen_for_two_numbered_ones() -> None:
    def markers(scenario: str, name: str) -> list[int]:
        run = record(LIBRARY.scenario(scenario), RunKey(algorithm=name))
        return [sum(seen.markers.values()) for seen in run.history.recordings.values()]

    assert markers("two-regions", "spezialetti-kearns") == markers("two-labels", "spezialetti-kearns") == [8]
    assert markers("two-regions", "chandy-lamport") == markers("two-labels", "chandy-lamport") == [8, 8]


@pytest.mark.parametrize(("name", "scenario"), FITTING)
def test_the_programs_do_the_same_and_every_snapshot_completes_and_holds(name: str, scenario: str) -> None:
    given = LIBRARY.scenario(scenario)
    order = algorithm(name).REQUIRES
    run = record(given, RunKey(algorithm=name, discipline=order if order == "causal" else None))
    starts = sum(isinstance(step.action, Start) for step in run.steps)
    assert starts and run.history.recordings and not run.full
    for number, seen in run.history.recordings.items():
        assert seen.completed is not None
        assert run.verdicts[number].broken == () and run.verdicts[number].checks["conserved"] is True
    own = record(given)
    assert run.end.states == own.end.states and run.undisturbed
    assert not run.end.queues and not run.end.lanes and not run.end.wakes
