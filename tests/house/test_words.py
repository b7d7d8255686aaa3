"""Both catalogues have the same keys, and every key in use is there."""

import json
import re
import string
from collections.abc import Iterable
from pathlib import Path

import pytest

from app.algorithms.registry import ALGORITHMS, DESCRIPTIONS, words
from app.core.oracle import checks
from app.core.oracle.checks import CHECKS
from app.web.play.compare.routes import NEEDED
from app.web.shared.run_page import SCRIPT_WORDS, STAGE_WORDS
from app.words.catalogues import LANGUAGES, catalogue, texts
from app.words.sentence_fields import FIELDS
from tests.house.word_keys import HOLE, KEY, known, of_script, patterns

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "app/words/catalogue"
FILES = sorted(path.name for path in (CATALOGUE / "en").glob("*.json"))
SPOKEN = [
    *sorted((ROOT / "app").rglob("*.py")),
    *sorted((ROOT / "static/js").rglob("*.js")),
    *sorted((ROOT / "templates").iterdir()),
]
FAMILIES = sorted({key.split(".")[0] for key in catalogue("en")})
LITERAL = re.compile(r"(?<!`)[\"'`]((?:" + "|".join(FAMILIES) + r")\.[a-z0-9.-]*)(\$\{|\{|[\"'`](?!`))")
"""A key in quotes; two backticks are a docstring's."""
COMPLETED = ("costs.", "wrong.", "editor.kind.")
"""Keys to which a function adds the beginning."""
SUFFIXES = (".html", ".svg", ".js", ".css", ".json", ".py", ".yaml")
"""Suffixes of file names are not keys."""


def fields(text: str) -> list[str]:
    """Return the names of the values in a text."""
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


def spoken() -> dict[str, list[str]]:
    """Return every key, or beginning of a key, that the sources write down, and where."""
    found: dict[str, list[str]] = {}
    for path in SPOKEN:
        for key, close in LITERAL.findall(path.read_text(encoding="utf-8")):
            if not key.endswith(SUFFIXES):
                began = key + ("*" if close in ("{", "${") or key.endswith(".") else "")
                found.setdefault(began, []).append(path.name)
    return found


def test_there_is_something_to_compare() -> None:
    assert LANGUAGES == ("en", "zh") and len(catalogue("en")) > 100 and len(spoken()) > 50


def test_the_languages_have_the_same_files() -> None:
    assert sorted(path.name for path in (CATALOGUE / "zh").glob("*.json")) == FILES


@pytest.mark.parametrize("name", FILES)
def test_the_languages_have_the_same_keys_with_the_same_fields_in_the_same_order(name: str) -> None:
    en, zh = (json.loads((CATALOGUE / language / name).read_text("utf-8")) for language in LANGUAGES)
    assert list(en) == list(zh)
    assert {key: fields(text) for key, text in en.items()} == {key: fields(text) for key, text in zh.items()}


def test_no_key_is_given_in_two_files() -> None:
    for language in LANGUAGES:
        keys = [key for name in FILES for key in json.loads((CATALOGUE / language / name).read_text("utf-8"))]
        keys += [key for name, about in DESCRIPTIONS.items() for key in about.words(name, language)]
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_empty_and_marks_come_in_pairs(language: str) -> None:
    for key, text in catalogue(language).items():
        assert text.strip(), key
        assert text.count("**") % 2 == 0, key


def test_chinese_is_chinese() -> None:
    """Letters without a Chinese one among them are the same in both languages, or name a language."""
    en, zh = catalogue("en"), catalogue("zh")
    latin = [key for key, text in zh.items() if re.search("[a-z]", re.sub(r"\{\w+\}", "", text))]
    foreign = {key for key in latin if not re.search(r"[\u4e00-\u9fff]", zh[key]) and zh[key] != en[key]}
    assert foreign <= {"page.other-language"}


def test_every_key_that_is_asked_for_exists() -> None:
    words = catalogue("en")
    missing = {
        key: where
        for key, where in spoken().items()
        if not (any(known.startswith(key[:-1]) for known in words) if key.endswith("*") else key in words)
    }
    assert missing == {}


def test_every_key_is_asked_for() -> None:
    asked = [*spoken(), *patterns()]
    wanted = "|".join(re.escape(key).replace(re.escape(HOLE), ".+").replace(r"\*", ".*") for key in asked)
    listed = {*known(), *words("en"), *(f"say.{key}" for key in FIELDS)}
    idle = [key for key in catalogue("en") if key not in listed and not re.fullmatch(wanted, key)]
    assert [key for key in idle if not key.startswith(COMPLETED)] == []


def test_the_player_is_given_every_word_that_its_scripts_ask_for() -> None:
    others = ("compare", "cuts", "room", "write")  # pages with words of their own
    scripts = [path for path in (ROOT / "static/js").rglob("*.js") if path.parent.name not in others]
    text = "\n".join(path.read_text("utf-8") for path in scripts)
    asked = {key for key in re.findall(r'"([a-z]+\.[a-z0-9.-]+)"', text) if key in catalogue("en")}
    asked |= {pattern.partition(HOLE)[0] for pattern in of_script(text) if KEY.fullmatch(pattern)}
    asked = {key for key in asked if any(known.startswith(key) for known in catalogue("en"))}
    assert len(asked) > 100
    assert [key for key in sorted(asked) if not any(known.startswith(key) for known in texts("en", SCRIPT_WORDS))] == []


@pytest.mark.parametrize(
    ("given", "folders"),
    [
        (SCRIPT_WORDS, ("js", "controls", "panels", "run", "stage", "time")),
        (NEEDED, ("js", "compare", "run", "stage")),
        (STAGE_WORDS, ("js", "run", "stage")),
    ],
)
def test_scripts_are_given_no_word_that_they_do_not_ask_for(given: tuple[str, ...], folders: tuple[str, ...]) -> None:
    scripts = [path for path in (ROOT / "static/js").rglob("*.js") if path.parent.name in folders]
    text = "\n".join(path.read_text("utf-8") for path in scripts)
    literals = re.findall(r"""["`]([a-z]+\.(?:[^"`\s$]|\$\{[^}`]*\})+)["`]""", text)
    asked = {re.sub(r"\$\{[^}]*\}", HOLE, each) for each in literals}
    assert [key for key in texts("en", given) if not any(matches(pattern, [key]) for pattern in asked)] == []


def matches(pattern: str, keys: Iterable[str]) -> bool:
    """Is there a key that the pattern can make? One that ends with a dot is the beginning of keys."""
    wanted = re.compile(re.escape(pattern).replace(re.escape(HOLE), ".*") + (".*" if pattern.endswith(".") else ""))
    return any(wanted.fullmatch(key) for key in keys)


def test_every_pattern_of_keys_makes_one_that_exists() -> None:
    assert {"check.{}.claim", "check.{}.title", "check.{}.about"} <= set(patterns())  # Python, a template, a script
    assert {key: where for key, where in patterns().items() if not matches(key, catalogue("en"))} == {}
    assert not matches("check.{}.nothing", catalogue("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_of_what_a_registry_lists_exists(language: str) -> None:
    keys = list(known())
    assert len(keys) > 300
    assert [key for key in keys if key not in catalogue(language)] == []


def test_every_sentence_has_its_words_with_just_its_values() -> None:
    said = {key.removeprefix("say."): fields(text) for key, text in catalogue("en").items() if key.startswith("say.")}
    assert set(said) == set(FIELDS)
    assert {key: set(names) - set(FIELDS[key]) for key, names in said.items()} == {key: set() for key in said}


def test_every_fault_that_a_check_finds_has_its_sentence() -> None:
    """A verdict that cannot be decided has a reason, and no fault."""
    found = set(re.findall(r'"fault": "(\w+)"', Path(checks.__file__).read_text("utf-8"))) - {"inconsistent"}
    assert found - {fault for check in CHECKS.values() for fault in check.faults} == set(), "not in `faults` of a check"


def test_every_algorithm_has_its_words_with_the_same_values_in_both_languages() -> None:
    en, zh = words("en"), words("zh")
    assert {key: fields(text) for key, text in en.items()} == {key: fields(text) for key, text in zh.items()}
    for name, algorithm in ALGORITHMS.items():
        parts = ("", ".about", ".stores", ".invariant" if algorithm.WRONG is None else ".wrong")
        assert [part for part in parts if f"algorithm.{name}{part}" not in en] == [], name


def test_every_line_of_every_algorithm_has_its_words() -> None:
    for algorithm in ALGORITHMS.values():
        lines = [name for name, _ in algorithm.PSEUDOCODE]
        assert [line for line in lines if f"rule.{line}" not in catalogue("en")] == []
        assert algorithm.WRONG is None or algorithm.WRONG in lines


def test_no_catalogue_says_a_key_twice() -> None:
    for file in sorted(CATALOGUE.rglob("*.json")):
        keys = [key for key, _ in json.loads(file.read_text("utf-8"), object_pairs_hook=list)]
        assert [key for key in set(keys) if keys.count(key) > 1] == [], file


def test_the_readme_names_what_is_to_be_clicked_as_pages_do() -> None:
    steps = (ROOT / "README.md").read_text(encoding="utf-8").split("## What to click first")[1].split("\n## ")[0]
    named = re.findall(r"\*+([^*\n]+)\*+", steps)
    assert len(named) > 10 and sorted({*named} - {*catalogue("en").values()}) == []
