"""The ledger: what a crash did to state and output, against the run without failures."""

from collections import Counter

import pytest

from app.analysis import possible_results, reference
from app.analysis.failure_free import calm
from app.analysis.ledger import Ledger, guarantee, ledger, summary
from app.analysis.promise import AT_LEAST, AT_MOST, EXACTLY, NEITHER, OTHER, WRONG
from app.pipeline.measure.costs import example
from app.run.run import OWN, Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
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
    """Return the run of a source, a sum and a sink with these script lines."""
    return run(PIPE + "".join(f"      - {{{line}}}\n" for line in lines) + more, key)


def booked(run: Run, step: int | None = None) -> Ledger:
    """Return the ledger of a run of a dataflow."""
    book = ledger(run, step)
    assert book is not None
    return book


def work(book: Ledger) -> dict[str, tuple[int, int]]:
    """Return how often each process processed an item, and how often that counts."""
    return {one.process: (one.taken, one.counted) for one in book.work}


def seen(book: Ledger) -> dict[str, int]:
    """Return how often each item is visible."""
    return {one.id: one.times for one in book.visible}


def library(name: str, algorithm: str | None = None) -> Run:
    """Return a run of the library."""
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
    assert [record.id for channel, record in same.arrivals if channel == "b->join"] == ["b.1", "b.2"]
    assert booked(crashed).state == EXACTLY


def test_the_run_without_failures_is_always_the_same() -> None:
    once, again = calm(library("three-guarantees")), calm(library("three-guarantees"))
    assert once.world == again.world and once.arrivals == again.arrivals


def test_where_a_channel_is_full_the_run_without_failures_makes_room() -> None:
    pressed = pipe(*ALONG, "crash: sum", "restore: 0", more="    capacity: 1\n")
    assert calm(pressed).world.states["sum"].total == 6
    assert booked(pressed).state == EXACTLY


@pytest.mark.parametrize("algorithm", ["aligned", "unaligned", "millwheel", "real-time"])
def test_the_run_without_failures_keeps_the_order_also_where_full_channels_hold_things_up(algorithm: str) -> None:
    """A slow task, channels of five, and a running total at the end, so that the order matters."""
    slow = record(example("straggler", slow=5, algorithm=algorithm, crash=70, falls="sum"))
    book = booked(slow)
    assert (book.state, book.output, book.orders) == (EXACTLY, EXACTLY, None)
    effects = [(e.channel, e.message.payload) for e in slow.history.events if e.message and e.kind == "receive"]
    mine, same = (Counter(c for c, r in each if hasattr(r, "id")) for each in (effects, calm(slow).arrivals))
    assert mine == same and mine["slow->sum"] == 24


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
def test_a_guarantee_is_what_was_neither_lost_nor_duplicated(lost: int, doubled: int, word: str) -> None:
    assert guarantee(lost, doubled) == guarantee(lost, doubled, equal=word == EXACTLY) == word


def test_what_is_there_once_with_other_values_is_not_exactly_once() -> None:
    assert guarantee(0, 0, equal=False) == WRONG and guarantee(0, 0, equal=False, known=False) == OTHER
    assert guarantee(1, 0, equal=False) == AT_MOST


# --- values -------------------------------------------------------------------------------------------------------

TOTALS = """
    topology: {processes: [JM, a, b, sum, out], channels: [JM->a, JM->b, a->sum, b->sum, sum->out]}
    program:
      kind: dataflow
      operators:
        JM: {coordinator: true}
        a: {source: [1]}
        b: {source: [10]}
        sum: {sum: all}
        out: {sink: idempotent}
    algorithm: ALGORITHM
    script:
"""
FIRST, SECOND = ("read: a", "deliver: a->sum"), ("read: b", "deliver: b->sum")


def totals(algorithm: str, *lines: str, text: str = TOTALS) -> Run:
    """Return the run of a running total of two sources."""
    script = "".join(f"      - {{{line}}}\n" for line in lines)
    return run(text.replace("ALGORITHM", algorithm) + script)


def test_a_total_that_no_order_of_arrival_could_give_is_not_exactly_once() -> None:
    book = booked(library("weak-productions"))
    assert (book.state, book.lost, book.doubled) == (WRONG, 0, 0)
    assert {one.process: one.possible for one in book.kept if not one.equal} == {"report": (21, 12)}
    assert [one.now for one in book.kept if not one.equal] == [11]
    assert book.orders is not None and (book.orders.results, book.orders.verdict) == (2, "all")
    strong = booked(library("weak-productions", "millwheel"))
    assert strong.state == EXACTLY and strong.orders is None


def test_a_crash_without_recovery_leaves_every_item_visible_once_and_the_value_wrong() -> None:
    book = booked(totals("at-most-once", *FIRST, "deliver: sum->out", "crash: sum", "restart: sum", *SECOND))
    assert (book.state, book.output) == (AT_MOST, WRONG) and seen(book) == {"a.1": 1, "b.1": 1}
    wrong = [(one.id, one.values, one.value) for one in book.visible if one.wrong]
    assert wrong == [("a.1", (1,), 11)]  # of what counts, b.1 was the first
    told = {"sink": "out", "id": "a.1", "wanted": 1, "times": 1, "values": [1], "possible": [11]}
    assert told in summary(book)["records"]


def test_what_counted_twice_is_visible_once_with_a_wrong_value() -> None:
    text = TOTALS.replace("source: [1]", "source: [1, 2]").replace("source: [10]", "source: [10, 20]")
    checkpoint = ("start: JM", "deliver: JM->a", "deliver: JM->b", "read: a", "deliver: a->sum", "deliver: a->sum")
    rest = ("deliver: b->sum", "wake: a", "wake: b", "wake: sum", "deliver: sum->out", "deliver: sum->out", "wake: out")
    twice = totals("at-least-once", *checkpoint, *rest, "crash: sum", "restore: 1", text=text)
    book = booked(twice)
    assert (book.state, book.output, book.doubled) == (AT_LEAST, WRONG, 0)
    assert (book.promise.state, book.promise.output) == (AT_LEAST, AT_LEAST)


def test_the_result_of_another_order_is_exactly_once_and_the_ledger_says_so() -> None:
    """The zero makes a total that could have been sent in one order look like that of the other."""
    swapped = """
    topology: {processes: [a, b, sum, report], channels: [a->sum, b->sum, sum->report]}
    program:
      kind: dataflow
      operators: {a: {source: [0]}, b: {source: [10]}, sum: {sum: all}, report: {sum: all}}
    algorithm: weak-productions
    discipline: any
    script:
      - {read: a}
      - {deliver: a->sum}
      - {deliver: sum->report}
      - {wake: report, what: commit}
      - {crash: sum}
      - {restart: sum}
      - {read: b}
      - {deliver: b->sum}
    """
    lucky = run(swapped)
    book = booked(lucky)
    assert calm(lucky).world.states["report"].total == 20 and lucky.end.states["report"].total == 10
    assert book.state == EXACTLY and book.orders is not None and book.orders.verdict == "fits"
    assert [(one.now, one.wanted, one.possible) for one in book.kept if one.process == "report"] == [(10, 10, (10, 20))]


def test_where_there_are_too_many_orders_the_ledger_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(possible_results, "MOST", 3)
    monkeypatch.setattr(possible_results, "results", possible_results.results.__wrapped__)
    monkeypatch.setattr(reference, "results", possible_results.results)
    book = booked(library("weak-productions"))
    assert book.state == OTHER and book.orders is not None
    assert (book.orders.results, book.orders.verdict) == (None, "open")
    assert [one.possible for one in book.kept if not one.equal] == [(21,)]


def test_many_orders_are_no_excuse_where_the_output_shows_that_none_fits() -> None:
    numbers = ", ".join(str(10**3 + i) for i in range(12))
    text = TOTALS.replace("[1]", f"[{numbers}]").replace("[10]", f"[{numbers.replace('10', '20')}]")
    lost = totals("at-most-once", *FIRST, *SECOND, "deliver: sum->out", "deliver: sum->out", "crash: sum", text=text)
    book = booked(lost)
    assert book.output == WRONG and book.orders is not None
    assert (book.orders.results, book.orders.verdict) == (None, "none")


def test_two_results_of_one_item_at_an_idempotent_sink_are_both_there() -> None:
    text = """
    topology: {processes: [s, a, b, out], channels: [s->a, s->b, a->out, b->out]}
    program:
      kind: dataflow
      operators: {s: {source: [1]}, a: {map: {times: 10}}, b: {map: {times: 100}}, out: {sink: idempotent}}
    algorithm: millwheel
    script: []
    """
    book = booked(run(text))
    assert book.output == EXACTLY and {one.id: one.values for one in book.visible} == {"s.1/a": (10,), "s.1/b": (100,)}


def test_what_a_filter_let_out_before_the_crash_and_not_after_it_should_not_be_there() -> None:
    text = TOTALS.replace("{sum: all}", "{sum: all, filter: {below: 11}}")
    stray = totals("aligned", *FIRST, "deliver: sum->out", "crash: sum", "restore: 0", *SECOND, text=text)
    book = booked(stray)
    assert (book.state, book.output, book.promise.output) == (EXACTLY, AT_LEAST, AT_LEAST)
    assert [(one.id, one.wanted, one.times) for one in book.visible] == [("b.1", 1, 1), ("a.1", 0, 1)]
    assert booked(totals("aligned", *SECOND, text=text)).output == EXACTLY


def test_who_is_gone_for_good_has_kept_nothing() -> None:
    gone = pipe(*ALONG, "crash: sum", key=RunKey(algorithm="photographs"))
    book = booked(gone)
    assert book.state == AT_MOST and [one.now for one in book.kept if one.process == "sum"] == [None]


# --- at any step, and for a person's choices ----------------------------------------------------------------------


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
