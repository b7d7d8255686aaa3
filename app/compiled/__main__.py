"""Make the compiled build of this ``app``, or remove it: ``python -m app.compiled``.

It needs mypy, setuptools, a C compiler and the headers of Python. The build lies beside the sources, in a folder that
git ignores; it is made elsewhere first, so that what runs meanwhile finds the old one or the new one.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from time import process_time

from app.compiled import FOLDER, HERE, MADE_OF, digest

KERNEL = ("core/kernel/*.py",)
"""The smallest part that is worth compiling: every step goes through it."""

MODULES = (
    *KERNEL, "core/oracle/checks.py", "core/oracle/replay.py", "schedules/*.py",
    "algorithms/shared/defaults.py", "algorithms/markers/chandy_lamport.py",
    *(f"programs/{name}.py" for name in ("bank", "machine", "token", "variables")),
)  # fmt: skip
"""What is compiled, below ``app``. The values of the model are not: they are copied, pickled and inherited from, which
mypyc's classes cannot do; exceptions neither. Its calls of networkx, pydantic and immutables gain nothing. Many other
algorithms call the handlers of the one that is compiled."""


def _lacking() -> str | None:
    """Return what must be installed before anything can be compiled; None if nothing is missing."""
    for package in ("mypy", "setuptools"):
        if find_spec(package) is None:
            return f"the package {package} is missing (uv run --group test has it)"
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC")
    if compiler and shutil.which(compiler.split()[0]) is None:
        return f"there is no C compiler {compiler.split()[0]} (on Debian: apt-get install gcc)"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "the headers of Python are missing (on Debian: apt-get install python3-dev)"
    return None


def _make(into: Path, patterns: tuple[str, ...], level: str) -> None:
    """Compile into a folder. Raises SystemExit if that fails, or if a source was changed meanwhile."""
    before = digest()
    files = sorted(file for pattern in patterns for file in HERE.glob(pattern) if file.name != "__init__.py")
    names = [str(file.relative_to(HERE.parent)) for file in files]
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "app.compiled.extensions", scratch, level, *names]
        done = subprocess.run(command, cwd=HERE.parent, capture_output=True, encoding="utf-8", errors="replace")
        built = sorted(Path(scratch, "out").rglob(f"*{EXTENSION_SUFFIXES[0]}"))
        if done.returncode or len(built) != len(files) + 1:
            raise SystemExit(f"{done.stdout[-4_000:]}{done.stderr[-4_000:]}\nmypyc or the C compiler failed: see above")
        if digest() != before:
            raise SystemExit("a source was changed while it was compiled; make the build again")
        made = Path(tempfile.mkdtemp(dir=into.parent, prefix=f"{into.name}."))
        made.chmod(0o755)
        for file in built:
            name = ".".join(file.relative_to(Path(scratch, "out")).parts)
            shutil.copyfile(file, made / name)
        (made / MADE_OF).write_text(before, "ascii")
    if into.exists():
        shutil.rmtree(into)
    made.rename(into)


def main() -> None:
    """Run the command. Raises SystemExit, with what is missing or wrong."""
    parser = argparse.ArgumentParser(prog="python -m app.compiled", description=__doc__)
    parser.add_argument("--remove", action="store_true", help="remove the build: the sources run again")
    parser.add_argument("--into", type=Path, default=HERE / FOLDER, help="the folder for the build")
    parser.add_argument("--kernel", action="store_true", help="compile the kernel alone")
    parser.add_argument("--level", choices="0123", default="2", help="how much the C compiler optimizes")
    asked = parser.parse_args()
    if asked.remove:
        shutil.rmtree(HERE / FOLDER, ignore_errors=True)
        return
    if lacking := _lacking():
        raise SystemExit(f"nothing is compiled: {lacking}")
    began = process_time()
    _make(asked.into.absolute(), KERNEL if asked.kernel else MODULES, asked.level)
    times = os.times()
    spent = process_time() - began + times.children_user + times.children_system
    print(f"made {asked.into} in {spent:.0f} s of processor time")


if __name__ == "__main__":
    main()
