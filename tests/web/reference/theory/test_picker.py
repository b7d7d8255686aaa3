"""The page for choosing what counts as state."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.words.catalogues import LANGUAGES, word

PAPER = "/picker/what-is-state"


def rows(html: str) -> dict[str, list[str]]:
    """Return the table in text, by element."""
    (body,) = re.findall(r"<tbody>(.*?)</tbody>", html, re.S)
    found = {}
    for row in re.findall(r"<tr>(.*?)</tr>", body, re.S):
        name, *cells = (
            unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row, re.S)
        )
        found[name] = cells
    return found


def verdict(html: str) -> str:
    """Return what the page concludes."""
    (found,) = re.findall(r'id="verdict">(.*?)</p>', html, re.S)
    return unescape(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_counts_until_something_is_chosen(client: TestClient, language: str) -> None:
    html = client.get(f"{PAPER}?lang={language}").text
    assert html.count("checked") == 3 and verdict(html) == word("picker.all", language)
    html = client.get(f"{PAPER}?keep=cash&keep=goods&lang={language}").text
    assert html.count("checked") == 2 and verdict(html) == word("picker.one", language)
    html = client.get(f"{PAPER}?keep=cash&keep=views&lang={language}").text
    assert verdict(html) == word("picker.wrong", language, count=2)


def test_the_table_has_what_was_chosen_and_says_what_comes_back_otherwise(client: TestClient) -> None:
    told = rows(client.get(f"{PAPER}?keep=cash&keep=views&lang=en").text)
    assert told["A"] == ["cash=12, views=2", "cash=12, goods=5, not 3, views=3"]
    chinese = rows(client.get(f"{PAPER}?keep=cash&keep=goods&lang=zh").text)
    assert chinese["A"] == ["cash=12，goods=3", "cash=12，goods=3，views=3"]
    assert told["B → A"] == ["visit", "has arrived"] and told["A → B"] == ["∅", "∅"]


def test_a_choice_that_is_enough_is_said_to_be(client: TestClient) -> None:
    html = client.get("/picker/blue-figure?keep=X1&lang=en").text
    assert verdict(html) == word("picker.enough", "en") and rows(html)["P2"][0] == "–"


def test_a_variable_that_nobody_has_is_refused(client: TestClient) -> None:
    answer = client.get(f"{PAPER}?keep=gold&lang=en")
    assert answer.status_code == 400 and "no variable is called" in answer.text


@pytest.mark.parametrize("name", ["three-banks", "domino"])
def test_where_there_is_nothing_to_choose_the_page_says_so(client: TestClient, name: str) -> None:
    html = client.get(f"/picker/{name}?lang=en").text
    assert word("picker.none", "en") in unescape(html) and '<form class="picker-form"' not in html


def test_runs_with_variables_lead_there_and_without_a_run_the_shops_are_shown(client: TestClient) -> None:
    assert client.get("/picker?keep=cash").headers["location"] == "/picker/what-is-state?keep=cash"
    assert 'href="/picker/blue-figure' in client.get("/states/blue-figure").text
    for name in ("three-banks", "domino"):
        assert 'href="/picker/' not in client.get(f"/states/{name}").text
