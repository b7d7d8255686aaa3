"""Backups of the store while others save."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.model.values import BluecutError
from app.web.base.store import Store, address, backup, restore
from tests.until import until

SAVING = """
import sys
from itertools import count
from pathlib import Path
from app.web.base.store import Store
store = Store(Path(sys.argv[1]), most=1_000_000)
for number in count():
    text = f"{sys.argv[2]} {number} " + "x" * 5_000
    print(store.save(text), flush=True)
"""


def test_what_was_backed_up_is_there_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    names = [store.save(f"text {number}") for number in range(5)]
    assert backup(store, tmp_path / "backup") == 5
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["backup"]
    again = Store(tmp_path / "new")
    assert restore(again, tmp_path / "backup") == (5, 5)
    assert [again.load(name) for name in names] == [f"text {number}" for number in range(5)]


def test_what_was_taken_back_counts_as_opened_that_day(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    store.save("text")
    backup(store, tmp_path / "backup")
    day = 86_400.0
    again = Store(tmp_path / "new", clock=lambda: 1_000 * day)
    restore(again, tmp_path / "backup")
    assert again.prune(1) == 0
    assert Store(tmp_path / "new", clock=lambda: 1_002 * day).prune(1) == 1


def test_taking_back_adds_and_changes_nothing_that_is_there(tmp_path: Path) -> None:
    store = Store(tmp_path)
    first = store.save("first")
    backup(store, tmp_path / "backup")
    later = store.save("later")
    assert restore(store, tmp_path / "backup") == (0, 1)
    assert (store.load(first), store.load(later)) == ("first", "later")


@pytest.mark.slow
def test_a_backup_has_everything_saved_before_it_while_two_servers_go_on_saving(tmp_path: Path) -> None:
    data = tmp_path / "data"
    saved = [(tmp_path / name).open("w+") for name in ("a", "b")]
    writers = [subprocess.Popen([sys.executable, "-c", SAVING, str(data), log.name[-1]], stdout=log) for log in saved]

    def acknowledged() -> set[str]:
        return {line for name in ("a", "b") for line in (tmp_path / name).read_text().splitlines() if len(line) == 22}

    try:
        until(lambda: len(acknowledged()) > 40)
        for number in range(5):
            before = acknowledged()
            file = tmp_path / f"backup {number}"
            backup(Store(data), file)
            with sqlite3.connect(file) as base:
                found = {name for (name,) in base.execute("SELECT id FROM scenario")}
                assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            base.close()
            assert before <= found
            assert restore(Store(data), file)[0] == 0
            until(lambda before=before: len(acknowledged()) > len(before))  # type: ignore[misc]  # they were not stopped
        assert all(writer.poll() is None for writer in writers)
    finally:
        for writer, log in zip(writers, saved, strict=True):
            writer.kill()
            writer.wait()
            log.close()
    store = Store(data)
    assert all(store.load(name) for name in acknowledged())


def test_a_backup_never_replaces_a_file(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save("text")
    (tmp_path / "backup").write_text("precious")
    with pytest.raises(BluecutError, match="is there already"):
        backup(store, tmp_path / "backup")
    assert (tmp_path / "backup").read_text() == "precious"


def test_an_empty_server_has_nothing_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(BluecutError, match="nothing has been saved here yet"):
        backup(Store(tmp_path), tmp_path / "backup")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["missing/backup", "x" * 300])
def test_what_cannot_be_written_is_told_in_a_sentence(tmp_path: Path, name: str) -> None:
    store = Store(tmp_path)
    store.save("text")
    with pytest.raises(BluecutError, match="cannot be read or written"):
        backup(store, tmp_path / name)


def test_a_damaged_backup_changes_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    store.save("one")
    store.save("two")
    backup(store, tmp_path / "backup")
    with sqlite3.connect(tmp_path / "backup") as base:
        base.execute("UPDATE scenario SET text = 'three' WHERE text = 'two'")
    base.close()
    again = Store(tmp_path / "new")
    with pytest.raises(BluecutError, match="damaged"):
        restore(again, tmp_path / "backup")
    assert not again.file.exists()


@pytest.mark.parametrize("content", [None, b"", b"no database " * 100])
def test_what_is_no_backup_is_refused(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "file").write_bytes(content)
    with pytest.raises(BluecutError, match=r"no such file|no such table|not a database"):
        restore(Store(tmp_path / "data"), tmp_path / "file")
    assert not (tmp_path / "data").exists()


def test_a_large_store_is_backed_up_whole(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.open() as base:
        base.execute("BEGIN")
        for number in range(500):
            text = f"{number} " + "y" * 20_000
            base.execute("INSERT INTO scenario VALUES (?, ?)", (address(text), text))
        base.execute("COMMIT")
    assert backup(store, tmp_path / "backup") == 500
