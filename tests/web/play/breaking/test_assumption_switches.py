"""The promises as switches: what the server predicts is what happens."""

import json
import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.algorithms.registry import ALGORITHMS
from app.web.play.breaking.assumption_switches import PROMISES, sound
from app.wire.scenario_link import packed

Row = dict[str, str | bool | None]


def rows(client: TestClient, address: str) -> dict[str, Row]:
    """Return the switches of a run by promise."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    found: dict[str, Row] = {}
    for item in answer.text.split('<li class="promise')[1:]:
        promise = re.search(r'id="promise-([a-z]+)"', item)
        href = re.search(r'promise-switch"[^>]*href="([^"]+)"', item)
        kind = re.search(r'promise-outcome ([a-z]+)"', item)
        find = re.search(r'promise-find" href="([^"]+)"', item)
        assert promise and kind
        found[promise[1]] = {
            "kept": 'aria-checked="true"' in item,
            "kind": kind[1],
            "url": unescape(href[1]) if href else None,
            "find": unescape(find[1]) if find else None,
            "text": unescape(re.sub(r"<[^>]*>", " ", item)),
        }
    return found


def test_every_promise_is_said_and_broken_by_an_algorithm_that_is_known() -> None:
    assert list(PROMISES) == ["first", "recorded", "labels", "whole", "after"]
    assert {sound(broken) for broken in PROMISES.values()} <= set(ALGORITHMS) - set(PROMISES.values())


def test_the_blue_figure_breaks_where_nobody_records_the_channels(client: TestClient) -> None:
    found = rows(client, "/run/blue-figure/switches")
    assert list(found)[:3] == ["order", "first", "recorded"]
    assert all(row["kept"] for row in found.values())
    assert (found["recorded"]["kind"], found["first"]["kind"]) == ("breaks", "survives")
    assert "Not recorded: M crosses the cut on P2→P1" in str(found["recorded"]["text"])


def test_what_is_said_of_a_switch_is_what_its_address_shows(client: TestClient) -> None:
    for promise, row in rows(client, "/run/three-banks/switches").items():
        assert row["url"]
        trace = client.get(str(row["url"]).replace("?", "/trace.json?")).json()
        judged = [note for frame in trace["frames"] for note in frame["n"] if note[0] == "judged"]
        assert (row["kind"] == "breaks") == any(not note[3] for note in judged), promise


def test_a_run_that_breaks_opens_at_the_step_that_breaks_it(client: TestClient) -> None:
    row = rows(client, "/run/blue-figure/switches")["recorded"]
    step = re.search(r"step=(\d+)", str(row["url"]))
    assert step
    trace = client.get(str(row["url"]).replace("?", "/trace.json?")).json()
    notes = trace["frames"][int(step[1]) - 1]["n"]
    assert any(note[0] == "judged" and not note[3] for note in notes)


def test_a_broken_promise_is_turned_back_to_the_algorithm_that_keeps_it(client: TestClient) -> None:
    row = rows(client, "/run/late-marker/switches")["first"]
    assert (row["kept"], row["kind"]) == (False, "survives")
    assert "algorithm=chandy-lamport" in str(row["url"])


def test_the_author_s_algorithm_comes_back(client: TestClient) -> None:
    row = rows(client, "/run/blue-figure/switches?algorithm=late-marker")["first"]
    assert row["kept"] is False
    assert "algorithm=" not in str(row["url"])


def test_one_broken_promise_at_a_time_but_order_goes_with_any(client: TestClient) -> None:
    found = rows(client, "/run/blue-figure/switches?algorithm=late-marker&discipline=any")
    assert [promise for promise, row in found.items() if not row["kept"]] == ["order", "first"]
    assert "algorithm=no-channels" in str(found["recorded"]["url"]) and "discipline=any" in str(
        found["recorded"]["url"]
    )
    assert "algorithm=late-marker" in str(found["order"]["url"]) and "discipline=" not in str(found["order"]["url"])


def test_only_where_there_are_newcomers_there_is_a_promise_about_them(client: TestClient) -> None:
    assert "after" not in rows(client, "/run/blue-figure/switches")
    text = json.dumps(
        {
            "title": {"en": "t", "zh": "t"},
            "topology": {"processes": ["p", "q", "n"], "channels": ["p->q", "q->p", "p->n", "n->p"]},
            "program": {"kind": "token", "holders": {"p": 1}},
            "algorithm": sound("merge-joiner"),
            "newcomers": {"n": "p"},
            "script": [{"join": "n"}, {"start": "p"}],
        }
    )
    found = rows(client, f"/run/{packed(text)}/switches")
    assert found["after"]["kept"] is True


def test_an_algorithm_of_another_kind_has_the_switch_of_the_order_only(client: TestClient) -> None:
    assert list(rows(client, "/run/photographs-none/switches")) == ["order"]


def test_a_branch_is_repeated_not_replaced(client: TestClient) -> None:
    run = "/run/late-marker"
    found = rows(client, f"{run}/switches?choices=0:2.1.0.0.0.0.0&drain=1")
    url = str(found["first"]["url"])
    assert "choices=" in url and "drain=1" in url
    trace = client.get(url.replace("?", "/trace.json?")).json()
    assert "send P->Q 1" in [frame["a"] for frame in trace["frames"]]


def test_a_broken_run_is_said_to_break_all_the_same_without_order(client: TestClient) -> None:
    assert rows(client, "/run/late-marker/switches")["order"]["kind"] == "still"


def test_a_long_run_is_not_made_again_for_every_switch(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.play.breaking.assumption_switches.MOST_WORK", 10)
    kinds = {row["kind"] for row in rows(client, "/run/blue-figure/switches").values()}
    assert kinds == {"unseen"}
    assert "This run is long" in client.get("/run/blue-figure/switches").text


def test_a_large_system_is_not_offered_for_searching(client: TestClient) -> None:
    assert all(row["find"] is None for row in rows(client, "/run/random-twelve/switches").values())
    assert rows(client, "/run/blue-figure/switches")["first"]["find"] == "/run/blue-figure/find?algorithm=late-marker"


def test_the_switches_speak_chinese(client: TestClient) -> None:
    assert "没有它，这次运行就会出错" in client.get("/run/blue-figure/switches?lang=zh").text


def test_the_page_asks_for_them_by_itself(client: TestClient) -> None:
    page = client.get("/run/blue-figure?algorithm=late-marker&step=2").text
    assert 'data-from="/run/blue-figure/switches?algorithm=late-marker&amp;step=2"' in page
