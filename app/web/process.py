"""Commands that run beside the server, each in a folder of its own, found again on the disk.

A command holds an exclusive lock on the file ``process.lock`` of its folder as long as it lives: it inherits the open
file. So whether it lives needs no belief in a process id that may be another's by now, and a server that is started
again knows as much as the one before. A command is the first of a session of its own, and ends together with all of
its session: the JVM, and the workers that it starts in groups of their own.
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

from app.core.model import Json
from app.places import HERE

LOCK = "process.lock"
PROCESS = "process.json"
LOG = "log.txt"
TOLD = ("progress.json", "now.json")
"""Where commands themselves say how far they are, and their ``pid``."""

TEMPORARY = "tmp"
"""What the command, its Java and its workers leave there goes with the next start, or with the folder."""

GRACE = 3.0
"""Seconds that a command has to leave by itself when it is asked to."""

ASKED = 0.5
"""Seconds in which those who only ask for a moment whether a command lives have let go of its lock."""

OVER = ("Z", "X")
"""The states of a process that has ended and is still listed."""

LOG_BYTES = 20_000
"""So much of the end of a log is looked at."""

LONGEST = 300
"""The longest line of a log that is shown."""

FRAME = re.compile(r"\s|\{|Traceback \(|During handling of|The above exception|-{5,}$|\.\.\. \d+ more")
"""How the lines begin that people do not read: frames of a traceback, and what Spark writes for machines."""

WHY = re.compile(r"^bluecut: |(Error|Exception|Killed|Fault)\b|^(?i:fatal|error)\b")

POSSIBLE = find_spec("fcntl") is not None
"""Are there locks, sessions and signals as this needs them? (Not on Windows.)"""


def start(
    folder: Path,
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    *,
    facts: Json = None,
    then: Callable[[], None] | None = None,
) -> int:
    """Start ``python`` with the arguments ``command``, niced, its output in ``log.txt``; its process id.

    ``facts`` are kept beside the id. ``then`` is called, by a thread of its own, when the command has ended and this
    process lives still. Raises OSError where the folder cannot be written, BlockingIOError where its command still
    runs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / TEMPORARY
    nice = ["nice", "-n", "10"] if shutil.which("nice") else []
    with (folder / LOCK).open("a") as lock, (folder / LOG).open("ab") as log:
        hold(lock.fileno())
        log.truncate(0)  # what the life before said is not why this one ends
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        written(folder / PROCESS, {"pid": None, "facts": facts})  # the number of the life before is nobody's
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
            written(folder / PROCESS, {"pid": process.pid, "facts": facts})
        except OSError:
            os.killpg(process.pid, signal.SIGKILL)  # whoever is told that nothing was started shall be right
            process.wait()
            raise
    threading.Thread(target=waited, args=(process, then), daemon=True, name="process").start()
    return process.pid


def waited(process: "subprocess.Popen[bytes]", then: Callable[[], None] | None) -> None:
    """Wait for the end of a command, and call ``then``."""
    process.wait()
    if then is not None:
        then()


def hold(lock: int) -> None:
    """Lock an open file for the command alone. Raises BlockingIOError where another one has it."""
    import fcntl

    until = time.monotonic() + ASKED
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise
            time.sleep(0.01)
        else:
            return


def surroundings(temporary: Path) -> dict[str, str]:
    """The variables that let a command find ``app``, and leave nothing behind elsewhere."""
    path = os.pathsep.join([str(HERE.parent), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))])
    options = f"{os.environ.get('SPARK_SUBMIT_OPTS', '')} {quoted(f'-Djava.io.tmpdir={temporary}')}".strip()
    return {"PYTHONPATH": path, "TMPDIR": str(temporary), "SPARK_SUBMIT_OPTS": options, "PYTHONUNBUFFERED": "1"}


def quoted(option: str) -> str:
    """An option as Spark's own parser of Java's options reads it whole, whatever is in it."""
    return '"' + option.replace("\\", "\\\\").replace('"', '\\"') + '"'


def running(folder: Path) -> bool:
    """Does the command of a folder live? None that is known does where the folder cannot be read."""
    import fcntl

    try:
        with (folder / LOCK).open("r") as lock:
            # Shared, so that two who ask at the same time do not take each other for the command.
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def pid(folder: Path) -> int | None:
    """The id of the last process that was started in a folder; None where there is none. Where a server was killed
    before it could write the id down, it is the one that the command tells."""
    known = read(folder / PROCESS)
    if not isinstance(known, dict):
        return None
    return known["pid"] if isinstance(known.get("pid"), int) else told(folder)


def told(folder: Path) -> int | None:
    """The id that the command of a folder has told since it was started, if there is a session of it as commands have
    one."""
    for file in (folder / name for name in TOLD):
        known = read(file)
        number = known.get("pid") if isinstance(known, dict) else None
        if not isinstance(number, int) or number <= 1:
            continue
        with contextlib.suppress(OSError):  # a file has gone
            since = file.stat().st_mtime_ns >= (folder / PROCESS).stat().st_mtime_ns
            if since and leads(number):
                return number
    return None


def leads(process: int) -> bool:
    """Does a process lead a session, or did it, and others of the session live on?"""
    try:
        return os.getsid(process) == process
    except (OSError, OverflowError):
        return bool(session(process))


def ending(folder: Path) -> int | None:
    """The id of the command of a folder, which is about to be ended; None where it does not live, or nobody knows its
    id. One that only the command has told is written down: it tells no more."""
    leader = pid(folder)
    if leader is None or not running(folder):
        return None
    known = read(folder / PROCESS)
    if isinstance(known, dict) and known.get("pid") is None:
        with contextlib.suppress(OSError):
            written(folder / PROCESS, {**known, "pid": leader})
    return leader


def kill(folder: Path) -> bool:
    """End the command of a folder and all of its session, at once: no one of them can clean up. Did it live?"""
    leader = ending(folder)
    if leader is None:
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    for each in session(leader):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL)
    gone(folder, leader)
    return True


def end(folder: Path) -> bool:
    """Ask the command of a folder to leave; after GRACE it is ended with all of its session. Did it live?"""
    leader = ending(folder)
    if leader is None:
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(leader, signal.SIGTERM)  # it alone: it still needs its Java to leave in order
    gone(folder, leader)
    if running(folder):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
    for each in session(leader):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL)
    gone(folder, leader)
    return True


def gone(folder: Path, leader: int | None = None) -> None:
    """Wait for a command, with the session of its ``leader``, that was told to end, or killed, to be gone; but no
    longer than GRACE."""
    until = time.monotonic() + GRACE
    while time.monotonic() < until and (running(folder) or (leader is not None and session(leader))):
        time.sleep(0.02)


def session(leader: int) -> tuple[int, ...]:
    """The living processes of a session, where the system tells (Linux), its leader first, so that it never sees the
    others end; otherwise none, and their group has to do."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        fact = stat(int(entry.name))
        if fact is not None and int(fact[3]) == leader and fact[0] not in OVER:
            found.append(int(entry.name))
    return tuple(sorted(found, key=lambda each: each != leader))


def lives(process: int) -> bool:
    """Is there a process of this id that has not ended?"""
    fact = stat(process)
    return fact is not None and fact[0] not in OVER


def stat(process: int) -> list[str] | None:
    """What Linux says of a process, from its state on: state, parent, group, session, …"""
    try:
        return (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return None


def said(folder: Path, lines: int = 12) -> tuple[str, ...]:
    """The last lines that the command of a folder has printed, without the frames of tracebacks."""
    try:
        with (folder / LOG).open("rb") as log:
            log.seek(max(0, log.seek(0, 2) - LOG_BYTES))
            text = log.read().decode("utf-8", "replace")
    except OSError:
        return ()
    told = (line.rstrip()[:LONGEST] for line in text.splitlines() if line.strip() and not FRAME.match(line))
    return tuple(told)[-lines:]


def because(folder: Path) -> str | None:
    """The last line of the log that says why its command has ended: the last one that names an error; None where none
    does."""
    return next((line.removeprefix("bluecut: ") for line in reversed(said(folder, 1_000)) if WHY.search(line)), None)


def written(file: Path, facts: Json) -> None:
    """Write a file that is there whole or not at all."""
    made = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
    made.write_text(json.dumps(facts), encoding="utf-8")
    made.replace(file)


def read(file: Path) -> Json:
    """What a file of JSON says; None where there is none, or it cannot be read."""
    try:
        return json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None
