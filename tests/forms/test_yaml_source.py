"""YAML as plain values: what is refused, on which line, and what stays text."""

from typing import Any

import pytest

from app.forms.yaml_source import DEPTH, SourceError, dotted, read


def values(text: str) -> Any:
    """Return the values of a text."""
    return read(text, "f.yaml", limit=10_000).values


def mistake(text: str, limit: int = 10_000) -> str:
    """Return the error that a text gives."""
    with pytest.raises(SourceError) as told:
        read(text, "f.yaml", limit=limit)
    return str(told.value)


@pytest.mark.parametrize(
    "word", ["no", "yes", "on", "off", "No", "TRUE", "12:30", "1e3", "0x10", "0123", "1_000", ".5"]
)
def test_words_that_other_readers_take_for_something_else_stay_words(word: str) -> None:
    assert values(f"a: {word}") == {"a": word}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("3", 3), ("-3", -3), ("0", 0), ("2.50", 2.5), ("true", True), ("false", False), ("null", None), ("~", None)),
        *(("", None), ("'3'", "3"), ('"true"', "true"), ("[]", []), ("{}", {}), ("P->Q", "P->Q")),
        ("2026-11-21", "2026-11-21"),
    ],
)
def test_only_plain_numbers_true_false_and_null_are_more_than_words(text: str, value: Any) -> None:
    got = values(f"a: {text}")["a"]
    assert got == value and type(got) is type(value)


def test_a_key_is_always_a_word() -> None:
    assert values("{1: a, true: b, no: c}") == {"1": "a", "true": "b", "no": "c"}


def test_every_field_knows_its_line_and_a_missing_one_that_of_what_is_around_it() -> None:
    source = read("a: 1\nb:\n  - c: 2\n  - d: 3\n", "f.yaml", limit=100)
    assert [source.line(path) for path in [("a",), ("b", 0, "c"), ("b", 1), ("b", 1, "e"), ("z",)]] == [1, 3, 4, 4, 1]
    assert str(source.error(("b", 1, "d"), "too small")) == "f.yaml, line 4: b[1].d: too small"
    assert dotted(("script", 2, "send", "on")) == "script[2].send.on"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: 1\na: 2", "f.yaml, line 2: a: given twice; keep one"),
        ("b:\n  c: 1\n  c: 2", "f.yaml, line 3: b.c: given twice; keep one"),
        ("a: &x 1\nb: *x", "f.yaml, line 1: anchors and aliases (& and *) are not allowed; write the value out"),
        (
            "a: !!python/name:os.system x",
            "f.yaml, line 1: the tag tag:yaml.org,2002:python/name:os.system is not allowed",
        ),
        ("a: !mine x", "f.yaml, line 1: the tag !mine is not allowed; write a plain value"),
        ("? [a]\n: 1", "f.yaml, line 1: a key must be a word"),
        ("a: [1, 2\nb: 3", "f.yaml, line 2: not YAML: did not find expected ',' or ']'"),
        ("a:\n\t- b", "f.yaml, line 2: not YAML: found a tab character where an indentation space is expected"),
        ("名: 值\na:\n\t- b", "f.yaml, line 3: not YAML: found a tab character where an indentation space is expected"),
        (
            "a: b: c",
            "f.yaml, line 1: not YAML: no field can begin here: look at the indentation, and put a text with a colon",
        ),
        ("a: @b", "f.yaml, line 1: not YAML: found character that cannot start any token"),
        ("a: b\n---\nc: d", "f.yaml, line 2: not YAML: but found another document"),
        ("a: b\nc: \x07", "f.yaml, line 2: not YAML: the character U+0007 is not allowed; leave it out"),
        ("", "f.yaml, line 1: empty; a scenario has at least title, topology and program"),
        ("# nothing", "f.yaml, line 1: empty; a scenario has at least title, topology and program"),
    ],
)
def test_what_is_refused_is_told_with_its_line(text: str, told: str) -> None:
    assert mistake(text).startswith(told)


def test_an_alias_bomb_is_refused_before_it_grows() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(50))
    assert "anchors and aliases" in mistake(bomb)


def test_nesting_is_allowed_to_its_limit_and_refused_beyond() -> None:
    inner = DEPTH - 1  # the mapping around it is one
    assert values("a: " + "[" * inner + "]" * inner)
    assert mistake("a: " + "[" * (inner + 1) + "]" * (inner + 1)) == f"f.yaml, line 1: nested more than {DEPTH} deep"
    assert "nested more than" in mistake("[" * 3_000)


def test_size_counts_bytes_and_is_allowed_to_its_limit() -> None:
    assert read("a: 蓝", "f.yaml", limit=6).values == {"a": "蓝"}
    assert mistake("a: 蓝", limit=5) == "f.yaml: 6 bytes; at most 5"
