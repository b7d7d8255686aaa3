"""Text written from values, and text changed as little as possible."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.forms.yaml_source import read
from app.scenario.library import LIBRARY
from app.scenario.yaml_writer import Unwritable, amended, same, written
from tests.each import each

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**17), 10**17),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text("aNo1-> y", max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["title", "topology", "script", "no", "x"]), VALUES, max_size=4))
def test_what_is_written_reads_as_the_same_values_or_is_refused(values: dict[str, Any]) -> None:
    try:
        text = written(values)
    except Unwritable:
        return
    assert same(read(text, "scenario", limit=10**6).values, values)


@each("name", LIBRARY.names())
def test_every_scenario_of_the_library_can_be_written(name: str) -> None:
    values = read(LIBRARY.files()[name].read_text(encoding="utf-8"), name, limit=10**6).values
    assert read(written(values), name, limit=10**6).values == values


def test_text_looks_like_that_of_the_library() -> None:
    values = {
        "script": [
            {"start": "P1"},
            {"send": {"on": "P2->P1", "message": "M"}},
            {"change": {"process": "P1", "set": {"X": 1}}},
        ],
        "topology": {"channels": ["P1->P2"], "processes": ["P1", "P2"]},
        "title": {"en": "no", "zh": "12"},
    }
    assert written(values) == (
        "title: {en: no, zh: '12'}\n"
        "topology:\n"
        "  channels: [P1->P2]\n"
        "  processes: [P1, P2]\n"
        "script:\n"
        "  - start: P1\n"
        "  - send: {on: P2->P1, message: M}\n"
        "  - change:\n"
        "      process: P1\n"
        "      set:\n"
        "        X: 1\n"
    )


def test_characters_that_cannot_be_seen_are_written_as_escapes() -> None:
    assert written({"title": {"en": "a\u202eb", "zh": "\u200b"}}) == 'title: {en: "a\\u202Eb", zh: "\\u200B"}\n'


TEXT = """\
# mine
title: {en: A,   zh: B}  # two spaces

# who there is
topology:
  processes: [A]
# what they do
program: {kind: token, holders: {A: 1}}
# the end
"""


def test_an_amended_text_keeps_comments_and_everything_that_is_the_same() -> None:
    source = read(TEXT, "scenario", limit=10_000)
    values = source.values | {"topology": {"processes": ["A", "B"], "channels": ["A->B"]}, "script": [{"start": "A"}]}
    assert amended(source, TEXT, values) == (
        "# mine\n"
        "title: {en: A,   zh: B}  # two spaces\n"
        "\n"
        "# who there is\n"
        "topology:\n"
        "  processes: [A, B]\n"
        "  channels: [A->B]\n"
        "# what they do\n"
        "program: {kind: token, holders: {A: 1}}\n"
        "# the end\n"
        "script:\n"
        "  - start: A\n"
    )


@pytest.mark.parametrize("text", ["{title: {en: A, zh: B}, tags: [x]}", "---\ntitle: {en: A, zh: B}\ntags: [x]\n..."])
def test_a_text_that_cannot_be_amended_is_written_anew(text: str) -> None:
    source = read(text, "scenario", limit=10_000)
    values = source.values | {"tags": ["y"], "steps": 3}
    assert read(amended(source, text, values), "scenario", limit=10_000).values == values


def test_one_and_true_are_not_the_same() -> None:
    assert not same({"a": 1}, {"a": True})
    assert not same([1], [1.0])
    assert same({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]})
