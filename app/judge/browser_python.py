"""The Python that runs in a browser: Pyodide, which comes with the extra ``bluecut[write]``, or is fetched once from
the npm registry and kept beside the data.

It is 13 MB in five files, and pinned by checksums. Without it everything works but the button of one page. The extra is
a package of another project, flet-web, that has these very files in it; nothing else of that is used or imported.
Pyodide is licensed under the Mozilla Public License 2.0.
"""

import base64
import hashlib
import io
import os
import tarfile
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlopen

from app.core.model.values import BluecutError

VERSION = "314.0.7"
ADDRESS = f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz"
CHECKSUM = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
FILES = {
    "pyodide.mjs": "text/javascript",
    "pyodide.asm.mjs": "text/javascript",
    "pyodide.asm.wasm": "application/wasm",
    "python_stdlib.zip": "application/zip",
    "pyodide-lock.json": "application/json",
}
"""What a page loads of it, with its media types."""
EXTRA = ("flet_web", "web/pyodide")
"""The package of the extra, and where the files are in it."""
DIGEST = "16dd5f9ce0a4dcafea23c04fb7b3379fb6b5843113bd8b8872ef912b3ab90d59"
"""The SHA-256 of these files, one after another."""
MOST_BYTES = 20_000_000
"""The most bytes that the registry may send."""
PATIENCE = 60
"""Seconds without an answer after which the registry is taken for unreachable."""


def folder(data: Path) -> Path:
    """Return where it is kept, below the folder of the data."""
    return data / f"pyodide-{VERSION}"


def place(data: Path) -> Path | None:
    """Return the folder where it is: beside the data, or in the extra; None where it is in neither."""
    fetched = folder(data)
    return fetched if all((fetched / name).is_file() for name in FILES) else _installed()


@cache
def _installed() -> Path | None:
    """Return the folder of the extra, if that has the very files. It is looked for once."""
    package, path = EXTRA
    spec = find_spec(package)
    for each in (spec and spec.submodule_search_locations) or ():
        digest = sha256()
        with suppress(OSError):
            for name in FILES:
                digest.update((Path(each) / path / name).read_bytes())
            if digest.hexdigest() == DIGEST:
                return Path(each) / path
    return None


def fetch(data: Path) -> Path:
    """Fetch it, unless it is there, and return its folder. Raises BluecutError if that cannot be."""
    made = folder(data)
    if (there := place(data)) is not None:
        return there
    try:
        with urlopen(ADDRESS, timeout=PATIENCE) as answer:
            packed = answer.read(MOST_BYTES)
    except OSError as error:
        reason = str(getattr(error, "reason", None) or error)
        raise BluecutError("{address} cannot be read: {reason}", address=ADDRESS, reason=reason) from None
    if base64.b64encode(hashlib.sha512(packed).digest()).decode() != CHECKSUM:
        raise BluecutError("{address} is not the file that was expected: its checksum differs", address=ADDRESS)
    made.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for name in FILES:
            content = archive.extractfile(f"package/{name}")
            assert content is not None
            part = made / f"{name}.{os.getpid()}"
            part.write_bytes(content.read())
            part.replace(made / name)  # whole or not there, even if another process fetches it, too
    return made
