"""A presenter leads, phones follow and vote, and nobody else does either."""

import csv
import io
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

from app.course.lesson_list import Shelf
from app.course.lesson_store import Kept
from app.web.shared.run_head import PARTS
from app.web.teach.rooms import secret
from app.web.teach.rooms.rooms import PER_HOUR
from tests.served import Host
from tests.until import until
from tests.web.teach.rooms.people import QUESTION, RUN, Person, leave, opened, phone

LESSONS = Kept(()).shelf().lessons


@pytest.fixture(autouse=True)
def people(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let one client open as many rooms as there are tests."""
    monkeypatch.setattr("app.web.teach.rooms.rooms.PER_HOUR", 10_000)
    yield
    leave()


def test_a_room_is_opened_from_a_run_and_its_phones_follow(server: str) -> None:
    lead = opened(server)
    assert lead.get("/present").status_code == 200
    someone = phone(lead)
    assert lead.code in someone.get("").text
    with someone.live() as seen:
        first = next(seen)
        assert (first["at"], first["step"], first["phase"]) == ("/run/blue-figure", 3, "follow")
        assert lead.post("/show", {"at": RUN, "step": 5, "by": "me"}).json()["step"] == 5
        after = next(each for each in seen if each["step"] == 5)
        assert after["version"] == first["version"] + 1


def test_cookies_are_for_one_room_and_no_script_reads_them(server: str) -> None:
    lead = Person(server)
    answer = lead.http.post("/rooms", headers={"referer": server + RUN})
    code = answer.headers["location"].split("/")[2]
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and f"Path=/r/{code}" in cookie and "SameSite=lax" in cookie


def test_a_phone_that_has_lost_its_cookie_keeps_its_seat_by_what_its_script_kept(server: str) -> None:
    lead = opened(server, QUESTION)
    lead.post("/phase", {"phase": "vote"})
    first, second = phone(lead), phone(lead)
    kept = first.post("/seat").json()
    assert kept["seat"] == 1 and second.post("/seat").json()["seat"] == 2
    first.http.cookies.clear()
    first.http.headers["x-bluecut-seat"] = kept["token"]
    assert first.vote(choices(first)[0]).json()["seat"] == 1
    assert first.http.cookies["seat"] == kept["token"], "and gets its cookie again"
    second.http.headers["x-bluecut-seat"] = kept["token"]
    assert second.post("/seat").json()["seat"] == 2, "a cookie that is known comes first"
    stranger = phone(lead)
    stranger.http.headers["x-bluecut-seat"] = "not a token of this room"
    assert stranger.post("/seat").json()["seat"] == 3
    led = phone(lead)
    led.http.headers["x-bluecut-seat"] = lead.http.cookies["lead"]
    assert led.post("/phase", {"phase": "discuss"}).status_code == 403, "it is for seats alone"


def test_a_run_that_somebody_comes_late_to_is_shown_as_it_is_now(server: str) -> None:
    lead = opened(server)
    for step in range(4, 9):
        lead.post("/show", {"at": RUN, "step": step})
    with phone(lead).live() as seen:
        assert next(seen)["step"] == 8


def test_the_phones_are_told_whether_the_presenter_is_there(server: str) -> None:
    lead = opened(server)
    with phone(lead).live() as seen:
        assert next(seen)["led"] is False
        with lead.live(lead=True) as counts:
            assert next(each for each in seen if each["led"])
            assert next(each for each in counts if each["here"] == 1)
        assert next(each for each in seen if not each["led"])


def test_two_rounds_are_counted_apart_and_only_the_presenter_sees_them(server: str) -> None:
    lead = opened(server, QUESTION)
    phones = [phone(lead) for _ in range(3)]
    assert phones[0].vote("P1").status_code == 409, "nothing is open yet"
    lead.post("/phase", {"phase": "vote"})
    page = phones[0].get("/question").text
    offered = choices(phones[0])
    assert len(offered) == 5 and 'method="post"' in page and "hx-get" not in page
    for each, answer in zip(phones, (offered[0], offered[0], offered[1]), strict=True):
        assert each.vote(answer).json()["answer"] == [answer]
    assert phones[0].get("/tally").status_code == 403
    assert lead.get("/tally").text.count("<rect") == 5
    lead.post("/phase", {"phase": "discuss"})
    assert phones[0].vote(offered[1]).status_code == 409
    assert "disabled" in phones[0].get("/question").text
    lead.post("/phase", {"phase": "again"})
    for each in phones:
        each.vote(offered[1], part=2)
    lead.post("/phase", {"phase": "reveal"})
    tally = lead.get("/tally").text
    assert "Vote 1: 3" in tally and "Vote 2: 3" in tally and "right" in tally
    assert "asked-right" in phones[0].get("/question").text


def test_a_vote_can_be_changed_and_a_repeated_request_changes_nothing(server: str) -> None:
    lead = opened(server, QUESTION)
    lead.post("/phase", {"phase": "vote"})
    someone = phone(lead)
    offered = choices(someone)
    assert someone.vote(offered[0], turn=1).json()["turn"] == 1
    assert someone.vote(offered[1], turn=2).json()["answer"] == [offered[1]]
    late = someone.vote(offered[0], turn=1)  # the first one, sent again by a phone that has heard nothing
    assert late.status_code == 200 and late.json() == {"seat": 1, "turn": 2, "answer": [offered[1]]}
    with lead.live(lead=True) as counts:
        assert next(counts)["voted"] == 1


def test_a_vote_that_was_closed_too_early_is_opened_again_with_its_votes(server: str) -> None:
    lead = opened(server, QUESTION)
    lead.post("/phase", {"phase": "vote"})
    first, second = phone(lead), phone(lead)
    offered = choices(first)
    first.vote(offered[0])
    lead.post("/phase", {"phase": "reveal"})
    assert second.vote(offered[1]).status_code == 409
    for _ in range(2):  # the second one is a repetition
        told = lead.post("/phase", {"phase": "undo", "now": "reveal"}).json()
        assert told["phase"] == "vote" and told["undo"]
    assert second.vote(offered[1]).status_code == 200
    with lead.live(lead=True) as counts:
        assert next(counts)["voted"] == 2


def test_a_form_without_scripts_votes_too(server: str) -> None:
    lead = opened(server, QUESTION)
    lead.post("/phase", {"phase": "vote"})
    someone = phone(lead)
    offered = choices(someone)
    fields = {"poll": "1", "round": "1", "answer": offered[0]}
    answer = someone.http.post(f"/r/{lead.code}/vote", data=fields)
    assert answer.status_code == 303
    back = answer.headers["location"]
    assert back == f"/r/{lead.code}/question?mine=1", "what was voted stands in no address"
    told = 'role="status">Counted.'
    assert told in someone.http.get(back).text
    assert told not in someone.get("/question").text and told not in phone(lead).http.get(back).text
    lead.post("/phase", {"phase": "discuss"})
    assert told not in someone.http.get(back).text


@pytest.mark.slow
def test_a_hundred_answers_in_one_instant_are_a_hundred_votes(server: str) -> None:
    lead = opened(server, QUESTION)
    lead.post("/phase", {"phase": "vote"})
    people = [phone(lead) for _ in range(100)]
    offered = choices(people[0])
    with ThreadPoolExecutor(20) as at_once:
        seats = list(at_once.map(lambda each: each.vote(offered[0]).json()["seat"], people))
    assert sorted(seats) == list(range(1, 101))
    assert "<b>100</b>" in lead.get("/tally").text


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/show", {"at": RUN}),
        ("/phase", {"phase": "vote"}),
        ("/take", {}),
        ("/end", {}),
    ],
)
def test_a_student_cannot_lead(server: str, path: str, said: dict[str, str]) -> None:
    lead, other = opened(server), opened(server)
    student = phone(lead)
    student.post("/seat")
    assert student.post(path, said).status_code == 403
    student.http.cookies.set("lead", other.http.cookies["lead"] or "")
    assert student.post(path, said).status_code == 403
    student.http.cookies.set("lead", student.http.cookies["seat"] or "")
    assert student.post(path, said).status_code == 403
    assert lead.get("/present").status_code == 200 and not _document(lead)["ended"]


@pytest.mark.parametrize("path", ["/present", "/present?key=guess", "/tally", "/counts.csv"])
def test_a_student_sees_nothing_of_the_presenter(server: str, path: str) -> None:
    assert phone(opened(server)).get(path).status_code == 403


def test_another_site_cannot_lead_with_the_presenters_cookies(server: str) -> None:
    lead = opened(server)
    answer = lead.http.post(f"/r/{lead.code}/end", headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403


def test_the_presenters_link_leads_from_a_second_device(server: str) -> None:
    lead = opened(server)
    (link,) = re.findall(r'value="http[^"]+/present\?key=([^"]+)"', lead.get("/present").text)
    second = phone(lead)
    assert second.get(f"/present?key={link}").status_code == 303
    assert second.post("/show", {"at": RUN, "step": 7}).status_code == 200
    assert link not in phone(lead).get("").text


@pytest.mark.slow
def test_whoever_guesses_codes_behind_the_address_of_a_class_keeps_nobody_out(server: str) -> None:
    lead, over, seen = opened(server), threading.Event(), Counter[int]()

    def guess() -> None:
        guesser = Person(server)
        while not over.is_set():
            seen[guesser.http.get("/r/" + secret.new_code()).status_code] += 1

    with ThreadPoolExecutor(4) as guessers:
        for _ in range(4):
            guessers.submit(guess)
        try:
            came = {phone(lead).get("").status_code for _ in range(40)}
        finally:
            over.set()
    assert came == {200} and 404 in seen and seen.keys() <= {404, 429}


def test_a_code_is_typed_as_one_likes_and_a_wrong_one_is_told(server: str) -> None:
    lead = opened(server)
    code = lead.code.lower()
    answer = Person(server).http.get(f"/r?code={code[:3]}%20{code[3:]}")
    assert answer.headers["location"] == f"/r/{lead.code}"
    assert Person(server).http.get("/r/ZZZZZZ").status_code in (404, 429)
    guesser = Person(server).http
    until(lambda: guesser.get("/r?code=ZZZ-ZZZ").status_code != 429)  # other tests have guessed, too
    again = guesser.get("/r?code=ZZZ-ZZZ&lang=en")
    assert again.status_code == 404 and "there is no room ZZZZZZ" in again.text
    assert 'name="code" value="ZZZ-ZZZ"' in again.text and 'name="lang" value="en"' in again.text
    for guessed in ("/join", "/rooms"):
        assert Person(server).http.get(f"{guessed}?lang=zh").headers["location"] == "/r?lang=zh"


def test_everything_that_can_be_shown_can_be_shown_and_nothing_else(server: str) -> None:
    lead = opened(server)
    parts = [f"/{part}/blue-figure" for pages in PARTS.values() for part in pages]
    for at in ("/compare/blue-figure?with=chandy-lamport", "/lessons/barriers", "/cuts/blue-figure", *parts, RUN):
        assert lead.post("/show", {"at": at}).status_code == 200, at
    elsewhere = ("//elsewhere/run/x", "http://a.example/run/blue-figure", "http://[", "javascript:alert(1)")
    for at in ("/spark", "/run", *elsewhere, "/quiz/blue-figure?seed=x", f"/quiz/blue-figure?algorithm={'x' * 41}"):
        assert lead.post("/show", {"at": at}).status_code == 400, at
    assert lead.post("/show", {"at": "/run/nothing-like-it"}).status_code == 404
    assert lead.post("/show", {"at": "/lessons/blue-figure?q=nothing"}).status_code == 400


def test_nothing_of_how_the_presenter_looks_at_it_reaches_the_phones(server: str) -> None:
    lead = opened(server)
    lead.post("/show", {"at": "/run/blue-figure?presenter=1&lang=zh&view=time&seed=3&step=2"})
    document = _document(lead)
    assert (document["at"], document["step"]) == ("/run/blue-figure?seed=3", 2)
    lead.post("/show", {"at": "/lessons/blue-figure/next?answer=P1&show=1&presenter=1"})
    assert _document(lead)["at"] == QUESTION


def test_the_class_decides_what_happens_next(server: str) -> None:
    lead = opened(server)
    assert lead.post("/phase", {"phase": "floor"}).json()["floor"]
    people = [phone(lead) for _ in range(3)]
    offered = choices(people[0])
    assert len(offered) > 3
    for each, answer in zip(people, (offered[1], offered[2], offered[2]), strict=True):
        assert each.vote(answer).status_code == 200
    lead.post("/phase", {"phase": "discuss"})
    lead.post("/phase", {"phase": "again"})
    assert choices(people[0]) == offered[1:3]
    assert people[0].vote(offered[0], part=2).status_code == 400, "it was not proposed"
    for each in people:
        each.vote(offered[1], part=2)
    lead.post("/phase", {"phase": "reveal"})
    assert _document(lead)["outcome"] == "decided"
    for _ in range(2):  # the second one is a repetition: its answer was lost
        frame = lead.post("/take", {"by": "mine"}).json()["frame"]
    assert lead.post("/take", {"by": "another"}).status_code == 400
    document = _document(lead)
    assert document["step"] == 4 and document["phase"] == "follow" and "choices=" in str(document["at"])
    assert document["outcome"] == "" and lead.post("/phase", {"phase": "floor"}).json()["floor"]
    assert lead.post("/phase", {"phase": "reveal"}).json()["outcome"] == "nobody"
    refused = lead.post("/take", {"by": "mine"})
    assert refused.status_code == 400 and "nobody has voted" in refused.text
    assert lead.http.get(f"/r/{lead.code}/tally").status_code == 200
    assert "step=4" in frame and lead.http.get(frame).status_code == 200
    lead.http.post(f"/r/{lead.code}/end")
    page = lead.get("/present").text
    assert len(re.findall(r"with choices of its own</a>", page)) == 1, (
        "the author's run and the class's can be told apart"
    )
    assert "What happens after step 3?" in page and "What happens after step 4?" in page
    assert page.count('<li class="tally-row') == 2, "what nobody chose is not listed"


def test_what_can_go_wrong_is_folded_away_where_much_is_offered(server: str) -> None:
    lead = opened(server)
    lead.post("/phase", {"phase": "floor"})
    someone = phone(lead)
    happens, wrong = someone.get("/question").text.split('<details class="floor-wrong">')
    assert "receives" in happens and "crash" not in happens and "crash" in wrong
    (crash, *_) = [each for each in choices(someone) if each.startswith("crash")]
    assert someone.vote(crash).status_code == 200
    lead.post("/phase", {"phase": "discuss"})
    lead.post("/phase", {"phase": "again"})
    assert '<details class="floor-wrong" open>' in someone.get("/question").text, "what was proposed is in sight"


def test_who_votes_anew_after_the_reveal_was_undone_sees_what_has_won_then(server: str) -> None:
    lead = opened(server)
    lead.post("/phase", {"phase": "floor"})
    someone = phone(lead)
    for turn, wanted in enumerate(choices(someone)[:2], 1):
        assert someone.vote(wanted, turn=turn).status_code == 200
        lead.post("/phase", {"phase": "reveal"})
        right = re.search(
            r'asked-right"><input type="radio" name="answer" value="([^"]+)"', someone.get("/question").text
        )
        assert right is not None and unescape(right[1]) == wanted
        lead.post("/phase", {"phase": "undo", "now": "reveal"})


def test_a_phase_that_is_led_to_twice_stays_and_what_was_before_can_be_undone(server: str) -> None:
    lead = opened(server, QUESTION)
    for phase in ("vote", "vote", "discuss", "discuss", "follow", "follow"):
        assert lead.post("/phase", {"phase": phase, "now": "think"}).json()["phase"] == phase
    assert lead.post("/phase", {"phase": "undo", "now": "follow"}).json()["phase"] == "discuss"


def test_a_floor_that_is_opened_twice_because_the_answer_was_lost_keeps_its_votes(server: str) -> None:
    lead = opened(server)
    lead.post("/phase", {"phase": "floor"})
    someone = phone(lead)
    assert someone.vote(choices(someone)[0]).status_code == 200
    assert lead.post("/phase", {"phase": "floor"}).json()["poll"] == 1
    with lead.live(lead=True) as counts:
        assert next(counts)["voted"] == 1


def test_the_floor_is_opened_at_runs_alone_and_where_something_can_happen(server: str) -> None:
    lead = opened(server, "/lessons/barriers")
    assert "show a run first" in lead.post("/phase", {"phase": "floor"}).json()["error"]
    lead.post("/show", {"at": "/run/blue-figure?seed=x"})
    assert lead.post("/phase", {"phase": "floor"}).status_code == 400
    assert lead.post("/take").status_code == 400


def test_at_the_end_the_counts_stay_and_the_seats_go(server: str) -> None:
    lead = opened(server)
    lead.post("/show", {"at": QUESTION})
    lead.post("/phase", {"phase": "vote"})
    someone = phone(lead)
    offered = choices(someone)
    someone.vote(offered[0])
    with someone.live() as seen:
        assert lead.http.post(f"/r/{lead.code}/end").status_code == 303
        assert list(seen)[-1]["ended"]
    assert someone.get("/live").status_code == 204, "browsers do not come back"
    assert someone.vote(offered[0]).status_code == 400 and someone.post("/seat").status_code == 400
    assert "This room has ended" in someone.get("").text
    for path, said in (("/show", {"at": RUN}), ("/phase", {"phase": "undo", "now": "follow"})):
        assert "has ended" in lead.post(path, said).json()["error"], "on another device of the presenter"
    page = lead.get("/present").text
    assert "/run/blue-figure" in page and "<rect" in page
    rows = list(csv.DictReader(io.StringIO(lead.get("/counts.csv").text)))
    assert sum(int(row["round_1"]) for row in rows) == 1
    assert {row["right"] for row in rows} == {"0", "1"} and lead.code not in str(rows)


def test_the_end_leaves_out_what_this_server_no_longer_has(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lead = opened(server)
    lead.post("/show", {"at": QUESTION})
    lead.post("/phase", {"phase": "vote"})
    phone(lead).vote(choices(phone(lead))[0])
    lead.http.post(f"/r/{lead.code}/end")
    assert len(list(csv.DictReader(io.StringIO(lead.get("/counts.csv").text)))) > 1
    monkeypatch.setattr(Shelf, "lesson", lambda self, name: None)
    assert list(csv.DictReader(io.StringIO(lead.get("/counts.csv").text))) == []
    page = lead.get("/present")
    assert page.status_code == 200 and "/run/blue-figure" in page.text and QUESTION not in page.text


def test_a_server_that_starts_again_knows_everything_that_it_has_acknowledged(tmp_path: Path) -> None:
    host = Host(tmp_path)
    try:
        lead = opened(host.address, QUESTION)
        lead.post("/phase", {"phase": "vote"})
        someone = phone(lead)
        offered = choices(someone)
        someone.vote(offered[1])
        before = _document(lead)
        host.stop()
        host.start()
        assert _document(lead) == before
        assert someone.vote(offered[0], turn=1).json() == {"seat": 1, "turn": 1, "answer": [offered[1]]}
        assert "<b>1</b>" in lead.get("/tally").text
        assert lead.post("/phase", {"phase": "discuss"}).status_code == 200
    finally:
        host.stop()


def test_a_room_needs_a_disk_that_can_be_written_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    host = Host(tmp_path / "file")
    try:
        answer = Person(host.address).http.post("/rooms", headers={"referer": host.address + RUN})
        assert answer.status_code == 503 and "data folder" in answer.text
        assert Person(host.address).http.get(RUN).status_code == 200
    finally:
        host.stop()


@pytest.mark.slow
def test_one_client_opens_so_many_rooms_in_an_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.teach.rooms.rooms.PER_HOUR", PER_HOUR)
    host = Host(tmp_path)
    try:
        for _ in range(PER_HOUR):
            opened(host.address)
        answer = Person(host.address).http.post("/rooms", headers={"referer": host.address + RUN})
        assert answer.status_code == 429
        assert abs(int(answer.headers["retry-after"]) - (3_600 - time.time() % 3_600)) < 10
    finally:
        host.stop()


def test_a_full_server_forgets_the_oldest_room_that_is_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.teach.rooms.rooms.MOST", 2)
    host = Host(tmp_path)
    try:
        first, second = opened(host.address), opened(host.address)
        with phone(first).live() as seen:
            next(seen)
            opened(host.address)
            assert first.get("").status_code == 200 and second.get("").status_code == 404
    finally:
        host.stop()


@pytest.mark.parametrize(
    "at",
    [
        pytest.param(
            f"/lessons/{lesson.name}?q={question.id}",
            id=f"{lesson.name} {question.id}",
            marks=() if place == 0 else pytest.mark.slow,
        )
        for lesson in LESSONS
        for place, question in enumerate(lesson.form.questions)
    ],
)
def test_every_question_of_a_lesson_can_be_voted_on_as_it_is(server: str, at: str) -> None:
    lead = opened(server, at)
    lead.post("/phase", {"phase": "vote"})
    someone = phone(lead)
    page = someone.get("/question").text
    fields = [("poll", "1"), ("round", "1")]
    if 'name="place"' in page:
        fields += [("place", value) for value in _places(page)]
    elif 'type="text" name="answer"' in page:
        fields.append(("answer", "3"))
    else:
        fields.append(("answer", unescape(re.findall(r'name="answer" value="([^"]*)"', page)[0])))
    body = urlencode(fields)
    headers = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
    assert someone.http.post(f"/r/{lead.code}/vote", content=body, headers=headers).status_code == 200
    lead.post("/phase", {"phase": "reveal"})
    told = someone.get("/question").text
    assert "graded" in told and told.count(">Answer:") <= 1
    assert "<b>1</b>" in lead.get("/tally").text


def test_reading_a_room_that_is_gone_ends_by_itself(server: str) -> None:
    lead = opened(server)
    with phone(lead).live() as seen, lead.live(lead=True) as counts:
        next(seen)
        assert next(each for each in counts if each["here"] == 1)
    until(lambda: _document(lead)["here"] == 0)


def choices(someone: Person) -> list[str]:
    """Return what can be chosen on a phone."""
    return [unescape(each) for each in re.findall(r'name="answer" value="([^"]+)"', someone.get("/question").text)]


def _document(lead: Person) -> dict[str, object]:
    with lead.live(lead=True) as seen:
        return {name: value for name, value in next(seen).items() if name != "led"}


def _places(page: str) -> list[str]:
    """Return an order of all parts: each at the place at which it is listed."""
    parts = re.findall(r'class="asked-place[^"]*" data-value="([^"]+)"', page)
    return [f"{place}:{part}" for place, part in enumerate(parts, 1)]
