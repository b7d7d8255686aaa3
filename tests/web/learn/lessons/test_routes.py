"""Lessons on the server: every page of every lesson in both languages, every answer judged, nothing told before."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient

from app.core.model.values import BluecutError
from app.course.lesson_list import OWN, shelf
from app.course.misconception import beliefs
from app.course.question import NONE, Answer, Question, grade
from app.web.app import Settings, create_app
from app.web.shared.given_answer import Given
from tests.answering import wrong
from tests.often import pairs
from tests.until import until

LESSONS = tuple(file.stem for file in sorted(OWN.glob("*.yaml")))
LANGUAGES = ("en", "zh")
KINDS = Path(__file__).parents[3] / "course" / "lessons"
"""A folder with lessons that have every kind of question."""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield one server for all: the runs of the lessons are made once."""
    with TestClient(create_app(Settings(data=tmp_path_factory.mktemp("data"), lessons_in=(KINDS,)))) as client:
        yield client


@pytest.fixture
def server(running: TestClient) -> TestClient:
    """Return the server, which has forgotten the language of the last test."""
    running.cookies.clear()
    return running


def questions(server: TestClient, lesson: str) -> tuple[Question, ...]:
    found = server.app.state.lessons.shelf().lesson(lesson)  # type: ignore[attr-defined]
    assert found is not None
    asked: tuple[Question, ...] = found.questions
    return asked


def parts(answer: Answer) -> list[str]:
    return [answer] if isinstance(answer, str) else list(answer)


def bare(page: str) -> str:
    """The text of a page, in which the terms of the glossary are no links."""
    return re.sub(r'<a class="term"[^>]*>([^<]*)</a>', r"\1", unescape(page))


def judged(server: TestClient, lesson: str, question: Question, answer: Answer, lang: str, **more: str) -> str:
    query = [("lang", lang), *(("answer", part) for part in parts(answer) or [NONE] * question.ticked), *more.items()]
    page = server.get(f"/lessons/{lesson}/{question.id}?{urlencode(query)}")
    assert page.status_code == 200, page.text
    return bare(page.text)


def test_the_list_shows_all_lessons_in_order_and_a_track_some_of_them(server: TestClient) -> None:
    page = server.get("/lessons").text
    found = re.findall(r'data-lesson="([a-z0-9-]+)"', page)
    assert found == [one.name for one in shelf((OWN, KINDS)).lessons] and set(LESSONS) < set(found)
    some = re.findall(r'data-lesson="([a-z0-9-]+)"', server.get("/lessons?track=class").text)
    assert some == [one.name for one in shelf().lessons if "class" in one.form.tracks]
    assert f"{len(found)} lessons of about six minutes" in page
    assert page.count("· your own</p>") == len(found) - len(LESSONS) == 2
    assert "消息的四种命运" in server.get("/lessons?lang=zh").text
    assert re.findall(r'data-lesson="([a-z0-9-]+)"', server.get("/lessons?track=nonsense").text) == found
    units = re.findall(r'id="unit-([a-z]+)">([^<]+) <span>([0-9–]+)', server.get("/lessons?lang=en").text)
    assert [name for name, _, _ in units] == ["why", "algorithm", "beyond", "streams", "own"]
    assert [span for *_, span in units][:4] == ["1–2", "3–6", "7–10", f"11–{len(LESSONS)}"]


def test_a_lesson_is_carried_out_by_hand_and_an_illegal_move_is_refused(server: TestClient) -> None:
    begin = unescape(server.get("/lessons/blue-figure/by-hand?track=class").text)
    assert 'value="record:P2"' in begin and "hand-refused" not in begin and "3 of 6" in begin
    told = unescape(server.get("/lessons/blue-figure/by-hand?m=record:P1&m=record:P2").text)
    assert "Refused:</b> no marker has reached P2 yet." in told and 'name="m" value="record:P1"' in told
    assert 'type="hidden" name="m" value="record:P2"' not in told, "a refused move is not kept"
    assert re.search(r'data-message="\d+" visibility="hidden"', told), "nobody has put the marker there yet"
    piece = server.get("/lessons/blue-figure/by-hand?m=record:P1&m=record:P2", headers={"hx-request": "true"})
    assert piece.text.startswith("<div") and piece.headers["hx-push-url"] == "/lessons/blue-figure/by-hand?m=record:P1"
    assert server.get("/lessons/blue-figure/by-hand?m=fly:P1").status_code == 400
    assert server.get("/lessons/four-fates/by-hand").status_code == 404
    assert "Now by hand" in server.get("/lessons/blue-figure/still?answer=0").text


def test_by_hand_a_taken_marker_is_at_its_process_and_a_channel_is_open_until_it_is_closed(server: TestClient) -> None:
    moves = ["record:P1", "mark:P1->P2", "take:P1->P2", "record:P2", "close:P1->P2"]

    def stage(count: int) -> str:
        return bare(server.get("/lessons/blue-figure/by-hand", params={"m": moves[:count]}).text)

    def apart(count: int) -> float:
        """How far the marker is from P2."""
        places = (
            re.search(rf'{name}"[^>]*translate\(([0-9.]+)', stage(count))
            for name in ('data-process="P2', 'data-message="1')
        )
        process, marker = (float(found[1]) for found in places if found)
        return process - marker

    assert apart(2) > 150 and 50 < apart(3) < 80
    ask = "A marker has reached P2. What does P2 do first?"
    assert [ask in stage(count) for count in (2, 3, 4)] == [False, True, False]
    assert ["The blue sheet is P2’s" in stage(count) for count in (2, 3, 4)] == [False, False, True]
    assert 'visibility="hidden" data-kind="marker"' in stage(1) and 'visibility="hidden"' not in stage(3)
    trays = [re.findall(r'data-channel="P1->P2" data-mode="(\w+)"', stage(count))[0] for count in (4, 5)]
    assert trays == ["recording", "recorded"]


def test_barriers_are_aligned_by_hand_in_the_part_of_the_stage_that_matters(server: TestClient) -> None:
    here = "/lessons/barriers/by-hand"
    begin = unescape(server.get(here).text)
    assert 'value="hold:map->sum"' in begin and "Forward the barrier on sum→out" in begin
    assert 'data-process="out"' in begin and 'viewBox="0 0 888.9' not in begin
    moves = ["take:map->sum"] * 2 + ["hold:map->sum"]
    told = unescape(server.get(here, params={"m": [*moves, "take:map->sum"]}).text)
    assert "Refused:</b> map→sum is held." in told and "1 of 2 barriers have arrived. Held: map→sum" in told
    moves += ["take:odd->sum"] * 2 + ["record:sum", "mark:sum->out", "release:map->sum"]
    done = unescape(server.get(here, params={"m": moves}).text)
    assert "The checkpoint is complete." in done and "✓</b> consistent" in done and "✕" not in done
    run = re.search(r'href="(/run/crash-both-ways[^"]*)"', done)
    assert run and server.get(run[1]).status_code == 200
    assert "Now by hand" in server.get("/lessons/barriers/which?answer=going-on").text
    chinese = unescape(server.get(here, params={"m": ["take:map->sum"] * 3, "lang": "zh"}).text)
    assert "不行：</b> map→sum 的屏障到了。请先暂停这个输入" in chinese


def test_the_recovery_line_is_drawn_by_hand(server: TestClient) -> None:
    here = "/lessons/after-the-crash/by-hand"
    begin = unescape(server.get(here).text)
    assert "0 of 3 processes have their place" in begin and 'value="back:Q.2"' in begin and "data-past" not in begin
    wrong = unescape(server.get(here, params={"m": ["back:P.2", "stay:Q", "stay:R"]}).text)
    assert "Not yet:</b> m4 would be an orphan" in wrong and "data-past" in wrong
    assert re.findall(r'value="([^"]*)"[^>]* aria-pressed="true"', wrong) == ["back:P.2", "stay:Q", "stay:R"]
    assert "Refused:</b> P has crashed" in unescape(server.get(f"{here}?m=stay:P").text)
    done = unescape(server.get(here, params={"m": ["back:P.2", "stay:Q", "stay:R", "back:Q.2"]}).text)
    assert "This is the recovery line" in done and "Events lost: 5." in done and 'value="stay:Q" id' not in done
    chinese = unescape(server.get(here, params={"m": ["back:P.2", "stay:Q", "stay:R"], "lang": "zh"}).text)
    assert "还不对：</b> m4 会成为孤儿" in chinese
    assert server.get(f"{here}?m=back:P.9").status_code == 400


def test_a_track_is_kept_from_page_to_page(server: TestClient) -> None:
    mine = [one for one in shelf().lessons if "class" in one.form.tracks]
    assert [one.form.place for one in mine] == [1, 2, 3, 4, 6, 11]
    assert "lectures" in next(one for one in shelf().lessons if one.form.place == 7).form.tracks
    listed = server.get("/lessons?track=class").text
    assert 'href="/lessons/blue-figure?track=class"' in listed
    for page in ("", "?q=next", "/next?answer=P1&", "?end=1"):
        joined = "" if page.endswith("&") else "&" if "?" in page else "?"
        told = unescape(server.get(f"/lessons/blue-figure{page}{joined}track=class").text)
        assert "3 of 6 in One class of 45 minutes" in told and 'href="/lessons?track=class"' in told
        inside = re.findall(r'href="(/lessons/[^"]*)"', told.split("<article")[1])
        assert inside and all("track=class" in link for link in inside)
    end = unescape(server.get("/lessons/four-fates?end=1&track=class").text)
    assert "6. The state that never was" in end and "One from lesson" in end  # lesson 5 is not in it
    assert "3 of 6" not in server.get("/lessons/blue-figure?track=nonsense").text


def test_every_lesson_ends_with_a_sentence_to_remember_and_no_answers_before(server: TestClient) -> None:
    for one in shelf().lessons:
        assert one.form.remember is not None, f"{one.name}: remember"
        for lang in LANGUAGES:
            end = unescape(server.get(f"/lessons/{one.name}?end=1&lang={lang}").text)
            plain = re.sub(r"<[^>]+>", "", end)
            assert getattr(one.form.remember, lang) in plain
            assert ('id="old"' in end) == (one.form.place > 1)
    told = json.loads(end.split('id="data-told">')[1].split("</script>")[0])
    assert list(told) == [asked.id for asked in one.form.questions]
    end = server.get("/lessons/state-that-never-was?end=1").text
    order = json.loads(end.split('id="data-told">')[1].split("</script>")[0])["order"]
    assert order[3].count(" → ") == 3 and order[4] == " → "


@pytest.mark.parametrize(("lesson", "lang"), pairs([*LESSONS, "all-kinds", "more-kinds"], LANGUAGES, 11))
def test_a_lesson_is_judged_by_its_runs_and_tells_nothing_before(server: TestClient, lesson: str, lang: str) -> None:
    form = server.app.state.lessons.shelf().lesson(lesson).form  # type: ignore[attr-defined]
    begin = bare(server.get(f"/lessons/{lesson}?lang={lang}").text)
    assert getattr(form.title, lang) in begin and all(getattr(beat, lang) in begin for beat in form.beats)
    end = unescape(server.get(f"/lessons/{lesson}?end=1&lang={lang}").text)
    assert all(getattr(knob.says, lang) in end for knob in form.knobs)
    for question in questions(server, lesson):
        asked = bare(server.get(f"/lessons/{lesson}?q={question.id}&lang={lang}").text)
        assert question.why is not None
        why = getattr(question.why, lang)
        assert getattr(question.asks, lang) in asked and "<svg" in asked
        assert question.scene is None or getattr(question.scene, lang) in asked
        assert why not in asked and 'id="graded"' not in asked and "data-right" not in asked.split("<article")[1][400:]
        assert f"step={question.shows}" not in asked or question.shows == question.address.step

        right = judged(server, lesson, question, question.answer, lang)
        assert 'data-right="1"' in right and why in right

        for tempting, name in question.tempting.items():
            told = judged(server, lesson, question, tempting, lang)
            belief = beliefs()[name]
            assert 'data-right="0"' in told and why not in told
            assert getattr(belief.belief, lang) in told and getattr(belief.remedy, lang) in told
            assert f'data-belief="{name}"' in told

        other = wrong(question)
        told = judged(server, lesson, question, other, lang)
        assert 'data-right="0"' in told and why not in told and "show=1" in told
        if (reason := grade(question, other).reason) is not None:
            assert f'<p class="graded-reason">{getattr(reason, lang)}</p>' in told
        assert "data-frame" not in told and 'class="asked-where"' not in told, "another try is possible"
        shown = judged(server, lesson, question, other, lang, show="1")
        assert 'data-right="0"' in shown and 'data-shown="1"' in shown and why in shown
        if question.cut is None and question.figure != "events":
            assert f'data-frame="{question.address.path("embed")}?' in shown and f"to={question.shows}" in shown
        else:
            assert "data-frame" not in shown and ('href="/cuts/' in shown or question.cut is None)


def test_a_wrong_set_says_how_much_is_wrong_and_which_only_when_it_is_shown(server: TestClient) -> None:
    told = unescape(server.get("/lessons/all-kinds/set?answer=0&answer=1").text)
    graded = told.split('id="graded"')[1]
    assert "Missing: 1." in graded and "3 on k→j" not in graded and "asked-right" not in told
    assert "Too many" not in graded
    shown = unescape(server.get("/lessons/all-kinds/set?answer=0&answer=1&show=1").text)
    graded = shown.split('id="graded"')[1]
    assert "Missing: 1." not in graded and "<p>Missing: " in graded and "3 on k→j" in graded
    chinese = server.get("/lessons/all-kinds/set?answer=0&answer=1&lang=zh").text
    assert "缺少 1 项。" in chinese


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_whole_lesson_is_printed_with_the_answers_apart(server: TestClient, lang: str) -> None:
    for name in ("which-cut", "state-that-never-was", "bug-hunt"):
        lesson = server.app.state.lessons.shelf().lesson(name)  # type: ignore[attr-defined]
        link = re.search(r'href="(/lessons/[^"]*/print[^"]*)"', server.get(f"/lessons/{name}?q=&lang={lang}").text)
        assert link is not None
        page = server.get(unescape(link[1])).text
        ids = re.findall(r' id="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        sheet, answers = unescape(page).split('<article class="sheet">')[1:]
        for beat in lesson.form.beats:
            assert getattr(beat, lang) in sheet
        for one in lesson.questions:
            assert getattr(one.asks, lang) in bare(sheet) and getattr(one.why, lang) not in bare(sheet)
            assert one.saying(one.answer, lang) in answers and getattr(one.why, lang) in answers
        assert ("One such order:" in answers) == (name == "state-that-never-was" and lang == "en")
    assert "/lessons/vanishing-token/print" in server.get("/teach").text


def test_the_printed_answers_name_every_orphan_and_the_letters_of_the_options(server: TestClient) -> None:
    answers = re.sub("<[^>]*>", "", unescape(server.get("/lessons/all-kinds/print").text).split("sheet-head")[2])
    assert " ".join(answers.split("Question 6")[1].split()).startswith("B or C m1 on P→Q or m2 on Q→R See")


def test_the_player_in_a_page_has_an_address_without_scripts(server: TestClient) -> None:
    frame = re.search(r"<iframe[^>]*>", server.get("/lessons/all-kinds?end=1").text)
    assert frame is not None and ' src="/embed/' in frame[0] and 'loading="lazy"' in frame[0]


def test_the_answer_is_the_run_at_the_step_that_shows_it(server: TestClient) -> None:
    """Without scripts the picture is that step; with them the run plays there, and the frame circles what decides."""
    asked = server.get("/lessons/vanishing-token?q=none").text
    assert 'class="pin' not in asked and "data-frame" not in asked and "Nothing has happened yet." in asked
    shown = unescape(server.get("/lessons/vanishing-token/none?answer=1&show=1").text)
    assert _pin(shown) == "You said 1 counted 0"
    assert "Nothing has happened yet." not in shown and "<b>Step 3.</b>p is photographed." in shown
    address = shown.split('data-frame="')[1].split('"')[0]
    assert address.startswith("/embed/photographs-none?") and "to=3&circle=copy:p&circle=copy:q" in address
    frame = server.get(address).text
    assert 'data-to="3" data-circle="copy:p copy:q"' in frame
    assert "data-to" not in server.get("/embed/photographs-none").text
    live = server.get("/lessons/vanishing-token/none?answer=0", headers={"hx-request": "true"}).text
    assert 'data-judged="now"' in live and "data-frame" in live and "Nothing has happened yet." in live


def test_after_a_wrong_answer_the_picture_stays_and_what_was_named_wrongly_is_circled(server: TestClient) -> None:
    def picture(path: str) -> tuple[str, str]:
        head, _, rest = server.get(path).text.split('class="asked-pictures')[1].partition(">")
        return head, rest.split("</article>")[0].split('id="asked"')[0]

    for lesson, one, wrongly, circled in (
        ("vanishing-token", "none", "answer=1", ""),
        ("blue-figure", "next", "answer=P3", "P3"),
        ("any-graph", "open", "answer=P1-%3EP2", "P1-&gt;P2"),
        ("which-cut", "orphan", "answer=2", "2"),
        ("which-cut", "orphan", "answer=consistent", ""),
        ("all-kinds", "set", "answer=0&answer=7", "7"),
    ):
        _, asked = picture(f"/lessons/{lesson}?q={one}")
        head, told = picture(f"/lessons/{lesson}/{one}?{wrongly}")
        assert told == asked, "nothing that the answer would be seen by"
        assert head.startswith(" missed") and f'data-circle="{circled}"' in head and "data-frame" not in head


@pytest.mark.parametrize(
    ("lang", "named", "answer"), [("en", "One such order", "Answer:"), ("zh", "一种可行的顺序", "正确答案：")]
)
def test_only_an_order_that_is_one_of_several_is_called_so(
    server: TestClient, lang: str, named: str, answer: str
) -> None:
    """The order of the run drawn is another one, and must not be called what it says."""
    asked = next(one for one in questions(server, "state-that-never-was") if one.id == "order")
    real, right = [one.value for one in asked.options], list(asked.answer)

    def rows(told: str) -> list[tuple[str, str]]:
        return sorted((place, value) for value, place in re.findall(r'data-value="([^"]+)".*data-place="(\d)"', told))

    def order(given: list[str], **more: str) -> str:
        return judged(server, "state-that-never-was", asked, tuple(given), lang, **more)

    shown = order(real, show="1")
    assert shown.count(named) == 2 and answer not in shown and 'class="pin' not in shown
    assert [value for _, value in rows(shown)] == right
    assert '<fieldset class="asked-field" disabled>' in shown
    other = [right[0], right[1], *reversed(right[2:])]
    accepted = order(other)
    assert 'data-right="1"' in accepted and named not in accepted and [value for _, value in rows(accepted)] == other
    chosen = next(one for one in questions(server, "which-cut") if one.id == "clocks")
    shown = judged(server, "which-cut", chosen, "nothing", lang, show="1")
    assert shown.count(answer) == 2 and named not in shown


def _pin(told: str) -> str:
    pin = re.sub(r"<[^>]+>", "", told.split('<p class="pin')[1].split("</p>")[0].partition(">")[2])
    return " ".join(pin.split())


def test_no_page_depends_on_the_answer_before_it_is_given(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = server.app.state.lessons.shelf().lesson("all-kinds")  # type: ignore[attr-defined]
    before = {one.id: server.get(f"/lessons/all-kinds?q={one.id}").text for one in lesson.questions}
    changed = tuple(replace(one, answer=wrong(one), shows=0, why=None, tempting={}) for one in lesson.questions)
    monkeypatch.setitem(lesson.__dict__, "questions", changed)
    for one in changed:
        if one.kind != "order":  # what is to be put in order must not stand in order
            assert server.get(f"/lessons/all-kinds?q={one.id}").text == before[one.id]


def test_what_is_to_be_put_in_order_does_not_stand_in_order(server: TestClient) -> None:
    order = next(one for one in questions(server, "all-kinds") if one.kind == "order")
    page = server.get(f"/lessons/all-kinds?q={order.id}").text
    shown = re.findall(r'data-value="([^"]+)"', page)
    assert sorted(shown) == sorted(order.answer) and not grade(order, tuple(shown)).right


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("number?answer=many", "write a whole number"),
        ("number", "write a whole number"),
        ("choice?answer=nonsense", "'nonsense' was not offered"),
        ("choice", "choose one"),
        ("choice?answer=kept&answer=lost", "choose one"),
        ("order?answer=p.1", "put all 4 in order"),
        ("set?place=1:0&place=1:1", "two have the same place"),
        ("set?place=first:0", "must be NUMBER"),
        ("set?answer=0&answer=0", "each part only once"),
    ],
)
def test_what_is_no_answer_is_refused_in_a_sentence(server: TestClient, asked: str, told: str) -> None:
    page = server.get(f"/lessons/all-kinds/{asked}")
    assert page.status_code == 400
    text = unescape(page.text)
    assert told in text and 'id="asked"' in text and "data-right" not in text.split('id="asked"')[1]
    chinese = unescape(server.get(f"/lessons/all-kinds/{asked}", headers={"accept-language": "zh"}).text)
    assert told not in chinese and "graded-refused" in chinese


def test_a_place_of_more_digits_than_python_reads_is_refused() -> None:
    with pytest.raises(BluecutError, match="place: must be NUMBER:VALUE"):
        Given((), (f"{'9' * 5_000}:0",)).parts()


def test_without_scripts_places_are_numbers(server: TestClient) -> None:
    order = next(one for one in questions(server, "all-kinds") if one.kind == "order")
    places = [("place", f"{number}:{value}") for number, value in enumerate(order.answer, 1)]
    assert 'data-right="1"' in server.get(f"/lessons/all-kinds/order?{urlencode(places[::-1])}").text
    page = server.get("/lessons/all-kinds/set?place=&place=2:2&place=1:1&place=").text
    assert 'data-right="0"' in page and 'data-given="[&#34;1&#34;,&#34;2&#34;]"' in page


def test_htmx_gets_the_question_alone_and_the_address_of_the_same_page(server: TestClient) -> None:
    asked = "/lessons/all-kinds/number?answer=1&presenter=1"
    piece = server.get(asked, headers={"hx-request": "true"})
    assert "<html" not in piece.text and 'id="asked"' in piece.text and "hx-swap-oob" in piece.text
    address = piece.headers["hx-push-url"]
    assert address == "/lessons/all-kinds/number?presenter=1&answer=1"
    whole = server.get(address).text
    assert "<html" in whole and 'data-right="0"' in whole
    refused = server.get("/lessons/all-kinds/number?answer=x", headers={"hx-request": "true"})
    assert refused.status_code == 400 and "hx-push-url" not in refused.headers and "graded-refused" in refused.text
    assert 'value="x"' in refused.text


def test_a_presenter_may_see_the_answer_first_and_nobody_else(server: TestClient) -> None:
    why = "One on each <a"
    assert why not in server.get("/lessons/all-kinds?q=number&presenter=1").text
    shown = server.get("/lessons/all-kinds/number?presenter=1&show=1").text
    assert why in shown and "data-right" not in shown.split('id="asked"')[1].split(">")[0]
    assert why not in server.get("/lessons/all-kinds/number?show=1").text
    links = server.get("/lessons/all-kinds?q=number&presenter=yes&lang=zh").text
    assert "/lessons/all-kinds?q=choice&amp;lang=zh&amp;presenter=1" in links
    assert '<body class="presenting">' in links
    assert '<body class="presenting">' not in server.get("/lessons/all-kinds?q=number&presenter=no").text


def test_a_cut_that_is_asked_about_is_drawn_and_what_it_does_only_afterwards(server: TestClient) -> None:
    asked = server.get("/lessons/all-kinds?q=verdict").text
    assert 'data-cut="0"' in asked and 'data-fate="orphan"' not in asked and "data-handle" not in asked
    verdict = next(one for one in questions(server, "all-kinds") if one.kind == "verdict")
    assert 'data-fate="orphan"' in judged(server, "all-kinds", verdict, verdict.answer, "en")


def test_a_cut_that_is_asked_about_is_shown_with_its_orphan_and_can_be_moved(server: TestClient) -> None:
    told = server.get("/lessons/which-cut/orphan?answer=consistent&show=1").text
    where = told.split('id="asked-pictures"')[1].split('id="asked"')[0]
    assert 'data-fate="orphan"' in where and re.search(r'href="/cuts/which-cut\?cut=1(,|%2C)1(,|%2C)1&amp;v=', where)
    assert 'data-circle="1"' in where
    assert 'data-kind="marker"' not in told, "nothing was recorded along this cut"
    cuts = server.get("/cuts/which-cut?cut=1,1,1").text
    assert 'data-fate="orphan"' in cuts


def test_a_set_up_can_show_the_events_and_draw_the_cuts_of_its_beats(server: TestClient) -> None:
    begin = server.get("/lessons/which-cut").text.split("<article")[1]
    parts = begin.split('<li class="beat')[1:]
    assert [part.count('class="asked-picture drawn asked-time"') for part in parts] == [1, 1, 1]
    assert ['data-cut="0"' in part for part in parts] == [False, True, True] and 'data-fate="orphan"' in parts[2]
    assert 'data-kind="marker"' not in begin and "snapshot 1" not in unescape(begin)
    assert 'class="term" href="/glossary#' in begin.split("beat-words")[1]


def test_nothing_is_ringed_while_a_question_is_open(server: TestClient) -> None:
    ring = re.compile(r'stroke="#E69F00" stroke-width="3"/>')
    fresh = server.get("/lessons/any-graph?q=open").text
    wrong_one, right = (server.get(f"/lessons/any-graph/open?answer={name}").text for name in ("P1->P2", "P3->P1"))
    assert not ring.search(fresh) and not ring.search(wrong_one) and ring.search(right)


def test_the_code_is_beside_the_question_and_says_what_has_changed(server: TestClient) -> None:
    first = server.get("/lessons/bug-hunt?q=storm").text
    assert 'class="asked-code"' in first and "self.queue.get()" in first and "<del>" not in first
    order = unescape(server.get("/lessons/bug-hunt?q=order").text)
    assert 'class="asked-code"' not in order, "the lines are the options"
    gone, new = re.findall(r'<del class="asked-text">([^<]*)</del>', order), order.count("asked-new")
    assert 'if message == "maker":' in gone and new >= 1
    assert len(gone) == order.count("asked-gone") and 'value="node-if-maker"' not in order
    last = unescape(server.get("/lessons/bug-hunt?q=green").text)
    assert "<ins>channel, message = self.receive()</ins>" in last and "<del>message = self.queue.get()</del>" in last


@pytest.mark.parametrize(
    ("lesson", "question", "lettered"),
    [
        ("which-cut", "orphan", True),
        ("state-that-never-was", "past", True),
        ("state-that-never-was", "when", True),
        ("any-graph", "open", False),
        ("blue-figure", "next", False),
        ("bug-hunt", "order", False),
    ],
)
def test_options_have_letters_where_they_have_no_names(
    server: TestClient, lesson: str, question: str, lettered: bool
) -> None:
    page = server.get(f"/lessons/{lesson}?q={question}").text
    assert 'class="beside asked-options' in page and (" asked-lettered" in page) == lettered


def test_a_global_state_is_a_small_picture(server: TestClient) -> None:
    page = server.get("/lessons/blue-figure?q=possible").text
    pictures = re.findall(r'<span class="asked-text asked-state drawn">(<svg .*?</svg>)', page, re.S)
    assert [re.findall(r">([^<>\n]+)</text>", one) for one in pictures] == [
        ["p", "T", "q"],
        ["p", "q", "T"],
        ["p", "q", "T"],
        ["p", "q", "T"],
    ]
    assert [re.findall(r'data-held="([^"]*)"', one) for one in pictures] == [[], ["p-&gt;q"], [], ["q-&gt;p"]]
    assert "p: 0 · q: 1; nothing in flight" in server.get("/lessons/blue-figure/possible?answer=at-q").text


def test_what_is_not_there_is_told(server: TestClient) -> None:
    page = server.get("/lessons/nope")
    assert page.status_code == 404 and "no lesson is called" in page.text
    page = server.get("/lessons/all-kinds?q=nope")
    assert page.status_code == 404 and "it has number" in page.text
    assert server.get("/lessons/all-kinds/nope?answer=1").status_code == 404


def test_mistakes_in_files_are_told_with_line_and_field_and_the_rest_works(tmp_path: Path) -> None:
    good = (KINDS / "all-kinds.yaml").read_text(encoding="utf-8")
    (tmp_path / "good.yaml").write_text(good, encoding="utf-8")
    (tmp_path / "typing.yaml").write_text(good.replace("place: 90", "place: 91\ntitel: x"), encoding="utf-8")
    (tmp_path / "loops.yaml").write_text("", encoding="utf-8")
    (tmp_path / "asking.yaml").write_text(good.replace("snapshot(1).markers", "snapshot(7).markers"), encoding="utf-8")
    with TestClient(create_app(Settings(data=tmp_path / "data", lessons_in=(tmp_path,)))) as client:
        client.app.state.lessons.settled()  # type: ignore[attr-defined]
        page = unescape(client.get("/lessons").text)
        assert "loops.yaml, line 1: empty; a lesson has place" in page and 'data-lesson="loops"' in page
        assert "the built-in lesson of this name is shown instead" in page
        assert "typing.yaml, line 2: titel: unknown field" in page
        assert re.search(r"asking\.yaml, line \d+: questions\[0\]\.answer: this run has no snapshot 7", page)
        assert re.findall(r'data-lesson="(good|typing|asking)"', page) == ["good"]

        (tmp_path / "typing.yaml").write_text(good.replace("place: 90", "place: 95"), encoding="utf-8")
        (tmp_path / "asking.yaml").unlink()
        until(lambda: 'data-lesson="typing"' in client.get("/lessons").text)  # files are looked at beside requests
        page = client.get("/lessons").text
        assert re.findall(r'data-lesson="(good|typing|asking)"', page) == ["good", "typing"]
        assert "line 2" not in page


def test_a_run_leads_to_the_lessons_of_its_scenario(server: TestClient) -> None:
    link = '<a href="/lessons/four-fates">Lesson 4: Four fates of a message</a>'
    assert link in server.get("/run/queue").text
    assert 'href="/lessons/four-fates">Lesson 4' in server.get("/run/queue/step/3").text
    assert "/lessons/four-fates?lang=zh" in server.get("/run/queue?lang=zh").text
    assert "/lessons/four-fates" not in server.get("/challenge/late-marker").text


def test_the_gallery_leads_to_the_lesson_of_a_shelf(server: TestClient) -> None:
    assert server.get("/scenarios").text.count('class="taught"') == len(LESSONS)
    assert '<a href="/lessons/barriers">' in server.get("/scenarios?lesson=11").text


def test_a_phone_shows_the_whole_queue_that_a_question_is_about(server: TestClient) -> None:
    page = server.get("/lessons/four-fates?q=channel").text
    phone = page.split('class="drawn-phone"')[1].split("</svg>")[0]
    assert phone.count("data-message=") == 7, "six payments and the marker"


def in_words(page: str) -> list[str]:
    """The descriptions of the pictures on a page."""
    found = re.findall(r'<ul class="unseen" aria-label="[^"]*">(.*?)</ul>\n', unescape(page), re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in found]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("/lessons/which-cut?q=orphan", "Step 1: sends m1 to Q Here the cut crosses the line."),
        ("/lessons/blue-figure?q=next", "recorded for snapshot 1: "),
        ("/lessons/any-graph?q=open", "being recorded, so far: 2"),
        ("/lessons/which-cut", "Step 1: sends m1 to Q"),
        ("/quiz/three-banks", "N1: 5; recorded for snapshot 1: 5"),
        ("/run/three-banks/step/7", "in flight, the first to arrive first: 3, 2, marker 1"),
    ],
)
def test_pictures_are_told_in_words(server: TestClient, url: str, said: str) -> None:
    assert said in " ".join(in_words(server.get(url).text))
    server.cookies.clear()
    chinese = in_words(server.get(f"{url}{'&' if '?' in url else '?'}lang=zh").text)
    assert chinese and not re.search("Step|recorded|flight", " ".join(chinese))


def test_the_words_of_a_picture_do_not_tell_the_answer(server: TestClient) -> None:
    before = in_words(server.get("/lessons/which-cut?q=orphan").text)
    assert before and not any("orphan" in each for each in before)
    after = in_words(server.get("/lessons/which-cut/orphan?answer=consistent&show=1").text)
    assert any("receives orphan m2 from Q" in each for each in after)
    for name in ("past", "order"):
        hidden = in_words(server.get(f"/lessons/state-that-never-was?q={name}").text)
        assert hidden and not any("records" in each for each in hidden)


def test_an_exercise_by_hand_tells_only_what_was_done(server: TestClient) -> None:
    begun, sent = (
        in_words(server.get(f"/lessons/blue-figure/by-hand?lang=en&m=record:P1{more}").text)[0]
        for more in ("", "&m=mark:P1-%3EP2")
    )
    assert "P1: X1=1, Y1=2, Z1=3; recorded for snapshot 1: X1=1" in begun
    assert "Empty channels: P1→P2" in begun and "Channel P1→P2: in flight: marker 1" in sent
    (line,) = in_words(server.get("/lessons/after-the-crash/by-hand?lang=en").text)
    assert "Step 3: saves its state" in line and "recovery line" not in line and "cut" not in line
    (near,) = in_words(server.get("/lessons/barriers/by-hand?lang=en").text)
    assert "in flight, the first to arrive first: 100, barrier 1, 200" in near
