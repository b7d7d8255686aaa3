"""A thinned run has the same worlds as the whole one, in any order of asking."""

from random import Random

import pytest

from app.run.run import record
from app.run.worlds import EVERY
from app.scenario.library import LIBRARY
from tests.each import each


@each("name", LIBRARY.names())
def test_a_thinned_run_has_the_worlds_of_the_whole_one(name: str) -> None:
    run = record(LIBRARY.scenario(name))
    thin = run.thinned()
    numbers = list(range(len(run.steps) + 1))
    assert [thin.world(number) for number in numbers] == [run.world(number) for number in numbers]
    Random(1).shuffle(numbers)
    assert all(thin.world(number) == run.world(number) for number in numbers[: 2 * EVERY])
    assert (thin.begin, thin.end, thin.digest, thin.falls) == (run.begin, run.end, run.digest, run.falls)


def test_past_the_end_there_is_no_world() -> None:
    run = record(LIBRARY.scenario("random-twelve"))
    for one in (run, run.thinned()):
        with pytest.raises(IndexError):
            one.world(len(run.steps) + 1)
