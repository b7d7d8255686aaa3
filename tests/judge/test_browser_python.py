"""Fetching the Python for browsers: only the pinned file counts."""

import io
from pathlib import Path
from typing import Any

import pytest

from app.core.model.values import BluecutError
from app.judge import browser_python


def test_another_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(browser_python, "urlopen", lambda *_, **__: io.BytesIO(b"something else"))
    with pytest.raises(BluecutError, match="checksum"):
        browser_python.fetch(tmp_path)
    assert not browser_python.is_there(tmp_path)


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
