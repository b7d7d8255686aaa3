"""Why wrong answers are wrong: each one is told something of its own, in both languages, and what is said is so."""

import re
from functools import cache

import pytest

from app.core.oracle.history import Event
from app.course.lesson import Lesson, load
from app.course.lesson_list import shelf
from app.course.options import components
from app.course.question import Answer, Question, grade
from app.course.questions import causal
from app.course.questions.card import Subject
from app.course.quiz import KINDS, deck
from app.course.reasons.cut import Cut, of_snapshot
from app.course.reasons.number import number
from app.course.reasons.recording import recorder
from app.course.reasons.state import differs, impossible, overlooked
from app.course.run_facts import Facts, marked, ran
from app.scenario.format import Words
from app.scenario.library import LIBRARY
from app.words.catalogues import LANGUAGES, catalogue
from tests.answering import wrongs
from tests.often import some

LESSONS = shelf().lessons
QUESTIONS = [(lesson, i) for lesson in LESSONS for i in range(len(lesson.form.questions))]
NAMES = [f"{lesson.name}-{lesson.form.questions[i].id}" for lesson, i in QUESTIONS]
EVERY = pytest.mark.parametrize(("lesson", "number"), QUESTIONS, ids=NAMES)
LONGEST = 25
"""So many words may a question have."""

LONGEST_ZH = 45
"""So many characters."""

TELLING = 4
"""Names and single words may occur in a hint."""

EACH_KIND = 3
"""So many questions of each kind are asked about each run of the library."""


def specific(question: Question, answer: Answer) -> Words:
    """What is said of a wrong answer; it must be something, whole, and in both languages."""
    reason = grade(question, answer).reason
    assert reason is not None, f"{question.id}: nothing is said of {answer}"
    for language in LANGUAGES:
        text = getattr(reason, language)
        generic = {catalogue(language)[key] for key in ("asked.wrong", "asked.right", "asked.disorder")}
        assert text.strip() and text not in generic and not re.search(r"\{|\}|None|Words\(", text), text
        assert re.search(r"[.?!。？！”]$", text), text
    assert re.search(r"[\u4e00-\u9fff]", reason.zh) and not re.search(r"[\u4e00-\u9fff]", reason.en)
    return reason


def asked(name: str, question: str) -> Question:
    """A question of ours."""
    lesson = shelf().lesson(name)
    assert lesson is not None
    return next(one for one in lesson.questions if one.id == question)


def said(name: str, question: str, *answer: str) -> str:
    """What is said of a wrong answer with these parts."""
    one = asked(name, question)
    return specific(one, answer if one.many else answer[0]).en


# --- every wrong answer --------------------------------------------------------------------------------------------


@EVERY
def test_every_wrong_answer_of_a_lesson_is_told_why(lesson: Lesson, number: int) -> None:
    question = lesson.questions[number]
    found = [specific(question, answer) for answer in wrongs(question)]
    assert found
    if question.kind in ("choice", "verdict", "process", "channel"):
        assert len({words.en for words in found}) == len(found), "each has its own"


@EVERY
def test_wrong_options_of_a_choice_are_foreseen_by_its_file(lesson: Lesson, number: int) -> None:
    question = lesson.questions[number]
    if question.kind == "choice":
        assert set(question.says) == {one.value for one in question.options} - {question.answer}


@pytest.mark.parametrize("name", some(LIBRARY.names(), 6))
def test_every_wrong_answer_of_the_quiz_is_told_why(name: str) -> None:
    run = ran(name)
    for kind, subjects in deck(run).items():
        for subject in subjects[:EACH_KIND]:
            question = KINDS[kind].ask(run, *subject)
            for answer in wrongs(question):
                specific(question, answer)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("three-banks", "algorithm=lai-yang"),
        ("random-twelve", "algorithm=mattern&seed=5"),
        ("two-labels", "algorithm=merged"),
        ("queue", "algorithm=late-marker"),
        ("random-twelve", "seed=4&discipline=any"),
        ("barriers-wait", "algorithm=unaligned"),
        ("three-banks", "algorithm=no-channels"),
    ],
)
def test_so_is_every_wrong_answer_about_other_runs(name: str, query: str) -> None:
    run = ran(name, query)
    for kind, subjects in deck(run).items():
        for subject in subjects:
            question = KINDS[kind].ask(run, *subject)
            for answer in wrongs(question):
                specific(question, answer)


@cache
def kinds() -> dict[str, tuple[str, Subject]]:
    """By kind of the quiz, a run that has one, and its first subject."""
    found: dict[str, tuple[str, Subject]] = {}
    for name in LIBRARY.names():
        for kind, subjects in deck(ran(name)).items():
            found.setdefault(kind, (name, subjects[0]))
    return found


@pytest.mark.parametrize("kind", list(KINDS))
def test_what_the_quiz_asks_is_short(kind: str) -> None:
    name, subject = kinds()[kind]
    run = ran(name)
    question = KINDS[kind].ask(run, *subject)
    assert len(question.asks.en.split()) <= LONGEST and len(question.asks.zh) <= LONGEST_ZH


@EVERY
def test_a_question_is_short_and_has_a_hint_that_is_not_the_answer(lesson: Lesson, number: int) -> None:
    question = lesson.questions[number]
    assert len(question.asks.en.split()) <= LONGEST and len(question.asks.zh) <= LONGEST_ZH
    assert question.hint is not None and question.why is not None
    for language in LANGUAGES:
        hint = getattr(question.hint, language)
        right = [question.answer] if isinstance(question.answer, str) else question.answer
        texts = [getattr(question.text(part), language) for part in right if question.kind not in ("number", "process")]
        assert hint.strip() and not [text for text in texts if len(text) > TELLING and text in hint]


# --- what is said is so --------------------------------------------------------------------------------------------


def test_the_arrow_that_was_overlooked_is_told_without_its_name() -> None:
    text = said("which-cut", "orphan", "consistent")
    assert text.startswith("Left of the line, R has received a message that Q sends only right of it.")
    assert "m2" not in text


def test_a_message_in_flight_is_no_orphan() -> None:
    one = asked("which-cut", "crooked")
    crossing = [m.identity for queue in one.run.history.crossing(dict(one.cut or {})).values() for m in queue]
    assert len(crossing) == 2
    for message in crossing:
        assert specific(one, str(message)).en.endswith("It is in flight, not an orphan.")
    for other in {option.value for option in one.options} - {"consistent", *map(str, crossing)}:
        assert "in flight" not in specific(one, other).en


def test_of_a_message_too_many_it_is_told_who_had_recorded() -> None:
    assert said("four-fates", "channel", "0", "1", "2", "6") == (
        "k had already recorded when it sent 10 on k→j. For this snapshot, it has not been sent yet."
    )
    text = said("four-fates", "channel", "0", "1")
    assert text == "You left something out: k sends it before recording, and j receives it after recording."


def test_of_a_process_it_is_told_what_it_waits_for() -> None:
    assert said("blue-figure", "next", "P2") == "P2 has recorded already, in step 2."
    assert "P1 puts one on P1→P3 only when it has recorded itself" in said("blue-figure", "next", "P3")
    assert said("any-graph", "unheard", "C") == "C does record, in step 3: a path of channels leads to it from B."
    assert said("any-graph", "unheard", "B") == "B starts the snapshot, so it records first of all."


def test_a_marker_behind_a_message_is_held_up() -> None:
    run = ran("queue")
    assert "it cannot arrive yet (waits: a FIFO channel" not in recorder(run, 1, 3, "j").en
    run = ran("three-banks")
    texts = [recorder(run, 1, step, name).en for step in range(3, 12) for name in run.system.topology.names]
    assert any("cannot arrive yet (waits: a FIFO channel delivers its first message first)" in text for text in texts)


def test_of_a_channel_it_is_told_by_which_marker_it_was_closed() -> None:
    assert said("any-graph", "open", "P1->P2") == (
        "P1→P2 is closed. It brought P2 its first marker, so it was recorded as empty at once, in step 3."
    )


def test_of_an_order_the_first_event_that_cannot_be_there_is_told() -> None:
    assert said("state-that-never-was", "order", "q.1", "p.2", "p.1", "q.2").startswith(
        "p’s own events keep their order"
    )
    assert said("state-that-never-was", "order", "p.1", "p.2", "q.1", "q.2").startswith("In this order the message is")
    missed = said("state-that-never-was", "order", "p.1", "q.1", "q.2", "p.2")
    assert missed.startswith("This order could have happened, but it misses the recorded state: “p sends m")


def test_of_an_event_it_is_told_on_which_side_of_the_cut_it_lies() -> None:
    assert said("state-that-never-was", "past", "p.1").endswith("by then p had already recorded.")


def test_of_an_impossible_state_the_part_is_told_that_is_never_so() -> None:
    assert said("blue-figure", "possible", "at-p", "at-q", "back") == "From here, no run records p with 1."
    assert said("blue-figure", "possible", "going", "at-q", "back") == "From here, no run records T in p→q."
    left = "You left something out. Think of what else can be recorded for q→p."
    assert said("blue-figure", "possible", "at-q") == left


def test_parts_that_are_possible_one_by_one_need_not_be_possible_together() -> None:
    run = ran("token-late")
    one = {"processes": {"p": 0, "q": 1}, "channels": {}}
    two = {"processes": {"p": 0, "q": 0}, "channels": {"q->p": ["T"]}}
    both = {"processes": {"p": 0, "q": 1}, "channels": {"q->p": ["T"]}}
    told = impossible(run, both, [one, two])
    assert told is not None and told.en.startswith("Each part of this state can be recorded, but never all of them")
    assert impossible(run, one, [one, two]) is None and impossible(run, both, []) is None
    assert overlooked(run, two, []) == overlooked(run, two, [two]), "nothing is new where nothing was chosen"
    assert overlooked(run, two, [one]).en.endswith("for q→p.") and differs(run, one, both) == ["q->p"]
    assert components(run, one) == {"p": 0, "q": 1, "p->q": [], "q->p": []}


@pytest.mark.parametrize(
    ("given", "right", "parts", "says"),
    [
        (3, 13, [("1", 1), ("2", 2), ("10", 10)], "That is too little. Did you leave out 10?"),
        (10, 13, [("1", 1), ("2", 2), ("10", 10)], "That is too little. Did you leave out 1, 2?"),
        (15, 13, [("1", 1), ("2", 2), ("10", 10)], "That is too much. Did you count 2 twice?"),
        (26, 13, [("1", 1), ("2", 2), ("10", 10)], "That is twice the right number: each part counts only once."),
        (0, 13, [("p", 0), ("q", 13)], "It is not 0: q alone adds 13."),
        (0, 3, [("1", 1), ("2", 2)], "It is not 0: there is at least the 1."),
        (17, 13, [("1", 1), ("2", 2), ("10", 10)], "17 is too large. Look at the picture and count again."),
        (4, 5, [(name, 1) for name in "abcde"], "That is too few. 5 parts count, each of them once."),
        (6, 5, [(name, 1) for name in "abcde"], "That is too many. Only 5 parts count, each of them once."),
        (4, 5, [], "4 is too small. Look at the picture and count again."),
        (1, 0, [], "1 is too large. Look at the picture and count again."),
    ],
)
def test_of_a_number_it_is_told_what_was_probably_counted(
    given: int, right: int, parts: list[tuple[str, int]], says: str
) -> None:
    assert number(given, right, parts).en == says


def test_a_path_between_events_is_told_by_its_messages() -> None:
    run = ran("which-cut")
    known = {marked(event): event for event in run.history.events}

    def path(left: str, right: str) -> list[str]:
        return [run.system.program.show(m.payload) for m in causal.path(run.history, known[left], known[right])]

    assert path("P.1", "R.1") == ["m1", "m2"] and path("R.2", "P.3") == ["m4", "m5"]
    assert path("Q.2", "R.2") == ["m2"]


def test_a_path_leads_along_lines_and_arrows_only() -> None:
    for name in ("which-cut", "complete", "nobody-notices"):
        history = ran(name).history
        pairs = ((a, b) for a in history.events for b in history.events if a.process != b.process)
        for start, end in ((a, b) for a, b in pairs if history.relation(a, b) == "before"):
            here: Event = start
            for message in causal.path(history, start, end):
                send, arrival = history.sends[message.identity], history.receives[message.identity]
                assert (send.process, here.index <= send.index) == (here.process, True)
                here = arrival
            assert (here.process, here.index <= end.index) == (end.process, True)


def test_an_item_that_is_read_again_counts_where_it_was_read_first() -> None:
    run = ran("barrier-overtakes")
    cut = of_snapshot(run, 1)
    again = [one.id for one in Facts(run).sent("s1->sum") if one.payload == 3]
    assert len(again) == 1 and cut.fate(again[0]) == "later"
    first = cut.before_rollback(again[0])
    assert first != again[0] and cut.fate(first) == "future"
    assert said("barriers", "overtaken", str(again[0])).startswith("s1 had already recorded when it sent 3")


def test_what_a_rollback_took_back_is_in_no_channel() -> None:
    run = ran("domino")
    cut = Cut(run, dict.fromkeys(run.system.topology.names, 0))
    assert run.history.undone and {cut.fate(message) for message in run.history.undone} == {"undone"}
    assert cut.no_member(str(min(run.history.undone))).en.endswith("In this history nobody has sent it.")


def test_a_file_without_reasons_is_a_lesson_all_the_same() -> None:
    text = """\
place: 90
title: {en: One, zh: 一}
goal: {en: One, zh: 一}
run: {scenario: queue}
beats: [{en: One, zh: 一}]
questions:
  - id: who
    kind: process
    asks: {en: Who, zh: 谁}
    answer: next_recorder(3)
    why: {en: Because, zh: 因为}
  - id: which
    kind: choice
    asks: {en: Which, zh: 哪个}
    options: {one: {en: One, zh: 一}, two: {en: Two, zh: 二}}
    answer: "'one' if steps else 'two'"
    why: {en: Because, zh: 因为}
knobs:
  - {says: {en: More, zh: 更多}, page: /lab}
"""
    for question in load(text, "mine.yaml").questions:
        for answer in wrongs(question):
            assert grade(question, answer).reason is None
