"""What people read uses the word list of ``scenarios/course/words.yaml``, and none of the words that it rules out."""

import json
import re
from functools import cache
from pathlib import Path
from typing import cast

import pytest
import yaml

from app.core.model.values import Json
from app.words.catalogues import LANGUAGES

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "scenarios"
ALGORITHMS = ROOT / "app/algorithms"
WORDS = SCENARIOS / "course/words.yaml"
MISTAKES = ROOT / "app/words/catalogue/mistakes/zh.json"
PAPERS = ("README.md", "CHANGELOG.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")))
LIST = yaml.safe_load(WORDS.read_text("utf-8"))
BANNED = [
    (language, pattern, word["use"][language])
    for word in LIST["words"]
    for language in LANGUAGES
    for pattern in word["not"][language]
]
CODE = re.compile(r"```.*?```|`[^`\n]*`|\{[^{}]*\}|\w+→\w+", re.DOTALL)
"""What is a name in a text, not prose: code, the fields of a sentence, and channels."""


def prose(values: Json, language: str) -> list[str]:
    """Every text in a language that stands beside the same in the others."""
    if isinstance(values, dict):
        if set(LANGUAGES) <= set(values):
            return flat(values[language])
        return [text for value in values.values() for text in prose(value, language)]
    return [text for value in values for text in prose(value, language)] if isinstance(values, list) else []


def flat(values: Json) -> list[str]:
    """All texts inside some values."""
    if isinstance(values, dict):
        return [text for value in values.values() for text in flat(value)]
    if isinstance(values, list):
        return [text for value in values for text in flat(value)]
    return [values] if isinstance(values, str) else []


@cache
def read(language: str) -> dict[str, list[str]]:
    """What people read in a language, without names, by file."""
    mistakes = json.loads(MISTAKES.read_text("utf-8"))
    found = {"mistakes": list(mistakes) if language == "en" else list(mistakes.values())}
    for path in sorted((ROOT / "app/words/catalogue" / language).glob("*.json")):
        found[path.name] = list(json.loads(path.read_text("utf-8")).values())
    for path in sorted((*SCENARIOS.rglob("*.yaml"), *ALGORITHMS.rglob("*.yaml"))):
        if path != WORDS:
            values = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
            folder = SCENARIOS if SCENARIOS in path.parents else ROOT
            found[path.relative_to(folder).as_posix()] = prose(cast(Json, values), language)
    if language == "en":
        found |= {name: (ROOT / name).read_text("utf-8").split("\n\n") for name in PAPERS}
    return {name: [CODE.sub(" ", text) for text in texts] for name, texts in found.items()}


def ruled_out(pattern: str, texts: list[str]) -> list[str]:
    """The texts with a word that is not used."""
    return [text for text in texts if re.search(pattern, text, re.IGNORECASE)]


def test_prose_is_read_and_names_are_not() -> None:
    values: Json = {"title": {"en": "A double", "zh": "两份"}, "script": [{"send": "double"}]}
    assert prose(values, "en") == ["A double"] and prose(values, "zh") == ["两份"]
    assert CODE.sub(" ", "It has {doubled}, `double` and s→double.") == "It has  ,   and  ."
    course = {f"course/{name}.yaml" for name in ("glossary", "history", "misconceptions")}
    for language in LANGUAGES:
        told = {name for name, texts in read(language).items() if texts}
        assert {
            "mistakes",
            "player.json",
            "theorem.json",
            "blue-figure.yaml",
            "claims/000.yaml",
            "app/algorithms/colours/mattern.yaml",
            *course,
        } <= told
        assert {f"lessons/{path.name}" for path in (SCENARIOS / "lessons").iterdir()} <= told
    assert set(PAPERS) <= set(read("en")) and not set(PAPERS) & set(read("zh"))


def test_every_pattern_finds_something_to_rule_out() -> None:
    examples = ("doubled", "mends", "is of no use", "whoever", "加倍", "两条记录", "信道")
    assert all(any(ruled_out(pattern, [example]) for _, pattern, _ in BANNED) for example in examples)
    assert not any(ruled_out(pattern, ["duplicate, heal, item, 数据汇, 元素"]) for _, pattern, _ in BANNED)


@pytest.mark.parametrize(("language", "pattern", "use"), BANNED, ids=[pattern for _, pattern, _ in BANNED])
def test_nobody_reads_a_word_that_is_ruled_out(language: str, pattern: str, use: str) -> None:
    wrong = {name: ruled_out(pattern, texts) for name, texts in read(language).items()}
    assert not {name: texts for name, texts in wrong.items() if texts}, f"say {use}"


def test_an_apostrophe_is_typographic_wherever_visitors_read() -> None:
    code = (*PAPERS, "mistakes", "judge/bugs.yaml")  # written in ASCII, or beside what is
    pages = {name: texts for name, texts in read("en").items() if name not in code}
    straight = {name: ruled_out(r"\w'(s|t|re|ve|ll|d)\b", texts) for name, texts in pages.items()}
    assert {name: texts for name, texts in straight.items() if texts} == {}
