"""The files beside the algorithms: they are read with the errors of all forms, and their facts fit together."""

import zipfile
from pathlib import Path
from typing import get_args

import pytest

from app.algorithms.description import Description, Role, Row, described, read
from app.algorithms.registry import ALGORITHMS, DESCRIPTIONS, MODULES, standing_for, words
from app.algorithms.shared import defaults
from app.course.misconception import beliefs
from app.forms.yaml_source import SourceError
from app.pipeline.engine.packages import packed
from app.scenario.library import LIBRARY
from app.web.shared.family_tree import bases

EACH = pytest.mark.parametrize("name", ALGORITHMS)


def test_a_mistake_is_told_with_its_file_line_and_field() -> None:
    for text, says in (
        ("name: {en: A, zh: A}\nabuot: {en: A, zh: A}\n", "x.yaml, line 2: abuot: unknown field; did you mean about?"),
        ("order: 1\nrules:\n  on-start: none\n", "x.yaml, line 3: rules.on-start: must be a text in each language"),
        ("stands_for: [rolback]\n", r"x.yaml, line 1: stands_for\[0\]: must be one of rollback, local"),
        ("breaks: 1\n", "x.yaml, line 1: breaks: must be one of first, recorded"),
        ("# nothing\n", "x.yaml, line 1: empty; a description has at least a name"),
        ("- name\n", "x.yaml, line 1: a description is a mapping with name"),
    ):
        with pytest.raises(SourceError, match=says):
            read(text, "x.yaml")


def test_what_is_missing_leaves_no_words() -> None:
    assert read("name: {en: A}\n", "x.yaml").words("x", "en") == {"algorithm.x": "A"}
    assert read("name: {en: A}\n", "x.yaml").words("x", "zh") == {}
    assert described(defaults) == Description()


def test_a_text_has_a_letter_at_least_and_two_thousand_at_most() -> None:
    for text in ("A", "A" * 2_000):
        assert read(f"name: {{en: {text}}}\n", "x.yaml").words("x", "en") == {"algorithm.x": text}
    for text in ("''", "A" * 2_001):
        with pytest.raises(SourceError):
            read(f"name: {{en: {text}}}\n", "x.yaml")


@EACH
def test_a_module_is_called_like_its_algorithm(name: str) -> None:
    assert MODULES[name].__name__.rpartition(".")[2] == name.replace("-", "_")


def test_the_files_say_which_algorithm_comes_after_which() -> None:
    places = {name: about.order for name, about in DESCRIPTIONS.items()}
    assert [name for name, place in places.items() if place == Description().order] == [], "has no order"
    twice = {name: place for name, place in places.items() if list(places.values()).count(place) > 1}
    assert not twice, f"have the same order; taken are {sorted(set(places.values()))}"
    assert list(places.values()) == sorted(places.values())


def test_no_two_algorithms_break_the_same_promise() -> None:
    broken = [about.breaks for about in DESCRIPTIONS.values() if about.breaks is not None]
    assert [promise for promise in sorted(set(broken)) if broken.count(promise) > 1] == []


def test_every_role_is_taken_once() -> None:
    taken = sorted(role for about in DESCRIPTIONS.values() for role in about.stands_for)
    assert taken == sorted(get_args(Role))
    assert all(role in DESCRIPTIONS[standing_for(role)].stands_for for role in get_args(Role))


@EACH
def test_the_facts_of_a_description_are_about_something(name: str) -> None:
    about = DESCRIPTIONS[name]
    assert about.shown_by is None or about.shown_by in LIBRARY.names()
    assert about.breaks is None or ALGORITHMS[name].WRONG is not None
    assert set(about.succession) in (set(), set(get_args(Row)))
    assert about.doubt is None or about.doubt in beliefs()


@EACH
def test_the_words_of_a_line_stand_with_the_algorithm_from_which_the_others_have_it(name: str) -> None:
    for line in DESCRIPTIONS[name].rules:
        for other, rules in ALGORITHMS.items():
            if line in dict(rules.PSEUDOCODE):
                assert name in lineage(other), (line, other)


def lineage(name: str) -> list[str]:
    """The algorithm and those that it continues."""
    return [name, *(str(base.NAME) for base in bases(name))]


def test_the_files_travel_with_the_modules(tmp_path: Path) -> None:
    with zipfile.ZipFile(packed(tmp_path)) as archive:
        there = {name for name in archive.namelist() if name.startswith("app/algorithms/")}
    assert {name.replace(".yaml", ".py") for name in there if name.endswith(".yaml")} < there
    assert sum(name.endswith(".yaml") for name in there) == len(MODULES)
    assert "algorithm.chandy-lamport" in words("en")
