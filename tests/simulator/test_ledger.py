"""The ledger: what a crash did to state and output, against the run without failures."""

import pytest

from app.simulator.calm import calm
from app.simulator.key import RunKey
from app.simulator.ledger import AT_LEAST, AT_MOST, EXACTLY, NEITHER, Ledger, guarantee, ledger, summary
from app.simulator.library import LIBRARY
from app.simulator.run import OWN, Run, record
from tests.tiny import TOKEN, run

PIPE = """
    topology: {processes: [JM, s, sum, out], channels: [JM->s, s->sum, sum->out]}
    program:
      kind: dataflow
      operators:
        JM: {coordinator: true}
        s: {source: [1, 2, 3]}
        sum: {sum: all}
        out: {sink: plain}
    algorithm: aligned
    script:
"""
ALONG = ("read: s", "deliver: s->sum", "deliver: sum->out")
CHECKPOINT = (
    *("start: JM", "deliver: JM->s", "deliver: s->sum", "deliver: sum->out"),
    *("wake: s", "wake: sum", "wake: out"),
)


def pipe(*lines: str, key: RunKey = OWN, more: str = "") -> Run:
    """The run of a source, a sum and a sink that does what the lines say."""
    return run(PIPE + "".join(f"      - {{{line}}}\n" for line in lines) + more, key)


def booked(run: Run, step: int | None = None) -> Ledger:
    """The ledger of a run of a dataflow."""
    book = ledger(run, step)
    assert book is not None
    return book


def work(book: Ledger) -> dict[str, tuple[int, int]]:
    """How often each process took a record, and how often that counts."""
    return {one.process: (one.taken, one.counted) for one in book.work}


def seen(book: Ledger) -> dict[str, int]:
    """How often each record is visible."""
    return {one.id: one.times for one in book.visible}


def library(name: str, algorithm: str | None = None) -> Run:
    """A run of the library."""
    return record(LIBRARY.scenario(name), RunKey(algorithm=algorithm))


# --- the run without failures -------------------------------------------------------------------------------------


def test_a_run_without_failures_is_its_own_measure() -> None:
    quiet = pipe(*ALONG, *CHECKPOINT)
    assert calm(quiet).world.states == quiet.end.states
    book = booked(quiet)
    assert (book.state, book.output) == (EXACTLY, EXACTLY)
    assert work(book) == {"s": (3, 3), "sum": (3, 3), "out": (3, 3)}
    assert (book.reread, book.restarts, book.lost, book.doubled) == (0, 0, 0, 0)


def test_what_took_effect_happens_without_failures_in_the_same_order() -> None:
    text = """
    topology: {processes: [JM, a, b, join, out], channels: [JM->a, JM->b, a->join, b->join, join->out]}
    program:
      kind: dataflow
      operators:
        JM: {coordinator: true}
        a: {source: [{k: 1}, {k: 2}]}
        b: {source: [{k: 10}, {k: 20}]}
        join: {join: key}
        out: {sink: plain}
    algorithm: aligned
    script:
      - {read: b}
      - {read: b}
      - {deliver: b->join}
      - {read: a}
      - {deliver: a->join}
      - {crash: join}
      - {restore: 0}
      - {read: a}
      - {read: b}
      - {deliver: b->join}
      - {deliver: a->join}
    """
    crashed = run(text)
    same = calm(crashed)
    assert same.world.states["join"].sides == crashed.end.states["join"].sides
    assert [message.payload.id for channel, message in same.received if channel == "b->join"] == ["b.1", "b.2"]
    assert booked(crashed).state == EXACTLY


def test_the_run_without_failures_is_always_the_same() -> None:
    once, again = calm(library("three-guarantees")), calm(library("three-guarantees"))
    assert once.world == again.world and once.received == again.received


def test_where_a_channel_is_full_the_run_without_failures_makes_room() -> None:
    pressed = pipe(*ALONG, "crash: sum", "restore: 0", more="    capacity: 1\n")
    assert calm(pressed).world.states["sum"].total == 6
    assert booked(pressed).state == EXACTLY


def test_a_program_that_is_no_dataflow_has_no_ledger() -> None:
    assert ledger(run(TOKEN)) is None


# --- what a crash does --------------------------------------------------------------------------------------------


def test_a_record_that_is_read_again_runs_twice_and_counts_once() -> None:
    book = booked(pipe(*ALONG, *CHECKPOINT, "read: s", "deliver: s->sum", "crash: sum", "restore: 1"))
    assert work(book) == {"s": (4, 3), "sum": (4, 3), "out": (3, 3)}
    assert (book.state, book.output, book.reread, book.restarts) == (EXACTLY, EXACTLY, 1, 3)
    assert [(one.process, one.again) for one in book.work] == [("s", 1), ("sum", 1), ("out", 0)]


def test_what_left_through_a_plain_sink_after_the_checkpoint_leaves_again() -> None:
    book = booked(pipe(*ALONG, *CHECKPOINT, *ALONG, "crash: out", "restore: 1"))
    assert (book.state, book.output) == (EXACTLY, AT_LEAST)
    assert seen(book) == {"s.1": 1, "s.2": 2, "s.3": 1} and book.doubled == 1 and book.writes == 4


def test_without_recovery_the_state_is_lost_and_so_is_what_was_on_its_way_out() -> None:
    crash = (*ALONG, "read: s", "deliver: s->sum", "crash: sum", "restore: latest")
    book = booked(pipe(*crash, key=RunKey(algorithm="at-most-once")))
    assert (book.state, book.output) == (AT_MOST, AT_MOST)
    assert seen(book) == {"s.1": 1, "s.2": 0, "s.3": 1} and book.lost == 1
    assert work(book)["sum"] == (3, 1) and book.reread == 0 and book.restarts == 1
    assert {one.process: (one.now, one.wanted) for one in book.kept} == {"s": (3, 3), "sum": (3, 6)}


@pytest.mark.parametrize(
    ("lost", "doubled", "word"), [(0, 0, EXACTLY), (1, 0, AT_MOST), (0, 2, AT_LEAST), (1, 1, NEITHER)]
)
def test_a_guarantee_is_what_was_neither_lost_nor_doubled(lost: int, doubled: int, word: str) -> None:
    assert guarantee(lost, doubled) == word


# --- at any step, and for what a person does ----------------------------------------------------------------------


def test_as_long_as_something_is_on_its_way_nothing_is_lost_yet_and_there_is_no_verdict() -> None:
    crashed = pipe(*ALONG, *CHECKPOINT, *ALONG, "crash: out", "restore: 1")
    at = [str(type(s.action).__name__) for s in crashed.steps].index("Crash") + 1
    down = booked(crashed, at)
    assert (down.settled, down.state, down.output, down.lost) == (False, None, None, 0)
    assert seen(down) == {"s.1": 1, "s.2": 1, "s.3": 0}
    assert work(down)["s"] == (2, 2)  # nothing is undone yet
    back = booked(crashed, at + 1)
    assert work(back)["s"] == (2, 1) and back.restarts == 3
    assert booked(crashed, 0).settled is False and seen(booked(crashed, 0)) == {"s.1": 0, "s.2": 0, "s.3": 0}


def test_a_record_that_is_doubled_is_so_before_the_end() -> None:
    crashed = pipe(*ALONG, *CHECKPOINT, *ALONG, "crash: out", "restore: 1", *ALONG)
    before = booked(crashed, len(crashed.steps) - 3)
    assert before.doubled == 1 and not before.settled


def test_a_run_by_hand_is_judged_where_nothing_more_can_come() -> None:
    quiet = pipe(*ALONG, *CHECKPOINT)
    manual = RunKey(manual=True, choices=((0, 0), (1, 0), (2, 0)))
    half = booked(pipe(*ALONG, key=manual))
    assert half.output is None and half.lost == 0 and len(half.visible) == 3
    assert booked(quiet).output == EXACTLY


# --- sinks --------------------------------------------------------------------------------------------------------

SINKS = ["commit-before-barrier", "commit-after-prepare", "commit-after-complete", "commit-after-third"]


@pytest.mark.parametrize("name", SINKS)
def test_with_two_phases_each_record_is_visible_once_wherever_the_crash_comes(name: str) -> None:
    book = booked(library(name))
    assert seen(book) == {"s.1": 1, "s.2": 1, "s.3": 1} and book.output == EXACTLY
    assert book.restarts == 2


def test_what_waits_in_a_transaction_is_not_lost() -> None:
    waiting = run(PIPE.replace("plain", "transactional") + "      - {read: s}\n")
    book = booked(waiting)
    assert book.settled and (book.waiting, book.lost, book.output) == (3, 0, None)
    assert seen(book) == {"s.1": 0, "s.2": 0, "s.3": 0}


def test_an_idempotent_sink_is_written_twice_and_has_the_record_once() -> None:
    book = booked(library("idempotent-sink"))
    assert seen(book) == {"s.1": 1, "s.2": 1, "s.3": 1} and book.writes == 4 and book.output == EXACTLY
    plain = booked(library("plain-sink-twice"))
    assert seen(plain) == {"s.1": 1, "s.2": 1, "s.3": 2} and plain.writes == 4 and plain.output == AT_LEAST


def test_a_commit_that_comes_too_late_loses_what_the_checkpoint_says_is_done() -> None:
    book = booked(library("commit-too-late"))
    assert seen(book) == {"s.1": 0, "s.2": 0, "s.3": 1, "s.4": 1}
    assert (book.lost, book.output, book.restarts, book.reread) == (2, AT_MOST, 0, 0)


def test_records_that_become_visible_behind_a_later_one_are_counted() -> None:
    text = PIPE.replace("sum: {sum: all}", "sum: {}") + "      - {read: s}\n      - {read: s}\n"
    swapped = run(text + "      - {deliver: s->sum, position: 1}\n    discipline: any\n")
    assert booked(swapped).disorder == 1 and booked(pipe(*ALONG)).disorder == 0


# --- the three guarantees -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("algorithm", "count", "state", "output", "taken"),
    [
        ("at-most-once", 1, AT_MOST, AT_MOST, 6),
        ("at-least-once", 7, AT_LEAST, AT_LEAST, 8),
        ("aligned", 6, EXACTLY, EXACTLY, 8),
    ],
)
def test_the_same_crash_under_three_guarantees(algorithm: str, count: int, state: str, output: str, taken: int) -> None:
    made = library("three-guarantees", algorithm)
    book = booked(made)
    assert made.end.states["count"].total == count
    assert (book.state, book.output) == (state, output)
    assert work(book)["count"] == (taken, count)


def test_the_summary_says_all_of_it() -> None:
    told = summary(booked(library("plain-sink-twice")))
    assert told["records"][2] == {"sink": "out", "id": "s.3", "wanted": 1, "times": 2, "values": [3, 3]}
    assert (told["doubled"], told["output"], told["reread"], told["settled"]) == (1, AT_LEAST, 1, True)


@pytest.mark.parametrize("name", ["millwheel", "weak-productions", "at-most-once", "uncoordinated"])
def test_what_waits_for_a_commit_that_never_comes_has_no_guarantee(name: str) -> None:
    text = PIPE.replace("plain", "transactional") + "      - {read: s}\n"
    assert booked(run(text, RunKey(algorithm=name))).output is None
