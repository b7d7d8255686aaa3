"""``bluecut store`` as an operator runs it."""

from pathlib import Path

from app.web.base.store import DAY, UNOPENED, Store
from tests.cli.command import bluecut


def test_a_backup_and_taking_it_back(tmp_path: Path) -> None:
    Store(tmp_path / "data").save("text")
    file = str(tmp_path / "backup")
    done = bluecut("store", "backup", file, "--data", str(tmp_path / "data"))
    assert (done.code, done.out, done.err) == (0, f"Shared scenarios saved in {file}: 1\n", "")
    done = bluecut("store", "restore", file, "--data", str(tmp_path / "new"))
    assert (done.code, done.out) == (0, f"Shared scenarios taken back from {file}: 1 of 1, the others were there\n")


def test_what_is_wrong_is_told_in_one_line(tmp_path: Path) -> None:
    done = bluecut("store", "backup", str(tmp_path / "backup"), "--data", str(tmp_path), "--lang", "zh")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"bluecut: {tmp_path}/scenarios.sqlite3：这里还没有保存过任何场景\n"


def test_it_tells_how_full_the_store_is_and_prunes_it(tmp_path: Path) -> None:
    Store(tmp_path, clock=lambda: 1.0 * DAY).save("old")
    Store(tmp_path).save("new")
    data = ("--data", str(tmp_path))
    assert bluecut("store", "show", *data).out.startswith("scenarios: 2 of at most 10,000, ")
    done = bluecut("store", "prune", *data)
    deleted, left = done.out.splitlines()
    assert deleted == f"deleted, because nobody had opened them for {UNOPENED} days: 1"
    assert left.startswith("scenarios: 1 of at most 10,000, ")
    assert bluecut("store", "show", *data, "--lang", "zh").out.startswith("1 个场景")


def test_a_store_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    Store(tmp_path).file.write_bytes(b"this is not SQLite" * 100)
    done = bluecut("store", "show", "--data", str(tmp_path))
    said = "bluecut: the scenarios on this server cannot be read now; try again later"
    assert (done.code, done.err.splitlines()[-1]) == (2, said)
