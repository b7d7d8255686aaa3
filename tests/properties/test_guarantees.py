"""Random dataflows, random crashes: the ledger confirms what each way of recovery promises."""

from random import Random
from typing import Any

import pytest

from app.analysis.failure_free import calm
from app.analysis.ledger import ledger
from app.analysis.promise import AT_LEAST, AT_MOST, EXACTLY
from app.run.run import Run
from tests.often import seeds
from tests.properties.wandering import wandered

RUNS = 25


def flow(seed: int, sink: str) -> dict[str, Any]:
    """Return two sources, a map, a sum by key and a sink; the seed gives the items of one source."""
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
    """Return a run with arbitrary choices, including two crashes."""
    return wandered(flow(seed, sink), algorithm, seed)


@pytest.mark.parametrize("seed", seeds(RUNS))
@pytest.mark.parametrize("algorithm", ["aligned", "unaligned"])
def test_rolling_back_to_the_last_checkpoint_keeps_the_state_exactly_once(algorithm: str, seed: int) -> None:
    run = wandering(seed, algorithm, "plain")
    book = ledger(run)
    assert book is not None and book.settled and book.state == EXACTLY
    assert all(one.equal for one in book.kept)
    assert book.output in (EXACTLY, AT_LEAST) and book.lost == 0


@pytest.mark.parametrize("seed", seeds(RUNS))
@pytest.mark.parametrize("algorithm", ["aligned", "unaligned"])
@pytest.mark.parametrize("sink", ["transactional", "idempotent"])
def test_two_phases_and_identities_keep_the_output_exactly_once(algorithm: str, sink: str, seed: int) -> None:
    book = ledger(wandering(seed, algorithm, sink))
    assert book is not None and book.output == (None if book.waiting else EXACTLY) and book.disorder == 0
    assert (book.lost, book.doubled) == (0, 0)


@pytest.mark.parametrize("seed", seeds(RUNS))
def test_counted_barriers_lose_nothing(seed: int) -> None:
    book = ledger(wandering(seed, "at-least-once", "plain"))
    assert book is not None and book.state in (EXACTLY, AT_LEAST) and book.lost == 0


@pytest.mark.parametrize("seed", seeds(RUNS))
def test_without_recovery_nothing_is_doubled(seed: int) -> None:
    book = ledger(wandering(seed, "at-most-once", "plain"))
    assert book is not None and book.state in (EXACTLY, AT_MOST) and book.doubled == 0


@pytest.mark.parametrize("seed", seeds(RUNS))
@pytest.mark.parametrize("algorithm", ["aligned", "at-least-once", "micro-batch"])
def test_what_a_rollback_forgot_is_in_flight_no_more(algorithm: str, seed: int) -> None:
    run = wandering(seed, algorithm, "plain")
    crossing = run.history.crossing(run.history.counts)
    in_flight = run.end.in_flight()
    assert {c: sorted(m.identity for m in queue) for c, queue in crossing.items()} == {
        c: sorted(m.identity for m in queue) for c, queue in in_flight.items()
    }


@pytest.mark.parametrize("seed", seeds(RUNS))
def test_the_run_without_failures_reads_all_and_loses_nothing(seed: int) -> None:
    run = wandering(seed, "aligned", "plain")
    quiet = calm(run)
    records = {name: len(quiet.system.program.operators[name].records) for name in "ab"}  # type: ignore[attr-defined]
    assert {name: quiet.world.states[name].offset for name in "ab"} == records
    assert len([channel for channel, _ in quiet.arrivals if channel == "sum->out"]) == sum(records.values())
