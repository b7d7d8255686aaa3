"""The store: content-addressed, immutable, and whole after anything."""

import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.web.base.store import (
    DAY,
    HOUR,
    OF_DISK,
    PER_HOUR,
    UNOPENED,
    Filled,
    Missing,
    Store,
    TooOften,
    Unkept,
    Unreadable,
    address,
    folder_of_data,
)

SAVING = """
import sys
from pathlib import Path
from app.web.base.store import Store
store, begin = Store(Path(sys.argv[1])), int(sys.argv[2])
for number in range(begin, begin + 100_000):
    print(store.save(f"scenario {number} " + "x" * 20_000), flush=True)
"""

READING_WITHOUT_WRITING = """
import resource, sqlite3, sys
from pathlib import Path
from app.web.base.store import Store
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
store = Store(Path(sys.argv[1]))
try:
    with store.open():
        pass
except sqlite3.Error as error:
    said = str(error)
found = store.load(sys.argv[2])
print(said, found, sep="\\n")
"""

KILLED_BEFORE_COMMIT = """
import os, signal, sys
from contextlib import contextmanager
from pathlib import Path
from app.web.base.store import Store

class Killed(Store):
    @contextmanager
    def open(self):
        with super().open() as base:
            base.set_trace_callback(lambda sql: os.kill(os.getpid(), signal.SIGKILL) if sql == "COMMIT" else None)
            yield base

Killed(Path(sys.argv[1])).save("half a scenario")
"""


def saved_by_a_process_that_is_killed(folder: Path, begin: int, acknowledged: int) -> list[str]:
    """Return the ids that a saving process was told of before it was killed with SIGKILL."""
    command = [sys.executable, "-c", SAVING, str(folder), str(begin)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        ids = [child.stdout.readline().strip() for _ in range(acknowledged)]
        child.kill()
        ids += [line.strip() for line in child.stdout if line.endswith("\n")]
    assert child.returncode == -signal.SIGKILL
    return ids


def test_what_is_saved_can_be_loaded(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.load(store.save('{"title":"蓝色的图"}')) == '{"title":"蓝色的图"}'


def test_the_id_is_the_hash_of_the_text(tmp_path: Path) -> None:
    assert Store(tmp_path).save("abc") == "x-ba7816bf8f01cfea4141" == address("abc")


def test_the_same_text_has_the_same_id_and_is_kept_once(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.save("abc") == store.save("abc") == Store(tmp_path).save("abc")
    assert store.filled().scenarios == 1


def test_nothing_is_written_before_the_first_save(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    with pytest.raises(Missing, match="has not kept it"):
        store.load("x-00000000000000000000")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "name", ["", "x-", "x-zz", "../../etc/passwd", "x-00000000000000000000' OR 1=1", "X-" + "0" * 20]
)
def test_only_an_id_is_looked_up(tmp_path: Path, name: str) -> None:
    Store(tmp_path).save("abc")
    with pytest.raises(Missing, match="no scenario"):
        Store(tmp_path).load(name)


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence_without_its_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(Unkept, match="cannot be written; a smaller scenario travels inside its link") as refusal:
        Store(tmp_path / "file").save("abc")
    assert str(tmp_path) not in str(refusal.value)


def test_a_file_that_is_no_database_is_told_in_a_sentence(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.file.write_bytes(b"this is not SQLite" * 100)
    with pytest.raises(Unkept, match="cannot save"):
        store.save("abc")
    with pytest.raises(Unreadable, match="cannot be read now"):
        store.load(address("abc"))


def test_what_is_whole_on_the_disk_is_read_where_nothing_can_be_written(tmp_path: Path) -> None:
    name = Store(tmp_path).save("abc")
    command = [sys.executable, "-c", READING_WITHOUT_WRITING, str(tmp_path), name]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout == "disk I/O error\nabc\n"


def test_a_full_store_refuses_new_texts_and_keeps_the_old_ones(tmp_path: Path) -> None:
    store = Store(tmp_path, most=2)
    first = store.save("one")
    store.save("two")
    with pytest.raises(Unkept, match="keeps 2 shared scenarios and has no room for more"):
        store.save("three")
    assert store.save("one") == first
    assert store.load(first) == "one"


def test_a_text_that_was_changed_on_the_disk_is_not_given_out(tmp_path: Path) -> None:
    store = Store(tmp_path)
    name = store.save("abc")
    with store.open() as base:
        base.execute("UPDATE scenario SET text = 'abd'")
    with pytest.raises(Missing, match="damaged"):
        store.load(name)


def test_every_acknowledged_save_survives_kill_9_in_a_loop(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    for round_, number in enumerate((1, 4, 9, 20)):
        acknowledged += saved_by_a_process_that_is_killed(tmp_path, round_ * 1_000, number)
    store = Store(tmp_path)
    assert len(acknowledged) >= 34
    assert len(set(acknowledged)) == len(acknowledged)
    for name in acknowledged:
        assert address(store.load(name)) == name
    with store.open() as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert all(address(text) == name for name, text in base.execute("SELECT id, text FROM scenario"))


def test_kill_9_between_writing_and_committing_leaves_no_half_scenario(tmp_path: Path) -> None:
    store = Store(tmp_path)
    kept = store.save("a whole scenario")
    child = subprocess.run([sys.executable, "-c", KILLED_BEFORE_COMMIT, str(tmp_path)], check=False)
    assert child.returncode == -signal.SIGKILL
    with pytest.raises(Missing):
        store.load(address("half a scenario"))
    assert store.load(kept) == "a whole scenario"
    assert store.load(store.save("half a scenario")) == "half a scenario"


def test_threads_save_at_the_same_time(tmp_path: Path) -> None:
    store = Store(tmp_path)
    threads = [threading.Thread(target=store.save, args=(f"text {i % 5}",)) for i in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with sqlite3.connect(store.file) as base:
        assert base.execute("SELECT count(*) FROM scenario").fetchone() == (5,)


def test_the_folder_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BLUECUT_DATA", str(tmp_path / "here"))
    assert folder_of_data() == tmp_path / "here"
    monkeypatch.delenv("BLUECUT_DATA")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert folder_of_data() == Path.home() / ".local" / "share" / "bluecut"


class Clock:
    """A clock that is set."""

    now = 1_000.0 * DAY

    def __call__(self) -> float:
        return self.now


def test_what_nobody_has_opened_for_90_days_gives_way_where_there_is_no_room(tmp_path: Path) -> None:
    clock = Clock()
    store = Store(tmp_path, most=2, clock=clock)
    old, opened = store.save("old"), store.save("opened")
    clock.now += (UNOPENED - 1) * DAY
    assert store.load(opened) == "opened"
    with pytest.raises(Unkept, match="no room for more"):
        store.save("new")
    clock.now += DAY
    new = store.save("new")
    assert [store.load(each) for each in (opened, new)] == ["opened", "new"]
    with pytest.raises(Missing):
        store.load(old)


def test_pruning_deletes_what_nobody_opens_and_counts_it(tmp_path: Path) -> None:
    clock = Clock()
    store = Store(tmp_path, clock=clock)
    assert (store.prune(), store.filled()) == (0, Filled(0, 0, 0))
    store.save("old")
    clock.now += UNOPENED * DAY
    kept = store.save("new")
    assert (store.filled().scenarios, store.filled().unopened) == (2, 1)
    assert store.prune(UNOPENED + 1) == 0
    assert store.prune() == 1
    assert (store.filled().scenarios, store.load(kept)) == (1, "new")


def test_what_is_opened_while_the_clock_is_years_behind_does_not_give_way_when_it_is_right_again(
    tmp_path: Path,
) -> None:
    clock = Clock()
    store = Store(tmp_path, clock=clock)
    kept = store.save("kept")
    clock.now -= 900 * DAY
    assert store.load(kept) == "kept"
    assert store.save("kept") == kept
    clock.now += 900 * DAY
    assert (store.prune(), store.load(kept)) == (0, "kept")


@pytest.mark.slow
def test_a_client_saves_so_many_in_an_hour_and_not_one_more(tmp_path: Path) -> None:
    clock = Clock()
    store = Store(tmp_path, clock=clock)
    for number in range(PER_HOUR):
        store.save(f"text {number}", "192.0.2.1")
    store.save("text 0", "192.0.2.1")  # it is there already
    with pytest.raises(TooOften, match=f"you have saved {PER_HOUR} scenarios in this hour"):
        store.save("one more", "192.0.2.1")
    assert store.save("one more", "192.0.2.2")
    clock.now += HOUR
    assert store.save("another", "192.0.2.1")


def test_the_file_takes_a_tenth_of_its_disk_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    store.save("one")
    size = store.file.stat().st_size
    total = [round(size / OF_DISK)]
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"total": total[0]}))
    store.save("two")
    total[0] = round(store.file.stat().st_size / OF_DISK) - 10
    with pytest.raises(Unkept, match="take 10% of its disk"):
        store.save("three")


def test_a_file_of_an_earlier_version_gets_its_tables(tmp_path: Path) -> None:
    store = Store(tmp_path, most=2)
    with sqlite3.connect(store.file) as base:
        base.execute("CREATE TABLE scenario (id TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID")
        base.execute("INSERT INTO scenario VALUES (?, ?)", (address("abc"), "abc"))
    base.close()
    assert store.load(address("abc")) == "abc"
    assert store.filled().scenarios == 1
    store.save("two")
    with pytest.raises(Unkept):
        store.save("three")
