"""The page of costs: what it shows is what was measured, and every link opens the run from which it comes."""

import itertools
import json
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from app.analysis import cost_runs
from app.analysis.durations import Durations, durations
from app.analysis.ledger import ledger
from app.run.run import record
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.web.measure.costs.parts import PARTS
from app.web.measure.costs.query import AXES, MEASURES, stops
from app.wire.scenario_link import scenario_in, unpacked

EACH = pytest.mark.parametrize("name", PARTS)


def part(client: TestClient, name: str, query: str = "") -> str:
    """Return a part of the page."""
    return client.get(f"/costs/{name}?lang=en&{query}", headers={"hx-request": "true"}).text


def figures(html: str) -> list[dict[str, Any]]:
    """Return the values of the figures of a page."""
    return [json.loads(each) for each in re.findall(r'class="data-figure">(.*?)</script>', html)]


def scenario_at(url: str) -> Scenario:
    """Return the scenario that an address carries."""
    return scenario_in(unpacked(urlsplit(url).path.removeprefix("/run/")))


def measured_at(url: str) -> Durations:
    """Return what the run at an address took."""
    seed = re.search(r"seed=(\d+)", urlsplit(url).query)
    return durations(record(scenario_at(url), RunKey(seed=int(seed[1]) if seed else None)))


def cells(row: str) -> list[str]:
    """Return the text of the cells of a row."""
    return [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)]


@pytest.mark.parametrize("address", ["?lang=en&slow=3", "/straggler?lang=en", ""])
def test_the_address_that_it_had_before_leads_there(client: TestClient, address: str) -> None:
    answer = client.get(f"/tradeoffs{address}")
    assert (answer.status_code, answer.headers["location"]) == (308, f"/costs{address}")


def test_nothing_is_simulated_when_the_page_opens(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.run.run.record", None)
    html = client.get("/costs?lang=en").text
    for name in PARTS:
        assert f'<section id="{name}"' in html and f'id="part-{name}"' in html
    assert len(figures(html)) == 7 and 'class="figure-empty"' not in html


@EACH
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_part_is_shown_at_every_position_of_the_sliders_in_both_languages(
    client: TestClient, name: str, language: str
) -> None:
    positions = itertools.zip_longest(*(stops(slider) for slider in AXES), MEASURES, ("1", "0"))
    for values in positions:
        given = zip((*AXES, "measure", "quiet"), values, strict=True)
        query = "&".join(f"{slider}={value}" for slider, value in given if value is not None)
        html = client.get(f"/costs/{name}?lang={language}&{query}", headers={"hx-request": "true"}).text
        assert f'id="part-{name}"' in html and html.count("/run/1.") > 20
        assert "costs." not in html and "None" not in html
        drawn = [point for figure in figures(html) for one in figure["series"] for point in one["points"]]
        assert all(point[0] is not None for point in drawn)


def test_without_scripts_a_button_shows_what_was_turned(client: TestClient) -> None:
    html = client.get("/costs?lang=en&slow=3&price=7&sent=1&measure=waits&mean=120&size=8&storing=26").text
    for name, value in (("slow", 3), ("price", 7), ("mean", 120), ("size", 8), ("storing", 26)):
        assert re.search(rf'type="range" name="{name}" min="\d+" max="\d+" step="\d+" value="{value}"', html)
    assert '<option value="waits" selected>' in html
    assert 'name="quiet" value="1" hx' in html  # no tick
    assert html.count('<noscript><button class="button" type="submit">Show</button></noscript>') == 5
    assert '<form class="page costs" id="costs" method="get" action="/costs"' in html


def test_every_point_of_the_figure_is_what_its_run_measures(client: TestClient) -> None:
    (figure,) = figures(part(client, "straggler", "measure=stored"))
    series = {one["name"]: one["points"] for one in figure["series"]}
    assert {"Aligned barriers", "Unaligned barriers", "Micro-batch"} <= set(series)
    for name, label in (("aligned", "Aligned barriers"), ("unaligned", "Unaligned barriers")):
        assert [point[0] for point in series[label]] == list(stops("slow"))
        for x, y, url in series[label][:3]:
            form = scenario_at(url).form
            assert (form.schedule.service, form.algorithm) == ({"slow": x}, name)
            assert max(each.in_flight for each in measured_at(url).complete) == y


def test_a_mean_opens_the_run_that_is_nearest_to_it(client: TestClient) -> None:
    figure, *_ = figures(part(client, "interval", "price=3&mean=80"))
    measured, _, stopped, rule = figure["series"]
    every, share, url, words = measured["points"][4]
    runs = cost_runs.runs("interval", every=every, price=3, mean=80)
    over = [run.number("over") or 0 for run in runs]
    average = sum(over) / len(over)
    assert share == round(100 * (average - 121) / 121, 1)
    assert measured_at(url).over == min(over, key=lambda each: abs(each - average))
    assert words == "mean of 20 runs; opens the run closest to it"
    assert measured_at(stopped["points"][4][2]).outages == ()
    assert rule["points"][0][0] == 21.9


def test_all_runs_behind_a_figure_are_beneath_it(client: TestClient) -> None:
    html = part(client, "interval", "price=3&mean=80")
    table = html[html.index('<details class="costs-runs">') :]
    assert len(re.findall(r'href="/run/[^"]*seed=\d+', table)) == 7 * 20
    table = part(client, "crowd", "size=8")
    table = table[table.index('<details class="costs-runs">') :]
    links = [unescape(url) for url in re.findall(r'href="(/run/[^"]*)"', table)]
    assert len(links) == 2 * 12
    assert cells(table)[0] == str(len(measured_at(links[0]).outages))


def test_lines_that_coincide_say_so_by_their_values(client: TestClient) -> None:
    (figure,) = figures(part(client, "straggler", "measure=lasts"))
    first: dict[str, str] = {}
    for one in figure["series"]:
        values = json.dumps([point[:2] for point in one["points"]])
        earlier = first.setdefault(values, one["name"])
        assert one.get("same") == (None if earlier == one["name"] else f"same as {earlier}")
    assert len(first) < len(figure["series"])


def test_the_address_of_a_part_opens_the_whole_page_there(client: TestClient) -> None:
    answer = client.get("/costs/crowd?lang=en&size=8", follow_redirects=False)
    assert answer.headers["location"] == "/costs?lang=en&size=8#crowd"
    html = client.get(answer.headers["location"]).text
    assert '<section id="crowd"' in html and "<h1>" in html
    assert "<h1>" not in part(client, "crowd")


def test_the_table_at_the_slider_is_about_the_slider(client: TestClient) -> None:
    html = part(client, "straggler", "slow=13")
    table = html[html.index("<caption>At this setting") : html.index("</table>")]
    assert "A slow task: 13 ticks per item" in table
    rows = re.findall(r"<tr>.*?</tr>", table, re.S)[1:]
    assert len(rows) == 6
    for row in rows:
        links = {unescape(url) for url in re.findall(r'href="(/run/[^"]*)"', row)}
        assert [scenario_at(url).form.schedule.service for url in links] == [{"slow": 13}]


def test_the_link_of_a_measured_run_opens_that_run(client: TestClient) -> None:
    html = part(client, "tides")
    url = unescape(re.findall(r'href="(/run/[^"]*)"', html)[0])
    answer = client.get(url)
    assert answer.status_code == 200
    assert "A checkpoint every 16 ticks" in answer.text


def test_a_point_opens_its_run_where_the_first_checkpoint_is_complete(client: TestClient) -> None:
    (point, *_) = (p for one in figures(part(client, "straggler"))[0]["series"] for p in one["points"] if p[2])
    run = record(scenario_at(point[2]), RunKey())
    done = [seen.completed for seen in run.history.recordings.values() if seen.completed]
    assert parse_qs(urlsplit(point[2]).query)["step"] == [str(min(done))] and min(done) > 1


def test_with_a_box_unticked_there_are_no_quiet_times(client: TestClient) -> None:
    html = part(client, "tides", "sent=1")
    (figure,) = figures(html)
    waiting = figure["series"][1]["points"]
    assert [point[1] for point in waiting[:4]] == [19, 39, 59, 79]


def row_of(html: str, name: str) -> str:
    """Return the row of an algorithm in the table of all."""
    found = html[html.index(f'"/algorithms/{name}"') :]
    return found[: found.index("</tr>")]


def test_the_table_of_all_algorithms_says_what_their_runs_measure(client: TestClient) -> None:
    row = row_of(part(client, "dashboard"), "aligned")
    told, links = cells(row), [unescape(url) for url in re.findall(r'href="(/run/[^"]*)"', row)]
    calm, crashed = measured_at(links[0]), measured_at(links[-1])
    assert told[0] == str(calm.complete[0].lasts) and told[1] == str(calm.complete[0].longest)
    book = ledger(record(scenario_at(links[-1]), RunKey()))
    assert book is not None
    assert told[8:10] == [str(book.again), str(crashed.outages[0].gone_back)]
    assert told[-2:] == ["each item once promised: exactly once"] * 2


def test_who_recovers_nothing_does_nothing_again(client: TestClient) -> None:
    assert cells(row_of(part(client, "dashboard"), "at-most-once"))[8] == "0"


def test_the_table_says_that_the_crash_of_a_waiting_task_costs_nothing(client: TestClient) -> None:
    html = part(client, "dashboard")
    assert cells(row_of(html, "micro-batch"))[8] == "0"
    said = re.search(
        r"in the middle of its work, at tick (\d+), it processes (\d+) items again.*?href=\"(/run/[^\"]*)", html, re.S
    )
    assert said is not None
    book = ledger(record(scenario_at(unescape(said[3])), RunKey()))
    assert book is not None and int(said[2]) == book.again > 0


def test_the_table_never_says_of_a_wrong_value_that_it_is_there_exactly_once(client: TestClient) -> None:
    html = part(client, "dashboard")
    for name in ("at-most-once", "at-least-once"):
        state, output = cells(row_of(html, name))[-2:]
        word = name.replace("-", " ")
        assert output == f"each item once, but wrong values promised: {word}"
        assert state.endswith(f"promised: {word}") and not state.startswith("each item once")
        assert "exactly once" not in state + output


def test_the_table_says_that_its_crash_is_a_task_s_and_what_that_of_a_driver_does(client: TestClient) -> None:
    html = part(client, "dashboard")
    told = cells(row_of(html, "micro-batch"))
    assert told[9] == "1" and told[-2:] == ["each item once promised: exactly once"] * 2
    (link, rolled) = re.findall(r'<a href="(/run/[^"]*)">Open that run: (\d+) processes roll back</a>', html)[0]
    assert rolled == str(measured_at(unescape(link)).outages[0].gone_back) == "5"
    assert "If the driver of the micro-batches crashes at tick 70, the query restarts." in html


def test_a_part_that_there_is_not_is_not_found(client: TestClient) -> None:
    assert client.get("/costs/beauty").status_code == 404


@pytest.mark.parametrize("query", ["slow=abc", "mean=%00", "quiet=maybe", "measure=%ff", "price=1e400", "size=-1"])
def test_what_no_slider_says_is_put_right(client: TestClient, query: str) -> None:
    assert client.get(f"/costs?{query}").status_code == 200
