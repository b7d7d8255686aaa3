"""The page of snapshots over time: its figure, its table, its form, and its caution."""

import json
import re
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.analysis.readings import FLIGHT, quantities, readings
from app.run.run import record
from app.scenario.library import LIBRARY
from app.words.catalogues import LANGUAGES, word

PAPER = "/monitor/meter-readings"


def drawn(html: str) -> dict[str, Any]:
    """Return what the browser draws."""
    (found,) = re.findall(r'<script type="application/json" class="data-figure">(.*?)</script>', html, re.S)
    return dict(json.loads(found))


def rows(html: str) -> list[list[str]]:
    """Return the table in text."""
    (body,) = re.findall(r"<tbody>(.*?)</tbody>", html, re.S)
    cells = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in re.findall(r"<tr>(.*?)</tr>", body, re.S))
    return [[unescape(re.sub(r"<[^>]+>", "", cell)) for cell in row] for row in cells]


def test_without_a_run_the_one_with_readings_is_shown(client: TestClient) -> None:
    assert client.get("/monitor?lang=en").headers["location"] == "/monitor/meter-readings?lang=en"


@pytest.mark.parametrize("of", [FLIGHT, "A", "C->A"])
def test_figure_and_table_are_what_the_snapshots_of_the_run_say(client: TestClient, of: str) -> None:
    run = record(LIBRARY.scenario("meter-readings"))
    found = readings(run, quantities(run)[of])
    html = client.get(PAPER, params={"of": of, "lang": "en"}).text
    line, points = drawn(html)["series"]
    assert line["mark"] == "trend" and [point[:2] for point in points["points"]] == [
        [one.completed, one.recorded] for one in found
    ]
    assert [row[:4] for row in rows(html)] == [
        [f"{one.number} (steps {one.started}–{one.completed})", str(one.before), str(one.recorded), str(one.after)]
        for one in found
    ]


def test_every_point_leads_to_the_step_of_its_snapshot(client: TestClient) -> None:
    for step, _, url, *_ in drawn(client.get(PAPER).text)["series"][1]["points"]:
        assert url.startswith(f"/run/meter-readings?step={step}&") and client.get(url).status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_how_many_of_the_states_never_were(client: TestClient, language: str) -> None:
    html = unescape(client.get(f"{PAPER}?lang={language}").text)
    assert word("monitor.count", language, never=4, count=5) in html and word("monitor.caution", language) in html
    html = unescape(client.get(f"/monitor/token-late?lang={language}").text)
    assert word("monitor.count.none.one", language) in html


def test_without_a_complete_snapshot_there_is_nothing_to_read(client: TestClient) -> None:
    html = client.get("/monitor/marker-lost?lang=en").text
    assert word("monitor.none", "en") in html and "data-figure" not in html


def test_what_cannot_be_read_is_refused_in_a_sentence(client: TestClient) -> None:
    answer = client.get(PAPER, params={"of": "D", "lang": "en"})
    assert answer.status_code == 400 and "cannot be read in this run; one of flight, A, B, C" in unescape(answer.text)


def test_the_form_keeps_the_run_and_runs_with_several_snapshots_lead_there(client: TestClient) -> None:
    html = client.get(f"{PAPER}?algorithm=lai-yang&lang=en").text
    assert '<input type="hidden" name="algorithm" value="lai-yang">' in html
    assert 'href="/monitor/two-labels' in client.get("/stable/two-labels").text
    assert 'href="/monitor/' not in client.get("/stable/token-late").text
