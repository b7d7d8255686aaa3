"""Commands that run beside the server, each in its own folder, where a restarted server finds them again.

A command holds an exclusive lock on the file ``process.lock`` of its folder as long as it lives: it inherits the open
file. So the check does not rely on a process id, which may belong to another process by now, and a restarted server
knows as much as the previous one. A command leads its own session, and ends together with the whole session: the JVM,
and the workers that it starts in their own groups.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
from filelock import lock_descriptor

from app.core.model import error_json
from app.core.model.values import Json, Phrase
from app.forms.json_shape import mapping
from app.locks import held
from app.paths import HERE

LOCK = "process.lock"
PROCESS = "process.json"
LOG = "log.txt"
TOLD = ("progress.json", "now.json")
"""The files in which commands write their progress and their ``pid``."""

TEMPORARY = "tmp"
"""Temporary files of the command, its Java and its workers; deleted at the next start, or with the folder."""

GRACE = 3.0
"""Seconds that a command has to exit after it is asked to."""

ASKED = 0.5
"""Seconds after which a short check for a live command has released the lock."""

OVER = (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
"""The states of a process that has ended and is still listed."""

LOG_BYTES = 20_000
"""The bytes read from the end of a log."""

LONGEST = 300
"""The longest line of a log that is shown."""

FRAME = re.compile(r"\s|\{|Traceback \(|During handling of|The above exception|-{5,}$|\.\.\. \d+ more")
"""The beginnings of lines that people do not read: frames of a traceback, and Spark's output for machines."""

WHY = re.compile(r"^bluecut: |(Error|Exception|Killed|Fault)\b|^(?i:fatal|error)\b")

POSSIBLE = find_spec("fcntl") is not None
"""Does the system have the required locks, sessions and signals? (Not on Windows.)"""


def start(
    folder: Path,
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    *,
    facts: Json = None,
    then: Callable[[], None] | None = None,
) -> int:
    """Start ``python`` with the arguments ``command``, niced, its output in ``log.txt``, and return its process id.

    ``facts`` are stored beside the id. A separate thread calls ``then`` when the command has ended and this process
    still lives. Raises OSError if the folder cannot be written, BlockingIOError if its command still runs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / TEMPORARY
    nice = ["nice", "-n", "10"] if shutil.which("nice") else []
    with (folder / LOCK).open("a") as lock, (folder / LOG).open("ab") as log:
        _hold(lock.fileno())
        log.truncate(0)  # the previous life's output does not say why this one ends
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        write(folder / PROCESS, {"pid": None, "facts": facts})  # the previous life's id is invalid
        process = subprocess.Popen(
            [*nice, sys.executable, *command],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            env={**os.environ, **surroundings(temporary), **(environment or {})},
            start_new_session=True,
            pass_fds=(lock.fileno(),),
        )
        try:
            write(folder / PROCESS, {"pid": process.pid, "facts": facts})
        except OSError:
            os.killpg(process.pid, signal.SIGKILL)  # if we report that nothing was started, nothing must run
            process.wait()
            raise
    threading.Thread(target=_waited, args=(process, then), daemon=True, name="process").start()
    return process.pid


def _waited(process: "subprocess.Popen[bytes]", then: Callable[[], None] | None) -> None:
    """Wait for the end of a command, then call ``then``."""
    process.wait()
    if then is not None:
        then()


def _hold(lock: int) -> None:
    """Lock an open file for the command alone. Raises BlockingIOError if another one has it."""
    until = time.monotonic() + ASKED
    while not lock_descriptor(lock, blocking=False):
        if time.monotonic() >= until:
            raise BlockingIOError
        time.sleep(0.01)


def surroundings(temporary: Path) -> dict[str, str]:
    """Return the variables that let a command find ``app`` and leave no files elsewhere."""
    path = os.pathsep.join([str(HERE.parent), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))])
    options = f"{os.environ.get('SPARK_SUBMIT_OPTS', '')} {_quoted(f'-Djava.io.tmpdir={temporary}')}".strip()
    return {"PYTHONPATH": path, "TMPDIR": str(temporary), "SPARK_SUBMIT_OPTS": options, "PYTHONUNBUFFERED": "1"}


def _quoted(option: str) -> str:
    """Return an option so that Spark's parser of Java options reads it whole, whatever it contains."""
    return '"' + option.replace("\\", "\\\\").replace('"', '\\"') + '"'


def running(folder: Path) -> bool:
    """Does the command of a folder live? No, if the folder cannot be read."""
    return held(folder / LOCK)


def pid(folder: Path) -> int | None:
    """Return the id of the last process started in a folder; None if there is none. If a server was killed before it
    could write the id down, it is the id that the command reports."""
    match read(folder / PROCESS):
        case {"pid": int(number)}:
            return number
        case known:
            return _reported_pid(folder) if known else None


def _reported_pid(folder: Path) -> int | None:
    """Return the id that the command of a folder has reported since it was started, if it leads a session as commands
    do."""
    for file in (folder / name for name in TOLD):
        match read(file):
            case {"pid": int(number)} if number > 1:
                with contextlib.suppress(OSError):  # a file has gone
                    since = file.stat().st_mtime_ns >= (folder / PROCESS).stat().st_mtime_ns
                    if since and _leads(number):
                        return number
    return None


def _leads(process: int) -> bool:
    """Does a process lead a session, or did it, and others of the session live on?"""
    try:
        return os.getsid(process) == process
    except (OSError, OverflowError):
        return bool(session(process))


def _ending(folder: Path) -> int | None:
    """Return the id of the command of a folder, which is about to be ended; None if it does not live, or its id is
    unknown. An id that only the command has reported is written down, because it reports no more."""
    leader = pid(folder)
    if leader is None or not running(folder):
        return None
    known = read(folder / PROCESS)
    if known and known.get("pid") is None:
        with contextlib.suppress(OSError):
            write(folder / PROCESS, {**known, "pid": leader})
    return leader


def kill(folder: Path) -> bool:
    """End the command of a folder and its whole session at once, without any cleanup. Did it live?"""
    leader = _ending(folder)
    if leader is None:
        return False
    _slay(folder, leader)
    return True


def end(folder: Path) -> bool:
    """Ask the command of a folder to exit; after GRACE, kill it with its whole session. Did it live?"""
    leader = _ending(folder)
    if leader is None:
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(leader, signal.SIGTERM)  # only the command: it still needs its Java to exit cleanly
    until = time.monotonic() + GRACE
    while time.monotonic() < until and (running(folder) or session(leader)):
        time.sleep(0.02)
    _slay(folder, leader)
    return True


def _slay(folder: Path, leader: int) -> None:
    """Kill what lives of a session; wait, at most GRACE, until it is gone."""
    until = time.monotonic() + GRACE
    while (left := session(leader)) or running(folder):
        if left:  # while its session lives, the leader's number belongs to no other process
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(leader, signal.SIGKILL)  # the leader with its Java: neither sees the other one end
        for each in left:
            with contextlib.suppress(psutil.Error):
                each.kill()
        if time.monotonic() >= until:
            return
        time.sleep(0.02)


def session(leader: int) -> list[psutil.Process]:
    """Return the living processes of a session."""
    found = []
    for each in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if os.getsid(each.pid) == leader and each.status() not in OVER:
                found.append(each)
    return found


def last_lines(folder: Path, lines: int = 12) -> tuple[str, ...]:
    """Return the last lines of the output of a folder's command, without the frames of tracebacks."""
    try:
        with (folder / LOG).open("rb") as log:
            log.seek(max(0, log.seek(0, 2) - LOG_BYTES))
            text = log.read().decode("utf-8", "replace")
    except OSError:
        return ()
    told = (line.rstrip()[:LONGEST] for line in text.splitlines() if line.strip() and not FRAME.match(line))
    return tuple(told)[-lines:]


def because(folder: Path) -> str | None:
    """Return the last line of the log that names an error, as the reason why its command has ended; None if there is
    none."""
    return next(
        (line.removeprefix("bluecut: ") for line in reversed(last_lines(folder, 1_000)) if WHY.search(line)), None
    )


def write(file: Path, facts: Json) -> None:
    """Write a file atomically."""
    made = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
    made.write_text(json.dumps(facts), encoding="utf-8")
    made.replace(file)


def read(file: Path) -> dict[str, Json]:
    """Return the object in a JSON file; an empty one if the file is missing, unreadable, or holds something else."""
    try:
        return mapping(json.loads(file.read_text("utf-8")))
    except (OSError, ValueError):
        return {}


def failure(mistake: Any) -> Phrase | None:
    """Return why a command failed, as it has written to a file."""
    try:
        return error_json.read(mistake)
    except (KeyError, TypeError, AttributeError):
        return None
