"""The page of what stays true: strips, conclusions, wait-for graphs, and possibly and definitely."""

import re
from urllib.parse import unquote

import pytest
from fastapi.testclient import TestClient

from app.scenario.library import LIBRARY
from app.words.catalogues import LANGUAGES, word
from tests.often import some

PAPER = "/stable/state-that-never-was"


def plain(html: str) -> str:
    """Words without markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def answers(html: str) -> dict[str, str]:
    """Return what is answered, by kind."""
    found = re.findall(r'<div data-answer="(\w+)"><dt>.*?</dt><dd>(.*?)</dd>', html, re.S)
    return {kind: plain(text) for kind, text in found}


def section(html: str, number: int) -> str:
    """Return what is concluded from a snapshot."""
    found = re.search(rf'<section class="stable-snapshot" data-snapshot="{number}".*?</section>', html, re.S)
    assert found
    return plain(found[0])


def nets(html: str) -> list[tuple[str, str]]:
    """Return the wait-for graphs: of what, and what is said of them."""
    found = re.findall(r'<figure class="net" data-net="(\w+)">.*?<p class="net-said">(.*?)</p>', html, re.S)
    return [(of, plain(said)) for of, said in found]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cards_lead_to_runs_that_show_each_property(client: TestClient, language: str) -> None:
    html = client.get(f"/stable?lang={language}").text
    for name in ("termination", "deadlock", "lost", "unstable"):
        assert word(f"stable.{name}.about", language) in html
    doors = re.findall(r'href="(/stable/[^"]+)"', html)
    assert len(doors) == 8
    for door in doors:
        assert client.get(door.replace("&amp;", "&")).status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_false_answer_is_of_the_beginning_and_a_true_one_of_ever_after(client: TestClient, language: str) -> None:
    html = client.get(f"/stable/phantom-termination?lang={language}").text
    first, second = section(html, 1), section(html, 2)
    assert word("stable.said.false.kept", language, step=1) in first
    assert word("stable.polled.wrong", language) in first
    assert word("stable.said.true.kept", language, step=9) in second
    assert "✕" not in second


def test_a_deadlock_may_come_while_the_snapshot_says_no(client: TestClient) -> None:
    html = client.get("/stable/real-deadlock?lang=en").text
    assert "when the snapshot ended, at step 7, it was true" in section(html, 1)
    assert "it is true at step 10 and at every step after it" in section(html, 2)
    assert nets(html) == [
        ("polled", "Deadlock: Q can never continue."),
        ("recorded", "No deadlock."),
        ("polled", "Deadlock: P, Q can never continue."),
        ("recorded", "Deadlock: P, Q can never continue."),
        ("end", "Deadlock: P, Q can never continue."),
    ]


def test_the_phantom_deadlock_is_drawn_and_taken_back(client: TestClient) -> None:
    html = client.get("/stable/phantom-deadlock?lang=en").text
    assert nets(html) == [("polled", "Deadlock: P, Q can never continue."), ("recorded", "No deadlock.")]
    assert "P waits for Q, but grant r is in flight and will let it continue." in html
    assert html.count('class="wait stuck"') == 2 and html.count('class="wait coming"') == 1


def test_a_request_in_flight_is_no_way_out(client: TestClient) -> None:
    html = client.get("/stable/real-deadlock?choices=3:2&lang=en").text
    assert "In this run it is true from step 3 on." in html
    assert "True in S* of snapshot 2." in section(html, 2) and "✕" not in section(html, 2)
    assert "request r" not in section(html, 2).replace("(request r, grant s)", "")


def test_photographs_are_shown_wrong_and_lead_to_a_snapshot_of_the_same_run(client: TestClient) -> None:
    html = client.get("/stable/phantom-photographs?lang=en").text
    assert "The system could not have been in the state" in section(html, 1)
    assert "✕ In reality it is false." in section(html, 1)
    (other,) = re.findall(r'href="([^"]+)">The same run with a snapshot instead', html)
    html = client.get(other.replace("&amp;", "&")).text
    assert "✓ Checked: before step" in section(html, 1)
    (back,) = re.findall(r'href="([^"]+)">The same run with photographs instead', html)
    assert back == "/stable/phantom-photographs?lang=en"


def test_what_no_instant_had_is_possible_and_s_star_has_it(client: TestClient) -> None:
    html = client.get(PAPER, params={"one": 'p:"A"', "two": 'q:"D"', "empty": "p->q", "lang": "en"}).text
    found = answers(html)
    assert found["possibly"] == "Yes. It holds in some global states, such as 0,1"
    assert found["definitely"].startswith("No.") and "dashed" in found["definitely"]
    assert found["really"] == "No. At no moment."
    assert found["recorded"].startswith("Yes. It was possible, but was true at no moment of the run")
    assert 'href="/states/state-that-never-was?at=0,1&amp;lang=en"' in html
    assert re.findall(r'data-state="([\d,]+)" class="dot[^"]* has"', html) == ["0,1"]


def test_what_every_order_goes_through_is_definitely_so(client: TestClient) -> None:
    html = client.get(PAPER, params={"one": 'p:"B"', "two": 'q:"D"', "lang": "en"}).text
    found = answers(html)
    assert found["definitely"].startswith("Yes. Every order") and found["really"] == "Yes. After step 3."
    assert "lattice-avoiding" not in html


def test_two_processes_can_be_asked_to_be_alike(client: TestClient) -> None:
    found = answers(client.get("/stable/random-twelve", params={"left": "P1", "right": "P2", "lang": "en"}).text)
    assert set(found) == {"possibly", "definitely", "really", "recorded"}


def test_a_question_keeps_the_run_that_it_is_about(client: TestClient) -> None:
    html = client.get(PAPER, params={"algorithm": "lai-yang", "lang": "en"}).text
    assert html.count('<input type="hidden" name="algorithm" value="lai-yang">') == 2
    assert all(
        "algorithm=lai-yang" in url
        for url in re.findall(r'data-state="[^"]*"[^>]*|href="(/states/[^"]*)"', html)
        if url
    )


@pytest.mark.parametrize(
    "asked",
    [
        {"one": 'p:"A"', "two": 'p:"B"'},
        {"one": 'p:"A"', "two": "q"},
        {"one": "p:A", "two": 'q:"C"'},
        {"one": 'p:"\\ud800"', "two": 'q:"C"'},
        {"one": 'p:"A"', "two": 'r:"C"'},
        {"one": 'p:"A"', "two": 'q:"C"', "empty": "p->r"},
        {"left": "p", "right": "p"},
        {"left": "p"},
    ],
    ids=lambda asked: unquote(str(asked)),
)
def test_a_question_that_cannot_be_asked_is_refused_in_a_sentence(client: TestClient, asked: dict[str, str]) -> None:
    assert client.get(PAPER, params=asked).status_code == 400


def test_a_state_that_nobody_is_ever_in_is_not_possible(client: TestClient) -> None:
    found = answers(client.get(PAPER, params={"one": 'p:"Z"', "two": 'q:"C"', "lang": "en"}).text)
    assert found["possibly"] == "No. It holds in no global state of this run." and found["really"].startswith("No.")


@pytest.mark.parametrize("scenario", some(LIBRARY.names(), 9))
def test_every_scenario_has_its_page(client: TestClient, scenario: str) -> None:
    answer = client.get(f"/stable/{scenario}?lang=zh")
    assert answer.status_code == 200
    if len(LIBRARY.scenario(scenario).topology.names) > 1:
        assert {"possibly", "definitely"} <= set(answers(answer.text))
