"""The page of the state diagram: its links, its sentences, and what it does where nothing can be drawn."""

import re

import pytest
from fastapi.testclient import TestClient

from app.words.catalogues import LANGUAGES, word


def states(html: str) -> dict[str, tuple[str, str]]:
    """Return the states of the picture: the classes of each, and its address, if it has one."""
    found = re.findall(r'<(?:a href="([^"]*)"|g role="img") class="(state[^"]*)" data-state="(\d+)"', html)
    return {number: (kinds, url.replace("&amp;", "&")) for url, kinds, number in found}


def text(html: str, mark: str) -> str:
    """Return the words of the paragraph with an id."""
    (found,) = re.findall(rf'<p[^>]*id="{mark}"[^>]*>(.*?)</p>', html, re.S)
    return " ".join(re.sub(r"<[^>]+>", "", found).split())


def test_without_a_run_the_token_is_shown(client: TestClient) -> None:
    answer = client.get("/diagram?lang=zh")
    assert answer.status_code == 302 and answer.headers["location"] == "/diagram/token-late?lang=zh"


def test_a_state_is_a_link_to_the_run_where_it_has_been(client: TestClient) -> None:
    found = states(client.get("/diagram/token-late?step=3&lang=en").text)
    assert {number: kinds for number, (kinds, _) in found.items()} == {
        "1": "state visited",
        "2": "state visited",
        "3": "state visited recorded now",
        "4": "state",
    }
    assert found["4"][1] == "" and found["2"][1].startswith("/run/token-late?step=1&")
    for _, url in found.values():
        assert not url or client.get(url).status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_where_the_system_is_and_that_the_recorded_state_never_was(
    client: TestClient, language: str
) -> None:
    html = client.get(f"/diagram/state-that-never-was?step=3&lang={language}").text
    assert text(html, "here").startswith(word("diagram.here", language, number=4, state="")[:6])
    assert word("diagram.star.never", language, snapshot=1, number=3) in html


def test_one_steps_through_the_run_on_the_page(client: TestClient) -> None:
    url, seen = "/diagram/token-back?lang=en", []
    while url:
        html = client.get(url).text
        seen += [number for number, (kinds, _) in states(html).items() if " now" in kinds]
        following = re.search(r'href="([^"]*)" rel="next"', html)
        url = following[1].replace("&amp;", "&") if following else ""
    assert seen == ["1", "2", "2", "3", "4", "4", "1", "1", "1"]


def test_a_dead_state_is_said_to_be_one(client: TestClient) -> None:
    html = client.get("/diagram/no-token?lang=en").text
    assert len(states(html)) == 1 and word("diagram.dead", "en") in text(html, "here")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "key", "fields"),
    [
        ("regions-out-of-order", "diagram.none", {"count": 35, "most": 24}),
        ("three-banks", "diagram.none.more", {"count": 500, "most": 24}),
        ("barriers-wait", "diagram.none.dataflow", {}),
    ],
)
def test_where_there_is_no_picture_a_sentence_says_why(
    client: TestClient, language: str, name: str, key: str, fields: dict[str, int]
) -> None:
    html = client.get(f"/diagram/{name}?lang={language}").text
    assert states(html) == {} and text(html, "none") == word(key, language, **fields)
    assert (f'href="/diagram?lang={language}"' in html) == (name != "barriers-wait")


def test_a_fault_that_leads_out_of_the_diagram_is_said(client: TestClient) -> None:
    html = client.get("/diagram/born-after?step=3&lang=en").text
    assert word("diagram.outside", "en") in html and " now" not in "".join(kinds for kinds, _ in states(html).values())


def test_the_states_lead_there_but_not_from_a_dataflow(client: TestClient) -> None:
    assert 'href="/diagram/token-late' in client.get("/states/token-late").text
    assert 'href="/diagram/' not in client.get("/states/barriers-wait").text
