"""The scripts of the pages: their format, style and types, and the modules that need no browser, run by Node."""

import os
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.js.fixtures import write
from tests.js.tools import ROOT, node, tool

SCRIPTS = "static/js"
PENDING = ("stage/",)
"""Scripts under static/js that nobody has formatted, linted and typed yet. The list may only get shorter."""

CHECKED = [
    path
    for path in sorted((ROOT / SCRIPTS).rglob("*.js"))
    if not path.relative_to(ROOT / SCRIPTS).as_posix().startswith(PENDING)
]
FILES = [path.relative_to(ROOT).as_posix() for path in CHECKED]


@cache
def type_errors() -> dict[str, list[str]]:
    """Return what TypeScript complains about, by script under static/js; "" for the rest, such as the types."""
    done = tool("tsc", "--project", f"{SCRIPTS}/jsconfig.json", "--pretty", "false")
    found: dict[str, list[str]] = {"": [] if done.stdout or not done.returncode else ["tsc failed and said nothing"]}
    for line in done.stdout.splitlines():
        named = re.match(rf"{SCRIPTS}/(.+?\.js)\(\d+,\d+\): error", line)
        if named or not line.startswith(" "):
            found.setdefault(named[1] if named else "", []).append(line)
    return found


def passed(done: subprocess.CompletedProcess[str], help: str) -> None:
    """Fail with what a tool printed if it found something."""
    if done.returncode:
        pytest.fail(f"{help}\n{done.stdout}", pytrace=False)


def test_the_scripts_are_formatted_and_linted() -> None:
    formatted = tool("oxfmt", "--check", *FILES, "tests/js")
    passed(formatted, "format them with: .venv/bin/python -m tests.js.tools oxfmt FILE…")
    passed(tool("oxlint", "--format=unix", "--deny-warnings", *FILES, "tests/js"), "oxlint found:")


def test_the_types_in_the_scripts_are_right() -> None:
    errors = [line for path, lines in type_errors().items() if not path.startswith(PENDING) for line in lines]
    if errors:
        pytest.fail("TypeScript found:\n" + "\n".join(errors), pytrace=False)


@pytest.mark.parametrize("place", PENDING)
def test_what_is_pending_is_still_unfinished(place: str) -> None:
    assert any(path.startswith(place) for path in type_errors()), f"take {place} off PENDING"


def test_the_modules_that_need_no_browser_pass_their_tests(tmp_path: Path) -> None:
    write(tmp_path)
    done = node(
        "--test",
        "--test-reporter=spec",
        "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
        "tests/js/**/*.test.js",
        env={**os.environ, "FIXTURES": str(tmp_path)},
    )
    passed(done, "Node says:")
    assert re.search(r"^ℹ pass [1-9]", done.stdout, re.MULTILINE), f"no test was run:\n{done.stdout}"
