"""A library that is loaded before all others, and changes what the system tells a server."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def library(folder: Path, source: str) -> Path:
    """Return a library of this C, compiled into a folder; the test is skipped where that is impossible."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("needs a C compiler and Linux")
    (folder / "first.c").write_text(source)
    built = folder / "first.so"
    command = [compiler, "-shared", "-fPIC", "-o", str(built), str(folder / "first.c"), "-ldl"]
    subprocess.run(command, check=True)
    return built
