"""A thinned run has the same worlds as the whole one, in any order of asking."""

from random import Random

import pytest

from app.core.kernel.step import step
from app.core.model.system import System
from app.core.model.values import Action, World
from app.run import worlds
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.each import each


@each("name", LIBRARY.names())
def test_a_thinned_run_has_the_worlds_of_the_whole_one(name: str) -> None:
    run = record(LIBRARY.scenario(name))
    thin = run.thinned()
    numbers = list(range(len(run.steps) + 1))
    assert [thin.world(number) for number in numbers] == [run.world(number) for number in numbers]
    Random(1).shuffle(numbers)
    assert all(thin.world(number) == run.world(number) for number in numbers[:500])
    assert (thin.begin, thin.end, thin.digest, thin.falls) == (run.begin, run.end, run.digest, run.falls)


def test_past_the_end_there_is_no_world() -> None:
    run = record(LIBRARY.scenario("random-twelve"))
    for one in (run, run.thinned()):
        with pytest.raises(IndexError):
            one.world(len(run.steps) + 1)


@pytest.mark.parametrize(("stretch", "most"), [(10**9, 20), (100, 10**9), (100, 20), (1, 1)])
def test_a_thinned_run_makes_the_worlds_that_it_does_not_keep_in_few_steps(
    stretch: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worlds, "STRETCH", stretch)
    monkeypatch.setattr(worlds, "MOST", most)
    run = record(LIBRARY.scenario("random-twelve"))
    thin = run.thinned()
    made: list[Action] = []

    def counted(system: System, world: World, action: Action) -> object:
        made.append(action)
        return step(system, world, action)

    monkeypatch.setattr(worlds, "step", counted)
    numbers = range(len(run.steps) + 1)
    assert [thin.world(number) for number in numbers] == [run.world(number) for number in numbers]
    kept = len(numbers) - len(made)
    longest = min(most, stretch)
    assert len(numbers) // longest <= kept <= 1 + run.work // stretch + len(run.steps) // most


def test_a_run_at_rest_has_forgotten_what_it_can_make_again() -> None:
    run = record(LIBRARY.scenario("random-twelve")).thinned()
    world, index = run.world(5), run.history.index
    assert run.world(5) is world and run.history.index is index
    run.rest()
    assert run.world(5) == world and run.world(5) is not world
    assert run.history.index is not index and run.history.index.lines == index.lines
