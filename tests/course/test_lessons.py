"""The lessons and the misconceptions that they catch; and files that are not lessons, with the reason."""

import re
from pathlib import Path
from typing import get_args
from urllib.parse import parse_qs, urlsplit

import pytest

from app.algorithms.registry import ALGORITHMS
from app.core.model.notes import Unreachable
from app.core.model.values import BluecutError, Json
from app.course import misconception as belief
from app.course.claim import OF_RUNS, PLACES
from app.course.expression import valued
from app.course.lesson import Lesson, load
from app.course.lesson_list import OWN, by_unit, shelf
from app.course.misconception import beliefs
from app.course.question import Question, grade, same
from app.course.run_facts import Facts, names, ran
from app.course.yaml_forms import Kind, LessonForm
from app.forms.yaml_source import SourceError
from app.scenario.library import LIBRARY

SHELF = shelf()
LESSONS = SHELF.lessons
EACH = pytest.mark.parametrize("lesson", LESSONS, ids=[one.name for one in LESSONS])
QUESTIONS = [(lesson, number) for lesson in LESSONS for number in range(len(lesson.form.questions))]
EVERY = pytest.mark.parametrize(
    ("lesson", "number"), QUESTIONS, ids=[f"{one.name}-{one.form.questions[i].id}" for one, i in QUESTIONS]
)
TRACKS = {
    "class": [1, 2, 3, 4, 6, 11],
    "lectures": [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13],
    "streams": [1, 3, 4, 11, 12, 13, 14],
}


def asked(name: str, question: str) -> Question:
    """Return a question by the names of its lesson and itself."""
    lesson = SHELF.lesson(name)
    assert lesson is not None
    return next(one for one in lesson.questions if one.id == question)


def texts(value: Json) -> list[str]:
    """Return all texts in some values."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, list | tuple):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


def spoken(form: LessonForm, language: str) -> list[str]:
    """Return all that a lesson says in a language."""
    words = [form.title, form.goal, *form.beats, *(knob.says for knob in form.knobs)]
    for one in form.questions:
        words += [one.asks, one.why, *(one.options or {}).values()]
        words += [text for text in (one.hint, one.scene, *(tempt.says for tempt in one.tempting)) if text]
    return [re.sub(r"\{\{.*?\}\}", "1", getattr(text, language)) for text in words]


def test_there_are_fourteen_and_nothing_is_wrong_with_any() -> None:
    assert SHELF.mistakes == ()
    assert [lesson.form.place for lesson in LESSONS] == list(range(1, 15)), "count a new one here"


@pytest.mark.parametrize("track", TRACKS)
def test_a_track_has_its_lessons(track: str) -> None:
    assert [one.form.place for one in LESSONS if track in one.form.tracks] == TRACKS[track], "list a new one in TRACKS"


def test_every_unit_is_a_stretch_of_the_course() -> None:
    units = by_unit(LESSONS)
    assert [name for name, _ in units] == ["why", "algorithm", "beyond", "streams"]
    assert [one for _, mine in units for one in mine] == list(LESSONS), "the places of a unit follow one another"


def test_a_unit_that_there_is_not_is_told_with_those_there_are() -> None:
    text = (OWN / "four-fates.yaml").read_text(encoding="utf-8")
    with pytest.raises(SourceError, match=r"four-fates\.yaml, line 2: unit: .*why.*streams"):
        load(text.replace("unit: algorithm", "unit: logic"), "four-fates.yaml")
    assert load(text.replace("unit: algorithm\n", ""), "four-fates.yaml").form.unit is None


def test_one_class_is_enough_for_its_track() -> None:
    assert sum(one.form.minutes for one in LESSONS if "class" in one.form.tracks) <= 45


@EACH
def test_the_pictures_of_a_set_up_all_differ_and_never_go_back(lesson: Lesson) -> None:
    pictures = [(scene.here, cut) for scene, cut in zip(lesson.scenes, lesson.cuts, strict=True)]
    assert all(picture not in pictures[:i] for i, picture in enumerate(pictures)), "each part has its own"
    mine = [scene.step for scene, beat in zip(lesson.scenes, lesson.form.beats, strict=True) if not beat.run]
    assert mine == sorted(mine)
    assert all(beat.at is not None or beat.cut for beat in lesson.form.beats[1:]), "each part says what it shows"


@EACH
def test_a_lesson_is_short(lesson: Lesson) -> None:
    form = lesson.form
    assert 2 <= len(form.beats) <= 4, "two to four beats"
    assert 3 <= len(form.questions) <= 5, "three to five questions"
    assert 1 <= len(form.knobs) <= 3, "one to three knobs"
    assert 4 <= form.minutes <= 6
    assert 0 <= lesson.begin.step <= len(ran(form.run.scenario, form.run.query).steps)


@EVERY
def test_the_run_answers_and_what_tempts_is_wrong_and_names_a_misconception(lesson: Lesson, number: int) -> None:
    one = lesson.questions[number]
    offered = {option.value for option in one.options}
    assert one.kind == "number" or set([one.answer] if isinstance(one.answer, str) else one.answer) <= offered
    assert grade(one, one.answer).right
    foreseen = {*one.tempting, *one.says}
    assert len(foreseen) == len(lesson.form.questions[number].tempting), "two that tempt are the same"
    for wrong, misconception in one.tempting.items():
        assert not same(one, wrong, one.answer)
        assert grade(one, wrong).misconception == misconception and misconception in beliefs()
    assert 0 <= one.shows <= len(one.run.steps) and 0 <= one.address.step <= len(one.run.steps)
    assert len({option.text.en for option in one.options}) == len(one.options), "two options read the same"


def test_not_always_the_same_place_is_right() -> None:
    choices = [lesson.questions[number] for lesson, number in QUESTIONS if lesson.questions[number].kind == "choice"]
    places = [[option.value for option in one.options].index(str(one.answer)) for one in choices]
    assert all(places.count(place) * 2 < len(places) for place in places)


def test_all_kinds_of_questions_occur() -> None:
    assert {one.kind for lesson in LESSONS for one in lesson.form.questions} == set(get_args(Kind))


@pytest.mark.parametrize(
    ("name", "question", "answer"),
    [
        ("vanishing-token", "none", "0"),
        ("vanishing-token", "two", "2"),
        ("vanishing-token", "nobody", "0"),
        ("which-cut", "crooked", "consistent"),
        ("which-cut", "count", "7"),
        ("blue-figure", "caught", "message"),
        ("blue-figure", "possible", ("at-q", "back")),
        ("four-fates", "live", "66"),
        ("any-graph", "markers", "5"),
        ("any-graph", "unheard", "A"),
        ("state-that-never-was", "when", "none"),
        ("state-that-never-was", "past", "q.1"),
        ("state-that-never-was", "order", ("q.1", "p.1", "p.2", "q.2")),
        ("questions", "poll", "running"),
        ("questions", "caught", "work"),
        ("breaking-promises", "late", "24"),
        ("breaking-promises", "overtake", "12"),
        ("breaking-promises", "colour", "white"),
        ("breaking-promises", "resent", "14"),
        ("paying", "slow", "copies"),
        ("two-cameras", "labelled", "16"),
        ("two-cameras", "regions", "fewer"),
        ("two-cameras", "roles", "state-channel"),
        ("two-cameras", "close", "may-not"),
        ("bug-hunt", "storm", "storm"),
        ("barriers", "aligned", "13"),
        ("barriers", "unnoticed", "36"),
        ("barriers", "twice", "39"),
        ("loops", "stuck", "stuck"),
        ("loops", "forgotten", "18"),
        ("after-the-crash", "restarts", "3"),
        ("after-the-crash", "domino", "start"),
        ("after-the-crash", "visible", "later"),
        ("paying", "newcomer", "14"),
        ("paying", "engine", "real-time"),
        ("paying", "interval", "between"),
    ],
)
def test_the_known_figures_come_out(name: str, question: str, answer: str | tuple[str, ...]) -> None:
    assert asked(name, question).answer == answer


@pytest.mark.parametrize(
    ("name", "question", "says"),
    [
        ("four-fates", "channel", ["1 on k→j", "2 on k→j", "3 on k→j"]),
        ("four-fates", "late", ["3 on N1→N2", "2 on N1→N2"]),
        ("barriers", "overtaken", ["1 on s1→sum", "2 on s1→sum", "10 on s2→sum"]),
        ("loops", "log", ["2 on T→H"]),
        ("which-cut", "orphan", ["m2 on Q→R"]),
    ],
)
def test_the_known_messages_come_out(name: str, question: str, says: list[str]) -> None:
    one = asked(name, question)
    answer = [one.answer] if isinstance(one.answer, str) else one.answer
    assert [one.text(part).en for part in answer] == says


def test_what_the_reasons_say_of_other_runs_is_so() -> None:
    cuts = Facts(ran("which-cut"))
    assert (cuts.consistent_cuts(), cuts.cuts()) == (20, 80)
    assert Facts(ran("non-fifo-lost")).snapshot(1).total == 7
    assert Facts(ran("crash-before-commit")).recovery()["restarts"] == 1
    assert Facts(ran("loop-logged")).live("H") == 21
    assert Facts(ran("born-after")).snapshot(1).total == 10
    assert Facts(ran("barriers-wait")).live("sum") == Facts(ran("barrier-overtakes")).live("sum") == 36


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_wrong_count_of_tokens_leads_to_the_two_moments_and_tells_no_result(lang: str) -> None:
    """The picture of the question shows only the first moment, at which one could count one."""
    lesson = SHELF.lesson("vanishing-token")
    assert lesson is not None and lesson.form.questions[0].id == "none"
    one = lesson.questions[0]
    assert one.hint is not None
    for given in ("1", "2", "7"):
        reason = grade(one, given).reason
        assert reason is not None
        told = getattr(reason, lang)
        assert ("two moments" if lang == "en" else "两") in told and not re.search("no photo|had sent|picture|图", told)
    assert getattr(one.hint, lang) in told, "what nobody foresaw gets the hint"


def test_regions_and_numbered_snapshots_are_compared_with_collecting_counted_for_both() -> None:
    one = asked("two-cameras", "regions")
    regions, numbered = Facts(one.run), Facts(ran("regions-on-a-grid", "algorithm=chandy-lamport"))
    paid, apart = regions.cost(), numbered.cost()
    assert (regions.snapshot(1).markers, regions.snapshot(1).controls, paid.together) == (24, 13, 37)
    assert (apart.controls, apart.collected, apart.together) == (48, 16, 64)
    assert one.why is not None
    assert all(f" {count} " in one.why.en for count in (24, 13, 48, 16)) and "37 in all" in one.why.en
    assert "64 in all" in one.why.en
    knobs = [knob.page for knob in LESSONS[8].form.knobs]
    assert "/compare/regions-on-a-grid?with=chandy-lamport&with=spezialetti-kearns" in knobs


def test_the_crooked_cut_is_no_moment_of_its_run() -> None:
    one = asked("which-cut", "crooked")
    moments = [dict.fromkeys(one.run.system.topology.names, 0)]
    for event in one.run.history.events:
        moments.append(moments[-1] | {event.process: event.index})
    assert one.cut is not None and dict(one.cut) not in moments
    crossing = one.run.history.crossing(dict(one.cut))
    assert {
        name: [one.run.system.program.show(m.payload) for m in messages] for name, messages in crossing.items()
    } == {
        "P->R": ["m3"],
        "Q->P": ["m5"],
    }


def test_nothing_of_the_future_is_drawn_before_the_answer() -> None:
    """A space-time diagram of a run under way draws where its messages will arrive."""
    for lesson in LESSONS:
        for form, one in zip(lesson.form.questions, lesson.questions, strict=True):
            known = one.address.step >= max(
                (seen.completed or 0 for seen in one.run.history.recordings.values()), default=0
            )
            assert form.figure == "stage" or known, f"{lesson.name} {form.id}"


def test_no_step_that_is_shown_says_who_is_never_reached() -> None:
    for asked in (one for lesson in LESSONS for one in lesson.questions):
        if asked.kind == "process" and asked.address.step:
            notes = asked.run.steps[asked.address.step - 1].notes
            assert not any(isinstance(note, Unreachable) for note in notes), asked.id


def test_more_than_one_order_is_right_and_the_one_that_happened_is_not() -> None:
    one = asked("state-that-never-was", "order")
    assert grade(one, ("q.1", "p.1", "q.2", "p.2")).right
    assert grade(one, ("p.1", "q.1", "p.2", "q.2")).misconception == "M2"
    assert not grade(one, ("q.1", "p.2", "p.1", "q.2")).right, "p receives m' only after it sent m"


@EACH
def test_its_knobs_lead_to_pages_that_are_there(lesson: Lesson) -> None:
    for door in lesson.doors:
        parts, query = urlsplit(door).path.split("/")[1:], parse_qs(urlsplit(door).query)
        assert parts[0] in PLACES
        if parts[0] in OF_RUNS or len(parts) > 1:
            assert parts[1] in (ALGORITHMS if parts[0] == "algorithms" else LIBRARY.names())
        if parts[0] == "challenge":
            assert LIBRARY.scenario(parts[1]).form.challenge
        if parts[0] == "compare":
            assert 2 <= len(query["with"]) <= 4 and set(query["with"]) <= set(ALGORITHMS)


# --- the misconceptions -------------------------------------------------------------------------------------------


def test_there_are_twenty_six_and_each_tempts_somewhere() -> None:
    assert list(beliefs()) == [f"M{number}" for number in range(1, 27)]
    caught = {name for lesson in LESSONS for one in lesson.questions for name in one.tempting.values()}
    assert set(beliefs()) - caught == set()


@pytest.mark.parametrize("name", list(beliefs()))
def test_a_misconception_has_a_run_that_shows_it(name: str) -> None:
    one = beliefs()[name]
    run = ran(one.run.scenario, one.run.query)
    step = one.at if isinstance(one.at, int) else valued(one.at, names(Facts(run)))
    assert isinstance(step, int) and 0 < step <= len(run.steps)


# --- the words ----------------------------------------------------------------------------------------------------


@EACH
def test_chinese_is_chinese(lesson: Lesson) -> None:
    for text in spoken(lesson.form, "zh"):
        assert re.search(r"[\u4e00-\u9fff]", text), text
        assert not re.search(r"[,;?!]|[\u4e00-\u9fff][.:]", text), text


def test_the_misconceptions_are_chinese_too() -> None:
    for one in beliefs().values():
        for text in (one.belief.zh, one.remedy.zh):
            assert not re.search(r"[,;?!]|[\u4e00-\u9fff][.:]", text), text


# --- files that are no lessons ------------------------------------------------------------------------------------

GOOD = """\
place: 15
title: {en: One more, zh: 再来一课}
goal: {en: Try it, zh: 试一试}
run: {scenario: queue}
beats:
  - {en: A queue, zh: 一个队列}
questions:
  - id: live
    kind: number
    asks: {en: How much, zh: 多少}
    answer: live('j')
    tempting:
      - {value: "snapshot(1).processes['j']", misconception: M3}
    shows: steps
    why: {en: Because, zh: 因为}
  - id: fate
    kind: choice
    asks: {en: Which, zh: 哪个}
    options:
      channel: {en: There, zh: 那里}
      future: {en: Nowhere, zh: 哪儿也不在}
    answer: fate(sent('k->j')[0])
    why: {en: Because, zh: 因为}
knobs:
  - says: {en: More, zh: 更多}
    run: {scenario: queue}
"""


def test_a_good_file_is_a_lesson() -> None:
    lesson = load(GOOD, "mine.yaml")
    assert lesson.name == "mine" and [one.answer for one in lesson.questions] == ["66", "channel"]
    assert len(lesson.doors) == 1


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("goal:", "goals:", "mine.yaml, line 3: goals: unknown field; did you mean goal?"),
        ("place: 15", "place: first", "mine.yaml, line 1: place: must be a whole number, not 'first'"),
        ("place: 15", "place: 0", "mine.yaml, line 1: place: must be at least 1, not 0"),
        (", zh: 再来一课}", "}", "mine.yaml, line 2: title.zh: missing; it must be given"),
        ("    why: {en: Because, zh: 因为}\n  - id: fate", "  - id: fate", "line 8: questions[0].why: missing"),
        ("kind: number", "kind: guess", "mine.yaml, line 9: questions[0].kind: must be one of number, choice"),
        ("live('j')", "live('j'", "line 11: questions[0].answer: \"live('j'\" is not an expression"),
        ("live('j')", "color('j')", "line 11: questions[0].answer: \"color('j')\" has no value in this run: nothing"),
        (
            "live('j')",
            "live('x')",
            "mine.yaml, line 11: questions[0].answer: no process is called 'x'; known here: i, j, k",
        ),
        (
            "live('j')",
            "\"'lost'\"",
            "line 11: questions[0].answer: gives 'lost', but a question of kind number needs a whole number",
        ),
        ("live('j')", "(1, 2)", "questions[0].answer: gives a list of 2, but a question of kind number needs a whole"),
        ("live('j')", "snapshot()", "questions[0].answer: gives a snapshot, but a question of kind number needs a"),
        ("snapshot(1).processes['j']", "'x'", "tempting[0].value: gives 'x', but a question of kind number needs"),
        ("kind: number", "kind: channel", "questions[0].answer: gives 66, but a question of kind channel knows only"),
        ("kind: number", "kind: set", "questions[0].answer: gives 66, but a question of kind set knows only 0, 1, 2"),
        (
            "kind: number\n    asks: {en: How much, zh: 多少}\n    answer: live('j')",
            "kind: set\n    asks: {en: How much, zh: 多少}\n    answer: sent()[:1] + sent()[:1]",
            "questions[0].answer: gives message 0 (1) several times, but a question of kind set needs it once",
        ),
        (
            "kind: number\n    asks: {en: How much, zh: 多少}\n    answer: live('j')",
            "kind: order\n    offers: sent()\n    asks: {en: How much, zh: 多少}\n    answer: sent()[1:]",
            "questions[0].answer: gives a list of 5, but a question of kind order needs all; without 0",
        ),
        (
            "kind: number\n",
            "kind: order\n    offers: steps\n",
            "line 10: questions[0].offers: gives 16, but must give a list",
        ),
        (
            "kind: number\n    asks: {en: How much, zh: 多少}\n    answer: live('j')",
            "kind: order\n    offers: sent()\n    accepts: givn\n    asks: {en: How, zh: 多}\n    answer: sent()",
            "questions[0].accepts: 'givn' has no value in this run: nothing is called 'givn'; did you mean given?",
        ),
        ("snapshot(1).processes['j']", "live('j')", "line 13: questions[0].tempting[0].value: is the right answer"),
        ("misconception: M3", "misconception: M99", "line 13: questions[0].tempting[0].misconception: no such"),
        ("misconception: M3", "misconception: Three", "questions[0].tempting[0].misconception: must be of the form"),
        ("shows: steps", "shows: steps + 1", "mine.yaml, line 14: questions[0].shows: must be a step of the run, 0"),
        ("shows: steps", "shows: total()", "mine.yaml, line 14: questions[0].shows: must be a step of the run, 0"),
        ("    options:\n      channel: {en: There, zh: 那里}\n", "    options:\n", "questions[1].options: must be at"),
        (
            "sent('k->j')[0]",
            "sent('k->j')[0]) ~ ('s'",
            "questions[1].answer: gives 'channels', but a question of kind choice knows only channel, future",
        ),
        ("id: fate", "id: live", "mine.yaml, line 16: questions[1].id: live is the id of another question, too"),
        (
            "run: {scenario: queue}\nbeats",
            "run: {scenario: qeue}\nbeats",
            "line 4: run.scenario: no scenario is called 'qeue'; did you mean queue?",
        ),
        (
            "run: {scenario: queue}\nbeats",
            "run: {scenario: queue, query: algorithm=x}\nbeats",
            "line 4: run.query: unknown",
        ),
        ("    kind: number\n", "    kind: number\n    at: 99\n", "line 10: questions[0].at: must be a step of the run"),
        ("    kind: number\n", "    kind: number\n    accepts: given\n", "line 10: questions[0].accepts: only for"),
        (
            "    kind: number\n",
            "    kind: number\n    cut: {k: 1}\n",
            "line 10: questions[0].cut: must name each process",
        ),
        ("kind: number", "kind: order", "line 8: questions[0].offers: missing; a question of kind order needs it"),
        ("    run: {scenario: queue}\n", "    page: run/queue\n", "knobs[0].page: must be of the form"),
        ("    run: {scenario: queue}\n", "    page: /\\elsewhere.org\n", "knobs[0].page: must be of the form"),
        ("    run: {scenario: queue}\n", "", "mine.yaml, line 25: knobs[0]: give either run or page"),
        (
            "beats:\n  - {en: A queue, zh: 一个队列}\n",
            "beats: []\n",
            "mine.yaml, line 5: beats: must be at least 1 long",
        ),
        (GOOD, "# nothing yet\n", "mine.yaml, line 1: empty; a lesson has place, title, run, beats, questions, …"),
        (GOOD, "- one\n- two\n", "mine.yaml, line 1: a lesson is a mapping with place, title, run, beats, questions"),
        ("place: 15", "place: [", "mine.yaml, line 3: not YAML"),
    ],
)
def test_a_mistake_is_told_with_its_file_line_and_field(old: str, new: str, says: str) -> None:
    assert old in GOOD

    def whole(text: str) -> object:
        lesson = load(text, "mine.yaml")
        return lesson.begin, lesson.questions, lesson.doors

    with pytest.raises(SourceError) as caught:
        whole(GOOD.replace(old, new, 1))
    assert says in str(caught.value)
    assert str(caught.value).count("mine.yaml") == 1, "said once"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("scenario: queue}", "scenario: nowhere}", "line 5: misconceptions.M1.run.scenario: no scenario is called"),
        ("M1:", "First:", "misconceptions"),
        ("remedy:", "remedys:", "line 4: misconceptions.M1.remedys: unknown field; did you mean remedy?"),
        ("zh: 不}", "cn: 不}", "misconceptions.M1.remedy.cn: unknown field; known here: en, zh"),
    ],
)
def test_a_mistake_among_the_misconceptions_is_told_too(old: str, new: str, says: str) -> None:
    good = "misconceptions:\n  M1:\n    belief: {en: Yes, zh: 是}\n    remedy: {en: No, zh: 不}\n"
    good += "    run: {scenario: queue}\n"
    assert list(belief.load(good, "beliefs.yaml")) == ["M1"] and old in good
    with pytest.raises(SourceError) as caught:
        belief.load(good.replace(old, new, 1), "beliefs.yaml")
    assert says in str(caught.value)


def test_a_wrong_file_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(GOOD.replace("place: 15", "place: 7"), encoding="utf-8")
    (tmp_path / "four-fates.yaml").write_text("place: x\n", encoding="utf-8")
    (tmp_path / "none.yaml").write_text("place: x\n", encoding="utf-8")
    both = shelf((OWN, tmp_path))
    assert [one.name for one in both.lessons if one.form.place == 7] == ["mine", "questions"]
    assert len(both.lessons) == len(LESSONS) + 1
    ours, mistakes = both.lesson("four-fates"), [str(one) for one in both.mistakes]
    assert ours is not None and ours.form.place == 4
    assert [one.split(":")[0] for one in mistakes] == ["four-fates.yaml, line 1", "none.yaml, line 1"]
    assert mistakes[0].endswith("; the built-in lesson of this name is shown instead")
    assert "instead" not in mistakes[1]


def test_a_question_that_cannot_be_asked_says_so_in_both_languages() -> None:
    with pytest.raises(BluecutError) as caught:
        _ = load(GOOD.replace("live('j')", "snapshot(2).total", 1), "mine.yaml").questions
    assert "this run has no snapshot 2; it has 1" in str(caught.value)
