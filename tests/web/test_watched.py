"""The one query of a server: who may end it, and when its folder may go. (The page is in ``test_inside.py``.)"""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.web import process
from app.web.watched import Watched


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """A query that does nothing but live."""
    (tmp_path / "waits.py").write_text("import time; time.sleep(60)")
    monkeypatch.setattr("app.web.watched.MODULE", "waits")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    query = Watched(tmp_path / "data" / "spark")
    yield query
    query.close()


def begun(watched: Watched) -> int:
    """Start it; its process id."""
    assert watched.start()
    pid = watched.pid
    assert pid is not None and process.lives(pid)
    return pid


def until(true: Callable[[], object]) -> None:
    """Wait for something to be true."""
    late = time.monotonic() + 60
    while not true():
        assert time.monotonic() < late
        time.sleep(0.02)


def test_whoever_ends_it_waits_for_whoever_starts_it(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the lock of a process that has just begun is deleted, and nobody knows of it any more."""
    start, halfway, on = process.start, threading.Event(), threading.Event()

    def slowly(folder: Path, command: list[str], environment: dict[str, str]) -> int:
        halfway.set()
        assert on.wait(60)
        return start(folder, command, environment)

    monkeypatch.setattr(process, "start", slowly)
    starting = threading.Thread(target=watched.start)
    starting.start()
    assert halfway.wait(60)
    ending = threading.Thread(target=watched.close)
    ending.start()
    ending.join(0.1)
    assert ending.is_alive() and watched.folder.is_dir()
    on.set()
    for each in (starting, ending):
        each.join(60)
    assert not watched.running and not watched.folder.exists()


def test_the_folder_of_a_process_that_does_not_end_stays(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = begun(watched)
    with monkeypatch.context() as patched:
        patched.setattr(process, "kill", lambda folder: False)
        watched.close()
        assert watched.running and watched.pid == pid
        process.written(watched.folder / "now.json", {"stage": "ended"})
        assert not watched.start()
        assert watched.running and watched.pid == pid
    watched.close()
    assert not process.lives(pid) and not watched.folder.exists()


def test_a_server_leaves_the_query_that_another_one_has_started_since(watched: Watched) -> None:
    first = begun(watched)
    other = Watched(watched.folder)
    other.close()
    until(lambda: not process.lives(first))
    second = begun(other)
    watched.leave()
    assert process.lives(second) and other.running
    other.leave()
    until(lambda: not process.lives(second))
    assert not watched.folder.exists()


def test_a_server_that_has_ended_its_query_has_none_to_leave_with(watched: Watched) -> None:
    begun(watched)
    watched.close()
    second = process.start(watched.folder, ["-c", "import time; time.sleep(60)"])
    watched.leave()
    assert process.lives(second)
