"""The page of all global states: the counts, the links, the state on the stage."""

import re

import pytest
from fastapi.testclient import TestClient

from app.scenario.library import LIBRARY
from app.wire.scenario_link import canonical, packed
from app.words.catalogues import GLUE, LANGUAGES, word
from tests.often import some

PAPER = "/states/state-that-never-was"


def text(html: str, mark: str) -> str:
    """Return the words of the element with an id."""
    found = re.search(rf'id="{mark}"[^>]*>(.*?)</(?:p|h2|section)>', html, re.S)
    assert found, mark
    return " ".join(re.sub(r"<[^>]+>", "", found[1]).split())


def dots(html: str) -> dict[str, tuple[str, str]]:
    """Return the states of the picture: their classes and addresses."""
    found = re.findall(r'<a href="([^"]*)" data-state="([^"]*)" class="dot([^"]*)"', html)
    return {name: (kinds.strip(), url.replace("&amp;", "&")) for url, name, kinds in found}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_how_many_cuts_are_consistent_and_where_s_star_is(client: TestClient, language: str) -> None:
    html = client.get(f"{PAPER}?lang={language}").text
    assert word("states.counted", language, states="7", cuts="9") in text(html, "counted")
    assert word("states.orders", language, orders="4", events=4) in text(html, "counted")
    assert text(html, "here-title") == word("states.here", language, state="0,1")
    assert text(html, "verdict") == GLUE[language].join(
        (word("states.here.recorded", language, snapshots=1), word("states.here.never", language))
    )
    assert dots(html)["0,1"][0] == "recorded chosen"
    assert [name for name, (kinds, _) in dots(html).items() if "real" in kinds] == ["0,0", "1,0", "1,1", "2,1", "2,2"]


def test_every_state_is_a_link_to_its_own_page(client: TestClient) -> None:
    for name, (_, url) in dots(client.get(f"{PAPER}?lang=en").text).items():
        html = client.get(PAPER + url).text
        assert text(html, "here-title") == f"State {name}"
        assert [each for each, (kinds, _) in dots(html).items() if "chosen" in kinds] == [name]


def test_the_stage_is_in_the_state(client: TestClient) -> None:
    html = client.get(f"{PAPER}?at=0,1&lang=en").text
    assert "p in “A”, q in “D”, on q→p: m&#39;" in html
    for mark in ("state", "state-narrow"):  # for a screen, and for a phone
        stage = html[html.index(f'aria-labelledby="{mark}-title') :].split("</svg>")[0]
        assert len(re.findall(r"data-message=", stage)) == 1 and "data-recorded" not in stage


def test_a_screen_shows_every_message_that_a_phone_shows(client: TestClient) -> None:
    screen, phone = client.get("/states/queue").text.split('class="drawn-screen"')[1].split('class="drawn-phone"')
    for picture in (screen, phone):
        assert picture.count("data-message=") == 3
        assert not re.search(r">\+\d+<", picture)


def test_a_run_that_goes_through_the_state_is_linked_and_does(client: TestClient) -> None:
    html = client.get(f"{PAPER}?at=0,1&lang=en").text
    (way,) = re.findall(r'href="(/run/[^"]*manual=1[^"]*)"', html)
    run = client.get(way.replace("&amp;", "&").replace("/run/state-that-never-was", f"{PAPER}"))
    assert run.status_code == 200 and text(run.text, "verdict") == "The run was in it after step 1."


def test_a_state_of_the_run_is_linked_to_its_step(client: TestClient) -> None:
    html = client.get(f"{PAPER}?at=1,1&lang=en").text
    assert re.search(r'href="/run/state-that-never-was\?step=3&amp;[^"]*">Open the run at this moment', html)
    assert text(html, "verdict") == "The run was in it after step 3."


def test_a_step_chooses_the_state_after_it(client: TestClient) -> None:
    assert text(client.get(f"{PAPER}?step=4&lang=en").text, "here-title") == "State 2,1"


def test_a_cut_that_is_no_state_is_said_to_be_none(client: TestClient) -> None:
    html = client.get(f"{PAPER}?at=2,0&lang=en").text
    assert "2,0 is not a global state" in html and text(html, "here-title") == "State 0,1"


@pytest.mark.parametrize("at", ["9,9", "1", "a,b", "1,0,0", "-1,0", "1,,0"])
def test_what_is_no_cut_of_the_run_is_refused_in_a_sentence(client: TestClient, at: str) -> None:
    answer = client.get(PAPER, params={"at": at, "lang": "en"})
    assert answer.status_code == 400 and "is not a cut of this run" in answer.text


def test_a_large_lattice_is_counted_to_a_bound_and_shown_in_a_sample(client: TestClient) -> None:
    html = client.get("/states/random-twelve?lang=en").text
    assert "More than 20,000 of 1,627,328,102,400 cuts" in text(html, "counted")
    assert "this is a sample: the levels with 45 to 71 events" in text(html, "sample")
    assert len(dots(html)) < 300


def test_each_snapshot_of_several_can_be_looked_at(client: TestClient) -> None:
    html = client.get("/states/random-twelve?of=2&at=7,5,13,6,5,6,6,5,7,12,7,6&lang=en").text
    assert "Theorem 1: from" in html and "where snapshot 2 started" in html
    assert text(html, "verdict").startswith("Snapshot 2 recorded this state.")


def test_wrong_snapshots_are_not_passed_off_as_states(client: TestClient) -> None:
    assert "is not consistent, so it is not in this picture" in client.get("/states/photographs-two?lang=en").text
    html = client.get("/states/phantom-photographs?lang=en").text
    assert "what it recorded is not a possible state" in html
    assert [name for name, (kinds, _) in dots(html).items() if "cutting" in kinds] == ["1,0"]


def test_without_a_ref_the_papers_example_is_shown(client: TestClient) -> None:
    assert client.get("/states?lang=zh").headers["location"] == f"{PAPER}?lang=zh"


@pytest.mark.parametrize("scenario", some(LIBRARY.names(), 9))
def test_every_scenario_has_its_states(client: TestClient, scenario: str) -> None:
    answer = client.get(f"/states/{scenario}?lang=zh")
    assert answer.status_code == 200 and dots(answer.text)


def test_thousands_of_events_of_many_processes_make_a_page_of_bounded_size(client: TestClient) -> None:
    ref = packed(
        canonical(
            {
                "title": {"en": "Ring", "zh": "环"},
                "topology": {"ring": 200},
                "program": {"kind": "token", "holders": {f"P{i}": 1 for i in range(1, 201, 5)}},
                "schedule": {"kind": "seeded", "seed": 3, "moves": 2000},
            }
        )
    )
    html = client.get(f"/states/{ref}?step=3000&lang=en").text
    assert "More than 2,000 of" in text(html, "counted") and " × 10^" in text(html, "counted")
    assert re.fullmatch(r"State with \d+ events", text(html, "here-title"))
    assert 100 < len(dots(html)) < 300 and len(html) < 600_000 and "No link can lead through this state" not in html
