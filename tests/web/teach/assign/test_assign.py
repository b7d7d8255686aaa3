"""A class does an assignment: made, answered, handed in and judged, in both languages, without scripts."""

import csv
import html
import io
import re
from urllib.parse import parse_qsl

import pytest
from fastapi.testclient import TestClient

from app.course.assignment import assignment, grading
from app.course.assignment.assignment import Assignment, sheet
from app.course.assignment.handed_in import strings
from app.course.question import CONSISTENT, NONE, Question, grade, parts
from app.course.quiz import quiz
from app.course.run_facts import ran
from app.web.base import limits
from app.web.teach.assign import paper, reading
from app.wire.run_url import Address
from app.words.catalogues import word
from tests.each import each

ITEMS = ("entry:three-banks", "every", "total:ring", "content:queue", "live:three-banks", "lesson:four-fates:live")
KEY = "of-the-teacher"
ASKED = "title=Week+3&seed=7&" + "&".join(f"q={item}" for item in ITEMS)
QUERY = f"{ASKED}&for={assignment.owner(KEY)}"
OWN = f"{ASKED}&key={KEY}"
GIVEN = Assignment("Week 3", 7, ITEMS, assignment.owner(KEY))


def questions(client: TestClient, name: str) -> list[Question]:
    return sheet(GIVEN, name, client.app.state.lessons.shelf().lesson)  # type: ignore[attr-defined]


def right(client: TestClient, name: str) -> dict[str, list[str]]:
    """Return the form of somebody who knows everything."""
    asked = questions(client, name)
    return {f"answer-{at}": list(parts(one.answer)) or [NONE] * one.ticked for at, one in enumerate(asked, 1)}


def done(client: TestClient, name: str, form: dict[str, list[str]], query: str = QUERY) -> str:
    """Hand in a form; return the signed string."""
    answer = client.post(f"/assign/sheet?lang=en&{query}", data={"name": name, "done": "1", **form})
    assert answer.status_code == 200, answer.text
    (found,) = strings(answer.text)
    return found


def judged(client: TestClient, text: str, query: str = OWN) -> list[dict[str, str]]:
    """Judge strings; return the table."""
    answer = client.post(f"/assign/read?lang=en&{query}", data={"text": text, "as": "csv"})
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))


def test_an_assignment_is_made_by_choosing_and_its_links_ask_it(client: TestClient) -> None:
    page = client.get("/assign?lang=en&title=Week+3&seed=7&q=entry:ring&q=every&add=total:ring&drop=2").text
    links = [html.unescape(one) for one in re.findall(r'href="(/assign/(?:sheet|read|paper)[^"]*)"', page)]
    assert len(links) == 3
    for one in links:
        assert [value for name, value in parse_qsl(one.partition("?")[2]) if name == "q"] == [
            "entry:ring",
            "total:ring",
        ]
        assert client.get(one).status_code == 200


def test_what_students_get_opens_neither_the_answers_nor_the_key(client: TestClient) -> None:
    for page in ("read", "paper"):
        assert client.get(f"/assign/{page}?lang=en&{QUERY}").status_code == 400
    made = client.get(f"/assign?lang=en&{OWN}").text
    (link,) = {html.unescape(one) for one in re.findall(r'href="(/assign/sheet[^"]*)"', made)}
    assert assignment.owner(KEY) in link and KEY not in link
    assert KEY not in client.get(link).text + client.post(link, data={"name": "Ann"}).text
    assert KEY not in client.get(f"/assign?lang=en&{QUERY}").text


def test_nobody_answers_under_the_name_of_a_sheet_of_paper(client: TestClient) -> None:
    for name in (f"{paper.PAPER}3", f" {paper.PAPER} 3"):
        page = client.post(f"/assign/sheet?lang=en&{QUERY}", data={"name": name}).text
        assert 'name="name" value="3"' in page
    assert [one.address for one in questions(client, "3")] != [
        one.address for one in questions(client, f"{paper.PAPER}3")
    ]


def test_a_lesson_can_be_drawn_from_as_long_as_it_has_questions(client: TestClient) -> None:
    drawn = 'name="add" value="lesson:loops"'
    assert drawn in client.get("/assign?lang=en&q=lesson:loops&q=lesson:loops").text
    page = client.get("/assign?lang=en&q=lesson:loops&q=lesson:loops&q=lesson:loops").text
    assert drawn not in page and page.count("one of its questions, drawn for each person") == 3
    sheet_link = html.unescape(re.findall(r'href="(/assign/sheet[^"]*)"', page)[0])
    pages = {client.post(sheet_link, data={"name": name}).text.count("assign-question") for name in ("Ann", "Bob")}
    assert pages == {3}


def test_without_a_seed_each_assignment_has_its_own(client: TestClient) -> None:
    seeds = {re.search(r'name="seed" value="(\d+)"', client.get("/assign").text)[1] for _ in range(4)}  # type: ignore[index]
    assert len(seeds) > 1


@each(
    "query",
    [
        "",
        "q=nothing",
        "q=entry:no-such",
        "q=entry:star",
        "q=lesson:four-fates:none",
        "q=lesson:none",
        "q=lesson:loops&q=lesson:loops&q=lesson:loops&q=lesson:loops",
        "q=every:ring",
        *[],
    ],
)
def test_a_link_that_asks_nothing_says_so(client: TestClient, query: str) -> None:
    for page in ("sheet", "read", "paper"):
        answer = client.get(f"/assign/{page}?lang=en&for=me&key=mine&{query}")
        assert answer.status_code == 400 and "q:" in answer.text


@each("language", ["en", "zh"])
def test_everybody_gets_the_same_questions_about_other_runs(client: TestClient, language: str) -> None:
    ann, again, bob = (
        client.post(f"/assign/sheet?lang={language}&{QUERY}", data={"name": name}).text
        for name in ("Ann Lee", "  ann  LEE ", "Bob")
    )
    assert ann.count('class="assign-question"') == len(ITEMS) == bob.count('class="assign-question"')
    offered = [re.findall(r'name="answer-1"[^>]*>[^<]*<span[^>]*>([^<]*)', page) for page in (ann, again, bob)]
    assert offered[0] == offered[1] != offered[2] and offered[0]
    ids = re.findall(r' id="([^"]+)"', ann)
    assert len(ids) == len(set(ids))


def test_who_knows_everything_has_everything_right(client: TestClient) -> None:
    (row,) = judged(client, done(client, "Ann", right(client, "Ann")))
    assert (row["name"], row["right"], row["questions"], row["remark"]) == ("Ann", "6", "6", "")
    assert {row[f"q{at}"] for at in range(1, 7)} == {"1"}


def test_what_is_left_open_is_told_and_counts_as_not_right(client: TestClient) -> None:
    form = right(client, "Ann") | {"answer-3": [""], "answer-1": []}
    answer = client.post(f"/assign/sheet?lang=en&{QUERY}", data={"name": "Ann", "done": "1", **form})
    assert "4 of 6 answered" in answer.text and "Left open: 2" in answer.text
    (row,) = judged(client, answer.text)
    assert row["right"] == "4" and row["q1"] == row["q3"] == "" and row["q2"] == "1"


def test_what_was_answered_is_there_to_be_corrected(client: TestClient) -> None:
    form = right(client, "Ann")
    page = client.post(f"/assign/sheet?lang=en&{QUERY}", data={"name": "Ann", "done": "1", **form}).text
    kept = [
        (name, html.unescape(value)) for name, value in re.findall(r'type="hidden" name="(.*?)" value="(.*?)"', page)
    ]
    assert kept == [("name", "Ann"), *((name, value) for name, values in form.items() for value in values)]
    again: dict[str, list[str]] = {}
    for name, value in kept:
        again.setdefault(name, []).append(value)
    sheet = client.post(f"/assign/sheet?lang=en&{QUERY}", data=again)
    assert sheet.status_code == 200 and 'name="done"' in sheet.text
    checked = re.findall(r'name="(answer-\d+)" value="(.*?)"[^>]* checked', sheet.text)
    assert checked and all(html.unescape(value) in form[name] for name, value in checked)


def test_a_sheet_opens_without_a_reproach_whatever_it_asks(client: TestClient) -> None:
    own = f"/assign/sheet?lang=en&q=lesson:state-that-never-was:order&for={assignment.owner(KEY)}"
    sheet = client.post(own, data={"name": "Ann"})
    assert sheet.status_code == 200 and "cannot be read" not in sheet.text


def test_an_answer_that_is_none_is_asked_again_and_the_others_stay(client: TestClient) -> None:
    form = right(client, "Ann") | {"answer-3": ["seven"]}
    answer = client.post(f"/assign/sheet?lang=en&{QUERY}", data={"name": "Ann", "done": "1", **form})
    assert answer.status_code == 400 and not strings(answer.text)
    assert "write a whole number" in answer.text and 'value="seven"' in answer.text
    assert answer.text.count(" checked") == sum(len(form[f"answer-{at}"]) for at in (1, 2, 4))


def test_the_same_text_comes_as_a_file(client: TestClient) -> None:
    string = done(client, "Ann", right(client, "Ann"))
    answer = client.post(f"/assign/sheet?{QUERY}", data={"string": string})
    assert answer.text.strip() == string and "attachment" in answer.headers["content-disposition"]
    assert client.post(f"/assign/sheet?{QUERY}", data={"string": string[:-1] + "!"}).status_code == 400


def test_every_change_of_a_string_is_noticed(client: TestClient) -> None:
    string = done(client, "Ann", right(client, "Ann"))
    for at in range(len("bluecut-1."), len(string), 7):
        changed = string[:at] + ("A" if string[at] != "A" else "B") + string[at + 1 :]
        (row,) = judged(client, changed)
        assert row["right"] == "" and "did not sign" in row["remark"]
    (row,) = judged(client, string[: len(string) // 2])
    assert "did not sign" in row["remark"]


@pytest.mark.parametrize("end", ["\n", " \r\n", "\n> ", " \r\n> > ", "=\r\n"])
@pytest.mark.parametrize("width", [4, 20, 76])
def test_a_mail_may_break_and_quote_the_lines_of_a_string(client: TestClient, end: str, width: int) -> None:
    ann, bob = (done(client, name, right(client, name)) for name in ("Ann Müller", "鲍勃"))
    mails = [end.join(each[at : at + width] for at in range(0, len(each), width)) for each in (ann, bob)]
    mail = f"Dear all,{end}{mails[0]}{end}Ann wrote:{end}{mails[1]}{end}Bye"
    assert strings(mail) == [ann, bob]
    assert [(row["name"], row["right"]) for row in judged(client, mail)] == [("Ann Müller", "6"), ("鲍勃", "6")]


def test_who_sent_half_a_string_is_named(client: TestClient) -> None:
    ann = done(client, "Ann Müller", right(client, "Ann Müller"))
    (row,) = judged(client, ann[: len(ann) // 2])
    assert row["name"] == "Ann Müller" and row["right"] == ""


def test_another_server_signs_otherwise(client: TestClient, alone: TestClient) -> None:
    string = done(alone, "Ann", right(alone, "Ann"))
    assert judged(alone, string)[0]["right"] == "6"
    assert "did not sign" in judged(client, string)[0]["remark"]


@each("query", [OWN.replace("seed=7", "seed=8"), OWN.replace("q=every&", ""), OWN.replace(KEY, "of-a-student")])
def test_answers_to_another_assignment_are_not_judged(client: TestClient, query: str) -> None:
    string = done(client, "Ann", right(client, "Ann"))
    (row,) = judged(client, string, query)
    assert row["name"] == "Ann" and row["right"] == "" and "another assignment" in row["remark"]


@pytest.mark.slow
def test_who_copies_the_answers_of_another_is_found_and_nobody_else(client: TestClient) -> None:
    names = [f"Person {at}" for at in range(12)]
    forms = {name: right(client, name) for name in names}
    offered = [{option.value for option in one.options} for one in questions(client, "Cheat")]
    theirs = {
        field: [one for one in values if not offered[at] or one in offered[at]]
        for at, (field, values) in enumerate(forms["Person 3"].items())
    }
    text = "\n".join(done(client, name, form) for name, form in (*forms.items(), ("Cheat", theirs)))
    rows = {row["name"]: row for row in judged(client, text)}
    assert "the sheet of Person 3" in rows["Cheat"]["remark"]
    assert not [name for name in names if rows[name]["remark"]]


def test_the_last_answers_of_a_person_count_and_the_others_are_told(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = done(client, "Ann", right(client, "Ann") | {"answer-3": ["1"]})
    monkeypatch.setattr("time.time", lambda: 1_000_000_000.0)  # meanwhile the clock of the machine is set back
    monkeypatch.setattr("time.time_ns", lambda: 1_000_000_000 * 10**9)
    late = done(client, "ANN", right(client, "ANN"))
    monkeypatch.undo()
    for text in (f"{late}\n> {early}\n{early}", f"{early}\n{late}"):
        (row,) = judged(client, text)
        assert (row["name"], row["right"], row["times"]) == ("ANN", "6", "2")
    assert row["handed in (UTC)"] == "2001-09-09 01:46"


def test_a_name_is_never_a_formula(client: TestClient) -> None:
    (row,) = judged(client, done(client, "=1+1", right(client, "=1+1")))
    assert row["name"] == "'=1+1"


def test_a_name_is_needed_and_not_too_long(client: TestClient) -> None:
    for name in ("", " \u200b ", "x" * 61):
        answer = client.post(f"/assign/sheet?lang=en&{QUERY}", data={"name": name})
        assert answer.status_code == 400 and "name:" in answer.text


def test_a_page_shows_who_was_wrong_where_and_escapes_names(client: TestClient) -> None:
    form = right(client, "<b>Bo") | {"answer-3": ["1"]}
    text = done(client, "<b>Bo", form)
    page = client.post(f"/assign/read?lang=en&{OWN}", data={"text": f"Dear teacher, {text}."}).text
    assert "&lt;b&gt;Bo" in page and "<b>Bo" not in page and "5/6" in page
    assert client.post(f"/assign/read?lang=en&{OWN}", data={"text": "nothing"}).status_code == 400


def test_only_our_own_page_reads_answers(client: TestClient) -> None:
    answer = client.post(f"/assign/read?{OWN}", data={"text": ""}, headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403


def test_paper_has_numbered_sheets_and_a_key_to_them(client: TestClient) -> None:
    sheets = client.get(f"/assign/paper?lang=en&{OWN}&first=3&count=2").text
    assert "Sheet 3" in sheets and "Sheet 4" in sheets and sheets.count('class="assign-question"') == 2 * len(ITEMS)
    ids = re.findall(r' id="([^"]+)"', sheets)
    assert len(ids) == len(set(ids))
    key = client.get(f"/assign/paper?lang=en&{OWN}&first=3&count=2&solution=1").text
    for number in ("3", "4"):
        asked = questions(client, f"{paper.PAPER}{number}")
        assert f'<th scope="row">{number}</th>' in key and f" {asked[2].answer} <a" in key


@pytest.mark.parametrize(("lang", "either"), [("en", " or "), ("zh", " 或 ")])
def test_the_key_names_every_orphan_since_each_of_them_is_right(client: TestClient, lang: str, either: str) -> None:
    item = "verdict:three-banks"
    given = Assignment("", 402480, (item,), assignment.owner(KEY))
    page = client.get(f"/assign/paper?lang={lang}&seed=402480&q={item}&key={KEY}&count=12&solution=1").text
    keys, several = re.findall(r"<b>(.*?)</b> (.*?) <a", page), 0
    for number, (letters, key) in enumerate(keys, 1):
        (asked,) = sheet(given, f"{paper.PAPER}{number}", client.app.state.lessons.shelf().lesson)  # type: ignore[attr-defined]
        right = [one for one in asked.options if grade(asked, one.value).right]
        assert letters == either.join("ABCDEFGHIJ"[asked.options.index(one)] for one in right)
        assert html.unescape(key) == either.join(getattr(one.text, lang) for one in right)
        assert set(asked.circled) == {one.value for one in right} - {CONSISTENT}
        several += len(right) > 1
    assert len(keys) == 12 and several


def test_an_orphan_that_is_chosen_is_never_called_wrong(client: TestClient) -> None:
    """The quiz marks the options once the answer is known."""
    run = ran("nobody-notices")
    number, asked = next(
        (at, found)
        for at in range(40)
        if (found := quiz(run, Address("nobody-notices", run.scenario, run.key), at, ["verdict"]))
        and len(found.right) > 1
    )
    page = client.get(f"/quiz/nobody-notices/answer?kinds=verdict&n={number + 1}&answer={asked.right[-1]}").text
    assert 'data-right="1"' in page and page.count('class="asked-mark"') == len(asked.right)


def test_the_key_leads_to_the_run_that_shows_the_answer(client: TestClient) -> None:
    key = client.get(f"/assign/paper?lang=en&{OWN}&first=3&solution=1").text
    links = [html.unescape(one) for one in re.findall(r'class="assign-run" href="([^"]+)"', key)]
    assert len(links) == len(ITEMS)
    for one in links:
        run = client.get(one)
        assert run.status_code == 200 and word("page.stale.title", "en") not in run.text


def test_a_class_hands_in_more_than_a_form_may_have_up_to_a_limit(client: TestClient) -> None:
    field = f"as=csv&text={done(client, 'Ann', right(client, 'Ann'))}"
    form = {"content-type": "application/x-www-form-urlencoded"}
    most = field.ljust(limits.MOST_HANDED_IN, "+")
    assert client.post(f"/assign/read?{OWN}", content=most, headers=form).status_code == 200
    assert client.post(f"/assign/read?{OWN}", content=most + "+", headers=form).status_code == 413
    assert client.post(f"/assign/sheet?{QUERY}", data={"name": "x" * limits.MOST_BODY}).status_code == 413


def test_so_many_are_read_at_once_and_no_more(client: TestClient) -> None:
    many = [f"bluecut-1.{at}.x" for at in range(grading.MOST + 1)]
    assert len(judged(client, " ".join(many[1:]))) == grading.MOST
    assert client.post(f"/assign/read?{OWN}", data={"text": " ".join(many)}).status_code == 400


def test_judging_takes_as_long_as_it_may(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    string = done(client, "Ann", right(client, "Ann"))
    assert reading.SECONDS == 30
    monkeypatch.setattr(reading, "SECONDS", -1)
    answer = client.post(f"/assign/read?lang=en&{OWN}", data={"text": string})
    assert answer.status_code == 400 and "take too long to judge at once" in answer.text


def test_so_many_questions_and_sheets_and_no_more(client: TestClient) -> None:
    items = "&q=total:ring" * assignment.MOST
    for page in ("", "/sheet", "/read", "/paper"):
        assert client.get(f"/assign{page}?key=k&for=k&seed=1{items}").status_code == 200
        assert client.get(f"/assign{page}?key=k&for=k&seed=1{items}&q=every").status_code == 400
    assert client.get(f"/assign?seed=1{items}&add=every").status_code == 400
    few = "/assign/paper?key=k&q=total:ring"
    assert client.get(f"{few}&count={paper.MOST}").text.count('class="sheet"') == paper.MOST
    assert client.get(f"{few}&count={paper.MOST + 1}").status_code == 400


def test_each_picture_of_a_sheet_is_told_in_words(client: TestClient) -> None:
    page = client.post(f"/assign/sheet?lang=en&{QUERY}", data={"name": "Ann"}).text
    assert page.count('<ul class="unseen" aria-label="The ') == page.count('class="asked-picture ') >= len(ITEMS)
    assert "<h3 tabindex" in page and "<h2 tabindex" not in page  # below the number of the question
