"""A run as a sheet of paper: blank, and solved."""

import re

import pytest
from fastapi.testclient import TestClient

from app.run.run import record, summary
from app.scenario.library import LIBRARY

BLUE = ("#0072b2", "#e6f1f8", "#0069a5", "#e69f00")


def sheet(client: TestClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    drawn_once = re.sub(r'<div class="drawn-phone">.*?</div>', "", answer.text, flags=re.S)
    return drawn_once.split('<article class="sheet">')[1].split("</article>")[0]


def test_the_blank_sheet_gives_nothing_away(client: TestClient) -> None:
    html = sheet(client, "/blank/three-banks?lang=en")
    assert "data-recorded=" not in html and "data-cut=" not in html and "data-past" not in html
    assert not [colour for colour in BLUE if colour in html.lower()], "it is black on white"
    assert 'data-kind="marker"' in html and 'data-fate="crossing"' not in html
    assert "N2 starts snapshot 1 in step 3. The algorithm: Chandy–Lamport." in html
    assert "Initial state: N1 10, N2 3, N3 0." in html
    assert html.count("<dt>") == 9 and html.count("blank-room") == 12 and "<b>5</b>" not in html


def test_the_solution_is_what_the_run_recorded(client: TestClient) -> None:
    html = sheet(client, "/blank/three-banks?solution=1&lang=en")
    assert len(re.findall("data-recorded=", html)) == 3 and html.count('data-fate="crossing"') == 2
    parts = dict(re.findall(r"<dt>([^<]+)</dt><dd><b>([^<]+)</b>", html))
    (told,) = summary(record(LIBRARY.scenario("three-banks")))["snapshots"]
    assert {name: parts[name] for name in told["processes"]} == {n: str(v) for n, v in told["processes"].items()}
    assert parts["N1→N2"] == "3, 2" and parts["N3→N1"] == "∅"
    assert "Consistent: every message" in html and "blank-room" not in html


def test_an_orphan_is_part_of_the_solution(client: TestClient) -> None:
    html = sheet(client, "/blank/late-marker?solution=1&lang=en")
    assert "Not consistent: 4 received before the cut, but sent after it." in html and 'data-fate="orphan"' in html
    assert "没有完整的割集" in sheet(client, "/blank/chain-from-b?solution=1&lang=zh")


def test_of_several_snapshots_one_is_asked_for(client: TestClient) -> None:
    html = sheet(client, "/blank/two-starters?snapshot=2&solution=1&lang=en")
    assert re.findall(r'data-cut="(\d)"', html) == ["2"] and "starts snapshot 2 in step" in html
    assert client.get("/blank/two-starters?snapshot=9").status_code == 400


@pytest.mark.parametrize(("name", "said"), [("domino", "No snapshot is taken"), ("random-twelve", "too many for one")])
def test_runs_without_a_snapshot_or_too_long_say_so(client: TestClient, name: str, said: str) -> None:
    assert said in sheet(client, f"/blank/{name}?lang=en")


def test_the_player_and_the_still_page_lead_to_all_of_them_with_the_runs_own_key(client: TestClient) -> None:
    for address in ("/run/three-banks?algorithm=lai-yang", "/run/three-banks/step/4?algorithm=lai-yang"):
        html = client.get(address).text
        for place in ("cuts", "swap", "states", "stable", "blank"):
            (link,) = set(re.findall(rf'href="(/{place}/three-banks\?[^"]+)"', html))
            assert "algorithm=lai-yang" in link
            assert client.get(link.replace("&amp;", "&")).status_code == 200
