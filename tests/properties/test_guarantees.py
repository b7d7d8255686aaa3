"""Random dataflows, random crashes: what each way of recovery promises, the ledger finds kept."""

from random import Random
from typing import Any

import pytest

from app.core.enabled import enabled
from app.core.kernel import step
from app.core.model import Crash, Deliver, Move, Restart, Restore, Start, Wake
from app.simulator.calm import calm
from app.simulator.key import RunKey
from app.simulator.ledger import AT_LEAST, AT_MOST, EXACTLY, ledger
from app.simulator.run import Run, record
from tests.tiny import made

RUNS = 25


def flow(seed: int, sink: str) -> dict[str, Any]:
    """Two sources, a map, a sum by key and a sink; the records of one source by the seed."""
    rng = Random(seed)
    records = [{rng.choice("kl"): rng.randrange(1, 9)} for _ in range(rng.randrange(1, 5))]
    return {
        "topology": {
            "processes": ["JM", "a", "b", "map", "sum", "out"],
            "channels": ["JM->a", "JM->b", "a->map", "map->sum", "b->sum", "sum->out"],
        },
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True},
                "a": {"source": records},
                "b": {"source": [{"k": 1}, {"l": 2}, {"k": 3}]},
                "map": {"map": {"times": 2}},
                "sum": {"sum": "key"},
                "out": {"sink": sink},
            },
        },
        "algorithm": "aligned",
    }


def wandering(seed: int, algorithm: str, sink: str) -> Run:
    """A run in which a visitor let anything happen, among that two crashes; then all goes on to its end."""
    rng = Random(f"{seed} {algorithm}")
    scenario = made(flow(seed, sink))
    system = scenario.system(RunKey(algorithm=algorithm))
    world, choices, crashes = system.begin(), [], 0
    for at in range(60):
        possible = enabled(system, world)
        kinds = (Deliver, Move, Wake, Start) if crashes == 2 else (Deliver, Move, Wake, Start, Crash)
        kinds = (Restore, Restart) if world.down else kinds
        fitting = [i for i, action in enumerate(possible) if isinstance(action, kinds)]
        fitting = [i for i in fitting if not isinstance(possible[i], Crash) or rng.random() < 0.1] or fitting
        if world.down and isinstance(possible[fitting[-1]], Restore):
            fitting = fitting[-1:]  # the latest
        if not fitting:
            break
        index = rng.choice(fitting)
        crashes += isinstance(possible[index], Crash)
        world, _ = step(system, world, possible[index])
        choices.append((at, index))
    return record(scenario, RunKey(algorithm=algorithm, choices=tuple(choices)))


@pytest.mark.parametrize("seed", range(RUNS))
@pytest.mark.parametrize("algorithm", ["aligned", "unaligned"])
def test_rolling_back_to_the_last_checkpoint_keeps_the_state_exactly_once(algorithm: str, seed: int) -> None:
    run = wandering(seed, algorithm, "plain")
    book = ledger(run)
    assert book is not None and book.settled and book.state == EXACTLY
    assert all(one.equal for one in book.kept)
    assert book.output in (EXACTLY, AT_LEAST) and book.lost == 0


@pytest.mark.parametrize("seed", range(RUNS))
@pytest.mark.parametrize("algorithm", ["aligned", "unaligned"])
@pytest.mark.parametrize("sink", ["transactional", "idempotent"])
def test_two_phases_and_identities_keep_the_output_exactly_once(algorithm: str, sink: str, seed: int) -> None:
    book = ledger(wandering(seed, algorithm, sink))
    assert book is not None and book.output == (None if book.waiting else EXACTLY) and book.disorder == 0
    assert (book.lost, book.doubled) == (0, 0)


@pytest.mark.parametrize("seed", range(RUNS))
def test_counted_barriers_lose_nothing(seed: int) -> None:
    book = ledger(wandering(seed, "at-least-once", "plain"))
    assert book is not None and book.state in (EXACTLY, AT_LEAST) and book.lost == 0


@pytest.mark.parametrize("seed", range(RUNS))
def test_without_recovery_nothing_is_doubled(seed: int) -> None:
    book = ledger(wandering(seed, "at-most-once", "plain"))
    assert book is not None and book.state in (EXACTLY, AT_MOST) and book.doubled == 0


@pytest.mark.parametrize("seed", range(RUNS))
def test_the_run_without_failures_reads_all_and_loses_nothing(seed: int) -> None:
    run = wandering(seed, "aligned", "plain")
    quiet = calm(run)
    records = {name: len(quiet.system.program.operators[name].records) for name in "ab"}  # type: ignore[attr-defined]
    assert {name: quiet.world.states[name].offset for name in "ab"} == records
    assert len([channel for channel, _ in quiet.received if channel == "sum->out"]) == sum(records.values())
