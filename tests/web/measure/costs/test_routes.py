"""The page of costs: what it shows is what was measured, and every link opens the run from which it comes."""

import itertools
import json
import re
import time
from html import unescape
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from app.algorithms.registry import ALGORITHMS
from app.analysis.durations import Durations, durations
from app.analysis.experiments import MEANS, PRICES, SIZES, SLOW, STORING
from app.run.run import record
from app.scenario.run_key import RunKey
from app.web.app import create_app
from app.web.measure.costs.measure_queue import MOST_TRIALS, Laboratory
from app.web.measure.costs.measured_run import Measured, Trial
from app.web.measure.costs.query import MEASURES, Query
from app.web.measure.costs.routes import PARTS
from app.web.measure.costs.straggler import amount
from app.wire.scenario_link import LONGEST, packed, scenario_in, unpacked

EACH = pytest.mark.parametrize("name", PARTS)


def part(client: TestClient, name: str, query: str = "") -> str:
    """Return a part of the page, as soon as it is there."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        html = client.get(f"/tradeoffs/{name}?lang=en&{query}").text
        if "part-progress" not in html:
            return html
    raise AssertionError(f"{name} is still being measured")


def figures(html: str) -> list[dict[str, object]]:
    """Return the values of the figures of a page."""
    return [json.loads(each) for each in re.findall(r'class="data-figure">(.*?)</script>', html)]


def measured_at(url: str) -> Durations:
    """Return what the run at an address took."""
    split = urlsplit(url)
    seed = re.search(r"seed=(\d+)", split.query)
    scenario = scenario_in(unpacked(split.path.removeprefix("/run/")))
    return durations(record(scenario, RunKey(seed=int(seed[1]) if seed else None)))


def every_query() -> list[Query]:
    """Enough positions of the sliders that each stands everywhere."""
    pairs = itertools.zip_longest(SLOW, PRICES, MEANS, SIZES, STORING, MEASURES, (True, False))
    names = ("slow", "price", "mean", "size", "storing", "measure", "quiet")
    found = [Query.model_validate({n: v for n, v in zip(names, p, strict=True) if v is not None}) for p in pairs]
    return [Query(), *found]


@EACH
def test_no_experiment_is_too_large_and_every_link_can_carry_its_scenario(name: str) -> None:
    for query in every_query():
        trials = PARTS[name][0](query)
        assert 0 < len(set(trials)) <= MOST_TRIALS
        assert max(len(packed(one.text)) for one in trials) < LONGEST / 2


@EACH
def test_the_same_positions_are_the_same_trials(name: str) -> None:
    assert PARTS[name][0](Query()) == PARTS[name][0](Query())


def test_the_page_is_there_at_once_and_says_how_far_the_measuring_is(alone: TestClient) -> None:
    html = alone.get("/tradeoffs?lang=en").text
    assert html.count('class="part-progress"') >= 1
    assert 'hx-get="/tradeoffs/crowd?lang=en"' in html and 'hx-trigger="load' in html
    assert re.search(r"Waiting to be measured: \d+ runs[.]", html)
    for name in PARTS:
        assert f'<section id="{name}"' in html and f'id="part-{name}"' in html


NOTHING = Measured(Durations((), (), (5,), (3,), 0, False))


@pytest.fixture
def quick() -> TestClient:
    """Return a server that measures nothing and so is quick."""
    app = create_app()
    app.state.laboratory = Laboratory(measure=lambda one: NOTHING)
    return TestClient(app)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_part_is_shown_in_both_languages_also_where_there_was_nothing_to_measure(
    quick: TestClient, language: str
) -> None:
    for name in PARTS:
        part(quick, name)
    html = quick.get(f"/tradeoffs?lang={language}").text
    assert 'class="part-progress"' not in html
    assert len(figures(html)) == 6  # of seven: no checkpoint was complete
    assert html.count('class="figure-empty"') >= 1
    assert ("<h1>开销</h1>" in html) is (language == "zh")


def test_without_scripts_a_button_shows_what_was_turned(quick: TestClient) -> None:
    for name in PARTS:
        part(quick, name, "slow=3&price=7&sent=1&measure=waits&mean=120&size=8&storing=26")
    html = quick.get("/tradeoffs?lang=en&slow=3&price=7&sent=1&measure=waits&mean=120&size=8&storing=26").text
    assert 'class="part-progress"' not in html
    for name, value in (("slow", 3), ("price", 7), ("mean", 120), ("size", 8), ("storing", 26)):
        assert re.search(rf'type="range" name="{name}" min="\d+" max="\d+" step="\d+" value="{value}"', html)
    assert '<option value="waits" selected>' in html
    assert 'name="quiet" value="1" hx' in html  # no tick
    assert html.count('<noscript><button class="button" type="submit">Show</button></noscript>') == 5
    assert '<form class="costs" id="costs" method="get" action="/tradeoffs"' in html


def test_every_point_of_the_figure_is_what_its_run_measures(client: TestClient) -> None:
    (figure,) = figures(part(client, "straggler", "measure=stored"))
    series = {one["name"]: one["points"] for one in figure["series"]}  # type: ignore[attr-defined]
    assert {"Aligned barriers", "Unaligned barriers", "Micro-batch"} <= set(series)
    for name in ("aligned", "unaligned"):
        points = series["Aligned barriers" if name == "aligned" else "Unaligned barriers"]
        assert [point[0] for point in points] == list(SLOW)
        for x, y, url in points[:3]:
            scenario = scenario_in(unpacked(urlsplit(url).path.removeprefix("/run/")))
            assert scenario.form.schedule.service == {"slow": x}
            assert scenario.form.algorithm == name
            assert amount(name, "stored", measured_at(url)) == y


def test_the_table_at_the_slider_is_about_the_slider(client: TestClient) -> None:
    html = part(client, "straggler", "slow=13")
    table = html[html.index("<caption>At this setting") : html.index("</table>")]
    assert "A slow task: 13 ticks per item" in table
    links = [unescape(url) for url in re.findall(r'href="(/run/[^"]*)"', table)]
    assert len(links) == len(re.findall(r"<tr>", table)) - 1 > 4
    services = [scenario_in(unpacked(urlsplit(u).path.removeprefix("/run/"))).form.schedule.service for u in links]
    assert services == [{"slow": 13}] * len(links)


def test_the_link_of_a_measured_run_opens_that_run(client: TestClient) -> None:
    html = part(client, "tides")
    url = unescape(re.findall(r'href="(/run/[^"]*)"', html)[0])
    answer = client.get(url)
    assert answer.status_code == 200
    assert "A checkpoint every 16 ticks" in answer.text


def test_with_a_box_unticked_there_are_no_quiet_times(client: TestClient) -> None:
    html = part(client, "tides", "sent=1")
    (figure,) = figures(html)
    waiting = figure["series"][1]["points"]  # type: ignore[index]
    assert [point[1] for point in waiting[:4]] == [19, 39, 59, 79]


def test_the_table_of_all_algorithms_has_all_that_are_made_for_dataflows(client: TestClient) -> None:
    html = part(client, "dashboard")
    shown = re.findall(r'<th scope="row"><a href="/algorithms/([a-z-]+)">', html)
    assert {"chandy-lamport", "aligned", "unaligned", "at-least-once", "millwheel", "uncoordinated"} <= set(shown)
    assert shown == [name for name in ALGORITHMS if name in shown]
    row = html[html.index('"/algorithms/aligned"') :]
    row = row[: row.index("</tr>")]
    told = [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)]
    calm, crashed = (measured_at(unescape(re.findall(r'href="(/run/[^"]*)"', row)[i])) for i in (0, -1))
    assert told[0] == str(calm.complete[0].lasts) and told[1] == str(calm.complete[0].longest)
    assert told[8:10] == [str(crashed.again), str(crashed.outages[0].gone_back)]
    assert told[-2:] == ["each item once promised: exactly once"] * 2


def test_the_table_never_says_of_a_wrong_value_that_it_is_there_exactly_once(client: TestClient) -> None:
    html = part(client, "dashboard")
    for name in ("at-most-once", "at-least-once"):
        row = html[html.index(f'"/algorithms/{name}"') :]
        cells = re.findall(r'<td class="costs-kept">(.*?)</td>', row[: row.index("</tr>")])
        state, output = (" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in cells)
        word = name.replace("-", " ")
        assert output == f"each item once, but wrong values promised: {word}"
        assert state.endswith(f"promised: {word}") and not state.startswith("each item once")
        assert "exactly once" not in state + output


def test_the_table_says_that_its_crash_is_a_task_s_and_what_that_of_a_driver_does(client: TestClient) -> None:
    html = part(client, "dashboard")
    row = html[html.index('"/algorithms/micro-batch"') :]
    told = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<td>(.*?)</td>", row[: row.index("</tr>")])]
    kept = re.findall(r'<td class="costs-kept">(.*?)</td>', row[: row.index("</tr>")])
    assert told[9] == "1" and kept == ["each item once<small>promised: exactly once</small>"] * 2
    (link, rolled) = re.findall(r'<a href="(/run/[^"]*)">Open that run: (\d+) processes roll back</a>', html)[0]
    assert rolled == str(measured_at(unescape(link)).outages[0].gone_back) == "5"
    assert "This is the crash of one task. Micro-batches retry it inside its batch" in html


def test_a_part_that_there_is_not_is_not_found(client: TestClient) -> None:
    assert client.get("/tradeoffs/beauty").status_code == 404


@pytest.mark.parametrize("query", ["slow=abc", "mean=%00", "quiet=maybe", "measure=%ff", "price=1e400", "size=-1"])
def test_what_no_slider_says_is_put_right(quick: TestClient, query: str) -> None:
    assert quick.get(f"/tradeoffs?{query}").status_code == 200


def test_a_trial_is_named_by_its_words_in_both_languages() -> None:
    (one, *_) = PARTS["straggler"][0](Query())
    assert isinstance(one, Trial)
    title = scenario_in(one.text).form.title
    assert (title.en, title.zh) == ("A slow task: 1 ticks per item", "慢任务：每个元素 1 拍")
