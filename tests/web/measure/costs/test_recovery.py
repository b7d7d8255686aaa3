"""Two ways back from a crash: every figure is that of a run."""

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from app.analysis.cost_runs import along
from app.analysis.ledger import ledger
from app.analysis.recovery_cost import RecoveryCost, recovery_cost
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.shared.crash_scenarios import SIDES, crash_scenarios
from app.wire.scenario_link import scenario_in, unpacked
from app.words.catalogues import LANGUAGES, catalogue


def under(name: str) -> list[RecoveryCost]:
    """Return what a scenario costs on both sides."""
    scenario = LIBRARY.scenario(name)
    keys = [RunKey(algorithm=None if each == scenario.form.algorithm else each) for each in SIDES]
    found = [recovery_cost(record(scenario, key)) for key in keys]
    return [cost for cost in found if cost is not None]


def rows(html: str) -> dict[str, list[str]]:
    """Return the cells of each figure as text, without the names that phones show."""
    found = {}
    for name, row in re.findall(r'<tr data-measured="([^"]+)">(.*?)</tr>', html, re.S):
        cells = re.findall(r"<td.*?</span>(.*?)</td>", row, re.S)
        found[name] = [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in cells]
    return found


@pytest.mark.parametrize("name", ["crash-both-ways", "rollback-of-seven"])
def test_every_figure_is_counted_from_the_two_runs(client: TestClient, name: str) -> None:
    told = rows(client.get(f"/recovery?on={name}&lang=en").text)
    back, alone = under(name)
    for key, field in (("writes", "writes"), ("restarts", "restarts"), ("resent", "resent"), ("ids", "ids")):
        assert [cell.split()[0] for cell in told[key]] == [str(getattr(each, field)) for each in (back, alone)], key
    assert told["restarts"][0] == str(back.operators)
    assert told["restarts"][1] == "1 ✓ less"
    assert told["writes"][0].endswith("✓ less") and not told["writes"][1].endswith("less")
    assert told["state"] == ["each item once; promised: exactly once"] * 2


def test_what_ran_and_what_counts_is_the_ledgers(client: TestClient) -> None:
    told = rows(client.get("/recovery?lang=en").text)["ran"]
    book = ledger(record(LIBRARY.scenario("crash-both-ways")))
    assert book is not None and told[0] == f"{book.taken} executions, {book.counted} count"
    assert book.taken > book.counted


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_claim_and_every_figure_has_its_words(client: TestClient, language: str) -> None:
    html = client.get(f"/recovery?lang={language}").text
    words = catalogue(language)
    claims = re.findall(r'<tbody data-claim="([^"]+)">', html)
    assert len(claims) == 9
    for claim in claims:
        assert words[f"claim.{claim}"] and words[f"claim.{claim}.right"]
    assert words["claim.title"] in html and ">2,854<" in html.replace("</span>", ">")


@pytest.mark.slow
@pytest.mark.parametrize("name", [one.name for one in crash_scenarios()])
def test_every_scenario_in_which_somebody_crashes_can_be_counted(client: TestClient, name: str) -> None:
    answer = client.get(f"/recovery?on={name}&lang=en")
    assert answer.status_code == 200
    assert f'value="{name}" selected' in answer.text


def test_a_scenario_without_a_crash_is_not_offered(client: TestClient) -> None:
    assert "three-banks" not in [one.name for one in crash_scenarios()]
    answer = client.get("/recovery?on=three-banks&lang=en")
    assert answer.status_code == 404 and "three-banks" in answer.text


@pytest.mark.parametrize(("name", "restarts"), [("aligned", [3, 5, 9, 17, 33]), ("millwheel", [1] * 5)])
def test_the_longer_a_pipeline_the_more_go_back_together_and_one_alone(
    client: TestClient, name: str, restarts: list[int]
) -> None:
    found = along("longer", "operators", algorithm=name)
    assert [run.found["restarts"] for (run,) in found.values()] == restarts
    html = client.get("/recovery?lang=en").text
    assert all(f"/run/{run.ref}" in html for (run,) in found.values())
    (run,) = found[9]
    paid_for = recovery_cost(record(scenario_in(unpacked(run.ref))))
    assert paid_for is not None and (paid_for.restarts, paid_for.crashes) == (restarts[2], 1)


def drawn(html: str) -> dict[str, dict[str, list[list[Any]]]]:
    """Return the points of the figures about an item, by figure and series."""
    found = {}
    for name, told in re.findall(r'id="figure-item-(\w+)".*?class="data-figure">(.*?)</script>', html, re.S):
        found[name] = {one["name"]: one["points"] for one in json.loads(told)["series"]}
    return found


def test_an_item_costs_duplicate_removal_the_same_whatever_the_size_of_the_state(client: TestClient) -> None:
    figures = drawn(client.get("/recovery?lang=en").text)
    assert list(figures) == ["operators", "keys", "rate"]
    by_name = {name: [point[1] for point in points] for name, points in figures["keys"].items()}
    assert by_name["duplicate removal"] == [1] * 5
    assert by_name["checkpoints, written in full"] == sorted(by_name["checkpoints, written in full"])
    assert by_name["checkpoints, written in full"][-1] > 3 and max(by_name["checkpoints, written as increments"]) == 1
    hops = {x: y for x, y, *_ in figures["operators"]["duplicate removal"]}
    assert hops == {operators: operators - 1 for operators in (3, 5, 9, 17)}
    assert all(y < hops[x] / 4 for x, y, *_ in figures["operators"]["a checkpoint every 8 ticks"])
    ids = [point[1] for point in figures["rate"]["duplicate removal"]]
    assert ids == sorted(ids) and ids[-1] > 4 * ids[0]


def test_every_point_about_an_item_opens_the_run_on_which_it_was_measured(client: TestClient) -> None:
    figures = drawn(client.get("/recovery?lang=en").text)
    for points in figures["keys"].values():
        for x, _, url in points:
            scenario = scenario_in(unpacked(urlsplit(str(url)).path.removeprefix("/run/")))
            assert scenario.form.title.en == f"A count of {x} keys; nothing fails"
    x, y, url = figures["rate"]["duplicate removal"][-1][:3]
    run = record(scenario_in(unpacked(urlsplit(str(url)).path.removeprefix("/run/"))))
    assert client.get(str(url)).status_code == 200
    paid_for = recovery_cost(run)
    assert paid_for is not None and (paid_for.ids, paid_for.crashes, x) == (y, 0, 16)


def test_a_comparison_of_a_crash_leads_to_the_claims_and_back(client: TestClient) -> None:
    html = client.get("/compare/crash-both-ways?with=aligned&with=millwheel&lang=en").text
    assert 'href="/recovery?on=crash-both-ways"' in html
    assert "/compare/crash-both-ways?with=aligned&amp;with=millwheel" in client.get("/recovery?lang=en").text
    assert 'href="/recovery?on=' not in client.get("/compare/three-banks?with=chandy-lamport&lang=en").text


def test_beside_a_way_back_the_other_way_is_set_first(client: TestClient) -> None:
    html = client.get("/compare/crash-both-ways?lang=en").text
    assert re.findall(r'data-row="restarts".*?<td>(.*?)</td>\s*<td>(.*?)</td>', html, re.S)
    assert "Duplicate removal" in html and "Aligned barriers" in html
