"""The Python that runs in a browser: Pyodide, fetched once from the npm registry and kept beside the data.

It is 13 MB in four files, and pinned by its checksum. Without it everything works but the button of one page.
Pyodide is licensed under the Mozilla Public License 2.0.
"""

import base64
import hashlib
import io
import os
import tarfile
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
MOST_BYTES = 20_000_000
"""The most bytes that the registry may send."""
PATIENCE = 60
"""Seconds without an answer after which the registry is taken for unreachable."""


def folder(data: Path) -> Path:
    """Return where it is kept, below the folder of the data."""
    return data / f"pyodide-{VERSION}"


def is_there(data: Path) -> bool:
    """Is it there?"""
    return all((folder(data) / name).is_file() for name in FILES)


def fetch(data: Path) -> Path:
    """Fetch it, unless it is there, and return its folder. Raises BluecutError if that cannot be."""
    made = folder(data)
    if is_there(data):
        return made
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
