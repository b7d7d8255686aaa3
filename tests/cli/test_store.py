"""``bluecut store``: backup and restore as an operator runs them."""

from pathlib import Path

from app.web.base.store import Store
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
