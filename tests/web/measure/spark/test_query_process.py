"""The only query of a server: who may end it, which life is killed, and when its folder may be deleted. (The page is in
``test_inside.py``.)"""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.web.measure.spark.query_process import Watched
from app.web.shared import subprocesses
from tests.until import PATIENCE, lives, until

pytestmark = pytest.mark.usefixtures("patient")


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """Yield a query that does nothing but live."""
    (tmp_path / "waits.py").write_text("import time; time.sleep(600)")
    monkeypatch.setattr("app.web.measure.spark.query_process.MODULE", "waits")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    query = Watched(tmp_path / "data" / "spark")
    yield query
    query.close()


def begun(watched: Watched) -> int:
    """Start it; its process id."""
    assert watched.start()
    pid = watched.pid
    assert pid is not None and lives(pid)
    return pid


def test_whoever_ends_it_waits_for_whoever_starts_it(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the lock of a process that has just begun is deleted, and the server loses track of it."""
    start, halfway, on = subprocesses.start, threading.Event(), threading.Event()

    def slowly(folder: Path, command: list[str], environment: dict[str, str]) -> int:
        halfway.set()
        assert on.wait(PATIENCE)
        return start(folder, command, environment)

    monkeypatch.setattr(subprocesses, "start", slowly)
    starting = threading.Thread(target=watched.start)
    starting.start()
    assert halfway.wait(PATIENCE)
    ending = threading.Thread(target=watched.close)
    ending.start()
    ending.join(0.1)
    assert ending.is_alive() and watched.folder.is_dir()
    on.set()
    for each in (starting, ending):
        each.join(PATIENCE)
    assert not watched.running and not watched.folder.exists()


def test_the_folder_of_a_process_that_does_not_end_stays(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = begun(watched)
    with monkeypatch.context() as patched:
        patched.setattr(subprocesses, "kill", lambda folder: False)
        watched.close()
        assert watched.running and watched.pid == pid
        subprocesses.write(watched.folder / "now.json", {"stage": "ended"})
        assert not watched.start()
        assert watched.running and watched.pid == pid
    watched.close()
    assert not lives(pid) and not watched.folder.exists()


def test_a_server_leaves_the_query_that_another_one_has_started_since(watched: Watched) -> None:
    first = begun(watched)
    other = Watched(watched.folder)
    other.close()
    until(lambda: not lives(first))
    second = begun(other)
    watched.leave()
    assert lives(second) and other.running
    other.leave()
    until(lambda: not lives(second))
    assert not watched.folder.exists()


def test_a_server_that_has_ended_its_query_has_none_to_leave_with(watched: Watched) -> None:
    begun(watched)
    watched.close()
    second = subprocesses.start(watched.folder, ["-c", "import time; time.sleep(600)"])
    watched.leave()
    assert lives(second)


class Paused:
    """The moment between aiming and killing, as long as a test wants it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.on = threading.Event(), threading.Event()
        self.aiming: threading.Thread | None = None
        monkeypatch.setattr("app.web.measure.spark.query_process.MOMENT", 7.0)
        monkeypatch.setattr(
            "app.web.measure.spark.query_process.time", SimpleNamespace(sleep=self.sleep, time=time.time)
        )

    def sleep(self, seconds: float) -> None:
        """All others sleep as they say."""
        if seconds != 7.0 or self.reached.is_set():
            time.sleep(min(seconds, 0.05))
        else:
            self.aiming = threading.current_thread()
            self.reached.set()
            assert self.on.wait(PATIENCE)

    def over(self) -> None:
        """Let it go on, to its end."""
        self.on.set()
        assert self.aiming is not None
        self.aiming.join(PATIENCE)
        assert not self.aiming.is_alive()


def aimed(watched: Watched, paused: Paused) -> None:
    """Aim at a query whose batch 0 is in the sinks; the moment has come."""
    subprocesses.write(watched.folder / "now.json", {"stage": "written", "batch": 0})
    assert watched.aim() and not watched.aim()
    assert paused.reached.wait(PATIENCE)


def test_what_is_aimed_at_is_killed_in_its_moment(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    pid, paused = begun(watched), Paused(monkeypatch)
    aimed(watched, paused)
    assert lives(pid) and watched.aimed
    paused.over()
    assert not lives(pid) and not watched.aimed
    assert watched.look()[1].killed == pid


def test_the_next_life_is_not_killed_in_the_moment_of_the_one_before(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, paused = begun(watched), Paused(monkeypatch)
    aimed(watched, paused)
    assert watched.kill() and watched.restart()
    second = watched.pid
    assert second is not None and second != first and not watched.aimed
    paused.over()
    assert lives(second) and watched.look()[1].killed is None


def test_who_aims_at_the_next_life_aims_still_when_the_moment_of_the_one_before_is_over(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(watched)
    paused = Paused(monkeypatch)
    aimed(watched, paused)
    assert watched.kill() and watched.restart() and watched.aim()
    second = watched.pid
    paused.over()
    assert watched.aimed and second is not None and lives(second)
    subprocesses.write(watched.folder / "now.json", {"stage": "written", "batch": 0})
    until(lambda: not lives(second))
    until(lambda: not watched.aimed)
    assert watched.look()[1].killed == second


def test_a_batch_that_was_committed_in_the_moment_is_let_go(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    pid, paused = begun(watched), Paused(monkeypatch)
    aimed(watched, paused)
    commits = watched.folder / "checkpoint" / "commits"
    commits.mkdir(parents=True)
    (commits / "0").touch()
    subprocesses.write(watched.folder / "now.json", {"stage": "planned", "batch": 1})
    paused.on.set()
    time.sleep(0.2)
    assert watched.aimed and lives(pid)
