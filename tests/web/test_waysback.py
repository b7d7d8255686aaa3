"""What is said of two ways back from a crash: every figure is that of a run."""

import re

import pytest
from fastapi.testclient import TestClient

from app.narration.tell import LANGUAGES, catalogue
from app.simulator.key import RunKey
from app.simulator.ledger import ledger
from app.simulator.library import LIBRARY
from app.simulator.pipeline import LENGTHS, paid, pipeline
from app.simulator.recovery_cost import RecoveryCost, recovery_cost
from app.simulator.run import record
from app.web.waysback import SIDES, crashing


def under(name: str) -> list[RecoveryCost]:
    """What a scenario costs on both sides."""
    scenario = LIBRARY.scenario(name)
    keys = [RunKey(algorithm=None if each == scenario.form.algorithm else each) for each in SIDES]
    found = [recovery_cost(record(scenario, key)) for key in keys]
    return [cost for cost in found if cost is not None]


def rows(html: str) -> dict[str, list[str]]:
    """The cells of each figure as text, without the names that phones show."""
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
    assert told["state"] == ["exactly once", "exactly once"]


def test_what_ran_and_what_counts_is_the_ledgers(client: TestClient) -> None:
    told = rows(client.get("/recovery?lang=en").text)["ran"]
    book = ledger(record(LIBRARY.scenario("crash-both-ways")))
    assert book is not None and told[0] == f"{book.taken} runs, {book.counted} count"
    assert book.taken > book.counted


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_claim_and_every_figure_has_its_words(client: TestClient, language: str) -> None:
    html = client.get(f"/recovery?lang={language}").text
    words = catalogue(language)
    claims = re.findall(r'<tbody data-claim="([^"]+)">', html)
    assert len(claims) == 9
    for claim in claims:
        assert words[f"claim.{claim}"] and words[f"claim.{claim}.right"]
    assert words["claim.title"] in html


@pytest.mark.parametrize("name", [one.name for one in crashing()])
def test_every_scenario_in_which_somebody_crashes_can_be_counted(client: TestClient, name: str) -> None:
    answer = client.get(f"/recovery?on={name}&lang=en")
    assert answer.status_code == 200
    assert f'value="{name}" selected' in answer.text


def test_a_scenario_without_a_crash_is_not_offered(client: TestClient) -> None:
    assert "three-banks" not in [one.name for one in crashing()]
    answer = client.get("/recovery?on=three-banks&lang=en")
    assert answer.status_code == 404 and "three-banks" in answer.text


def test_the_longer_a_pipeline_the_more_go_back_together_and_one_alone() -> None:
    assert [paid(length, "aligned").restarts for length in LENGTHS] == list(LENGTHS)
    assert [paid(length, "millwheel").restarts for length in LENGTHS] == [1] * len(LENGTHS)
    assert [len(pipeline(length).topology.names) for length in LENGTHS] == [length + 1 for length in LENGTHS]


def test_a_comparison_of_a_crash_leads_to_the_claims_and_back(client: TestClient) -> None:
    html = client.get("/compare/crash-both-ways?with=aligned&with=millwheel&lang=en").text
    assert 'href="/recovery?on=crash-both-ways"' in html
    assert "/compare/crash-both-ways?with=aligned&amp;with=millwheel" in client.get("/recovery?lang=en").text
    assert 'href="/recovery' not in client.get("/compare/three-banks?with=chandy-lamport&lang=en").text


def test_beside_a_way_back_the_other_way_is_set_first(client: TestClient) -> None:
    html = client.get("/compare/crash-both-ways?lang=en").text
    assert re.findall(r'data-row="restarts".*?<td>(.*?)</td>\s*<td>(.*?)</td>', html, re.S)
    assert "Duplicate removal" in html and "Aligned barriers" in html
