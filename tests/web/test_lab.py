"""The Lab: it shows what a report says, every point leads to its run, and a report that cannot be read is told."""

import csv
import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from app.simulator.key import ENGINE, RunKey
from app.simulator.library import LIBRARY
from app.simulator.run import record
from app.view.address import stamp
from app.view.carried import CARRIED, scenario_in, unpacked
from app.web.lab import SHIPPED
from app.web.swept.broken import part
from app.web.swept.growth import line
from app.web.swept.quantiles import together
from app.web.swept.query import Query, options
from app.web.swept.report import CHECKS, MEASURES, Fit, Group, Report, Summary, report

JOB = "a-sweep"


def summary(*numbers: float, n: int = 4) -> dict[str, Any]:
    """Least, the quantiles, most; the mean is the median."""
    names = ("min", "p5", "p25", "p50", "p75", "p95", "max")
    return {"n": n, "mean": numbers[3]} | dict(zip(names, numbers, strict=True))


def group(number: int, algorithm: str, **more: Any) -> dict[str, Any]:
    """A group of four runs with a snapshot each, none of which is wrong."""
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
        "judged": dict.fromkeys((*CHECKS, "any"), 4),
        "broken": {},
        "measures": {"duration": summary(1, 2, 3, 4, 5, 6, 7), "controls": {"n": 4, "min": 3, "max": 3, "mean": 3}},
    }
    return usual | more


def sample(number: int, url: str, **more: Any) -> dict[str, Any]:
    """A snapshot that took 4 steps."""
    usual = dict.fromkeys(MEASURES) | {"group": number, "url": url, "snapshot": 1, "broken": [], "duration": 4}
    return usual | {"controls": 3} | more


def made(**more: Any) -> dict[str, Any]:
    """A report of three groups: a correct algorithm, the same on channels without order, and a wrong one."""
    wrong = {"consistent": 3, "any": 3}
    return {
        "version": 1,
        "engine": ENGINE,
        "spec": {"seeds": 4},
        "runs": 12,
        "snapshots": 12,
        "verdicts": {"by": "verifiers", "snapshots": 12, "checks": 48, "disagree": 0},
        "groups": [
            group(0, "chandy-lamport"),
            group(1, "chandy-lamport", discipline="any", broken={"channels": 1, "any": 1}, processes=5, channels=5),
            group(2, "late-marker", broken=wrong),
        ],
        "samples": [
            sample(0, "?seed=1&step=9"),
            sample(1, "?seed=2&step=9", broken=["channels"]),
            sample(1, "?seed=3&step=9"),
            sample(2, "?seed=4&step=9", broken=["consistent"], duration=6),
        ],
        "fits": [
            {"algorithm": "chandy-lamport", "measure": "controls", "against": "channels"}
            | {"slope": 1, "intercept": 0, "r2": 1, "n": 8}
        ],
    } | more


def kept(folder: Path, values: Any) -> str:
    """The address of the Lab that shows a report."""
    place = folder / "lab" / JOB
    place.mkdir(parents=True, exist_ok=True)
    (place / "report.json").write_text(values if isinstance(values, str) else json.dumps(values), "utf-8")
    return f"/lab?lang=en&job={JOB}"


def figures(page: str) -> dict[str, Any]:
    """The values of the figures of a page, by their titles."""
    found = [json.loads(each) for each in re.findall(r'class="data-figure">(.*?)</script>', page)]
    return {figure["title"]: figure for figure in found}


def words(page: str) -> str:
    """The text of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


# --- the page ----------------------------------------------------------------------------------------------------


def test_it_says_what_was_swept_who_verified_it_and_that_all_agreed(client: TestClient, tmp_path: Path) -> None:
    text = words(client.get(kept(tmp_path, made())).text)
    assert "runs 12" in text and "snapshots recorded 12" in text
    assert "verdicts, by two verifiers 48 both and the simulator agree on all" in text
    assert "wrong snapshots of correct algorithms 0 of 4, on channels that keep" in text
    assert "wrong snapshots of broken variants 3 of 4" in text


def test_it_says_so_where_verifiers_disagree_or_nobody_has_verified(client: TestClient, tmp_path: Path) -> None:
    disagree = made(verdicts={"by": "verifiers", "snapshots": 12, "checks": 48, "disagree": 2})
    assert "they disagree on 2" in words(client.get(kept(tmp_path, disagree)).text)
    alone = made(verdicts={"by": "simulator", "snapshots": 12, "checks": 48, "disagree": None})
    assert "not verified independently" in words(client.get(kept(tmp_path, alone)).text)


def test_every_point_leads_to_its_run_in_the_language_of_the_address(client: TestClient, tmp_path: Path) -> None:
    figure = figures(client.get(kept(tmp_path, made())).text)["Duration, by algorithm"]
    box, points = figure["series"]
    assert [(point[0], point[1], point[2]) for point in points["points"]] == [
        (4, "Chandy–Lamport", "/run/chandy-lamport?seed=1&step=9&lang=en"),
        (4, "Chandy–Lamport", "/run/chandy-lamport?seed=2&step=9&lang=en"),
        (4, "Chandy–Lamport", "/run/chandy-lamport?seed=3&step=9&lang=en"),
        (6, "Broken: markers too late", "/run/late-marker?seed=4&step=9&lang=en"),
    ]
    assert [len(point) > 5 and point[5] for point in points["points"]] == [False, True, False, True]
    assert [point[6] for point in box["points"]] == [[2, 3, 4, 5, 6]] * 2


def test_violations_are_told_apart_by_what_the_algorithm_was_promised(client: TestClient, tmp_path: Path) -> None:
    page = client.get(kept(tmp_path, made())).text
    table = page[page.index('<table class="rates">') : page.index("</table>", page.index('<table class="rates">'))]
    right, exposed, wrong = (words(body) for body in table.split("<tbody>")[1:])
    assert "keep the order they require Chandy–Lamport 0 % 0 of 4" in right and "25" not in right
    assert "25.0 % 1 of 4" in exposed
    assert wrong.count("75.0 % 3 of 4") == 2
    assert 'href="/run/chandy-lamport?seed=2&amp;step=9&amp;lang=en"' in table.split("<tbody>")[2]
    assert 'href="/run/chandy-lamport?seed=1&amp;step=9&amp;lang=en"' in table.split("<tbody>")[1]


def test_growth_has_a_panel_for_each_algorithm_with_its_formula(client: TestClient, tmp_path: Path) -> None:
    page = client.get(kept(tmp_path, made()) + "&measure=controls").text
    assert "messages ≈ 1 · |E| + 0 r² 1, 8 snapshots" in words(page)
    assert "No line: nothing was fitted here." in words(page)
    panel = figures(page)["Chandy–Lamport"]
    assert (panel["x"]["domain"], panel["y"]["domain"]) == ([3, 5], [0, 5])
    assert panel["series"][1] == {"name": "fitted line", "mark": "trend", "points": [[3, 3], [5, 5]]}


def test_filters_leave_what_they_say_and_offer_only_what_is_left(client: TestClient, tmp_path: Path) -> None:
    address = kept(tmp_path, made())
    page = client.get(address + "&algorithm=late-marker").text
    assert "Shown: 4 of 12 runs." in words(page)
    assert [one[1] for one in figures(page)["Duration, by algorithm"]["series"][1]["points"]] == [
        "Broken: markers too late"
    ]
    assert '<option value="any" disabled>' in page and '<option value="late-marker" selected>' in page
    assert "No run of this sweep has all of that." in words(client.get(address + "&size=99").text)


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
        loss = {"loss": {"n": 2, "min": mean, "max": mean, "mean": mean}}
        values["groups"].append(group(number, "aligned", interval=interval, measures=loss))
        values["samples"].append(sample(number, "?step=1", loss=mean))
    assert "What does a crash cost?" not in client.get(kept(tmp_path, made())).text
    figure = figures(client.get(kept(tmp_path, values) + "&x").text)["Records taken once more after crashes"]
    assert [(point[0], point[1], point[2]) for point in figure["series"][0]["points"]] == [
        (10, 4, "/run/aligned?step=1&lang=en"),
        (20, 9, "/run/aligned?step=1&lang=en"),
    ]


def test_what_is_shown_can_be_taken_along(client: TestClient, tmp_path: Path) -> None:
    address = kept(tmp_path, made())
    rows = list(csv.DictReader(client.get(f"/lab/samples.csv?job={JOB}&algorithm=late-marker").text.splitlines()))
    assert [(row["algorithm"], row["broken"], row["duration"], row["loss"]) for row in rows] == [
        ("late-marker", "consistent", "6", "")
    ]
    assert rows[0]["url"] == "http://testserver/run/late-marker?seed=4&step=9"
    whole = client.get(f"/lab/report.json?job={JOB}")
    assert whole.json() == made() and "attachment" in whole.headers["content-disposition"]
    assert f'href="/lab/report.json?job={JOB}"' in client.get(address).text


def test_in_chinese_it_speaks_chinese(client: TestClient, tmp_path: Path) -> None:
    page = client.get(kept(tmp_path, made()).replace("lang=en", "lang=zh")).text
    assert "持续时间，按算法" in figures(page) and "4 次中 3 次" in words(page)


# --- reports that cannot be shown --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (made(version=2), "is of version 2, and this page reads version 1"),
        ("{", "is damaged"),
        ("[]", "is damaged"),
        (made(groups=[]), "is damaged"),
        (made(runs="many"), "is damaged"),
        (made(samples=[sample(0, "//evil.example/run/x")]), "is damaged"),
        (made(groups=[group(0, "a", url="javascript:alert(1)")], samples=[]), "is damaged"),
    ],
)
def test_a_report_that_cannot_be_read_is_told_in_a_sentence(
    client: TestClient, tmp_path: Path, values: Any, told: str
) -> None:
    answer = client.get(kept(tmp_path, values))
    assert answer.status_code == 404
    assert told in words(answer.text) and "Show the sweep that comes with Bluecut" in answer.text
    assert client.get(f"/lab/report.json?job={JOB}").status_code == 404


@pytest.mark.parametrize("job", ["nobody", "../../etc", "a" * 41])
def test_a_sweep_that_is_not_there_is_not_found(client: TestClient, job: str) -> None:
    assert client.get("/lab", params={"job": job}).status_code in (400, 404)
    assert client.get("/lab/samples.csv", params={"job": job}).status_code in (400, 404)


def test_a_report_of_another_engine_is_shown_and_says_so(client: TestClient, tmp_path: Path) -> None:
    assert "another version of the simulator" in client.get(kept(tmp_path, made(engine=ENGINE - 1))).text
    assert "another version of the simulator" not in client.get(kept(tmp_path, made() | {"runs": 13})).text


# --- what it is made of ------------------------------------------------------------------------------------------


def test_several_distributions_make_one() -> None:
    low, high = (
        Summary.model_validate(summary(*numbers))
        for numbers in ((0, 5, 25, 50, 75, 95, 100), (100, 105, 125, 150, 175, 195, 200))
    )
    both = together([low, high])
    assert (both.n, both.min, both.max, both.mean) == (8, 0, 200, 100)
    assert (both.p25, both.p50, both.p75) == (50, 100, 150)
    assert both.p5 == pytest.approx(10) and both.p95 == pytest.approx(190)
    assert together([low]) == low


def test_constant_distributions_make_steps() -> None:
    three, nine = (Summary.model_validate({"n": n, "min": v, "max": v, "mean": v}) for n, v in ((3, 3), (1, 9)))
    both = together([three, nine])
    assert (both.p5, both.p25, both.p50, both.p95, both.mean) == (3, 3, 3, 9, 4.5)
    assert three.p50 == 3


def test_a_line_stops_where_it_would_go_below_zero() -> None:
    fit = Fit(algorithm="a", measure="duration", against="channels", slope=2, intercept=-6, r2=1, n=3)
    assert line(fit, [1, 5]) == ((3.0, 0.0), (5.0, 4.0))
    assert line(fit, [4, 5]) == ((4.0, 2.0), (5.0, 4.0))


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
    assert [(one.value, one.runs) for one in options(known, Query(size="5"), "algorithm")] == [
        ("chandy-lamport", 4),
        ("late-marker", 0),
    ]
    assert [(one.value, one.runs) for one in options(known, Query(size="5"), "size")] == [("3", 8), ("5", 4)]


# --- the report that comes with Bluecut --------------------------------------------------------------------------


def test_the_report_that_comes_along_is_of_this_engine_verified_and_small() -> None:
    known = report(SHIPPED)
    assert known.engine == ENGINE
    assert known.verdicts.by == "verifiers" and known.verdicts.disagree == 0
    assert known.verdicts.snapshots == known.snapshots
    assert SHIPPED.stat().st_size <= 410_000
    groups = {each.id: each for each in known.groups}
    assert {sample.group for sample in known.samples} >= {each.id for each in known.groups if each.url}
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
        assert sorted(one.broken) == sorted(name for name in CHECKS if checks[name] is False)


def test_the_page_of_the_report_that_comes_along(client: TestClient) -> None:
    answer = client.get("/lab?lang=en")
    assert answer.status_code == 200
    assert len(figures(answer.text)) > 8
