"""Which process waits for whose barrier: found if nothing more can happen, and only then."""

from app.run.barrier_deadlock import deadlock
from app.run.run import record, summary
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.wire.frames import end, sentences_of_step
from app.words.sentence_fields import Sentence
from tests.cli.command import bluecut
from tests.tiny import run, scenario

LONG = """
    topology:
      processes: [JM, s, A, B, C]
      channels: [JM->s, s->A, A->B, B->C, C->A]
    program:
      kind: dataflow
      operators:
        JM: {coordinator: true}
        s: {source: [1]}
        C: {filter: {above: 9}}
    algorithm: ALGORITHM
    script: [{start: JM}]
"""

BATCH = """
    topology:
      processes: [JM, s, o, k]
      channels: [JM->s, s->o, o->k]
    program:
      kind: dataflow
      operators:
        JM: {coordinator: true, batch: 1}
        s: {source: [1, 2]}
        o: {map: {plus: 1}}
        k: {sink: plain}
    algorithm: lineage
    schedule: {kind: manual}
"""


def test_a_process_in_a_loop_waits_for_its_own_barrier() -> None:
    made = record(LIBRARY.scenario("loop-waits-for-itself"))
    found = deadlock(made.system, made.end, 1)
    assert found is not None
    assert found.waits == (("H", "T->H"), ("T", "H->T"))
    assert found.blocked == ("s->H",)
    told = {"process": "H", "waits": [["H", "T"], ["T", "H"]], "blocked": ["s->H"]}
    assert summary(made)["snapshots"][0]["deadlock"] == told
    assert end(made)["deadlock"] == {1: told}
    assert sentences_of_step(made, made.steps[-1])[-1] == Sentence("deadlock", ("H->T->H", "H", 1))
    assert "deadlock" not in [sentence.key for sentence in sentences_of_step(made, made.steps[-2])]


def test_the_circle_is_told_in_the_order_of_waiting() -> None:
    made = run(LONG.replace("ALGORITHM", "aligned"))
    found = deadlock(made.system, made.end, 1)
    assert found is not None
    assert found.waits == (("A", "C->A"), ("C", "B->C"), ("B", "A->B"))


def test_there_is_none_while_something_can_still_happen() -> None:
    made = record(LIBRARY.scenario("loop-waits-for-itself"))
    before = made.world(len(made.steps) - 1)
    assert deadlock(made.system, before, 1) is None


def test_there_is_none_where_nobody_waits_for_what_comes_back() -> None:
    for name in ("loops", "unaligned"):
        made = run(LONG.replace("ALGORITHM", name))
        assert made.history.recordings[1].completed and deadlock(made.system, made.end, 1) is None
    made = record(LIBRARY.scenario("loop-waits-for-itself"), RunKey(algorithm="loops"))
    assert deadlock(made.system, made.end, 1) is None


def test_there_is_none_of_a_snapshot_that_there_is_not_or_that_markers_take() -> None:
    made = run(LONG.replace("ALGORITHM", "chandy-lamport"))
    assert deadlock(made.system, made.end, 1) is None and deadlock(made.system, made.end, 7) is None


def test_the_command_says_so_in_both_languages() -> None:
    english = bluecut("run", "loop-waits-for-itself").out
    assert "Deadlock: H waits for the barrier of T, T waits for the barrier of H. So H waits for its own" in english
    assert "What is in s→H is never read." in english
    assert "死锁：H 等 T 的屏障、T 等 H 的屏障。" in bluecut("run", "loop-waits-for-itself", "--lang", "zh").out


def test_a_batch_whose_task_is_down_is_no_circle() -> None:
    made = record(scenario(BATCH), RunKey(choices=(*((i, 0) for i in range(15)), (15, 6)), manual=True))
    assert made.end.down == ("s",) and made.end.snapshots[2].running
    assert deadlock(made.system, made.end, 2) is None
    assert "deadlock" not in summary(made)["snapshots"][1]
