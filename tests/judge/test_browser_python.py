"""Fetching the Python for browsers: only the pinned file counts."""

import io
import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.core.model.values import BluecutError
from app.judge import browser_python

ROOT = Path(__file__).parents[2]


@pytest.mark.usefixtures("without_extra")
def test_another_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(browser_python, "urlopen", lambda *_, **__: io.BytesIO(b"something else"))
    with pytest.raises(BluecutError, match="checksum"):
        browser_python.fetch(tmp_path)
    assert browser_python.place(tmp_path) is None


@pytest.mark.usefixtures("without_extra")
def test_a_registry_that_cannot_be_reached_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def unreachable(*_: Any, **__: Any) -> None:
        raise OSError("no route")

    monkeypatch.setattr(browser_python, "urlopen", unreachable)
    with pytest.raises(BluecutError, match="no route"):
        browser_python.fetch(tmp_path)


def test_what_is_there_is_not_fetched_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = browser_python.folder(tmp_path)
    folder.mkdir()
    for name in browser_python.FILES:
        (folder / name).write_text("x")
    monkeypatch.setattr(browser_python, "urlopen", None)
    assert browser_python.fetch(tmp_path) == folder


def test_the_extra_has_it_and_only_the_very_files_count(
    monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    assert pytestconfig.cache
    try:
        fetched = browser_python.fetch(Path(str(pytestconfig.cache.mkdir("pyodide"))))
    except BluecutError as error:
        pytest.skip(f"Python for browsers cannot be fetched: {error}")
    package, path = browser_python.EXTRA
    there = tmp_path / package / path
    there.mkdir(parents=True)
    (tmp_path / package / "__init__.py").touch()  # a folder without it would give way to the real one
    monkeypatch.syspath_prepend(tmp_path)
    for name in browser_python.FILES:
        (there / name).write_bytes((fetched / name).read_bytes())
    try:
        browser_python._installed.cache_clear()
        assert browser_python.place(tmp_path / "data") == there == browser_python.fetch(tmp_path / "data")
        (there / "pyodide.mjs").write_text("something else")
        browser_python._installed.cache_clear()
        assert browser_python.place(tmp_path / "data") is None
    finally:
        browser_python._installed.cache_clear()


def test_the_extra_is_pinned() -> None:
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["write"]
    assert [one.partition("==")[0].replace("-", "_") for one in extra] == [browser_python.EXTRA[0]]
