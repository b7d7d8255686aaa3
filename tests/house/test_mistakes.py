"""Every mistake is written out in the source, once, and is reported in every language."""

import ast
import json
import string
from functools import cache
from pathlib import Path

from app.core.model.values import BluecutError
from app.web import app as _application  # loads every module that knows a kind of mistake
from app.words.catalogues import LANGUAGES

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "app/words/catalogue/mistakes"
OTHERS = [language for language in LANGUAGES if language != "en"]
FRAMES = {"SourceError"}
"""These take a phrase that is written out elsewhere."""


def kinds(of: type[BluecutError] = BluecutError) -> set[str]:
    """Return the names of BluecutError and its subclasses."""
    return {of.__name__}.union(*(kinds(kind) for kind in of.__subclasses__()))


@cache
def calls() -> list[tuple[str, ast.Call, ast.expr]]:
    """Return every call that words a mistake: the place, the call, and the words."""
    assert _application
    named = kinds() | {"Phrase"}
    return [
        (f"{path.relative_to(ROOT).as_posix()}:{node.lineno}", node, node.args[at])
        for path in sorted((ROOT / "app").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and node.args and (at := position(node, named)) is not None
    ]


def position(call: ast.Call, named: set[str]) -> int | None:
    """Return which argument words a mistake of the kinds ``named``; None for a call that makes no mistake."""
    called = call.func
    if isinstance(called, ast.Name):
        return 0 if called.id in named - FRAMES else None
    if not isinstance(called, ast.Attribute) or ast.unparse(called.value) == "logger":
        return None
    if called.attr == "error":
        return 1 if ast.unparse(called.value) == "source" else 0
    return 0 if ast.unparse(called) == "super().__init__" and any(k.arg for k in call.keywords) else None


def passed_on(words: ast.expr, node: ast.Call) -> bool:
    """Is this a constructor that only passes its own arguments on?"""
    return ast.unparse(words) == "template" and any(keyword.arg is None for keyword in node.keywords)


def spoken() -> dict[str, str]:
    """Return every template, and a place where it is."""
    return {
        ast.literal_eval(words): where
        for where, node, words in calls()
        if isinstance(words, ast.Constant) and not passed_on(words, node)
    }


def fields(template: str) -> set[str]:
    """Return the names of the values."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_there_are_mistakes_to_look_at() -> None:
    assert len(spoken()) > 120
    assert {"Refused", "Unknown", "Missing", "Unkept", "BadRef", "Stale", "NoSuchStep", "Unwritable"} <= kinds()


def test_words_are_written_out_and_never_put_together() -> None:
    assert [
        f"{where}: {ast.unparse(words)}"
        for where, node, words in calls()
        if not passed_on(words, node) and not (isinstance(words, ast.Constant) and isinstance(words.value, str))
    ] == []


def test_every_field_of_the_words_is_given_and_no_other() -> None:
    for where, node, words in calls():
        if isinstance(words, ast.Constant) and isinstance(words.value, str):
            assert {keyword.arg for keyword in node.keywords} == fields(words.value), where


def test_the_other_languages_tell_just_the_same_mistakes() -> None:
    assert sorted(path.stem for path in CATALOGUE.glob("*.json")) == OTHERS
    for language in OTHERS:
        told = json.loads((CATALOGUE / f"{language}.json").read_text("utf-8"))
        where = spoken()
        assert {template: where[template] for template in where if template not in told} == {}
        assert [template for template in told if template not in where] == []
        assert {template for template, text in told.items() if fields(template) != fields(text)} == set()
        assert [template for template, text in told.items() if not text.strip()] == []


def test_no_mistake_is_given_twice() -> None:
    def unique(pairs: list[tuple[str, str]]) -> dict[str, str]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    for language in OTHERS:
        json.loads((CATALOGUE / f"{language}.json").read_text("utf-8"), object_pairs_hook=unique)
