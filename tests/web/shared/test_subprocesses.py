"""Commands beside the server: one per folder, identified by its lock, not by a number, and ended with its children."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from app.core.model.values import Json
from app.web.shared import subprocesses
from tests.until import lives, until

pytestmark = pytest.mark.usefixtures("patient")

SLEEPS = ("-c", "import time; time.sleep(600)")

WITH_CHILDREN = (
    "-c",
    "import subprocess, sys, time, os\n"
    "child = [sys.executable, '-c', 'import os, time; os.setpgid(0, 0); time.sleep(600)']\n"
    "a = subprocess.Popen(child); b = subprocess.Popen(child)\n"
    "open('children', 'w').write(f'{a.pid} {b.pid}\\n'); time.sleep(600)",
)
"""A command whose children leave its group, as the workers of Spark do."""


def children(folder: Path) -> tuple[int, ...]:
    """Return the children that the command has written down."""
    file = folder / "children"
    until(lambda: file.is_file() and file.read_text().endswith("\n"))
    return tuple(map(int, file.read_text().split()))


def test_a_command_runs_in_a_session_of_its_own_with_its_output_in_a_file(tmp_path: Path) -> None:
    code = "import os; print(os.getsid(0) == os.getpid(), os.getcwd(), os.environ['TMPDIR'], flush=True)"
    started = subprocesses.start(tmp_path, ["-c", code], facts={"seeds": 3})
    until(lambda: not subprocesses.running(tmp_path))
    assert (tmp_path / "log.txt").read_text() == f"True {tmp_path} {tmp_path / 'tmp'}\n"
    assert json.loads((tmp_path / "process.json").read_text()) == {"pid": started, "facts": {"seeds": 3}}


def test_a_command_finds_the_application_wherever_it_was_started(tmp_path: Path) -> None:
    subprocesses.start(tmp_path, ["-c", "import app.paths; print('here')"])
    until(lambda: not subprocesses.running(tmp_path))
    assert (tmp_path / "log.txt").read_text() == "here\n"


@pytest.mark.parametrize(
    ("folder", "option"),
    [
        ("/data/tmp", '"-Djava.io.tmpdir=/data/tmp"'),
        ("/my data/tmp", '"-Djava.io.tmpdir=/my data/tmp"'),
        ('/a "b\\c', '"-Djava.io.tmpdir=/a \\"b\\\\c"'),
    ],
)
def test_a_folder_with_a_space_is_one_option_of_java(monkeypatch: pytest.MonkeyPatch, folder: str, option: str) -> None:
    monkeypatch.delenv("SPARK_SUBMIT_OPTS", raising=False)
    assert subprocesses.surroundings(Path(folder))["SPARK_SUBMIT_OPTS"] == option
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", "-Da=b")
    assert subprocesses.surroundings(Path(folder))["SPARK_SUBMIT_OPTS"] == f"-Da=b {option}"


def test_a_folder_has_one_command_at_a_time(tmp_path: Path) -> None:
    subprocesses.start(tmp_path, SLEEPS)
    assert subprocesses.running(tmp_path)
    with pytest.raises(BlockingIOError):
        subprocesses.start(tmp_path, SLEEPS)
    assert subprocesses.kill(tmp_path)
    assert not subprocesses.running(tmp_path)


def test_a_number_of_a_process_is_not_believed_without_the_lock(tmp_path: Path) -> None:
    """A process with this number is running, but it is another one by now."""
    with subprocess.Popen([sys.executable, *SLEEPS]) as other:
        (tmp_path / "process.json").write_text(json.dumps({"pid": other.pid, "facts": None}))
        (tmp_path / "process.lock").touch()
        assert not subprocesses.running(tmp_path)
        assert not subprocesses.kill(tmp_path)
        assert not subprocesses.end(tmp_path)
        assert other.poll() is None
        other.kill()


def test_whoever_asks_does_not_take_another_who_asks_for_the_command(tmp_path: Path) -> None:
    import fcntl

    (tmp_path / "process.lock").touch()
    with (tmp_path / "process.lock").open() as asking:
        fcntl.flock(asking, fcntl.LOCK_SH)
        assert not subprocesses.running(tmp_path)


def test_a_start_waits_for_those_who_only_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    (tmp_path / "process.lock").touch()
    with (tmp_path / "process.lock").open() as asking:
        fcntl.flock(asking, fcntl.LOCK_SH)
        monkeypatch.setattr("app.web.shared.subprocesses.time.sleep", lambda _: fcntl.flock(asking, fcntl.LOCK_UN))
        subprocesses.start(tmp_path, ["-c", "print('on')"])
    monkeypatch.undo()
    until(lambda: not subprocesses.running(tmp_path))
    assert (tmp_path / "log.txt").read_text() == "on\n"


def test_no_number_is_believed_while_a_command_is_being_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of the previous life may be another process's by now."""
    with subprocess.Popen([sys.executable, *SLEEPS]) as other:
        (tmp_path / "process.json").write_text(json.dumps({"pid": other.pid, "facts": None}))
        said = []

        def popen(*_: object, **__: object) -> None:
            said.extend([subprocesses.running(tmp_path), subprocesses.pid(tmp_path), subprocesses.kill(tmp_path)])
            raise OSError("no more processes")

        monkeypatch.setattr("app.web.shared.subprocesses.subprocess.Popen", popen)
        with pytest.raises(OSError, match="no more processes"):
            subprocesses.start(tmp_path, SLEEPS, facts={"seeds": 3})
        assert said == [True, None, False]
        assert json.loads((tmp_path / "process.json").read_text()) == {"pid": None, "facts": {"seeds": 3}}
        assert other.poll() is None
        other.kill()


def test_a_start_whose_number_cannot_be_written_has_started_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, numbers = subprocesses.write, []

    def full(file: Path, facts: dict[str, Json]) -> None:
        numbers.append(facts["pid"])
        if facts["pid"] is not None:
            raise OSError(28, "No space left on device")
        write(file, facts)

    monkeypatch.setattr(subprocesses, "write", full)
    with pytest.raises(OSError, match="No space left"):
        subprocesses.start(tmp_path, SLEEPS)
    assert not subprocesses.running(tmp_path)
    before, number = numbers
    assert before is None and isinstance(number, int) and not lives(number)


TELLS = (
    "-c",
    "import json, os, sys, time\n"
    "json.dump({'pid': os.getpid()}, open('made', 'w')); os.replace('made', sys.argv[1]); time.sleep(600)",
)
"""A command that tells its number in a file."""


def forgotten(folder: Path) -> None:
    """The server that has started a command was killed before it could write the number down."""
    subprocesses.write(folder / "process.json", {"pid": None, "facts": {"seeds": 3}})


@pytest.mark.parametrize("file", ["progress.json", "now.json"])
@pytest.mark.parametrize("how", [subprocesses.kill, subprocesses.end])
def test_a_command_whose_number_only_it_tells_can_be_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: Callable[[Path], bool], file: str
) -> None:
    on = tmp_path / "on"
    wait = "import os, time\nwhile not os.path.exists('on'): time.sleep(0.01)\n"
    leader = subprocesses.start(tmp_path, ["-c", wait + TELLS[1], file])
    forgotten(tmp_path)
    assert subprocesses.running(tmp_path) and subprocesses.pid(tmp_path) is None and not how(tmp_path)
    on.touch()
    until(lambda: subprocesses.pid(tmp_path) == leader)
    assert how(tmp_path)
    assert not lives(leader) and not subprocesses.running(tmp_path)
    assert json.loads((tmp_path / "process.json").read_text()) == {"pid": leader, "facts": {"seeds": 3}}


def test_what_a_command_that_told_its_number_leaves_behind_can_be_ended(tmp_path: Path) -> None:
    """As its Java, which has the lock, too."""
    child = (
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], close_fds=False)\n"
    )
    leader = subprocesses.start(tmp_path, ["-c", child + TELLS[1], "now.json"])
    until(lambda: (tmp_path / "now.json").is_file())
    forgotten(tmp_path)
    os.utime(tmp_path / "now.json")
    os.kill(leader, 9)
    until(lambda: not psutil.pid_exists(leader))
    assert subprocesses.running(tmp_path) and subprocesses.kill(tmp_path)
    assert not subprocesses.running(tmp_path)


def test_no_number_is_believed_that_was_told_before_the_start_or_by_no_command(tmp_path: Path) -> None:
    """Both processes are running, and one of them leads a session as a command does."""
    for before in (True, False):
        with subprocess.Popen([sys.executable, *SLEEPS], start_new_session=before) as other:
            folder = tmp_path / str(before)
            leader = subprocesses.start(folder, SLEEPS)
            forgotten(folder)
            subprocesses.write(folder / "progress.json", {"pid": other.pid})
            if before:
                os.utime(folder / "progress.json", (1, 1))
            assert subprocesses.pid(folder) is None and not subprocesses.kill(folder) and not subprocesses.end(folder)
            assert lives(other.pid) and lives(leader)
            for each in (other.pid, leader):
                os.kill(each, 9)


@pytest.mark.parametrize("number", [None, "7", True, 0, -1, 99_999_999, 10**30])
def test_what_is_no_number_of_a_process_is_none(tmp_path: Path, number: Json) -> None:
    forgotten(tmp_path)
    for text in ("{", "[]", json.dumps({"pid": number})):
        (tmp_path / "progress.json").write_text(text)
        assert subprocesses.pid(tmp_path) is None


@pytest.mark.parametrize("how", [subprocesses.kill, subprocesses.end])
def test_a_command_ends_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: Callable[[Path], bool]
) -> None:
    monkeypatch.setattr(subprocesses, "GRACE", 0.3)  # its children do not exit on their own
    leader = subprocesses.start(tmp_path, WITH_CHILDREN)
    started = children(tmp_path)
    assert all(lives(each) for each in started)
    assert {each.pid for each in subprocesses.session(leader)} == {leader, *started}
    assert how(tmp_path)
    until(lambda: not any(lives(each) for each in (leader, *started)))
    until(lambda: not subprocesses.running(tmp_path))


POLITE = (
    "-c",
    "import os, signal, subprocess, sys, time\n"
    "leaves = 'import os, sys, time\\nwhile os.getppid() == int(sys.argv[1]): time.sleep(0.02)'\n"
    "helper = subprocess.Popen([sys.executable, '-c', leaves, str(os.getpid())])\n"
    "def asked(number, frame):\n"
    "    print('helper', 'gone' if helper.poll() is not None else 'there', flush=True)\n"
    "    raise SystemExit\n"
    "signal.signal(signal.SIGTERM, asked)\n"
    "open('children', 'w').write(f'{helper.pid}\\n'); time.sleep(600)",
)
"""A command that needs its child, of the same group, to leave in order, as Python needs its Java."""


def test_only_the_command_itself_is_asked_to_leave_so_that_it_can_with_all_it_needs(tmp_path: Path) -> None:
    subprocesses.start(tmp_path, POLITE)
    (helper,) = children(tmp_path)
    assert subprocesses.end(tmp_path)
    assert (tmp_path / "log.txt").read_text() == "helper there\n"
    until(lambda: not lives(helper))


def test_a_command_that_does_not_want_to_leave_is_ended_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocesses, "GRACE", 0.3)
    stubborn = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('on', flush=True); time.sleep(600)"
    )
    leader = subprocesses.start(tmp_path, ["-c", stubborn])
    until(lambda: (tmp_path / "log.txt").read_text() == "on\n")
    assert subprocesses.end(tmp_path)
    until(lambda: not lives(leader))


def test_what_the_life_before_left_in_its_temporary_folder_goes_with_the_next_start(tmp_path: Path) -> None:
    subprocesses.start(tmp_path, ["-c", "import os; open(os.environ['TMPDIR'] + '/left', 'w')"])
    until(lambda: not subprocesses.running(tmp_path))
    assert (tmp_path / "tmp" / "left").is_file()
    subprocesses.start(tmp_path, ["-c", "pass"])
    assert not (tmp_path / "tmp" / "left").exists()
    until(lambda: not subprocesses.running(tmp_path))


def test_a_command_of_which_nothing_is_known_does_not_run(tmp_path: Path) -> None:
    assert not subprocesses.running(tmp_path / "nowhere")
    assert subprocesses.pid(tmp_path) is None
    assert not subprocesses.kill(tmp_path)
    (tmp_path / "file").write_text("no folder")
    assert not subprocesses.running(tmp_path / "file")
    (tmp_path / "odd" / "process.lock").mkdir(parents=True)
    assert not subprocesses.running(tmp_path / "odd")
    (tmp_path / "process.json").write_text("{")
    assert subprocesses.pid(tmp_path) is None


def test_the_last_lines_of_a_log_are_those_that_people_read(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(
        "begun\n\nTraceback (most recent call last):\n"
        '  File "a.py", line 3, in a\n    b()\n    ^^^\n'
        "ConnectionResetError: [Errno 104] Connection reset by peer\n\n"
        "During handling of the above exception, another exception occurred:\n\n"
        '{"ts": "2026-11-21", "level": "ERROR", "msg": "for machines"}\n'
        "RuntimeError: gone\n" + "x" * 1_000 + "\nan end\n"
    )
    told = subprocesses.last_lines(tmp_path)
    assert told[:3] == ("begun", "ConnectionResetError: [Errno 104] Connection reset by peer", "RuntimeError: gone")
    assert told[3:] == ("x" * 300, "an end")
    assert subprocesses.last_lines(tmp_path, 1) == ("an end",)
    assert subprocesses.because(tmp_path) == "RuntimeError: gone"
    (tmp_path / "log.txt").write_text("all is well\n")
    assert subprocesses.because(tmp_path) is None
    assert subprocesses.last_lines(tmp_path / "nowhere") == ()


def test_a_log_is_that_of_the_last_life(tmp_path: Path) -> None:
    for code in ("raise EOFError", "print('on')"):
        subprocesses.start(tmp_path, ["-c", code])
        until(lambda: not subprocesses.running(tmp_path))
    assert (tmp_path / "log.txt").read_text() == "on\n"
    assert subprocesses.because(tmp_path) is None


def test_whoever_started_a_command_is_told_of_its_end(tmp_path: Path) -> None:
    told: list[bool] = []
    subprocesses.start(tmp_path, ["-c", "pass"], then=lambda: told.append(subprocesses.running(tmp_path)))
    until(lambda: told)
    assert told == [False]


def test_the_process_of_the_test_is_alive() -> None:
    assert lives(os.getpid())
