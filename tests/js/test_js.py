"""The scripts of the pages: their format, style and types, and the modules that need no browser, run by Node."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.js import codemirror
from tests.js.fixtures import write
from tests.js.tools import node, tool

SCRIPTS = "static/js"


def passed(done: subprocess.CompletedProcess[str], help: str) -> None:
    """Fail with what a tool printed if it found something."""
    if done.returncode:
        pytest.fail(f"{help}\n{done.stdout}", pytrace=False)


def test_the_scripts_are_formatted_and_linted() -> None:
    formatted = tool("oxfmt", "--check", SCRIPTS, "tests/js")
    passed(formatted, "format them with: .venv/bin/python -m tests.js.tools oxfmt FILE…")
    passed(tool("oxlint", "--format=unix", "--deny-warnings", SCRIPTS, "tests/js"), "oxlint found:")


def test_the_types_in_the_scripts_are_right() -> None:
    passed(tool("tsc", "--project", f"{SCRIPTS}/jsconfig.json", "--pretty", "false"), "TypeScript found:")


def test_the_vendored_editor_is_what_its_packages_make() -> None:
    assert {name: (codemirror.FOLDER / name).read_bytes() for name in codemirror.made()} == codemirror.made()


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
