"""The editor that is vendored: CodeMirror comes as modules only, so esbuild joins what a page uses of it. A test
compares the result with ``static/vendor/codemirror``; after a change of ``package.json`` or ``codemirror.js``:

    .venv/bin/python -m tests.js.codemirror
"""

import json
import re
import tempfile
from pathlib import Path

from tests.js.tools import MODULES, ROOT, tool

FOLDER = ROOT / "static/vendor/codemirror"
OPTIONS = ("--bundle", "--minify", "--format=iife", "--global-name=codemirror", "--legal-comments=none")
PACKAGE = re.compile(r"node_modules/((?:@[^/]+/)?[^/]+)/")


def made() -> dict[str, bytes]:
    """Return the files by name. Raises NotInstalled if npm cannot install the modules."""
    with tempfile.TemporaryDirectory() as folder:
        script, about = Path(folder) / "script.js", Path(folder) / "about.json"
        tool("esbuild", "tests/js/codemirror.js", *OPTIONS, f"--outfile={script}", f"--metafile={about}")
        (joined,) = json.loads(about.read_text("utf-8"))["outputs"].values()
        files = {"codemirror.min.js": script.read_bytes()}
    packages = sorted({found[1] for path in joined["inputs"] if (found := PACKAGE.search(path))})
    licences = dict.fromkeys((MODULES / name / "LICENSE").read_text("utf-8") for name in packages)
    names = ", ".join(map(_versioned, packages))
    version = f"{names} (npm),\njoined by {_versioned('esbuild')}: python -m tests.js.codemirror\n"
    return files | {"VERSION": version.encode(), "LICENSE": "\n".join(licences).encode()}


def _versioned(name: str) -> str:
    return f"{name} {json.loads((MODULES / name / 'package.json').read_text('utf-8'))['version']}"


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name, content in made().items():
        (FOLDER / name).write_bytes(content)


if __name__ == "__main__":
    main()
