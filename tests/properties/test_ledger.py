"""Random dataflows whose paths split and merge, all sinks, all algorithms that recover: the ledger agrees with an
independent evaluator, and no run is worse than its algorithm's promise."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from app.algorithms.registry import ALGORITHMS
from app.analysis.failure_free import quiet
from app.analysis.ledger import Ledger, ledger
from app.analysis.possible_results import Result, results, shown_by
from app.analysis.promise import COVERED, EXACTLY
from app.programs.dataflow import Dataflow
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from app.scenario.scenario import unfit
from tests.often import seeds, some
from tests.properties.evaluator import Flow, Outcome, TooMany, amounts, compared
from tests.properties.wandering import SINKS, flow, wandered
from tests.tiny import made

RECOVERING = tuple(name for name, rules in ALGORITHMS.items() if rules.RECOVERY.way != "none")
SOMETIMES = ("weak-productions", "at-most-once", "at-least-once", "millwheel")
"""Those whose runs have more than one outcome."""
CASES = [
    *some(((name, seed) for name in RECOVERING for seed in range(10)), 7),
    *(case for name in SOMETIMES for case in seeds(50, name, first=10)),
]


def wild(name: str, seed: int) -> tuple[dict[str, Any], Run]:
    """Return a random flow, and a random run of it; every second flow has operators that send what they keep."""
    maps = ALGORITHMS[name].DATAFLOW.maps
    sinks = ("plain", "idempotent") if maps else SINKS
    values = flow(Random(f"{name} {seed}"), telling=seed % 2 == 0, maps=maps, sinks=sinks)
    return values, wandered(values, name, seed)


def judged(flow: Flow, every: set[Outcome], run: Run) -> tuple[bool, bool]:
    """Are state and output those of one run without failures? If the state is not, the output is judged alone."""
    states, shown = flow.happened(run)
    known = states in {state for state, _ in every}
    return known, (states, shown) in every if known else shown in {one for _, one in every}


def words(flow: Flow, every: set[Outcome], run: Run) -> tuple[str, str]:
    """Return what is lost and what is there too often, if values distinguish items: the state's word, the output's."""
    ((states, shown),) = every
    got = flow.happened(run)
    bags = [[Counter(dict(one)) for one in each] for each in (got[1], shown)]
    return compared(map(amounts, got[0]), map(amounts, states)), compared(*bags)


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_the_ledger_says_what_the_evaluator_says_and_keeps_to_the_promise(name: str, seed: int) -> None:
    values, run = wild(name, seed)
    book, flow = ledger(run), Flow(values)
    assert book is not None and book.settled
    try:
        every = flow.outcomes(shuffled=run.system.algorithm.RECOVERY.repeats)
    except TooMany:
        pytest.skip("there are too many orders to look at")
    state, output = judged(flow, every, run)
    assert (book.state is None) == (not flow.keepers)
    assert (book.output is None) == (flow.waits(run) or not flow.sinks)
    assert book.state is None or (book.state == EXACTLY) == state
    assert book.output is None or (book.output == EXACTLY) == output
    if not flow.telling:
        in_words = words(flow, every, run)
        assert book.state in (None, in_words[0]) and book.output in (None, in_words[1])
    kept_to(book)


def kept_to(book: Ledger) -> None:
    """Check that a run is no worse than its promise."""
    assert book.state is None or book.state in COVERED[book.promise.state]
    assert book.output is None or book.output in COVERED[book.promise.output]


@pytest.mark.slow
def test_these_runs_are_worth_something() -> None:
    """They show every possible outcome, crash, and have paths that merge."""
    seen: Counter[str | None] = Counter()
    lives, meeting = 0, 0
    for name, seed in [(name, seed) for name in SOMETIMES for seed in range(10, 60, 2)]:
        _, run = wild(name, seed)
        book, program = ledger(run), run.system.program
        assert book is not None and isinstance(program, Dataflow)
        seen.update((book.state, book.output))
        lives, meeting = lives + bool(run.history.lives), meeting + bool(program.meeting)
    assert min(seen[word] for word in ("exactly-once", "at-most-once", "at-least-once", "wrong-values")) > 1, seen
    assert lives > 50 and meeting > 25, (lives, meeting)


def of(flow: Flow, run: Run, result: Result) -> Outcome:
    """Return a result as the evaluator has it."""
    kept = tuple(flow.kept(name, result.states[name]) for name in flow.keepers)
    came = shown_by(quiet(run), result.arrivals)
    bags = {name: Counter[tuple[str, int]]() for name in flow.sinks}
    for (sink, one), count in came.items():
        bags[sink][one.key or "", one.value] += count
    return kept, tuple(tuple(sorted(bag.items())) for bag in bags.values())


@pytest.mark.parametrize("seed", seeds(60))
@pytest.mark.parametrize("name", ["aligned", "millwheel"])
def test_all_results_without_failures_are_those_of_the_evaluator(name: str, seed: int) -> None:
    values = flow(Random(f"orders {seed}"), telling=True)
    if unfit(ALGORITHMS[name], made(values).topology):
        pytest.skip("it cannot run here")
    run, mine = record(made(values), RunKey(algorithm=name)), Flow(values)
    found = results(quiet(run))
    try:
        every = mine.outcomes(shuffled=name == "millwheel")
    except TooMany:
        pytest.skip("there are too many orders to look at")
    outcomes = {of(mine, run, one) for one in found.found}
    assert outcomes == every if found.complete else outcomes <= every
