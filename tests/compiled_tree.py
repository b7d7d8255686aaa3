"""A copy of ``app`` in which the compiled build runs, for tests and benchmarks: the checkout stays as it is."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from app.compiled import FOLDER

ROOT = Path(__file__).parents[1]


class NothingCompiled(Exception):
    """mypy, a C compiler or the headers of Python are missing; the text says which."""


def compile_into(folder: Path, *options: str) -> None:
    """Compile the checkout into a folder. Raises NothingCompiled, and CalledProcessError if compiling fails."""
    command = [sys.executable, "-m", "app.compiled", "--into", str(folder), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.stderr.startswith("nothing is compiled"):
        raise NothingCompiled(done.stderr.strip())
    if done.returncode:
        print(done.stderr, file=sys.stderr)
    done.check_returncode()


def tree_with(built: Path, tree: Path) -> dict[str, str]:
    """Copy ``app`` and a compiled build of it into a folder. Return the environment in which Python imports them, and
    the tests from the checkout."""
    shutil.copytree(ROOT / "app", tree / "app", ignore=shutil.ignore_patterns("__pycache__", f"{FOLDER}*"))
    shutil.copytree(built, tree / "app" / FOLDER)
    for folder in ("scenarios", "static", "templates"):
        (tree / folder).symlink_to(ROOT / folder)
    return {**os.environ, "PYTHONPATH": f"{tree}{os.pathsep}{ROOT}", "PYTHONSAFEPATH": "1"}
