"""The last word about a run: its colour agrees with the oracle, for every scenario of the library."""

import pytest

from app.analysis.ledger import ledger
from app.core.model.algorithm import Kind
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.wire.end_card import end_card
from app.wire.frames import sentences_of_step
from app.words.catalogues import catalogue, tell
from tests.each import each
from tests.tiny import run as tiny

RESULTS = {None, "exactly-once", "other-values"}
WEAKER = {"at-least-once", "at-most-once"}
"""Promises of how often an item counts, not of values."""


def made(name: str, algorithm: str | None = None) -> Run:
    """Return a run of a scenario of the library."""
    return record(LIBRARY.scenario(name), RunKey(algorithm))


def broken(run: Run) -> bool:
    """Does the oracle find anything wrong, or does a run show less than its algorithm promises?"""
    ends = run.end.snapshots
    judged = any(v.broken for n, v in run.verdicts.items() if not ends[n].aborted and not ends[n].unusable)
    book = ledger(run, len(run.steps))
    result = book is not None and any(
        shown not in RESULTS and shown != said and not (shown == "wrong-values" and said in WEAKER)
        for shown, said in ((book.state, book.promise.state), (book.output, book.promise.output))
    )
    return judged or result or not run.undisturbed or any(fall.exact is False for fall in run.falls)


@each("name", LIBRARY.names)
def test_its_colour_agrees_with_the_oracle(name: str) -> None:
    run = made(name)
    card = end_card(run)
    assert (card.tone == "wrong") == broken(run)
    complete = [n for n, seen in run.history.recordings.items() if seen.completed and not run.end.snapshots[n].unusable]
    promised = any(sentence.key == "last.promised" for sentence in card.said)
    if card.tone in ("waiting", "given-up") and not promised:
        assert not complete
    if card.tone == "right" and run.system.algorithm.KIND is Kind.FLOOD and ledger(run, len(run.steps)) is None:
        assert complete
    assert all(right for _, right in card.sums) or card.tone == "wrong"
    for language in ("en", "zh"):
        for sentence in (*card.said, *([card.recorded] if card.recorded else [])):
            assert f"say.{sentence.key}" in catalogue(language)
        assert "**" in tell(card.said, language)


def test_where_items_are_lost_the_headline_says_so_and_not_that_a_value_is_wrong() -> None:
    run = made("rollback-of-seven", "at-most-once")
    book = ledger(run, len(run.steps))
    assert book is not None and (book.state, book.output) == ("at-most-once", "wrong-values")
    assert tell(end_card(run).said, "en").startswith("**Some items are lost.**")


def test_a_right_run_ends_with_its_sum() -> None:
    card = end_card(made("queue"))
    assert card.tone == "right"
    assert card.sums == (("0 + 0 + 60 + [1 2 3] = 66", True),)
    assert card.recorded is not None
    assert tell([card.recorded], "en") == "Recorded: i=0, j=0, k=60. In the channels: 1, 2, 3."


def test_a_wrong_run_says_what_is_wrong_and_where() -> None:
    card = end_card(made("photographs-two"))
    assert (card.tone, card.sums, card.step) == ("wrong", (("1 + 1 = 2 ≠ 1", False),), 3)
    assert "In the snapshot, T is received but not sent." in tell(card.said, "en")


def test_the_step_that_completes_a_wrong_snapshot_says_so() -> None:
    run = made("photographs-two")
    said = tell(sentences_of_step(run, run.steps[3]), "en")
    assert "**Snapshot 1 is complete, and wrong.** It shows 2 tokens where there is 1." in said
    assert "is still wrong" in tell(sentences_of_step(run, run.steps[4]), "en")
    right = made("photographs-two", "chandy-lamport")
    assert not any("wrong" in tell(sentences_of_step(right, step), "en") for step in right.steps)


@pytest.mark.parametrize(
    ("name", "tone", "words"),
    [
        ("marker-lost", "waiting", "P still waits for a marker from Q."),
        ("crash-hangs", "waiting", "P1 still waits for a marker from P3."),
        ("loop-waits-for-itself", "waiting", "Deadlock: H→T→H."),
        ("domino", "plain", "**All work is lost.**"),
        ("domino-stopped", "right", "recovery line"),
        ("end-gives-up", "right", "Checkpoint 1 is aborted."),
        ("counted-twice", "wrong", "sum has 39 instead of 36."),
        ("plain-sink-twice", "given-up", "Some items count more than once.** No more was promised."),
        ("continuous", "given-up", "No more was promised."),
        ("nobody-notices", "wrong", "In this run every item still counts exactly once."),
        ("weak-productions", "given-up", "report has 11 instead of 21. No more was promised."),
        ("node-as-written", "wrong", "P1→P2 carried 65 markers instead of one."),
        ("real-deadlock", "right", "Complete and right: 2 of 2 snapshots."),
        ("unlabelled-overlap", "wrong", "Snapshot 2 is complete, and wrong."),
        ("crash-unusable", "right", "Snapshot 2 is complete, and right."),
    ],
)
def test_each_kind_of_end_has_its_words(name: str, tone: str, words: str) -> None:
    card = end_card(made(name))
    assert card.tone == tone
    assert words in tell(card.said, "en")


def test_many_states_are_added_up_first() -> None:
    assert end_card(made("random-twelve")).sums == (("1119 + [81] = 1200", True),)
    assert end_card(made("widget-trade")).sums[0] == ("money: 1000 + 50 = 1050", True)


def test_a_run_without_a_snapshot_says_so() -> None:
    card = end_card(record(LIBRARY.scenario("queue"), RunKey(manual=True)))
    assert card.tone == "plain"
    assert "No snapshot was taken." in tell(card.said, "en")


SHUT = """
    topology: {processes: [JM, s, sum, out], channels: [JM->s, s->sum, sum->out]}
    program:
      kind: dataflow
      operators: {JM: {coordinator: true}, s: {source: [1, 2]}, sum: {sum: all}, out: {sink: transactional}}
    algorithm: aligned
    script: [{read: s}, {deliver: s->sum}, {start: JM}, {crash: sum}, {restore: latest}]
"""


def test_where_nothing_is_visible_yet_nobody_says_that_every_item_counts_once() -> None:
    run = tiny(SHUT)
    card = end_card(run)
    assert card.tone == "waiting"
    assert tell(card.said[:1], "en") == (
        "**The state counts every item exactly once.** Items that are not visible, because they wait for a commit: 2."
    )
    (jam,) = end_card(made("past-the-jam")).said[:1]
    assert jam.key == "last.result.waiting"
