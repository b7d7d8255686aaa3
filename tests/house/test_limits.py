"""The table of limits says what the code says."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.each import each

TESTS = Path(__file__).parents[1]
TABLE = TESTS.parent / "docs/limits.md"
ROW = re.compile(r"^\|[^|]+\| ([\d,.]+) \|[^|]*\| `([\w.]+)\.(\w+)` \|$", re.MULTILINE)
ROWS = ROW.findall(TABLE.read_text("utf-8"))


def test_every_row_is_read() -> None:
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line.startswith("| ")]
    assert len(ROWS) == len(lines) - 1 > 25


@each("row", ROWS)
def test_a_limit_is_what_the_code_says(row: tuple[str, str, str]) -> None:
    number, module, name = row
    assert getattr(import_module(f"app.{module}"), name) == float(number.replace(",", ""))


def used(source: str) -> Iterator[str]:
    """Yield what a module imports from elsewhere, and the parts of the modules that it imports, as ``module.name``."""
    tree, modules = ast.parse(source), dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                modules[one.asname or one.name] = f"{node.module}.{one.name}"
                yield modules[one.asname or one.name]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield f"{modules[node.value.id]}.{node.attr}"


@cache
def tried() -> frozenset[str]:
    """Return what tests use, but for those that only look at the code; only tests that name a limit are read."""
    limit = re.compile("|".join(rf"\b{name}\b" for _, _, name in ROWS))
    sources = (file.read_text("utf-8") for file in TESTS.rglob("test_*.py") if file.parent.name != "house")
    return frozenset(name for source in sources if limit.search(source) for name in used(source))


@each("row", ROWS)
def test_a_limit_is_tried(row: tuple[str, str, str]) -> None:
    _, module, name = row
    assert f"app.{module}.{name}" in tried()
