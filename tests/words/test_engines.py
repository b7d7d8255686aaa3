"""What Spark's engines say: the markers of epochs, the ends of batches, and the two kinds of crash."""

import pytest

from app.algorithms.registry import ALGORITHMS
from app.core.model.values import Crash, Restart, Restore, Todo, Wake
from app.run.run import Run, Step, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import unfit
from app.wire.frames import sentences_of_step
from app.words.catalogues import plain, tell
from tests.tiny import run


def own(name: str) -> Run:
    """Return the run of a scenario as its author wrote it."""
    return record(LIBRARY.scenario(name), RunKey())


def english(run: Run, step: Step) -> str:
    """Return what a step says, without marks."""
    return plain(tell(sentences_of_step(run, step), "en"))


def first(run: Run, number: int) -> str:
    """Return the key of the first sentence of a step."""
    return sentences_of_step(run, run.steps[number - 1])[0].key


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("continuous", {6: "start.epoch", 7: "epoch.reader", 10: "epoch.passes", 13: "epoch.sink", 22: "aborted"}),
        ("continuous-aligns", {6: "epoch.reader", 9: "epoch.blocked", 12: "epoch.aligned", 17: "epoch.sink"}),
        ("real-time", {21: "start.end", 22: "end.reader", 23: "end.passes", 24: "end.sink"}),
    ],
)
def test_the_marker_of_an_epoch_and_the_end_of_a_batch_have_sentences_of_their_own(
    name: str, told: dict[int, str]
) -> None:
    made = own(name)
    assert {number: first(made, number).removesuffix(".checkpoint") for number in told} == told


@pytest.mark.parametrize("engine", ["continuous", "real-time"])
def test_no_marker_of_these_engines_is_said_to_overtake_or_to_find_nothing_ahead(engine: str) -> None:
    runs = 0
    for name in LIBRARY.names():
        scenario = LIBRARY.scenario(name)
        if unfit(ALGORITHMS[engine], scenario.topology, scenario.program):
            continue
        other = record(scenario, RunKey(algorithm=engine))
        keys = {sentence.key for step in other.steps for sentence in sentences_of_step(other, step)}
        assert not any(key.startswith(("barrier.first", "barrier.recorded", "start.barrier")) for key in keys), name
        runs += any(key.startswith(("epoch.", "end.")) for key in keys)
    assert runs > 3


def test_the_claim_that_spark_borrows_the_marker_leads_to_steps_that_say_so() -> None:
    alone, meeting = own("continuous"), own("continuous-aligns")
    assert english(alone, alone.steps[6]).startswith("s notes its offset, 3, and sends the marker")
    assert english(meeting, meeting.steps[8]).startswith("one stops reading s1→one")
    assert english(meeting, meeting.steps[11]).startswith("one has the epoch marker of checkpoint 1 from every input")


def test_a_task_restarts_alone_and_a_query_restarts_with_everybody() -> None:
    task, query = own("task-retried"), own("micro-batch")
    back = [english(task, step) for step in task.steps if isinstance(step.action, Restart)]
    assert [text.split(".")[0] for text in back] == [
        f"{name} restarts, and nobody else does" for name in ("sum", "out")
    ]
    assert "as of the last batch that it finished: 3" in back[0]
    assert not any(isinstance(step.action, Restore) for step in task.steps)
    (restart,) = (english(query, step) for step in query.steps if isinstance(step.action, Restore))
    assert "The query restarts from the beginning: nothing is committed yet. driver reads its logs." in restart
    assert [step.action for step in query.steps if isinstance(step.action, Crash)] == [Crash("driver")]


def test_what_was_sent_for_the_attempt_that_crashed_is_thrown_away_and_said_so() -> None:
    made = own("task-retried")
    keys = [sentence.key for step in made.steps for sentence in sentences_of_step(made, step)]
    assert keys.count("discarded.attempt") == 1 and "discarded" not in keys and "stored" not in keys


EARLY = """
    topology: {processes: [JM, s, out], channels: [JM->s, s->out]}
    program:
      kind: dataflow
      operators: {JM: {coordinator: true}, s: {source: [1, 2]}, out: {sink: batch}}
    algorithm: micro-batch
    script:
      - {start: JM}
      - {deliver: JM->s}
      - {read: s}
      - {crash: out}
      - {restart: out}
      - {wake: s, what: remake out}
"""


def test_a_task_that_is_not_done_has_nothing_to_send_again() -> None:
    asked = run(EARLY)
    answer = next(step for step in asked.steps if step.action == Wake("s", Todo("remake", name="out")))
    assert [sentence.key for sentence in sentences_of_step(asked, answer)] == ["wake.remake.nothing"]
    assert english(asked, answer).endswith("s has not finished its own task yet, so there is nothing to send.")
