"""The Lab: it shows what a report says, every point leads to its run, and an unreadable report is reported."""

import csv
import html
import json
import os
import re
from pathlib import Path
from typing import Any, get_args
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from msgspec.structs import replace

from app.analysis.sweep_report import MEASURES, Group, Histogram, Report
from app.cli.main import status
from app.core.oracle.checks import ROW_CHECKS
from app.pictures.chart import Axis
from app.pipeline.sweep.generated_scenarios import label
from app.pipeline.sweep.spec import RandomForm, Shape
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import ENGINE, RunKey
from app.web.app import Settings, create_app
from app.web.measure.lab.distribution import Distribution
from app.web.measure.lab.growth import drawn, formula
from app.web.measure.lab.labels import graph, scale, share, three_digits, topology
from app.web.measure.lab.query import Query, options, usual
from app.web.measure.lab.regression import Line, fitted
from app.web.measure.lab.report import report
from app.web.measure.lab.routes import SHIPPED
from app.web.measure.lab.sweep_jobs import Job
from app.web.measure.lab.violations import breakdown, part
from app.web.serve import readable
from app.wire.run_url import stamp
from app.wire.scenario_link import CARRIED, scenario_in, unpacked
from app.words.catalogues import LANGUAGES, word
from tests.often import pairs

JOB = "a-sweep"


@pytest.fixture
def client(alone: TestClient) -> TestClient:
    """Return a client of a server with a store of its own."""
    return alone


def counted(*values: int) -> dict[str, Any]:
    """Return how many times each of these was measured."""
    each = sorted(set(values))
    return {"values": each, "counts": [values.count(value) for value in each]}


def group(number: int, algorithm: str, **more: Any) -> dict[str, Any]:
    """Return a group of four runs with a snapshot each, none of which is wrong."""
    usual: dict[str, Any] = {
        "id": number,
        "algorithm": algorithm,
        "topology": "ring",
        "processes": 3,
        "channels": 3,
        "diameter": 2,
        "program": "bank",
        "discipline": "fifo",
        "delay": None,
        "interval": None,
        "scenario": "made",
        "url": f"/run/{algorithm}",
        "runs": 4,
        "snapshots": 4,
        "complete": 4,
        "judged": dict.fromkeys((*ROW_CHECKS, "any"), 4),
        "broken": {},
        "unjudged": {},
        "measures": {"duration": counted(1, 4, 4, 9), "controls": counted(3, 3, 3, 3)},
    }
    return usual | more


def sample(number: int, url: str, **more: Any) -> dict[str, Any]:
    """Return a snapshot that took 4 steps."""
    usual = dict.fromkeys(MEASURES) | {"group": number, "run": 123, "url": url, "snapshot": 1, "broken": []}
    return usual | {"duration": 4, "controls": 3} | more


def made(**more: Any) -> dict[str, Any]:
    """A report of three groups: a correct algorithm, the same on channels without order, and a wrong one, of which
    some snapshots were not judged."""
    wrong = {"consistent": 3, "any": 3}
    return {
        "version": 2,
        "engine": ENGINE,
        "spec": {"seeds": 4},
        "runs": 12,
        "snapshots": 15,
        "verdicts": {"by": "verifiers", "snapshots": 12, "checks": 48, "disagree": 0},
        "groups": [
            group(0, "chandy-lamport"),
            group(1, "chandy-lamport", discipline="any", broken={"channels": 1, "any": 1}, processes=5, channels=5),
            group(2, "late-marker", snapshots=7, broken=wrong, unjudged={"aborted": 2, "unfinished": 1}),
        ],
        "samples": [
            sample(0, "?seed=1&step=9"),
            sample(1, "?seed=2&step=9", broken=["channels"]),
            sample(1, "?seed=3&step=9"),
            sample(2, "?seed=4&step=9", broken=["consistent"], duration=6),
        ],
    } | more


def kept(folder: Path, values: Any) -> str:
    """Return the address of the Lab that shows a report."""
    place = folder / "lab" / JOB
    place.mkdir(parents=True, exist_ok=True)
    (place / "report.json").write_text(values if isinstance(values, str) else json.dumps(values), "utf-8")
    return f"/lab?lang=en&job={JOB}"


def figures(page: str) -> dict[str, Any]:
    """Return the values of the figures of a page, by their titles."""
    found = [json.loads(each) for each in re.findall(r'class="data-figure">(.*?)</script>', page)]
    return {figure["title"]: figure for figure in found}


def words(page: str) -> str:
    """Return the text of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


# --- the page ----------------------------------------------------------------------------------------------------


def test_it_says_what_was_swept_who_verified_it_and_that_all_agreed(client: TestClient, tmp_path: Path) -> None:
    page = client.get(kept(tmp_path, made())).text
    assert page.index("Start your own sweep") < page.index('class="facts"'), "the door is at the top"
    text = words(page)
    assert "runs 12" in text and "snapshots 15" in text
    assert "verdicts, by two verifiers 48 both agree with the simulator on all of them" in text


def test_what_became_of_all_snapshots_adds_up_in_words_and_in_both_directions(
    client: TestClient, tmp_path: Path
) -> None:
    page = client.get(kept(tmp_path, made())).text
    text = words(page)
    assert "15 snapshots = 8 with all checks holding + 4 with a broken check + 3 not judged" in text
    assert "Correct, on channels that keep the order they require 4 0 0 4" in text
    assert "Correct, but the channels keep less order than they require 3 1 0 4" in text
    assert "Broken on purpose 1 3 3 2 aborted, 1 not complete 7" in text
    assert "total 8 4 3 15" in text


def test_a_sweep_of_a_visitor_is_called_by_what_it_sweeps_and_when(client: TestClient, tmp_path: Path) -> None:
    address = kept(tmp_path, made())
    os.utime(tmp_path / "lab" / JOB / "report.json", (1_700_000_000, 1_700_000_000))
    text = words(client.get(address).text)
    assert "Chandy–Lamport, Broken: markers too late · ring · 12 runs" in text
    assert "measured 2023-11-14 22:13 UTC" in text and JOB not in text
    named = kept(tmp_path, made(spec={"title": {"en": "Rings & more", "zh": "环"}}))
    page = client.get(named).text
    assert '<h2 id="swept-title">Rings &amp; more</h2>' in page and "ring · 12 runs" in words(page)


def test_it_says_why_snapshots_are_given_up_and_why_some_rows_have_dashes_alone(
    client: TestClient, tmp_path: Path
) -> None:
    given_up, dashes = "Aborted: a dataflow checkpoint", "Only dashes: Uncoordinated checkpoints."
    text = words(client.get(kept(tmp_path, made())).text)
    assert given_up in text and dashes not in text
    private = group(0, "uncoordinated", snapshots=0, complete=0, judged={}, measures={"loss": counted(1, 2)})
    text = words(client.get(kept(tmp_path, made(groups=[private], samples=[]))).text)
    assert given_up not in text and dashes in text


def test_the_spec_is_shown_as_specs_are_written(client: TestClient, tmp_path: Path) -> None:
    page = client.get(kept(tmp_path, made(spec={"topologies": ["ring", {"random": {"degree": 2}}], "seeds": 4}))).text
    assert "topologies:\n- ring\n- random: {degree: 2}\nseeds: 4\n</pre>" in page
    assert "topologies: [chain, ring, complete" not in page


def test_the_first_line_leads_to_the_sweep_that_is_at_work(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work = Job("20260101-000000-abcdef", {}, "sweeping", runs=1_200, done=300)
    over = replace(at_work, id="20260101-000000-000000", state="done")
    jobs = client.app.state.jobs  # type: ignore[attr-defined]
    monkeypatch.setattr(jobs, "all", lambda: (over, at_work))
    page = client.get("/lab?lang=en").text
    assert "A sweep is running on this server: 300 of 1,200 runs." in words(page)
    assert 'href="/lab/jobs?lang=en#job-20260101-000000-abcdef"' in page
    monkeypatch.setattr(jobs, "all", lambda: (over,))
    assert "lab-running" not in client.get("/lab?lang=en").text


def test_it_says_so_where_verifiers_disagree_or_nobody_has_verified(client: TestClient, tmp_path: Path) -> None:
    disagree = made(verdicts={"by": "verifiers", "snapshots": 12, "checks": 48, "disagree": 2})
    assert "they disagree on 2" in words(client.get(kept(tmp_path, disagree)).text)
    alone = made(verdicts={"by": "simulator", "snapshots": 12, "checks": 48, "disagree": None})
    assert "not verified independently" in words(client.get(kept(tmp_path, alone)).text)


def test_every_point_leads_to_the_checks_of_its_snapshot_and_has_a_short_name(
    client: TestClient, tmp_path: Path
) -> None:
    page = client.get(kept(tmp_path, made()) + "&measure=duration&discipline=all").text
    figure = figures(page)["Duration, by algorithm"]
    box, points = figure["series"]
    fifo, none = "Chandy–Lamport\nFIFO channels", "Chandy–Lamport\nchannels without order: less than it requires"
    late = "Broken: markers too late\nFIFO channels"
    assert figure["y"]["names"] == [fifo, none, late]
    assert [(point[0], point[1], point[2]) for point in points["points"]] == [
        (4, fifo, "/run/chandy-lamport?seed=1&step=9&lang=en#checks-1"),
        (4, none, "/run/chandy-lamport?seed=2&step=9&lang=en#checks-1"),
        (4, none, "/run/chandy-lamport?seed=3&step=9&lang=en#checks-1"),
        (6, late, "/run/late-marker?seed=4&step=9&lang=en#checks-1"),
    ]
    assert points["whole"] is True
    assert [point[3] for point in points["points"]] == [
        "Chandy–Lamport, ring of 3, 4 steps, run 123",
        "Chandy–Lamport on channels without order, ring of 5, 4 steps, run 123 · breaks: channels",
        "Chandy–Lamport on channels without order, ring of 5, 4 steps, run 123",
        "Broken: markers too late, ring of 3, 6 steps, run 123 · breaks: consistent cut",
    ]
    assert [len(point) > 5 and point[5] for point in points["points"]] == [False, True, False, True]
    assert [point[6] for point in box["points"]] == [[1, 1, 4, 4, 9]] * 3


def test_it_begins_with_control_messages_on_channels_that_keep_what_is_required(
    client: TestClient, tmp_path: Path
) -> None:
    page = client.get(kept(tmp_path, made())).text
    names = figures(page)["Control messages, by algorithm"]["y"]["names"]
    assert names == ["Chandy–Lamport\nFIFO channels", "Broken: markers too late\nFIFO channels"]
    text = words(page)
    assert "Showing 8 of 12 runs. Each algorithm runs on channels that keep at least the order it requires." in text
    assert "Less order than required (4 runs)" in text and "Every order (12 runs)" in text
    weak = words(client.get(kept(tmp_path, made()) + "&discipline=weaker").text)
    assert "Showing 4 of 12 runs. Here the channels keep less order than the algorithm requires" in weak


def test_rows_of_which_all_is_zero_are_named_where_they_would_be_many_empty_strips(
    client: TestClient, tmp_path: Path
) -> None:
    names = ("chandy-lamport", "lai-yang", "mattern", "aligned", "unaligned")
    for zeros, many, told in ((3, 5, False), (4, 1, True)):
        groups = [
            group(number, name, discipline="any" if name in ("lai-yang", "mattern") else "fifo")
            | {"measures": {"controls": counted(0, 0) if number < zeros else counted(2, 2)}}
            for number, name in enumerate(names)
        ]
        page = client.get(kept(tmp_path, made(groups=groups, samples=[], spec={"zeros": zeros}))).text
        rows = figures(page)["Control messages, by algorithm"]["y"]["names"]
        assert len(rows) == many
        sentence = "Always 0, so not drawn: Chandy–Lamport, Lai–Yang, Mattern, Aligned barriers."
        assert (sentence in words(page)) is told


def test_what_a_snapshot_cost_that_was_never_complete_is_not_drawn(client: TestClient, tmp_path: Path) -> None:
    values = made(samples=[sample(0, "?seed=1&step=9"), sample(0, "?seed=2&step=9", duration=None, controls=1)])
    figure = figures(client.get(kept(tmp_path, values)).text)["Control messages, by algorithm"]
    assert [point[0] for point in figure["series"][1]["points"]] == [3]


def test_violations_are_told_apart_by_what_the_algorithm_was_promised(client: TestClient, tmp_path: Path) -> None:
    page = client.get(kept(tmp_path, made()) + "&discipline=all").text
    table = page[page.index('<table class="rates"') : page.index("</table>", page.index('<table class="rates"'))]
    right, exposed, wrong = (words("<" + body) for body in table.split("<tbody")[1:])
    assert "keep the order they require Chandy–Lamport FIFO channels 0% 0 of 4" in right and "25" not in right
    assert "25.0% 1 of 4" in exposed and "channels without order: less than it requires" in exposed
    assert wrong.count("75.0% 3 of 4") == 2
    assert 'href="/run/chandy-lamport?seed=2&amp;step=9&amp;lang=en#checks-1"' in table.split("<tbody")[2]
    assert 'href="/run/chandy-lamport?seed=1&amp;step=9&amp;lang=en#checks-1"' in table.split("<tbody")[1]


def test_growth_has_a_panel_for_each_algorithm_with_the_line_of_what_the_filters_leave(
    client: TestClient, tmp_path: Path
) -> None:
    values = made()
    large = {"processes": 7, "channels": 7, "measures": {"controls": counted(7, 7, 7, 7)}}
    values["groups"].append(group(3, "chandy-lamport", **large))
    values["samples"].append(sample(3, "?seed=5&step=9", controls=7))
    page = client.get(kept(tmp_path, values)).text
    assert "messages = |E| r² 1, 8 snapshots" in words(page)
    assert "No line: all values are at one place." in words(page)
    panel = figures(page)["Chandy–Lamport"]
    assert (panel["x"]["domain"], panel["y"]["domain"]) == ([3, 7], [0, 7])
    assert panel["series"][1] == {"name": "fitted line", "mark": "trend", "points": [[3, 3], [7, 7]]}
    small = words(client.get(kept(tmp_path, values) + "&size=3&x").text)
    assert "messages = |E|" not in small and "No line: all values are at one place." in small


def test_filters_leave_what_they_say_and_offer_only_what_is_left(client: TestClient, tmp_path: Path) -> None:
    address = kept(tmp_path, made())
    page = client.get(address + "&measure=duration&algorithm=late-marker").text
    assert "Showing 4 of 12 runs." in words(page)
    assert figures(page)["Duration, by algorithm"]["y"]["names"] == ["Broken: markers too late\nFIFO channels"]
    assert '<option value="any" disabled>' in page and '<option value="late-marker" selected>' in page
    assert "No run of this sweep matches all of that." in words(client.get(address + "&size=99").text)


def test_htmx_gets_only_what_changes_and_the_address_of_it(client: TestClient, tmp_path: Path) -> None:
    address = kept(tmp_path, made())
    answer = client.get(address + "&size=5&measure=nonsense&against=nonsense", headers={"hx-request": "true"})
    assert "<h1" not in answer.text and answer.text.count('hx-swap-oob="true"') == 4
    assert answer.headers["hx-push-url"] == f"/lab?job={JOB}&size=5&lang=en"
    restored = client.get(address, headers={"hx-request": "true", "hx-history-restore-request": "true"})
    assert "<h1" in restored.text


def test_recovery_loss_is_drawn_by_interval_where_there_is_any(client: TestClient, tmp_path: Path) -> None:
    values = made()
    for number, (interval, mean) in enumerate(((10, 4), (20, 9)), 3):
        loss = {"loss": counted(mean, mean)}
        values["groups"].append(group(number, "aligned", interval=interval, measures=loss))
        values["samples"].append(sample(number, "?step=1", loss=mean))
    assert "What does a crash cost?" not in client.get(kept(tmp_path, made())).text
    figure = figures(client.get(kept(tmp_path, values) + "&x").text)["Repeated work after crashes"]
    assert [(point[0], point[1], point[2]) for point in figure["series"][0]["points"]] == [
        (10, 4, "/run/aligned?step=1&lang=en#checks-1"),
        (20, 9, "/run/aligned?step=1&lang=en#checks-1"),
    ]


def test_what_is_shown_can_be_taken_along_with_named_columns_and_their_units(
    client: TestClient, tmp_path: Path
) -> None:
    address = kept(tmp_path, made())
    asked = f"?job={JOB}&algorithm=late-marker"
    rows = list(csv.DictReader(client.get(f"/lab/points.csv{asked}").text.splitlines()))
    assert [(row["algorithm"], row["broken_checks"], row["duration_steps"], row["loss_records"]) for row in rows] == [
        ("late-marker", "consistent", "6", "")
    ]
    assert rows[0]["url"] == "http://testserver/run/late-marker?seed=4&step=9" and rows[0]["run"] == "123"
    told = client.get(f"/lab/points.json{asked}").json()
    assert {"name": "duration_steps", "unit": "steps"} in told["columns"]
    place = [column["name"] for column in told["columns"]].index("duration_steps")
    assert [row[place] for row in told["rows"]] == [6]

    (row,) = csv.DictReader(client.get(f"/lab/combinations.csv{asked}").text.splitlines())
    assert (row["snapshots"], row["judged_any"], row["broken_any"]) == ("7", "4", "3")
    assert (row["not_judged_aborted"], row["not_judged_unfinished"], row["not_judged_unasked"]) == ("2", "1", "0")
    assert [row[f"duration_steps_{part}"] for part in ("n", "min", "p50", "max", "mean")] == ["4", "1", "4", "9", "4.5"]
    assert row["loss_records_p50"] == ""
    assert client.get(f"/lab/combinations.json{asked}").json()["rows"][0][0] == "late-marker"
    assert client.get(f"/lab/nonsense.csv{asked}").status_code == 400

    whole = client.get(f"/lab/report.json?job={JOB}")
    assert whole.json() == made() and "attachment" in whole.headers["content-disposition"]
    assert f'href="/lab/report.json?job={JOB}"' in client.get(address).text


def test_in_chinese_it_speaks_chinese(client: TestClient, tmp_path: Path) -> None:
    page = client.get(kept(tmp_path, made()).replace("lang=en", "lang=zh")).text
    assert "控制消息，按算法" in figures(page) and "4 次中 3 次" in words(page)
    assert "15 次快照 = 8 次全部检查通过 + 4 次违反某项检查 + 3 次未判定" in words(page)


# --- reports that cannot be shown --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (made(version=1), "is of version 1, and this page reads version 2"),
        ("{", "is damaged"),
        ("[]", "is damaged"),
        (made(groups=[]), "is damaged, at samples.0.group: there is no group 0"),
        (made(runs="many"), "is damaged, at runs"),
        (made(samples=[sample(0, "//evil.example/run/x")]), "is damaged, at samples.0.url"),
        (made(groups=[group(0, "a", url="javascript:alert(1)")], samples=[]), "is damaged, at groups.0.url"),
        (made(groups=[group(0, "a", snapshots=5)], samples=[]), "must be all snapshots together"),
        (made(groups=[group(0, "a", broken={"any": 5})], samples=[]), "more snapshots are broken than were judged"),
        (
            made(groups=[group(0, "a", measures={"duration": {"values": [2, 1], "counts": [1, 1]}})], samples=[]),
            "is damaged, at groups.0.measures.duration",
        ),
    ],
)
def test_a_report_that_cannot_be_read_is_told_in_a_sentence(
    client: TestClient, tmp_path: Path, values: Any, told: str
) -> None:
    answer = client.get(kept(tmp_path, values))
    assert answer.status_code == 404
    assert told in words(answer.text) and "Show the sweep that comes with Bluecut" in answer.text
    assert client.get(f"/lab/report.json?job={JOB}").status_code == 404


COUNTS = {"duration": {"values": [2, 3], "counts": [1]}}
FALLING = {"duration": {"values": [2, 1], "counts": [1, 1]}}


@pytest.mark.parametrize(
    ("values", "field", "english", "chinese"),
    [
        (made(groups=[]), "samples.0.group", "there is no group 0", "没有编号为 0 的组"),
        (made(samples=[sample(0, "//x/run/x")]), "samples.0.url", "must be of the form", "必须是形如"),
        (made(groups=[group(0, "a", url=None)]), "samples.0.url", "this leads to no run", "它不指向任何运行"),
        (made(groups=[group(0, "a", measures=COUNTS)]), "groups.0.measures.duration",
         "there must be as many counts as values", "计数的个数必须与值的个数相同"),
        (made(groups=[group(0, "a", measures=FALLING)]), "groups.0.measures.duration",
         "the values must go from small to large", "各值必须从小到大排列"),
        (made(groups=[group(0, "a", snapshots=5)]), "groups.0",
         "the snapshots that were judged and those that were not must be all snapshots together",
         "已判定与未判定的快照加起来必须是全部快照"),
        (made(groups=[group(0, "a", broken={"any": 5})]), "groups.0",
         "more snapshots are broken than were judged", "出错的快照多于已判定的快照"),
        (made(runs="many"), "runs", "must be a whole number, not 'many'", "必须是整数，而不是 'many'"),
        (made(groups={}), "groups", "must be a list, not a mapping of 0", "必须是列表，而不是 0 项的映射"),
        ({"version": 2}, "engine", "missing; it must be given", "缺少这一项；必须给出"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_report_is_told_in_the_language_of_the_page(
    client: TestClient, tmp_path: Path, values: Any, field: str, english: str, chinese: str
) -> None:
    address = kept(tmp_path, values)
    assert f"is damaged, at {field}: {english}" in words(client.get(address).text)
    told = words(client.get(address.replace("lang=en", "lang=zh")).text)
    assert f"已损坏，位于 {field}：{chinese}" in told
    assert "Input should" not in told and "Value error" not in told


@pytest.mark.parametrize("job", ["nobody", "../../etc", "a" * 41])
def test_a_sweep_that_is_not_there_is_not_found(client: TestClient, job: str) -> None:
    assert client.get("/lab", params={"job": job}).status_code in (400, 404)
    assert client.get("/lab/samples.csv", params={"job": job}).status_code in (400, 404)
    part = client.get("/lab", params={"job": job}, headers={"hx-request": "true"})
    assert part.status_code in (400, 404)
    assert "<html" not in part.text


def test_a_report_of_another_engine_is_shown_and_says_so(client: TestClient, tmp_path: Path) -> None:
    assert "another version of the simulator" in client.get(kept(tmp_path, made(engine=ENGINE - 1))).text
    assert "another version of the simulator" not in client.get(kept(tmp_path, made() | {"runs": 13})).text


# --- what it is made of ------------------------------------------------------------------------------------------


def test_several_distributions_make_one_exactly() -> None:
    each = [Histogram.model_validate(counted(*values)) for values in ((1, 1, 2, 9), (2, 2, 2, 40))]
    both = Distribution.of(each)
    assert both is not None
    assert (both.values, both.counts) == ((1, 2, 9, 40), (2, 4, 1, 1))
    assert (both.n, both.min, both.max, both.mean, both.edges) == (8, 1, 40, 7.375, (1, 1, 2, 2, 40))
    assert Distribution.of([]) is None


def test_a_quantile_is_a_value_that_was_measured() -> None:
    hundred = Distribution(tuple(range(1, 101)), (1,) * 100)
    assert hundred.edges == (5, 25, 50, 75, 95)


def test_numbers_have_no_more_digits_than_they_mean() -> None:
    assert [three_digits(value) for value in (12_345, 7.0, 1.23456, 123.456, 0.012345, -2.5, 99.99, 0)] == [
        "12,345",
        "7",
        "1.23",
        "123",
        "0.0123",
        "−2.5",
        "100",
        "0",
    ]
    assert [share(value) for value in (1.0, 0.9999, 0.371, 0.0)] == ["1", "> 0.99", "0.37", "0.00"]


def test_every_shape_that_a_spec_can_ask_for_has_a_name_in_every_language() -> None:
    shapes = (*get_args(Shape), *RandomForm.model_fields)
    assert {"grid", "join", "random"} < set(shapes)
    for language in LANGUAGES:
        for shape in shapes:
            made_of = Group.model_validate(group(0, "chandy-lamport", topology=shape, processes=6))
            assert graph(made_of, language) == word(f"lab.graph.{shape}", language, count=6)
            assert topology(shape, language) == word(f"sweep.topology.{shape}", language)
    nine = Group.model_validate(group(0, "chandy-lamport", topology="grid", processes=9))
    assert [graph(nine, language) for language in LANGUAGES] == ["grid of 9", "9 个进程的网格"]


def test_a_random_graph_is_called_by_its_degree_and_by_its_seed_where_that_is_another() -> None:
    drawn = [
        label({"topology": RandomForm.model_validate({"random": numbers})})
        for numbers in ({"degree": 2}, {"degree": 2, "seed": 5})
    ]
    assert drawn == ["random-2", "random-2-5"]
    assert [topology(name, "en") for name in drawn] == ["random graph, degree 2", "random graph, degree 2, seed 5"]
    assert [topology(name, "zh") for name in drawn] == ["随机图（度 2）", "随机图（度 2，种子 5）"]
    each = [Group.model_validate(group(0, "chandy-lamport", topology=name)) for name in drawn]
    assert [graph(one, "en") for one in each] == ["random graph of 3"] * 2


def test_a_scale_is_logarithmic_where_values_span_more_than_two_decades() -> None:
    assert [scale(values) for values in ((1, 100), (1, 101), (0, 1, 101), (0, 100), (), (0,))] == [
        "linear",
        "log",
        "symlog",
        "linear",
        "linear",
        "linear",
    ]


def test_a_line_stops_where_it_would_leave_the_scale() -> None:
    up = Axis("y", domain=(0, 10))
    falls = Line(slope=2, intercept=-6, r2=1, n=3)
    assert drawn(falls, (1, 5), up) == ((3.0, 0.0), (5.0, 4.0))
    assert drawn(falls, (4, 5), up) == ((4.0, 2.0), (5.0, 4.0))
    assert drawn(Line(slope=0, intercept=3, r2=1, n=3), (1, 5), up) == ((1.0, 3.0), (5.0, 3.0))
    bent = drawn(falls, (4, 5), Axis("y", scale="log", domain=(1, 10)))
    assert len(bent) == 25 and bent[0] == (4.0, 2.0) and bent[-1] == (5.0, 4.0)


def test_a_line_is_through_all_that_was_measured_and_its_formula_is_short() -> None:
    def of(*groups: tuple[int, tuple[int, ...]]) -> Line | None:
        made = [group(0, "a", channels=x, measures={"controls": counted(*ys)}) for x, ys in groups]
        return fitted([Group.model_validate(one) for one in made], "controls", "channels")

    off = of((1, (0,)), (2, (4,)), (3, (2,)))
    assert off is not None
    assert (off.slope, off.intercept, off.r2, off.n) == (1, 0, 0.25, 3)
    assert of((1, (3, 4))) is None
    near = of((1, (1,)), (2, (3,)), (3, (3,)))
    told = [
        formula(line, Query(), "en")
        for line in (off, near, of((2, (4,)), (5, (10, 10))), of((1, (3,)), (2, (3,))), of((1, (3,)), (2, (4,))))
        if line
    ]
    assert told == [
        "No line fits.",
        "messages ≈ |E| + 0.333",
        "messages = 2 · |E|",
        "messages = 3",
        "messages = |E| + 2",
    ]


def test_of_rounded_values_no_line_claims_to_be_exact(client: TestClient, tmp_path: Path) -> None:
    def shown_with(about: bool, few: int, many: int, language: str) -> tuple[list[str], str]:
        groups = [
            group(number, "chandy-lamport", channels=x)
            | {"measures": {"controls": counted(y, y) | ({"about": True} if about else {})}}
            for number, (x, y) in enumerate(((2, few), (5, many)))
        ]
        values = made(groups=groups, samples=[sample(0, "?step=1", controls=few)], spec={"of": [about, few]})
        page = client.get(kept(tmp_path, values).replace("lang=en", f"lang={language}")).text
        return [words(each) for each in re.findall(r'<p class="formula">.*?</p>', page)], words(page)

    note = "Some of these lines are fitted to numbers that are rounded in the report"
    formulas, page = shown_with(False, 400, 1_000, "en")
    assert formulas == ["messages = 200 · |E| r² 1, 4 snapshots"] and note not in page
    formulas, page = shown_with(True, 400, 1_000, "en")
    assert formulas == ["messages ≈ 200 · |E| r² > 0.99, 4 snapshots"] and note in page
    assert shown_with(False, 400, 400, "en")[0] == ["messages = 400 in each of 4 snapshots"]
    assert shown_with(True, 400, 400, "en")[0] == ["messages ≈ 400 rounded, in each of 4 snapshots"]
    formulas, page = shown_with(True, 400, 400, "zh")
    assert formulas == ["消息数 ≈ 400 4 次快照舍入后都如此"] and "其中有的直线是用报告里舍入过的数拟合的" in page


def test_an_algorithm_is_shown_in_the_weakest_order_that_there_is_and_that_suffices() -> None:
    def of(algorithm: str, *orders: str) -> str:
        groups = [group(number, algorithm, discipline=order) for number, order in enumerate(orders)]
        return usual(Report.model_validate(made(groups=groups, samples=[])))[algorithm]

    assert of("chandy-lamport", "any", "fifo", "causal") == "fifo"
    assert of("spezialetti-kearns", "causal") == "causal"
    assert of("lai-yang", "causal", "fifo") == "fifo"
    assert of("chandy-lamport", "any") == "any"


def test_an_algorithm_is_judged_by_what_it_requires() -> None:
    def of(algorithm: str, discipline: str) -> str:
        return part(Group.model_validate(group(0, algorithm, discipline=discipline)))

    assert [of("chandy-lamport", order) for order in ("fifo", "causal", "any")] == ["right", "right", "exposed"]
    assert [of("lai-yang", "any"), of("acharya-badrinath", "fifo"), of("late-marker", "fifo")] == [
        "right",
        "exposed",
        "wrong",
    ]


def test_a_filter_counts_the_runs_that_the_others_leave() -> None:
    known = Report.model_validate(made())
    five = Query(size="5", discipline="all")
    assert [*options(known, five, "algorithm").items()] == [
        ("chandy-lamport", 4),
        ("late-marker", 0),
    ]
    assert [*options(known, five, "size").items()] == [("3", 8), ("5", 4)]
    assert [*options(known, five, "discipline").items()] == [
        ("", 0),
        ("weaker", 4),
        ("fifo", 0),
        ("any", 4),
        ("all", 4),
    ]


# --- a report that the server was given ---------------------------------------------------------------------------


def test_a_server_shows_the_report_that_it_was_given_and_the_one_that_comes_along(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(json.dumps(made(spec={"title": "Mine"})), "utf-8")
    with TestClient(create_app(Settings(data=tmp_path / "data", report=readable(tmp_path)))) as client:
        page = client.get("/lab?lang=en").text
        assert '<h2 id="swept-title">Mine</h2>' in page and 'href="/lab?job=shipped&amp;lang=en"' in page
        assert client.get("/lab/report.json").json()["spec"] == {"title": "Mine"}
        other = client.get("/lab?lang=en&job=shipped").text
        assert "What this sweep covers" in other and "Mine" not in other
        assert 'name="job" value="shipped"' in other


@pytest.mark.parametrize(
    ("values", "told"), [(made(version=1), "version 1"), (made(runs=-1), "at runs: must be at least 0, not -1")]
)
def test_a_report_that_cannot_be_shown_is_told_before_the_server_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], values: dict[str, Any], told: str
) -> None:
    (tmp_path / "report.json").write_text(json.dumps(values), "utf-8")
    assert status(["serve", "--port", "0", "--report", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and f"{tmp_path}/report.json: " in said.err and told in said.err
    assert status(["serve", "--port", "0", "--report", str(tmp_path / "nowhere")]) == 2


# --- the report that comes with Bluecut --------------------------------------------------------------------------


def test_the_report_that_comes_along_is_of_this_engine_verified_and_small() -> None:
    known = report(SHIPPED)
    assert known.engine == ENGINE
    assert known.verdicts.by == "verifiers" and known.verdicts.disagree == 0
    assert known.verdicts.snapshots == known.snapshots
    assert SHIPPED.stat().st_size <= 410_000
    groups = {each.id: each for each in known.groups}
    assert {sample.group for sample in known.samples} >= {each.id for each in known.groups if each.url}
    told = breakdown(known)
    assert told.whole.hold + told.whole.broken + sum(told.whole.unjudged.values()) == known.snapshots
    assert sum(share.snapshots for share in told.parts) == known.snapshots
    assert sum(share.broken for share in told.parts) == told.whole.broken
    assert [share.broken for share in told.parts if share.part == "right"] == [0]
    wrong = [groups[s.group] for s in known.samples if s.broken and part(groups[s.group]) == "right"]
    assert wrong == []


def test_its_points_lead_to_runs_with_just_these_figures() -> None:
    known = report(SHIPPED)
    groups = {each.id: each for each in known.groups}
    small = [s for s in known.samples if s.snapshot is not None and groups[s.group].processes <= 6]
    checked = small[:: max(1, len(small) // 36)]
    assert len(checked) >= 36
    for one in checked:
        split = urlsplit(one.at(groups[one.group]))
        query = parse_qs(split.query)
        ref = split.path.removeprefix("/run/")
        scenario = scenario_in(unpacked(ref)) if ref.startswith(CARRIED) else LIBRARY.scenario(ref)
        assert query["v"] == [stamp(scenario)]
        key = RunKey(
            query.get("algorithm", [None])[0],
            int(query["seed"][0]) if "seed" in query else None,
            query.get("discipline", [None])[0],
        )
        run = record(scenario, key)
        seen = run.history.recordings[one.snapshot or 0]
        assert int(query["step"][0]) == (seen.completed or seen.started)
        assert one.duration == (None if seen.completed is None else seen.completed - seen.started)
        assert one.controls == sum(seen.markers.values()) + seen.controls
        checks = run.verdicts[seen.id].checks
        assert sorted(one.broken) == sorted(name for name in ROW_CHECKS if checks[name] is False)


ASKED = ["", "&discipline=all&against=diameter", "&discipline=weaker&against=processes"]


@pytest.mark.parametrize(("measure", "asked"), pairs(MEASURES, ASKED, 7))
def test_every_measure_can_be_drawn_of_it(client: TestClient, measure: str, asked: str) -> None:
    for language in ("en", "zh"):
        answer = client.get(f"/lab?lang={language}&measure={measure}{asked}")
        assert answer.status_code == 200
        assert f'<option value="{measure}" selected>' in answer.text


def test_the_page_of_the_report_that_comes_along(client: TestClient) -> None:
    answer = client.get("/lab?lang=en")
    assert answer.status_code == 200
    assert len(figures(answer.text)) > 8
