"""The compiled build: machine code that mypyc makes of the busiest modules, in place of their sources.

It lies in ``app/_compiled``, with the digest of the sources of which it was made. It is used only while the digest is
that of the sources that are there now, so it can never run other code than they say. ``python -m app.compiled`` makes
it, and so does a build of the wheel where it is asked to; nothing needs it. See
``docs/decisions/0009-compiled-build.md``.
"""

import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from warnings import warn

HERE = Path(__file__).resolve().parents[1]
FOLDER = "_compiled"
MADE_OF = "digest"
"""The file in the folder that names the sources."""

_FOLDERS = ("core", "forms", "algorithms", "programs", "schedules")
"""The compiled modules, and all that they import."""


def digest(app: Path = HERE) -> str:
    """Return the digest of the sources that a compiled build in this folder would be made of, for this Python."""
    found = sha256(EXTENSION_SUFFIXES[0].encode())
    for file in sorted(file for folder in _FOLDERS for file in (app / folder).rglob("*.py")):
        found.update(f"\0{file.relative_to(app).as_posix()}\0".encode())
        found.update(file.read_bytes())
    return found.hexdigest()


class _Finder:
    """Finds the modules that are compiled."""

    def __init__(self, place: Path) -> None:
        suffix = EXTENSION_SUFFIXES[0]
        self._files = {file.name.removesuffix(suffix): str(file) for file in place.glob(f"*{suffix}")}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where Python finds the module; None if it is not compiled."""
        file = self._files.get(name)
        return spec_from_file_location(name, file, loader=ExtensionFileLoader(name, file)) if file else None


def use(app: Path = HERE) -> bool:
    """Let Python import what is compiled, if it was made of these sources; return whether. Warns where it was not."""
    place = app / FOLDER
    try:
        made_of = (place / MADE_OF).read_text("ascii")
    except OSError:  # there is none, or this is an archive
        return False
    if made_of != digest(app):
        warn(
            f"the compiled build in {place} is not used: it was made of other sources or for another Python; "
            "make it again with 'python -m app.compiled', or remove it with 'python -m app.compiled --remove'",
            RuntimeWarning,
            stacklevel=1,
        )
        return False
    sys.meta_path.insert(0, _Finder(place))
    return True


COMPILED = use()
"""Does the compiled build run?"""
