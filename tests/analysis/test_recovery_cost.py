"""What runs pay for safety and recovery, and the same crash under another way of recovery."""

from typing import Any

import pytest

from app.analysis.alignment import beats, moments
from app.analysis.checkpoint_sizes import stores
from app.analysis.ledger import ledger
from app.analysis.recovery_cost import RecoveryCost, recovery_cost, summary
from app.core.model.values import Crash, Restart, Restore
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.tiny import run as run_of

CRASHING = ("rollback-of-seven", "crash-both-ways", "three-guarantees", "commit-after-third")
SAME = ("unaligned", "at-least-once", "millwheel", "weak-productions")


def under(name: str, algorithm: str | None = None) -> Run:
    return record(LIBRARY.scenario(name), RunKey(algorithm=algorithm))


def paid(run: Run) -> RecoveryCost:
    cost = recovery_cost(run)
    assert cost is not None
    return cost


def total(run: Run, name: str = "sum") -> int:
    return int(run.end.states[name].total)


def test_a_lost_acknowledgement_costs_one_message_and_one_duplicate_and_three_records_three_writes() -> None:
    run = under("acknowledgement-lost")
    cost = paid(run)
    assert (total(run), cost.resent, cost.dropped, cost.writes) == (18, 1, 1, 3)
    assert (cost.restarts, cost.crashes, cost.whole) == (0, 0, ())


def test_a_crash_before_the_commit_costs_one_message_and_no_duplicate() -> None:
    run = under("crash-before-commit")
    cost, book = paid(run), ledger(run)
    assert (total(run), cost.resent, cost.dropped, cost.writes) == (18, 1, 0, 3)
    assert book is not None and (book.taken, book.counted, book.state) == (4, 3, "exactly-once")
    assert cost.returned == ("sum",)


def test_rolling_back_after_seven_restarts_three_and_replays_three_and_writes_six_times_for_ten_records() -> None:
    run = under("rollback-of-seven")
    cost = paid(run)
    assert (cost.operators, cost.restarts, cost.replayed, cost.writes, cost.records) == (3, 3, 3, 6, 10)
    assert (cost.resent, cost.dropped, cost.ids, total(run)) == (0, 0, 0, 55)


def test_removing_duplicates_instead_writes_each_record_at_each_operator_and_restarts_one() -> None:
    run = under("rollback-of-seven", "millwheel")
    cost = paid(run)
    assert cost.writes == 2 * cost.records == 20
    assert (cost.restarts, cost.returned, cost.replayed, total(run)) == (1, ("sum",), 0, 55)


def test_a_low_watermark_lets_go_of_ids_and_what_is_not_acknowledged_holds_it() -> None:
    cost = paid(under("low-watermark"))
    assert (cost.ids, cost.kept, cost.collected) == (6, 2, 12)
    assert cost.writes == cost.kept + cost.collected == 14


@pytest.mark.parametrize("name", CRASHING)
@pytest.mark.parametrize("algorithm", SAME)
def test_the_same_crash_happens_and_everybody_comes_back_in_the_way_of_the_algorithm(name: str, algorithm: str) -> None:
    own, other = under(name), under(name, algorithm)
    crashes = [[step.action for step in run.steps if isinstance(step.action, Crash)] for run in (own, other)]
    assert crashes[0] == crashes[1]
    kind = Restart if other.system.algorithm.RECOVERY.way == "local" else Restore
    backs = [step.action for step in other.steps if isinstance(step.action, Restart | Restore)]
    assert backs and all(isinstance(action, kind) for action in backs)
    assert not other.missed and other.undisturbed and not other.full
    assert not other.end.down and not other.end.in_flight()


@pytest.mark.parametrize("name", ["rollback-of-seven", "crash-both-ways", "three-guarantees"])
@pytest.mark.parametrize("algorithm", [None, "millwheel", "weak-productions"])
def test_removing_duplicates_keeps_the_state_exactly_once(name: str, algorithm: str | None) -> None:
    book = ledger(under(name, algorithm or "aligned" if name == "three-guarantees" else algorithm))
    assert book is not None and book.state == "exactly-once"


@pytest.mark.parametrize("name", ["counted-twice", "barrier-overtakes", "few-keys-change", "micro-batch"])
def test_the_bytes_that_were_stored_are_those_of_the_files_in_full(name: str) -> None:
    run = under(name)
    found = stores(run)
    assert found is not None
    assert paid(run).size == sum(held.file.raw for held in found[0].held) > 0


def test_acknowledgements_are_counted_with_the_barriers_and_once_only() -> None:
    assert paid(under("counted-twice")).words == 4 + 3
    assert paid(under("acknowledgement-lost")).words == 4


def test_a_run_written_for_duplicate_removal_can_be_rolled_back_too() -> None:
    run = run_of(PLAIN, RunKey(algorithm="aligned"))
    cost = paid(run)
    assert (total(run), run.missed, cost.restarts, cost.replayed, cost.checkpoints) == (18, 0, 2, 2, 0)
    assert paid(run_of(PLAIN)).returned == ("sum",)


PLAIN = """
    topology: {processes: [JM, src, sum], channels: [JM->src, src->sum]}
    program:
      kind: dataflow
      operators: {JM: {coordinator: true}, src: {source: [5, 6, 7]}, sum: {sum: all}}
    algorithm: millwheel
    script:
      - {read: src}
      - {deliver: src->sum}
      - {wake: sum, what: commit}
      - {read: src}
      - {deliver: src->sum}
      - {crash: sum}
      - {restart: sum}
"""


def test_the_result_is_whole_when_what_had_been_done_before_the_crash_is_done_again() -> None:
    run = under("rollback-of-seven")
    (steps,) = paid(run).whole
    assert steps is not None
    crash = next(step.number for step in run.steps if isinstance(step.action, Crash))
    before = run.world(crash - 1).states
    assert {n: s for n, s in run.world(crash + steps).states.items() if n != "out"} == {
        n: s for n, s in before.items() if n != "out"
    }
    assert run.world(crash + steps - 1).states["sum"].total == before["sum"].total
    assert run.world(crash + steps - 2).states["sum"].total < before["sum"].total


def test_a_program_without_records_has_nothing_to_pay() -> None:
    assert recovery_cost(record(LIBRARY.scenario("three-banks"))) is None


def test_all_of_it_can_be_said_in_json() -> None:
    told: Any = summary(paid(under("crash-before-commit")))
    assert told["returned"] == ["sum"] and told["writes"] == 3 and len(told["whole"]) == 1


def test_the_crash_and_the_return_stand_at_the_same_beat_in_both_panes() -> None:
    runs = [under("crash-both-ways"), under("crash-both-ways", "millwheel")]
    together = beats(runs)
    signs = [moment.sign for moment in moments(runs[together.reference])]
    crash, back = signs.index("crash sum") + 1, signs.index("back") + 1
    for run, steps in zip(runs, together.steps, strict=True):
        assert isinstance(run.steps[steps[crash] - 1].action, Crash)
        assert isinstance(run.steps[steps[back] - 1].action, Restart | Restore)
    assert together.events == len(signs)
