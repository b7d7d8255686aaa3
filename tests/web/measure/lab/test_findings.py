"""The headlines of the Lab: every number is counted from the report, and what a report does not show is not said."""

import html
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.algorithms.registry import ALGORITHMS
from app.web.measure.lab.query import enough
from app.web.measure.lab.report import report
from app.web.measure.lab.routes import SHIPPED
from tests.web.measure.lab.test_routes import counted, group, kept, made, sample, words


@pytest.fixture
def client(alone: TestClient) -> TestClient:
    """Return a client of a server with a store of its own."""
    return alone


def headlines(page: str) -> list[str]:
    """Return the headlines of a page."""
    return [html.unescape(each) for each in re.findall(r'<h3 id="finding-\w+">(.*?)</h3>', page)]


def test_the_sweep_that_comes_along_opens_with_three_findings_counted_from_it(client: TestClient) -> None:
    page = client.get("/lab?lang=en").text
    judged, broken = Counter[str](), Counter[str]()
    markers = 0
    for each in report(SHIPPED).groups:
        if ALGORITHMS[each.algorithm].WRONG is None and not enough(each.algorithm, each.discipline):
            judged[each.algorithm] += each.judged["any"]
            broken[each.algorithm] += each.broken.get("any", 0)
        if each.algorithm in ("chandy-lamport", "aligned", "unaligned") and each.discipline == "fifo":
            assert each.measures["controls"].values == (each.channels,)
            markers += sum(each.measures["controls"].counts)
    (name, most), *_ = broken.most_common()
    first, second, third = headlines(page)
    assert first == f"Without FIFO channels, {most} of {judged[name]} snapshots fail"
    assert second == f"One control message per channel, in all {markers:,} snapshots"
    assert re.fullmatch(r"A snapshot every 20 ticks instead of 10: [1-9]\d*% more rework after crashes", third)
    assert page.index('class="findings"') < page.index('class="lab-swept"')
    chinese = headlines(client.get("/lab?lang=zh").text)
    assert chinese[0] == f"FIFO 通道得不到保证时，{judged[name]} 次快照中有 {most} 次出错"
    assert len(chinese) == 3


def test_a_finding_leads_to_a_figure_on_the_page_and_to_a_run(client: TestClient) -> None:
    page = client.get("/lab?lang=en").text
    links = re.findall(r'<p class="finding-links"><a href="(.*?)">.*?</a> <a href="(.*?)">', page)
    assert len(links) == 3
    for run, figure in links:
        assert run.startswith("/run/") and "step=" in run
        address, _, place = html.unescape(figure).partition("#")
        assert f'id="{place}"' in client.get(address).text


def test_a_sweep_of_a_visitor_has_its_own_findings_whatever_the_filters(client: TestClient, tmp_path: Path) -> None:
    address = kept(tmp_path, made())
    page = client.get(address).text
    assert headlines(page)[0] == "Without FIFO channels, 1 of 4 snapshots fail"
    assert 'href="/run/chandy-lamport?seed=2&amp;step=9&amp;lang=en#checks-1">Open a run that fails' in page
    assert headlines(client.get(address + "&algorithm=late-marker").text) == headlines(page)


def test_rework_is_a_ratio_of_means_of_the_same_algorithms(client: TestClient, tmp_path: Path) -> None:
    def crashed(number: int, name: str, interval: int, *lost: int) -> dict[str, Any]:
        return group(number, name, interval=interval, measures={"loss": counted(*lost)})

    groups = [crashed(0, "aligned", 5, 10, 30), crashed(1, "aligned", 9, 40, 50), crashed(2, "unaligned", 9, 900)]
    samples = [sample(1, "?seed=1&step=9", loss=40)]
    page = client.get(kept(tmp_path, made(groups=groups, samples=samples))).text
    assert headlines(page) == ["A snapshot every 9 ticks instead of 5: 125% more rework after crashes"]
    said = "every 5 ticks repeated work: 20 every 9 ticks repeated work: 45 Means of 4 runs with Aligned barriers."
    assert said in words(page)


def test_what_a_report_does_not_show_is_not_said(client: TestClient, tmp_path: Path) -> None:
    page = client.get(kept(tmp_path, made(groups=[group(0, "late-marker")], samples=[]))).text
    assert headlines(page) == [] and 'class="findings"' not in page
