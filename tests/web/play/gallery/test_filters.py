"""What the gallery filters by: every value has its place, its words, and agrees with what the scenarios are."""

from typing import get_args

import pytest

from app.algorithms.registry import ALGORITHMS
from app.scenario.format import Assumption
from app.scenario.library import LIBRARY
from app.web.play.gallery.filters import FILTERS, GROUPS, Query
from app.words.catalogues import LANGUAGES, catalogue
from tests.each import each

ORDERS = {"fifo": {"fifo"}, "any": {"any-order", "causal"}, "causal": {"causal"}}


def test_every_assumption_is_in_one_group() -> None:
    assert sorted(each for group in GROUPS.values() for each in group) == sorted(get_args(Assumption))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_has_words(language: str) -> None:
    keys = [f"assumption.{each}" for each in get_args(Assumption)]
    keys += [f"algorithm.{each}" for each in ALGORITHMS] + [f"gallery.filter.{each}" for each in FILTERS]
    keys += [f"gallery.every.{each}" for each in FILTERS] + [f"gallery.group.{each}" for each in GROUPS]
    assert [key for key in keys if key not in catalogue(language)] == []


@each("name", LIBRARY.names())
def test_every_scenario_has_a_lesson_and_assumes_the_order_that_its_channels_keep(name: str) -> None:
    form = LIBRARY.scenario(name).form
    assert form.lessons, "`lessons` names the place of one"
    assert len(form.lessons) == len(set(form.lessons))
    assert len(form.assumptions) == len(set(form.assumptions))
    said = {"fifo", "causal", "any-order"}.intersection(form.assumptions)
    assert len(said) == 1 and said <= ORDERS[form.discipline], "one of the `assumptions` is the order of its channels"


def test_an_address_names_only_what_is_asked() -> None:
    assert Query().address == "/scenarios"
    assert Query(q="a b", lesson="3").address == "/scenarios?q=a+b&lesson=3"
    assert Query(q="x", algorithm="y", assumption="z", lesson="1").without("assumption") == Query(
        q="x", algorithm="y", lesson="1"
    )
