"""Which YAML files are in folders, and when they were changed: what a server reads again while it runs."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

Stamp = tuple[Path, int, int]
"""A file, when it was changed, and its size."""


def stamps(folders: Iterable[Path]) -> list[Stamp]:
    """Return the stamps of all YAML files, folder by folder, by their names."""
    found: list[Stamp] = []
    for folder in folders:
        for file in sorted(folder.glob("*.yaml")):
            with suppress(FileNotFoundError):  # it has gone since the folder was read
                stat = file.stat()
                found.append((file, stat.st_mtime_ns, stat.st_size))
    return found
