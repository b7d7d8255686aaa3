"""How likely it is that a random run breaks a check: as all its draws say, one by one."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from math import isclose, prod
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from app.core.model.system import System
from app.core.model.values import Action, BluecutError, Deliver
from app.run.chance import chances
from app.run.run import record
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario, load
from app.schedules.protocol import Schedule
from app.schedules.seeded import Seeded
from app.schedules.unreliable import RELIABLE, Unreliable
from tests.each import each

SMALL = """
title: {{en: Small, zh: 小}}
topology: {{complete: 2}}
program: {{kind: bank, everyone: 10, amounts: [3]}}
algorithm: {algorithm}
collect: false
loss: {loss}
schedule: {{kind: {kind}, moves: {moves}}}
initiators: [{{process: P1, at: 1}}{more}]
steps: {steps}
"""


def small(algorithm: str, *, loss: int = 0, moves: int = 1, more: str = "", steps: int = 30) -> Scenario:
    text = SMALL.format(algorithm=algorithm, loss=loss, moves=moves, more=more, steps=steps, kind="seeded")
    return load(text, "small")


class Replayed:
    """Random numbers that repeat the draws of ``before`` and are 0 then; all that is asked is noted."""

    def __init__(self, before: tuple[int, ...]) -> None:
        self.before, self.asked = before, list[int]()

    def random(self) -> "Replayed":
        return self

    def __mul__(self, count: int) -> int:
        self.asked.append(count)
        return self.before[len(self.asked) - 1] if len(self.asked) <= len(self.before) else 0


def every_run(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[float, frozenset[str]]]:
    """Yield each run that draws can lead to, with its probability and the checks that fail in it: no two are joined."""
    todo: list[tuple[int, ...]] = [()]
    schedule = Scenario.schedule
    while todo:
        draws = Replayed(todo.pop())

        def drawn(self: Scenario, key: RunKey, system: System, draws: Replayed = draws) -> Schedule:
            made = schedule(self, key, system)
            assert isinstance(made, Seeded)
            made.rng = made.parts = cast(Random, draws)
            return made

        with monkeypatch.context() as patch:
            patch.setattr(Scenario, "schedule", drawn)
            run = record(scenario)
        failing = {check for verdict in run.verdicts.values() for check in verdict.broken}
        yield 1 / prod(draws.asked), frozenset(failing)
        zeros = (0,) * (len(draws.asked) - len(draws.before))
        for place in range(len(draws.before), len(draws.asked)):
            todo += [(*(draws.before + zeros)[:place], other) for other in range(1, draws.asked[place])]


@pytest.mark.slow
@each("algorithm", ["late-marker", "no-channels", "node-guarded", "colour-blind", "wall-clock", "photographs"])
@each("more", ["", ", {process: P2, at: 2}"])
def test_joining_states_changes_no_chance(algorithm: str, more: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if algorithm in ("colour-blind", "wall-clock") and more:
        return  # the second start is refused
    scenario = small(algorithm, more=more, steps=8)
    one_by_one = defaultdict[frozenset[str], float](float)
    for chance, failing in every_run(scenario, monkeypatch):
        one_by_one[failing] += chance
    found = chances(scenario)
    assert found.keys() == one_by_one.keys()
    assert all(isclose(found[failing], chance) for failing, chance in one_by_one.items())


@pytest.mark.slow
def test_what_channels_do_has_its_chance() -> None:
    scenario = small("resent-marker", loss=30, moves=2, steps=10)
    chance, many = sum(part for failing, part in chances(scenario).items() if failing), 2_000
    assert 0.02 < chance < 0.5
    runs = (record(scenario, RunKey(seed=seed)) for seed in range(1, many + 1))
    caught = sum(any(verdict.broken for verdict in run.verdicts.values()) for run in runs)
    assert abs(caught - many * chance) <= 4 * (many * chance * (1 - chance)) ** 0.5


def test_channels_lose_and_duplicate_as_likely_as_their_draws_say() -> None:
    unreliable, deliver = Unreliable({"c": 30}, {"c": 40}), Deliver("c", 0)
    drawn = Counter[Action]()
    for one, other in product(range(100), repeat=2):
        numbers = iter(((one + 0.5) / 100, (other + 0.5) / 100))
        drawn[unreliable.instead(cast(Random, SimpleNamespace(random=lambda it=numbers: next(it))), deliver)] += 1
    assert unreliable.chances(deliver) == pytest.approx({action: often / 10_000 for action, often in drawn.items()})
    assert RELIABLE.chances(deliver) == {deliver: 1}


def test_a_right_algorithm_has_no_chance_to_be_wrong() -> None:
    assert chances(small("chandy-lamport")).keys() == {frozenset()}


def test_what_has_no_chances_says_why() -> None:
    timed = load(SMALL.format(algorithm="merged", loss=0, moves=1, more="", steps=9, kind="timed"), "timed")
    for scenario, key in ((timed, RunKey()), (small("chandy-lamport"), RunKey(algorithm="late-marker"))):
        with pytest.raises(BluecutError, match="only a seeded schedule has chances that can be counted"):
            chances(scenario, key)
    with pytest.raises(BluecutError, match="more than 9 states; only the chances of small systems can be counted"):
        chances(small("late-marker"), most=9)
