"""The head of pages about a run: the tabs keep the run, its key and its step, and say why a tool cannot be used."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from app.web.shared.run_head import PARTS, TOOLS
from app.words.catalogues import LANGUAGES, word

KEY = "algorithm=photographs&discipline=any&choices=2:1&step=3"


def tabs(html: str) -> dict[str, str]:
    """The addresses of the tabs by their words."""
    nav = html.split('id="run-tabs"', 1)[1].split("</nav>", 1)[0]
    return {name: unescape(url) for url, name in re.findall(r'<a class="run-tab" href="([^"]+)"[^>]*>([^<]+)</a>', nav)}


def run_of(address: str) -> tuple[str, dict[str, list[str]]]:
    """The scenario and what of the run an address names; a comparison carries it in ``of``."""
    parts = urlsplit(address)
    query = parse_qs(parts.query)
    if parts.path.startswith("/compare/"):
        query = parse_qs(query["of"][0])
    kept = ("algorithm", "discipline", "choices", "step", "v")
    return parts.path.split("/")[2], {name: query[name] for name in kept if name in query}


@pytest.mark.parametrize("tool", [*TOOLS, *(part for parts in PARTS.values() for part in parts[1:])])
def test_the_tabs_of_every_tool_keep_the_run_and_its_key(client: TestClient, tool: str) -> None:
    began = tabs(client.get(f"/run/three-banks?{KEY}&lang=en").text)
    assert list(began) == [word(f"tab.{name}", "en") for name in TOOLS]
    address = began[word(f"tab.{tool}", "en")] if tool in TOOLS else f"/{tool}/three-banks?{KEY}&lang=en"
    answer = client.get(address)
    assert answer.status_code == 200, address
    there = tabs(answer.text)
    assert list(there) == list(began)
    whole = run_of(began["Run"])
    assert {"algorithm", "discipline", "choices", "step", "v"} == set(whole[1])
    for name, url in there.items():
        assert run_of(url) == whole, (tool, name)
    current = re.findall(r'<a class="run-tab"[^>]* aria-current="page">([^<]+)<', answer.text)
    main = next((name for name, parts in PARTS.items() if tool in parts), tool)
    assert current == [word(f"tab.{main}", "en")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("path", "tool", "reason"),
    [
        ("/run/domino", "swap", "none"),
        ("/run/marker-lost", "swap", "open"),
        ("/run/random-twelve", "blank", "long"),
        ("/run/blue-figure?manual=1", "quiz", "empty"),
    ],
)
def test_a_tool_that_cannot_be_used_stays_and_says_why(
    client: TestClient, path: str, tool: str, reason: str, language: str
) -> None:
    html = unescape(client.get(path, params={"lang": language} | ({"manual": "1"} if "?" in path else {})).text)
    off = re.findall(r'<span class="run-tab off"[^>]*aria-disabled="true"[^>]*data-why="([^"]+)">([^<]+)<', html)
    told = {name: why for why, name in off}
    steps = re.findall(r"\d+", told[word(f"tab.{tool}", language)])
    fields = {"steps": steps[0], "most": 120} if reason == "long" else {}
    assert told[word(f"tab.{tool}", language)] == word(f"head.why.{reason}", language, **fields)


def test_a_broken_way_back_from_a_comparison_leads_to_the_authors_run(client: TestClient) -> None:
    for of in ("choices=x", "v=x", "algorithm=none", "step=-1", "%%%"):
        answer = client.get("/compare/three-banks", params={"of": of, "lang": "en"})
        assert answer.status_code == 200, of
        scenario, kept = run_of(tabs(answer.text)["Run"])
        assert scenario == "three-banks" and set(kept) == {"v"}, of


@pytest.mark.parametrize("path", ["cuts", "swap", "theorem", "states", "diagram", "stable", "monitor", "blank"])
def test_no_row_of_links_repeats_the_tabs(client: TestClient, path: str) -> None:
    html = client.get(f"/{path}/three-banks").text
    others = {urlsplit(url).path for url in tabs(html).values()} - {f"/{path}/three-banks"}
    assert len(others) >= len(TOOLS) - 1
    rows = re.findall(
        r"<(?:nav|footer) (?!class=\"run-parts).*?</(?:nav|footer)>", html.split("<main", 1)[1], re.DOTALL
    )
    assert not others & {urlsplit(url).path for row in rows for url in re.findall(r'href="([^"]+)"', row)}
