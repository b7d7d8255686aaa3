"""What runs by night: each part, whatever becomes of the others."""

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
NIGHT = ROOT / ".ci/night"
STUBS = {
    "bin/python3": "true",
    ".venv/bin/pip": "true",
    ".venv/bin/uv": 'shift 8; case "$*" in *tests.trust*) exit 3;; *=deep*) exec timeout 0.1 sleep 60;; esac',
}
"""Instead of installing and running anything, the random runs fail, and the properties take too long."""


def night(folder: Path, *parts: str) -> subprocess.CompletedProcess[str]:
    """Run these parts of it with the stubs, in a folder of their own."""
    for name, line in {**STUBS, ".ci/night": ""}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{line}\n" if line else NIGHT.read_text("utf-8"))
        file.chmod(0o755)
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    variables = os.environ | {"PATH": path}
    return subprocess.run([folder / ".ci/night", *parts], env=variables, capture_output=True, text=True)


def test_a_part_that_fails_or_takes_too_long_keeps_no_other_from_running(tmp_path: Path) -> None:
    run = night(tmp_path, "trust", "properties", "oracle", "tests")
    told = dict(re.findall(r"^(\w+) +\d+ s  (.*)$", run.stdout, re.MULTILINE))
    assert run.returncode == 1
    assert told == {"tests": "passed", "properties": "took longer than 4h", "oracle": "passed", "trust": "failed (3)"}


def test_a_part_that_does_not_exist_is_refused_before_anything_runs(tmp_path: Path) -> None:
    run = night(tmp_path, "trust", "test")
    assert run.returncode == 2 and "no part test;" in run.stderr and "===" not in run.stdout


def test_what_is_named_there_exists() -> None:
    named = re.findall(r"\b(?:tests|app)/[\w/.]+", NIGHT.read_text("utf-8"))
    assert len(named) > 10 and not [each for each in named if not (ROOT / each).exists()]
