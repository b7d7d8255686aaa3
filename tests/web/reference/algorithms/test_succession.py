"""From Chandy–Lamport to barriers: the table's figures are those of the runs to which they lead."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.analysis.cost import cost
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.reference.algorithms.succession import COLUMNS, ROWS, SCENARIO
from app.words.catalogues import LANGUAGES, word


def cells(html: str, row: str) -> list[tuple[str, str]]:
    """Return the figures of a row, each with its address."""
    (found,) = re.findall(rf'<tr data-row="{row}">(.*?)</tr>', html, re.S)
    return [(unescape(text), unescape(url)) for url, text in re.findall(r'class="counted" href="(.*?)">(.*?)<', found)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_is_counted_in_a_run(client: TestClient, language: str) -> None:
    html = client.get(f"/algorithms/aligned?lang={language}").text
    for i, name in enumerate(COLUMNS):
        paid = cost(record(LIBRARY.scenario(SCENARIO), RunKey(name)))
        (taken,) = paid.snapshots
        told: dict[str, dict[str, int | None]] = {
            "travels": {"count": taken.controls},
            "channels": {"count": taken.messages},
            "ends": {"count": taken.steps},
            "meanwhile": {"steps": paid.blocked, "items": paid.held},
        }
        for row, fields in told.items():
            assert cells(html, row)[i][0] == word(f"succession.{row}.counted", language, **fields)


def test_what_the_sum_records_differs_and_what_it_ends_with_does_not(client: TestClient) -> None:
    html = client.get("/algorithms/aligned?lang=en").text
    assert [text for text, _ in cells(html, "records")] == ["sum records 3", "sum records 13", "sum records 0"]
    assert {text for text, _ in cells(html, "restart")} == {"sum ends with 36"}
    assert [text[-1] for text, _ in cells(html, "channels")] == ["1", "0", "3"]


def test_a_figure_leads_to_its_run_where_the_checkpoint_is_complete(client: TestClient) -> None:
    html = client.get("/algorithms/aligned?lang=en").text
    for row in ROWS:
        for name, (_, url) in zip(COLUMNS, cells(html, row), strict=False):
            assert client.get(url).status_code == 200
            assert (f"algorithm={name}" in url) is (name != "aligned") and "step=" in url


def test_the_other_two_lead_there_and_the_rest_say_nothing_of_it(client: TestClient) -> None:
    for name in ("chandy-lamport", "unaligned"):
        assert 'href="/algorithms/aligned#from-markers"' in client.get(f"/algorithms/{name}").text
    assert "from-markers" not in client.get("/algorithms/lai-yang").text
