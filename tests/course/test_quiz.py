"""Questions about any run: what they ask, and that their answers are those of the run."""

import itertools
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from app.core.kernel.enabled import enabled
from app.core.model.notes import Blocked, Closed, Opened, Received, Recorded, Restored, Sent, Unblocked
from app.core.model.values import APP, MARKER, Deliver
from app.core.oracle.history import RECEIVE, SEND
from app.course.misconception import beliefs
from app.course.phrases import both, joined
from app.course.question import CONSISTENT, Question, answered, grade
from app.course.questions.card import app_messages
from app.course.quiz import KINDS, ROUND, Asked, asked, deck, eased, order, quiz, rank
from app.course.run_facts import ran
from app.run.run import Run, final, record, snapshot
from app.scenario.format import LONGEST_TEXT
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.wire.run_url import Address
from app.wire.scenario_link import scenario_in, unpacked
from app.words.catalogues import catalogue, readable
from tests.benchmarks.expensive import SCENARIOS
from tests.often import some

FIRST = 24
"""How many questions of each scenario are checked here."""


@cache
def questions(name: str, query: str = "", *, kind: str = "", most: int = FIRST) -> tuple[Question, ...]:
    """Return the first questions of a run, or all of one kind."""
    run = ran(name, query)
    kinds = (kind,) if kind else ()
    count = sum(len(subjects) for each, subjects in deck(run).items() if kind in ("", each))
    here = Address(name, run.scenario, run.key)
    found = [quiz(run, here, number, kinds) for number in range(count if kind else min(most, count))]
    return tuple(one for one in found if one is not None)


def kind_of(question: Question) -> str:
    """Return the kind, with which the id begins."""
    return question.id.split("-")[0]


def values(answer: str | tuple[str, ...]) -> list[str]:
    """Return an answer as a form sends it."""
    return [answer] if isinstance(answer, str) else list(answer)


# --- every scenario ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", some(LIBRARY.names(), 9))
def test_every_question_about_every_scenario_can_be_answered_and_is_told_in_both_languages(name: str) -> None:
    found = questions(name)
    assert found, "each scenario has something to ask"
    for one in found:
        assert grade(one, answered(one, values(one.answer))).right
        for wrong, belief in one.tempting.items():
            judged = grade(one, answered(one, values(wrong)))
            assert (judged.right, judged.misconception) == (False, belief)
            assert belief in beliefs()
        offered = [option.value for option in one.options]
        assert (len(set(offered)) == len(offered) and len(offered) <= 12) or one.kind == "process"
        assert one.kind == "number" or set(values(one.answer)) <= set(offered)
        texts = [option.text.en for option in one.options]
        assert len(set(texts)) == len(texts), "people can tell the options apart"
        assert 0 <= one.address.step <= len(one.run.steps) and 0 <= one.shows <= len(one.run.steps)
        for words in (one.asks, one.why, one.hint, *(option.text for option in one.options)):
            assert words is not None and words.en.strip() and words.zh.strip()
            assert re.search(r"\{[a-z]+\}", words.en + words.zh) is None, "every field is filled"


@pytest.mark.parametrize("name", some(LIBRARY.names(), 6))
def test_the_picture_comes_before_what_is_asked_about(name: str) -> None:
    ahead = {"recorder", "content", "opened", "blocked", "missing", "restored", "live", "check", "total"}
    for one in questions(name):
        if kind_of(one) in ahead and one.figure == "stage":
            assert one.address.step < one.shows or one.shows == 0


@pytest.mark.parametrize("name", ["queue", "barriers-wait", "domino-stopped", "ring-five"])
def test_no_question_comes_twice_while_there_are_others_and_no_kind_follows_itself(name: str) -> None:
    found = deck(ran(name))
    count = sum(map(len, found.values()))
    first, second = order(found, 0), order(found, 1)
    assert len(set(first)) == count == len(first)
    assert sorted(map(repr, first)) == sorted(map(repr, second))
    assert first != second or count <= len(found) + 1
    walk = [kind for kind, _ in (*first, *second)]
    left = Counter(walk[:count])
    for i, kind in enumerate(walk[:count]):
        left[kind] -= 1
        others = any(number for other, number in left.items() if other != kind)
        if i + 1 < count and others:
            assert walk[i + 1] != kind
    assert walk[count] != walk[count - 1] or len(found) == 1


def asked_of(name: str, most: int) -> list[Asked]:
    run = ran(name)
    here = Address(name, run.scenario, run.key)
    count = sum(map(len, deck(run).values()))
    found = [asked(run, here, number) for number in range(min(most, count))]
    return [one for one in found if one is not None]


@pytest.mark.parametrize("name", some(LIBRARY.names(), 9))
def test_the_questions_of_a_round_go_from_easy_to_hard_and_are_those_of_the_lap(name: str) -> None:
    found = asked_of(name, 2 * ROUND)
    lap = order(deck(ran(name)), 0)
    for begin in range(0, len(found), ROUND):
        mine = found[begin : begin + ROUND]
        assert Counter((one.kind, one.subject) for one in mine) == Counter(lap[begin : begin + ROUND])
        if len({one.kind for one in mine}) == len(mine) and (not begin or found[begin - 1].kind != mine[0].kind):
            free = [one for one in mine if one is not mine[0]]  # the first may not be of the kind before
            assert [rank(one) for one in free] == sorted(rank(one) for one in free)
        assert all(one.kind != other.kind for one, other in itertools.pairwise(mine)) or any(
            2 * many > len(mine) for many in Counter(one.kind for one in mine).values()
        )


def test_a_round_begins_with_what_is_seen_and_ends_with_the_run_as_a_whole() -> None:
    for name in ("blue-figure", "three-banks", "queue"):
        levels = [KINDS[one.kind].LEVEL for one in asked_of(name, ROUND)]
        assert levels == sorted(levels) and (levels[0], levels[-1]) == (1, 3), name


def test_kinds_take_turns_where_one_is_frequent() -> None:
    run = ran("blue-figure")
    every = {kind: asked(run, Address("blue-figure", run.scenario, run.key), 0, [kind]) for kind in ("verdict", "ever")}
    hard, easy = every["ever"], every["verdict"]
    assert hard is not None and easy is not None
    assert [
        one.kind for one in eased([easy._replace() for _ in range(3)] + [hard._replace() for _ in range(2)], "")
    ] == [*("verdict", "ever") * 2, "verdict"]


def test_the_same_number_is_the_same_question() -> None:
    run = ran("three-banks")
    here = Address("three-banks", run.scenario, run.key)
    for number in (0, 7, 68, 69, 5_000, 999_999):
        left, right = quiz(run, here, number), quiz(run, here, number)
        assert left is not None and right is not None
        facts = [(one.id, one.asks, one.answer, one.options, one.address.step, one.cut) for one in (left, right)]
        assert facts[0] == facts[1]


def test_every_kind_is_asked_somewhere_and_has_a_name_and_a_hint() -> None:
    seen = {kind for name in LIBRARY.names() for kind in deck(ran(name))}
    assert seen == set(KINDS) and len(KINDS) == 20
    named = {f"quiz.{word}.{name}" for name in KINDS for word in ("kind", "hint")}
    assert named <= set(catalogue("en"))


def test_only_the_kinds_that_are_wanted_are_asked() -> None:
    assert {kind_of(one) for one in questions("queue", kind="causal")} == {"causal"}
    assert questions("queue", kind="restored") == ()


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("three-banks", "algorithm=lai-yang"),
        ("random-twelve", "algorithm=mattern"),
        ("two-labels", "algorithm=merged"),
        ("queue", "algorithm=late-marker"),
        ("random-twelve", "seed=4&discipline=any"),
        ("queue", "choices=0:1&drain=1"),
        ("queue", "manual=1"),
        ("barriers-wait", "algorithm=unaligned"),
    ],
)
def test_other_runs_of_a_scenario_can_be_asked_about_too(name: str, query: str) -> None:
    for one in questions(name, query):
        assert grade(one, answered(one, values(one.answer))).right


def test_of_a_run_in_which_nothing_happens_nothing_is_asked() -> None:
    run = ran("alone", "manual=1")
    assert len(run.steps) == 0
    assert quiz(run, Address("alone", run.scenario, run.key), 0) is None


# --- the answers, computed again -----------------------------------------------------------------------------------


def all_of(kind: str, *names: str) -> list[Question]:
    """Return all questions of a kind about some scenarios; there must be some."""
    found = [one for name in names for one in questions(name, kind=kind)]
    assert found
    return found


def recorded_at(run: Run, number: int) -> dict[str, int]:
    """By process, the step in which it recorded for a snapshot."""
    return {
        note.process: step.number
        for step in run.steps
        for note in step.notes
        if isinstance(note, Recorded) and note.snapshot == number
    }


def test_who_records_next_is_who_does() -> None:
    for one in all_of("recorder", "blue-figure", "queue", "ring", "star", "three-guarantees", "mattern"):
        names = [note.process for note in one.run.steps[one.address.step].notes if isinstance(note, Recorded)]
        assert names == [one.answer]


def test_what_is_recorded_in_a_channel_was_sent_before_and_received_after() -> None:
    for one in all_of(
        "content", "blue-figure", "queue", "three-banks", "lai-yang-accounts", "mattern", "random-twelve"
    ):
        run, (number, channel) = one.run, subject_of(one)
        ends, at = run.system.topology.channels[channel], recorded_at(run, number)
        notes = [(step.number, note) for step in run.steps for note in step.notes]
        app = [(k, n) for k, n in notes if isinstance(n, Sent | Received) and n.message.kind == APP]
        there = [(k, n) for k, n in app if isinstance(n, Sent) and n.channel == channel]
        sent = [n.message.identity for k, n in there if k < at[ends.source]]
        before = [n.message.identity for k, n in app if isinstance(n, Received) and k < at[ends.target]]
        assert sorted(one.answer) == sorted(str(i) for i in sent if i not in before)


def subject_of(question: Question) -> tuple[Any, ...]:
    """Return what a question is about, by its number among those of its kind."""
    kind, number = question.id.rsplit("-", 1)
    found = asked(question.run, question.address, int(number), [kind])
    assert found is not None and found.question.answer == question.answer
    return found.subject


def test_a_cut_is_consistent_where_no_message_arrives_in_it_before_it_is_sent() -> None:
    verdicts = set()
    for one in all_of("verdict", "which-cut", "queue", "complete", "nobody-notices"):
        run, cut = one.run, one.cut
        assert cut is not None
        sends = {e.message.identity: e for e in run.history.events if e.kind == SEND and e.message}
        orphans = [
            str(e.message.identity)
            for e in run.history.events
            if e.kind == RECEIVE and e.message and e.index <= cut[e.process]
            if sends[e.message.identity].index > cut[sends[e.message.identity].process]
        ]
        assert (one.answer == CONSISTENT) == (not orphans)
        verdicts.add(one.answer == CONSISTENT)
        for orphan in orphans:
            assert grade(one, orphan).right
    assert verdicts == {True, False}


def test_what_crosses_a_cut_leaves_its_past_and_does_not_arrive_in_it() -> None:
    for one in all_of("crossing", "which-cut", "queue", "state-that-never-was"):
        cut, events = one.cut or {}, one.run.history.events
        sent = {str(e.message.identity) for e in events if e.kind == SEND and e.message and e.index <= cut[e.process]}
        got = {str(e.message.identity) for e in events if e.kind == RECEIVE and e.message and e.index <= cut[e.process]}
        assert sorted(one.answer) == sorted(sent - got)


def reaches(run: Run, left: tuple[str, int], right: tuple[str, int]) -> bool:
    """Does a path along lines and arrows lead from one event to another?"""
    events = run.history.events
    sends = {e.message.identity: (e.process, e.index) for e in events if e.kind == SEND and e.message}
    edges: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for e in events:
        edges.setdefault((e.process, e.index - 1), []).append((e.process, e.index))
        if e.kind == RECEIVE and e.message:
            edges.setdefault(sends[e.message.identity], []).append((e.process, e.index))
    todo, seen = [left], {left}
    while todo:
        for after in edges.get(todo.pop(), []):
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return right in seen


def event(text: str) -> tuple[str, int]:
    """Return an event as PROCESS.INDEX."""
    name, index = text.rsplit(".", 1)
    return name, int(index)


def test_which_event_came_first_is_what_ways_along_lines_and_arrows_say() -> None:
    answers = set()
    for one in all_of("causal", "which-cut", "complete", "nobody-notices"):
        left, right = (event(str(part)) for part in subject_of(one))
        forth, back = reaches(one.run, left, right), reaches(one.run, right, left)
        assert one.answer == ("before" if forth else "after" if back else "beside")
        answers.add(one.answer)
    assert answers == {"before", "after", "beside"}


def test_the_past_of_an_event_is_from_where_a_way_leads_to_it() -> None:
    for one in all_of("past", "which-cut", "queue"):
        (text,) = subject_of(one)
        here = event(str(text))
        assert sorted(one.answer) == sorted(o.value for o in one.options if reaches(one.run, event(o.value), here))


def test_markers_are_those_that_were_put_on_channels() -> None:
    for one in all_of(
        "markers", "ring-five", "star", "two-labels", "lai-yang-accounts", "barriers-wait", "marker-doubled"
    ):
        (number,) = subject_of(one)
        notes = [note for step in one.run.steps for note in step.notes if isinstance(note, Sent)]
        markers = [n for n in notes if n.message.kind == MARKER and n.message.snapshot == number]
        assert one.answer == str(len(markers))


def test_the_total_is_that_of_the_recorded_processes_and_channels() -> None:
    for one in all_of("total", "queue", "three-banks", "late-marker", "non-fifo-lost", "non-fifo-doubled"):
        (number,) = subject_of(one)
        told = snapshot(one.run, number)
        assert one.answer == str(sum(told["processes"].values()) + sum(map(sum, told["channels"].values())))


def test_what_a_process_ends_with_is_what_it_has_after_the_last_step() -> None:
    for one in all_of("live", "queue", "three-banks", "blue-figure", "state-that-never-was"):
        name, _ = subject_of(one)
        end = final(one.run.system, one.run.end)["processes"][name]
        assert one.text(str(one.answer)).en == readable(end, "en")
    (queue,) = all_of("live", "queue")
    assert (queue.answer, queue.tempting["0"]) == ("66", "M9")


def test_inputs_are_held_back_from_when_they_are_blocked_until_they_are_not() -> None:
    for one in all_of("blocked", "barriers-wait", "nobody-notices", "rollback-of-seven", "given-up-blocks-nobody"):
        (step,) = subject_of(one)
        held: dict[str, None] = {}
        mine = next(n.process for n in one.run.steps[step - 1].notes if isinstance(n, Received))
        for note in (note for done in one.run.steps[:step] for note in done.notes):
            if isinstance(note, Blocked) and note.process == mine:
                held[note.channel] = None
            elif isinstance(note, Unblocked) and note.process == mine:
                held.pop(note.channel, None)
            elif isinstance(note, Restored):
                held = {}
        assert sorted(one.answer) == sorted(held)


def test_channels_are_recorded_from_when_they_are_opened_until_they_are_closed() -> None:
    for one in all_of("opened", "queue", "complete", "two-labels", "ring-five"):
        (step,) = subject_of(one)
        number = next(note.snapshot for note in one.run.steps[step - 1].notes if isinstance(note, Recorded))
        notes = [note for done in one.run.steps[:step] for note in done.notes]
        opened = [n.channel for n in notes if isinstance(n, Opened) and n.snapshot == number]
        closed = [n.channel for n in notes if isinstance(n, Closed) and n.snapshot == number]
        assert sorted(one.answer) == sorted(name for name in opened if name not in closed)


def test_a_barrier_is_missing_where_it_arrives_later_or_never() -> None:
    for one in all_of("missing", "barriers-wait", "given-up-blocks-nobody", "crash-both-ways"):
        (step,) = subject_of(one)
        arrived = next(n for n in one.run.steps[step - 1].notes if isinstance(n, Received) and n.message.kind == MARKER)
        inputs = one.run.system.topology.processes[arrived.process].inputs
        came = [
            n.channel
            for done in one.run.steps[:step]
            for n in done.notes
            if isinstance(n, Received) and (n.message.kind, n.message.snapshot) == (MARKER, arrived.message.snapshot)
        ]
        assert sorted(one.answer) == sorted(name for name in inputs if name not in came)


def test_events_are_inside_a_cut_that_happened_before_their_process_recorded() -> None:
    for one in all_of("inside", "queue", "widget-trade", "lai-yang-accounts", "two-starters"):
        number, name = subject_of(one)
        at = recorded_at(one.run, number)[name]
        mine = [e for e in one.run.history.events if e.process == name]
        assert sorted(one.answer) == sorted(f"{name}.{e.index}" for e in mine if e.step < at)


def test_messages_are_on_their_way_that_were_sent_and_not_received() -> None:
    for one in all_of("flight", "which-cut", "low-watermark", "lossy-network", "slow-marker"):
        (step,) = subject_of(one)
        assert sorted(one.answer) == sorted(
            {str(m.identity) for queue in one.run.world(step).queues.values() for m in queue if m.kind == APP}
        )


def test_what_can_arrive_is_what_the_kernel_lets_arrive() -> None:
    for one in all_of("arrival", "queue", "barriers-wait", "patience-ends", "causal-token"):
        (step,) = subject_of(one)
        possible = enabled(one.run.system, one.run.world(step))
        wanted = [f"{action.channel} {action.position}" for action in possible if isinstance(action, Deliver)]
        assert sorted(one.answer) == sorted(wanted)


def test_what_is_put_back_is_what_the_whole_system_went_back_to() -> None:
    for one in all_of("restored", "barriers-wait", "three-guarantees", "micro-batch"):
        step, name = subject_of(one)
        (note,) = [note for note in one.run.steps[step - 1].notes if isinstance(note, Restored)]
        view = one.run.system.program.view(dict(note.states)[name])
        assert one.text(str(one.answer)).en == (readable(view, "en") or "–")


def test_the_state_that_never_was_never_was() -> None:
    (never,) = all_of("ever", "state-that-never-was")
    (once,) = all_of("ever", "wall-clock-lucky")
    assert (never.answer, never.tempting, once.answer) == ("no", {"yes": "M2"}, "yes")


def test_a_broken_snapshot_that_adds_up_tempts_to_call_it_consistent() -> None:
    found = [one for one in all_of("check", "errors-that-cancel") if one.asks.en.startswith("Will the cut")]
    assert [(one.answer, one.tempting) for one in found] == [("fails", {"holds": "M24"})]


@pytest.mark.parametrize("more", [0, 1])
def test_a_text_about_a_run_with_long_names_is_cut_at_2_000_characters(more: int) -> None:
    made = both(lambda _: "x" * (LONGEST_TEXT + more))
    assert len(made.en) == LONGEST_TEXT and made.en.endswith("…") == bool(more)
    assert joined(made, made).zh == made.zh[:-1] + "…"


@pytest.mark.slow
def test_questions_about_a_run_with_very_long_names_are_asked() -> None:
    run = record(scenario_in(unpacked(SCENARIOS["complete 12, long names"])), RunKey(seed=3))
    here = Address("long", run.scenario, RunKey(seed=3))
    assert all(quiz(run, here, number) for number in range(ROUND))


def test_what_is_in_flight_is_told_in_the_order_of_the_channels_whatever_the_hash_seed() -> None:
    run = record(LIBRARY.scenario("random-twelve"))
    many = max(range(len(run.steps) + 1), key=lambda step: len(app_messages(run, step)))
    told = list(app_messages(run, many))
    assert len(told) > 5
    assert told == sorted(told, key=list(run.system.topology.channels).index)
