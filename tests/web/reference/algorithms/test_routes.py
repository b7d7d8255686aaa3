"""The pages of the algorithms: every one has its words, and what it says comes from its module."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.algorithms.registry import ALGORITHMS, MODULES
from app.scenario.library import LIBRARY
from app.scenario.scenario import unfit
from app.web.reference.algorithms.routes import ground, member, symbols
from app.web.shared.concurrent_starts import MEANINGS, example, initiators
from app.web.shared.family_tree import references
from app.words.catalogues import LANGUAGES, catalogue
from tests.often import some

EACH = pytest.mark.parametrize("name", ALGORITHMS)


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_algorithm_has_its_words(language: str, name: str) -> None:
    last = "invariant" if ALGORITHMS[name].WRONG is None else "wrong"
    words = catalogue(language)
    assert [key for key in ("", ".about", ".stores", f".{last}") if f"algorithm.{name}{key}" not in words] == []


@EACH
def test_the_page_of_an_algorithm_tells_its_rules_its_cost_and_its_references(client: TestClient, name: str) -> None:
    rules, words = ALGORITHMS[name], catalogue("en")
    html = client.get(f"/algorithms/{name}?lang=en").text
    told = text(html)
    for line, _ in rules.PSEUDOCODE:
        assert " ".join(words[f"rule.{line}"].split()) in told, line
    assert html.count("the mistake</b>") == (rules.WRONG is not None)
    assert rules.COST in told
    assert words[f"family.requires.{rules.REQUIRES}.about"] in told
    assert words[f"family.graph.{member(name).graph}.about"] in told
    assert words["family.cost.about"] in told
    assert all(words[f"family.symbol.{sign}"] in told for sign in symbols(rules.COST))
    found = references(MODULES[name].__doc__ or "")
    assert found and all(" ".join(each.split()) in told for each in found)


@pytest.mark.parametrize("url", ["/algorithms", "/algorithms/at-most-once"])
def test_an_algorithm_without_a_scenario_of_its_own_leads_to_one_where_it_runs(client: TestClient, url: str) -> None:
    assert member("at-most-once").scenarios == ()
    there = "/run/three-guarantees?algorithm=at-most-once"
    assert f'href="{there}"' in client.get(url).text
    assert client.get(there).status_code == 200


def test_only_what_floods_needs_a_path_to_every_process() -> None:
    assert {name: member(name).graph for name in ("lai-yang", "colour-blind", "photographs", "wall-clock")} == {
        "lai-yang": "coloured",
        "colour-blind": "coloured",
        "photographs": "alone",
        "wall-clock": "alone",
    }
    assert member("chandy-lamport").graph == "any" and member("mattern").graph == "strong"


def test_the_exchange_of_regions_is_part_of_the_cost() -> None:
    assert symbols(ALGORITHMS["spezialetti-kearns"].COST) == ("E", "exchange")


@pytest.mark.parametrize("name", some(ALGORITHMS, 6))
def test_every_comparison_that_a_page_offers_can_run(client: TestClient, name: str) -> None:
    html = client.get(f"/algorithms/{name}").text
    offered = [unescape(url) for url in re.findall(r'href="(/compare/[^"]+)"', html)]
    assert offered
    for url in offered[:2]:
        answer = client.get(url)
        assert answer.status_code == 200
        assert "column-reason" not in answer.text, url


def test_the_family_names_every_algorithm_once_the_right_ones_first(client: TestClient) -> None:
    html = client.get("/algorithms?lang=en").text
    shown = re.findall(r'data-algorithm="([^"]+)"', html)
    assert sorted(shown) == sorted(ALGORITHMS)
    wrong = [ALGORITHMS[name].WRONG is not None for name in shown]
    assert wrong == sorted(wrong)
    for scenario in LIBRARY.scenarios()[:3]:
        assert f'href="/run/{scenario.name}"' in html


def test_what_is_right_within_limits_says_within_which(client: TestClient) -> None:
    table = client.get("/algorithms?lang=en").text
    groups = [unescape(one) for one in re.findall(r'<tr class="group"><th[^>]*>([^<]+)<', table)]
    assert groups == ["Correct", "Correct within limits", "Broken, to show why the rules are there"]
    weak = client.get("/algorithms/weak-productions?lang=en").text
    assert "Right only where what an operator sends depends on one item alone" in weak
    assert "Why it is right, and where</h2>" in weak and "Why it is right</h2>" not in weak
    assert "It promises at most once, no more." in client.get("/algorithms/at-most-once?lang=en").text
    assert "It promises at least once, no more." in client.get("/algorithms/at-least-once?lang=en").text
    assert 'class="limits"' not in client.get("/algorithms/aligned?lang=en").text
    assert table.count('class="limits"') == 3


def test_an_algorithm_that_there_is_not_has_no_page(client: TestClient) -> None:
    answer = client.get("/algorithms/paxos?lang=zh")
    assert answer.status_code == 404
    assert "paxos" in answer.text and "chandy-lamport、" in answer.text


def test_all_algorithms_fit_the_graph_on_which_they_are_compared() -> None:
    grounds = {name: ground(member(name)) for name in ALGORITHMS}
    assert {
        name: unfit(rules, grounds[name].topology, grounds[name].program) for name, rules in ALGORITHMS.items()
    } == dict.fromkeys(ALGORITHMS)


def test_references_are_read_one_by_one() -> None:
    module = 'Words.\n\nReferences\n----------\nA. One, B. Two, "First",\n1985, 1-2.\nC. Three, Second, 1990.\n'
    assert references(module) == ('A. One, B. Two, "First", 1985, 1-2.', "C. Three, Second, 1990.")
    assert references("No section.") == ()


def test_what_stands_in_a_formula_is_explained() -> None:
    assert symbols("2(n - 1) + 2u") == ("n", "u")
    assert symbols("|E| + …") == ("E", "more")
    assert symbols("0") == ()
    assert all(symbols(rules.COST) is not None for rules in ALGORITHMS.values())


def test_three_meanings_of_several_starts_are_named_where_they_belong(client: TestClient) -> None:
    words = catalogue("en")
    for name, meaning in MEANINGS.items():
        told = text(client.get(f"/algorithms/{name}?lang=en").text)
        assert all(words[f"family.meaning.{each}.about"] in told for each in MEANINGS.values()), meaning
    assert words["family.meanings"] not in text(client.get("/algorithms/photographs?lang=en").text)


def test_the_three_meanings_are_seen_on_one_scenario_with_two_initiators(client: TestClient) -> None:
    scenario = example()
    assert scenario is not None and len(initiators(scenario)) == 2
    html = client.get("/algorithms/merged?lang=en").text
    (url,) = re.findall(r'<a class="button" href="(/compare/[^"]+)"', html)
    told = client.get(unescape(url)).text
    assert url.startswith(f"/compare/{scenario.name}?")
    for meaning in MEANINGS.values():
        assert catalogue("en")[f"family.meaning.{meaning}"] in told


def test_photographs_are_no_concurrent_starts() -> None:
    assert initiators(LIBRARY.scenario("photographs-two")) == ()
    assert initiators(LIBRARY.scenario("random-twelve")) == ("P1", "P7")


def test_the_choice_of_algorithms_says_which_are_broken_and_which_do_not_fit(client: TestClient) -> None:
    html = client.get("/run/ring-five?lang=en").text
    picker = html.split('<select id="algorithm"', 1)[1].split("</select>", 1)[0]
    right, limited, broken = re.findall(r"<optgroup label=.*?</optgroup>", picker, re.S)
    assert 'value="chandy-lamport" selected' in right and 'value="late-marker"' in broken
    assert re.findall(r'value="([^"]+)"', limited) == ["at-most-once", "weak-productions"]
    (unfit_here,) = re.findall(r'<option value="venkatesan" disabled>([^<]+)<', right)
    assert "not here: it needs a channel in the other direction" in unfit_here
