"""What is particular to an algorithm stands in its module and the file beside it: nobody else knows one by name."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from app.algorithms.registry import ALGORITHMS, MODULES
from app.paths import STATIC, TEMPLATES

APP = Path(__file__).parents[2] / "app"
SCENARIOS = ("formats/cos418.py", "web/measure/spark/routes.py")
"""Modules that name scenarios and tags, which may be called like an algorithm."""
WORDS = {"at-least-once", "at-most-once", "loops", "members", "merged", "timestamp", "uncoordinated"}
"""Names that are also words for something else."""
NAMES = set(ALGORITHMS) - WORDS


@cache
def sources() -> list[tuple[str, ast.Module]]:
    """Return the modules that may name no algorithm, and what they say."""
    named = ((path, path.relative_to(APP).as_posix()) for path in sorted(APP.rglob("*.py")))
    mute = [(path, name) for path, name in named if not name.startswith(("algorithms/", *SCENARIOS))]
    return [(name, ast.parse(path.read_text("utf-8"))) for path, name in mute]


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """Keep no trees for the tests of other files: they are large."""
    yield
    sources.cache_clear()


def texts(tree: ast.Module) -> Iterator[str]:
    """Yield the strings of a module, those with values without them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def named(text: str) -> bool:
    """Is it the name of an algorithm, or the address of its page?"""
    return text.rpartition("/algorithms/")[2] in NAMES


def test_no_module_writes_down_the_name_of_an_algorithm() -> None:
    assert [(name, text) for name, tree in sources() for text in texts(tree) if named(text)] == []


def test_no_module_imports_a_single_algorithm() -> None:
    single = {module.__name__ for module in MODULES.values()}
    assert len(sources()) > 50
    for name, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert single.isdisjoint(each.name for each in node.names), name
            elif isinstance(node, ast.ImportFrom):
                assert single.isdisjoint({node.module, *(f"{node.module}.{each.name}" for each in node.names)}), name


def test_no_script_and_no_template_names_an_algorithm() -> None:
    one = "|".join(map(re.escape, sorted(NAMES)))
    naming = re.compile(rf"""(?:["'`]|/algorithms/)({one})(?=["'`#?])""")
    files = [*sorted((STATIC / "js").rglob("*.js")), *sorted(TEMPLATES.rglob("*.html"))]
    assert len(files) > 100
    assert {path.name: found for path in files if (found := naming.findall(path.read_text("utf-8")))} == {}


def test_no_catalogue_has_words_for_an_algorithm() -> None:
    for path in sorted((APP / "words/catalogue").glob("*/*.json")):
        if path.parent.name != "mistakes":
            keys = [key for key in json.loads(path.read_text("utf-8")) if not key.startswith("say.")]
            assert [key for key in keys if key.startswith("algorithm.") or not NAMES.isdisjoint(key.split("."))] == []
