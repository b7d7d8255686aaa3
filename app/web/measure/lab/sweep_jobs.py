"""Sweeps that visitors have started: each in its own folder, run by a command beside the server.

``spec.yaml`` is what was asked for, ``progress.json`` the progress and ``report.json`` the result, both written by
``bluecut sweep --report``; ``log.txt`` has the command's output. One sweep runs at a time. Everything is on the disk,
so a restarted server continues where the previous one stopped, and so does a stopped sweep.

The space that they take is bounded. A finished sweep keeps only what the pages show, with the manifests of its output
(``STAYS``), and loses its runs. A stopped sweep needs its runs to continue; if all sweeps take more than ``room``, the
oldest ended one is deleted entirely.
"""

import os
import re
import secrets
import shutil
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json, Phrase
from app.scenario.yaml_writer import written
from app.web.shared import subprocesses

KEPT = 20
"""The most sweeps kept; after that the oldest ended one is deleted."""

ROOM = 1_000_000_000
"""The most bytes of all ended sweeps together."""

STAYS = (
    "spec.yaml",
    "sweep.json",
    "manifest.json",
    "progress.json",
    "report.json",
    subprocesses.LOG,
    subprocesses.PROCESS,
    subprocesses.LOCK,
)
"""What a finished sweep keeps."""

LOOK = 1.0
"""Seconds between two checks whether a command and its Java have ended."""

ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}")
COMMAND = ("-c", "from app.cli.main import main; main()", "sweep")

State = Literal["starting", "sweeping", "verifying", "measuring", "done", "failed", "cancelled", "stopped"]
OVER = ("done", "failed", "cancelled", "stopped")


class Busy(BluecutError):
    """Another sweep is running."""


def _busy() -> Busy:
    """Return the error that another sweep is running."""
    return Busy(
        "another sweep is running on this server, and only one can run at a time: wait for its end, or cancel it"
    )


class Job(Frozen):
    """A sweep. ``spec`` is what was asked for; ``state`` is what it does, ``stopped`` if its process ended without a
    report; ``runs`` counts its runs, ``done`` the finished ones, ``snapshots`` their snapshots and ``broken`` the
    broken ones; ``trouble`` is why it failed, a Phrase, or the command's line of output; ``log`` has its last lines if
    it did not end normally."""

    id: str
    spec: dict[str, object]
    state: State
    runs: int = 0
    done: int = 0
    snapshots: int = 0
    broken: int = 0
    trouble: Phrase | str | None = None
    log: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Has it ended?"""
        return self.state in OVER


class Jobs:
    """The sweeps in a folder."""

    def __init__(self, folder: Path, *, kept: int = KEPT, room: int = ROOM) -> None:
        self.folder = folder
        self.kept = kept
        self.room = room
        self._lock = threading.Lock()

    def open(self) -> None:
        """Forget what the previous server has left, now, and again when a sweep that still runs has ended."""
        for folder in [self.folder / name for name in self.names()]:
            if subprocesses.running(folder):
                threading.Thread(target=self.ended, args=(folder,), daemon=True, name="ended").start()
        with self._lock:
            self.forget()

    def all(self) -> tuple[Job, ...]:
        """Return every sweep, the latest first."""
        return tuple(job for name in self.names() if (job := self.job(name)) is not None)

    def names(self) -> list[str]:
        """Return their ids, the latest first."""
        try:
            return sorted((entry.name for entry in self.folder.iterdir() if ID.fullmatch(entry.name)), reverse=True)
        except OSError:
            return []

    def running(self) -> str | None:
        """Return the id of the running sweep; None if there is none. An ended sweep whose Java is still stopping does
        not count."""
        alive = (name for name in self.names() if subprocesses.running(self.folder / name))
        return next((name for name in alive if (job := self.job(name)) is not None and not job.over), None)

    def job(self, name: str) -> Job | None:
        """Return the sweep with an id; None if there is none."""
        folder = self.folder / name
        facts = subprocesses.read(folder / subprocesses.PROCESS).get("facts") if ID.fullmatch(name) else None
        if not isinstance(facts, dict):
            return None
        live = subprocesses.running(folder)  # check first: a sweep that ends after this has written how
        told = subprocesses.read(folder / "progress.json")
        state, trouble = _judged(told, live, folder)
        amounts = {key: _amount(told.get(key)) for key in ("runs", "done", "snapshots", "broken")}
        log = subprocesses.last_lines(folder) if state in ("failed", "stopped") else ()
        return Job(name, facts, state, **amounts, trouble=trouble, log=log)

    def start(self, spec: dict[str, Json], language: str) -> str:
        """Start a sweep and return its id. Raises Busy if one runs, BluecutError if the folder cannot be written."""
        with self._lock:
            self.refuse_if_busy()
            name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
            folder = self.folder / name
            try:
                folder.mkdir(parents=True)
                try:
                    (folder / "spec.yaml").write_text(written(spec), encoding="utf-8")
                    self.go(folder, spec, language)
                except OSError:
                    shutil.rmtree(folder, ignore_errors=True)  # it is not a sweep, so no page would show it
                    raise
            except OSError as error:
                raise _refused(error) from None
            self.forget()
            return name

    def go_on(self, name: str, language: str) -> None:
        """Continue a stopped sweep. Raises Busy if one runs, BluecutError if the folder cannot be written."""
        with self._lock:
            job = self.job(name)
            if job is None or job.state not in ("cancelled", "stopped", "failed"):
                return
            self.refuse_if_busy()
            folder = self.folder / name
            subprocesses.end(folder)  # it has ended, and only its Java is still stopping
            progress, before = folder / "progress.json", folder / "progress.before.json"
            try:
                with suppress(FileNotFoundError):
                    progress.replace(before)  # put aside first: the command may write its progress at once
                try:
                    self.go(folder, job.spec, language)
                except OSError:
                    with suppress(OSError):
                        before.replace(progress)
                    raise
                before.unlink(missing_ok=True)
            except BlockingIOError:  # another server on the same folder was quicker
                raise _busy() from None
            except OSError as error:
                raise _refused(error) from None

    def go(self, folder: Path, spec: dict[str, Json], language: str) -> None:
        """Start the command in a folder."""
        arguments = [str(folder / "spec.yaml"), "-o", str(folder), "--report", "--brief", "--lang", language]
        subprocesses.start(folder, [*COMMAND, *arguments], facts=spec, then=lambda: self.ended(folder))

    def ended(self, folder: Path) -> None:
        """Forget what can be forgotten when a command and its Java have ended, however late."""
        while subprocesses.running(folder):
            time.sleep(LOOK)
        with self._lock:
            self.forget()

    def refuse_if_busy(self) -> None:
        """Raise Busy if a sweep runs."""
        if self.running():
            raise _busy()

    def cancel(self, name: str) -> bool:
        """End a sweep, with its Java and its workers, and keep its output. Did it run?"""
        folder = self.folder / name
        if not ID.fullmatch(name) or not subprocesses.end(folder):
            return False
        with self._lock:
            told = subprocesses.read(folder / "progress.json")
            # If it was ended before it could say so itself, unless it is running again by now.
            if told.get("stage") not in OVER and not subprocesses.running(folder):
                with suppress(OSError):  # otherwise it appears as stopped
                    subprocesses.write(folder / "progress.json", {**told, "stage": "cancelled"})
        return True

    def forget(self) -> None:
        """Delete the runs of finished sweeps, then the oldest ended sweeps until no more than ``kept`` are left and
        they take no more than ``room``. Leave a running sweep alone."""
        room = self.room
        for place, name in enumerate(self.names()):
            folder = self.folder / name
            if subprocesses.running(folder):
                continue
            self.tidy(folder)
            room -= _size(folder)
            # The latest stays, however large it is: a visitor has just seen it end.
            if place >= self.kept or (room < 0 and place):
                shutil.rmtree(folder, ignore_errors=True)

    def tidy(self, folder: Path) -> None:
        """Delete the runs of a finished sweep whose command has ended: its report is complete."""
        told = subprocesses.read(folder / "progress.json")
        if told.get("stage") == "done" and (folder / "report.json").is_file():
            for each in _entries(folder):
                if each.name in STAYS:
                    continue
                if each.is_dir() and not each.is_symlink():
                    shutil.rmtree(each, ignore_errors=True)
                else:
                    with suppress(OSError):
                        each.unlink()


def _entries(folder: Path) -> list[Path]:
    """Return the contents of a folder; nothing if another server on the same folder has deleted it meanwhile."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _size(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # another server on the same folder was quicker
                total += (Path(place) / name).lstat().st_size
    return total


def _refused(error: OSError) -> BluecutError:
    """Return the error that no sweep can be started, with its reason."""
    return BluecutError(
        "this server cannot start a sweep now, its data folder ($BLUECUT_DATA) cannot be written: {reason}",
        reason=error.strerror or type(error).__name__,
    )


def _judged(told: dict[str, object], live: bool, folder: Path) -> tuple[State, Phrase | str | None]:
    """Return what a sweep does, and why it failed."""
    stage = told.get("stage")
    if stage in ("done", "failed", "cancelled"):
        return stage, subprocesses.failure(told.get("mistake")) or (_last_error(folder) if stage == "failed" else None)
    if live:
        return (stage if stage in ("sweeping", "verifying", "measuring") else "starting"), None
    line = _last_error(folder)
    return ("failed", line) if line and not told else ("stopped", subprocesses.because(folder))


def _last_error(folder: Path) -> str | None:
    """Return the mistake that the command printed last, in the language of the visitor who started it."""
    lines = reversed(subprocesses.last_lines(folder, 1_000))
    return next((line.removeprefix("bluecut: ") for line in lines if line.startswith("bluecut: ")), None)


def _amount(value: object) -> int:
    """Return a count from a file, whose value may be anything."""
    return value if isinstance(value, int) and value >= 0 else 0
