"""Sweeps that visitors have started: each in a folder of its own, made by a command beside the server.

``spec.yaml`` is what was asked for, ``progress.json`` how far it is and ``report.json`` what came out, both written by
``bluecut sweep --report``; ``log.txt`` has what the command printed. One sweep runs at a time. All is found on the
disk, so a server that is started again goes on where the one before stopped, and so does a sweep that was stopped.

What they take is bounded. Of a sweep that is done only what the pages show is kept, with the manifests of what was made
(``STAYS``); the runs go. One that was stopped needs its runs to go on: where all take more than ``room``, the oldest
that is over goes as a whole.
"""

import os
import re
import secrets
import shutil
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from app.core import phrased
from app.core.model import BluecutError, Json, Phrase
from app.simulator.manuscript import written
from app.web import process

KEPT = 20
"""How many sweeps are kept; then the oldest that is over goes."""

ROOM = 1_000_000_000
"""Bytes that all sweeps together may take once they are over."""

STAYS = (
    "spec.yaml",
    "sweep.json",
    "manifest.json",
    "progress.json",
    "report.json",
    process.LOG,
    process.PROCESS,
    process.LOCK,
)
"""What stays of a sweep that is done."""

LOOK = 1.0
"""Seconds between two looks whether a command is gone, and its Java with it."""

ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}")
COMMAND = ("-c", "from app.cli.main import main; main()", "sweep")

State = Literal["starting", "sweeping", "verifying", "measuring", "done", "failed", "cancelled", "stopped"]
OVER = ("done", "failed", "cancelled", "stopped")


class Busy(BluecutError):
    """Another sweep is running."""


def busy() -> Busy:
    """Why there is no other sweep now."""
    return Busy("another sweep is running on this server, and there is one at a time: wait for its end or cancel it")


@dataclass(frozen=True, slots=True)
class Job:
    """A sweep. ``spec`` is what was asked for; ``state`` is what it does, ``stopped`` where its process is gone without
    a word; ``runs`` is how many there are to be, of which so many are ``done``, with so many ``snapshots`` and so many
    ``broken`` ones; ``trouble`` why it failed, a Phrase, or the line that the command said; ``log`` its last lines
    where it has ended otherwise than it should."""

    id: str
    spec: dict[str, Any]
    state: State
    runs: int = 0
    done: int = 0
    snapshots: int = 0
    broken: int = 0
    trouble: Phrase | str | None = None
    log: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Is it?"""
        return self.state in OVER


class Jobs:
    """The sweeps in a folder."""

    def __init__(self, folder: Path, *, kept: int = KEPT, room: int = ROOM) -> None:
        self.folder = folder
        self.kept = kept
        self.room = room
        self._lock = threading.Lock()

    def open(self) -> None:
        """The server starts: forget what the one before has left, now, and when what still runs has ended."""
        for folder in [self.folder / name for name in self.names()]:
            if process.running(folder):
                threading.Thread(target=self.ended, args=(folder,), daemon=True, name="ended").start()
        with self._lock:
            self.forget()

    def all(self) -> tuple[Job, ...]:
        """Every sweep, the latest first."""
        return tuple(job for name in self.names() if (job := self.job(name)) is not None)

    def names(self) -> list[str]:
        """Their ids, the latest first."""
        try:
            return sorted((entry.name for entry in self.folder.iterdir() if ID.fullmatch(entry.name)), reverse=True)
        except OSError:
            return []

    def running(self) -> str | None:
        """The id of the sweep that runs; None where none does. One that is over, and whose Java is still leaving, does
        not."""
        alive = (name for name in self.names() if process.running(self.folder / name))
        return next((name for name in alive if (job := self.job(name)) is not None and not job.over), None)

    def job(self, name: str) -> Job | None:
        """The sweep of an id; None where there is none."""
        folder = self.folder / name
        facts = process.read(folder / process.PROCESS) if ID.fullmatch(name) else None
        if not isinstance(facts, dict) or not isinstance(facts.get("facts"), dict):
            return None
        live = process.running(folder)  # asked first: who has ended meanwhile has said how
        told = process.read(folder / "progress.json")
        told = told if isinstance(told, dict) else {}
        state, trouble = judged(told, live, folder)
        amounts = {key: amount(told.get(key)) for key in ("runs", "done", "snapshots", "broken")}
        log = process.said(folder) if state in ("failed", "stopped") else ()
        return Job(name, facts["facts"], state, **amounts, trouble=trouble, log=log)

    def start(self, spec: dict[str, Json], language: str) -> str:
        """Start a sweep; its id. Raises Busy where one runs, BluecutError where the folder cannot be written."""
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
                    shutil.rmtree(folder, ignore_errors=True)  # it is no sweep, so nobody would see it
                    raise
            except OSError as error:
                raise refused(error) from None
            self.forget()
            return name

    def go_on(self, name: str, language: str) -> None:
        """Let a sweep that was stopped go on where it was. Raises Busy where one runs, BluecutError where the folder
        cannot be written."""
        with self._lock:
            job = self.job(name)
            if job is None or job.state not in ("cancelled", "stopped", "failed"):
                return
            self.refuse_if_busy()
            folder = self.folder / name
            process.end(folder)  # it is over, and only its Java still takes its time
            progress, before = folder / "progress.json", folder / "progress.before.json"
            try:
                with suppress(FileNotFoundError):
                    progress.replace(before)  # put aside first: the command may tell at once how far it is
                try:
                    self.go(folder, job.spec, language)
                except OSError:
                    with suppress(OSError):
                        before.replace(progress)
                    raise
                before.unlink(missing_ok=True)
            except BlockingIOError:  # another server on the same folder was quicker
                raise busy() from None
            except OSError as error:
                raise refused(error) from None

    def go(self, folder: Path, spec: dict[str, Json], language: str) -> None:
        """Start the command in a folder."""
        arguments = [str(folder / "spec.yaml"), "-o", str(folder), "--report", "--brief", "--lang", language]
        process.start(folder, [*COMMAND, *arguments], facts=spec, then=lambda: self.ended(folder))

    def ended(self, folder: Path) -> None:
        """A command is gone, or will be; when its Java is, too, however late, there is something to forget."""
        while process.running(folder):
            time.sleep(LOOK)
        with self._lock:
            self.forget()

    def refuse_if_busy(self) -> None:
        """Raises Busy where a sweep runs."""
        if self.running():
            raise busy()

    def cancel(self, name: str) -> bool:
        """End a sweep, with its Java and its workers. What it has made stays. Did it run?"""
        folder = self.folder / name
        if not ID.fullmatch(name) or not process.end(folder):
            return False
        with self._lock:
            told = process.read(folder / "progress.json")
            told = told if isinstance(told, dict) else {}
            # Where it was ended before it could say so itself; but not where it goes on by now.
            if told.get("stage") not in OVER and not process.running(folder):
                with suppress(OSError):  # then it was stopped, as anybody can see
                    process.written(folder / "progress.json", {**told, "stage": "cancelled"})
        return True

    def forget(self) -> None:
        """Delete the runs of what is done, then the oldest sweeps that are over until no more than ``kept`` are left
        and those take no more than ``room``. One that runs is left alone."""
        room = self.room
        for place, name in enumerate(self.names()):
            folder = self.folder / name
            if process.running(folder):
                continue
            self.tidy(folder)
            room -= size(folder)
            # The latest stays, however large it is: somebody has just seen it end.
            if place >= self.kept or (room < 0 and place):
                shutil.rmtree(folder, ignore_errors=True)

    def tidy(self, folder: Path) -> None:
        """Delete the runs of a sweep that is done, and whose command is gone: its report has been made of them."""
        told = process.read(folder / "progress.json")
        if isinstance(told, dict) and told.get("stage") == "done" and (folder / "report.json").is_file():
            for each in entries(folder):
                if each.name in STAYS:
                    continue
                if each.is_dir() and not each.is_symlink():
                    shutil.rmtree(each, ignore_errors=True)
                else:
                    with suppress(OSError):
                        each.unlink()


def entries(folder: Path) -> list[Path]:
    """What is in a folder; nothing where another server on the same folder has deleted it meanwhile."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def size(folder: Path) -> int:
    """The bytes of all files in a folder."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # another server on the same folder was quicker
                total += (Path(place) / name).lstat().st_size
    return total


def refused(error: OSError) -> BluecutError:
    """Why no sweep can be started."""
    return BluecutError(
        "this server cannot start a sweep now, its data folder ($BLUECUT_DATA) cannot be written: {reason}",
        reason=error.strerror or type(error).__name__,
    )


def judged(told: dict[str, Any], live: bool, folder: Path) -> tuple[State, Phrase | str | None]:
    """What a sweep does, and why it failed."""
    stage = told.get("stage")
    if stage in ("done", "failed", "cancelled"):
        return stage, failure(told.get("mistake")) or (said(folder) if stage == "failed" else None)
    if live:
        return (stage if stage in ("sweeping", "verifying", "measuring") else "starting"), None
    line = said(folder)
    return ("failed", line) if line and not told else ("stopped", process.because(folder))


def failure(mistake: Any) -> Phrase | None:
    """Why a command failed, as it has written it into a file."""
    try:
        return phrased.read(mistake) if isinstance(mistake, dict) else None
    except (KeyError, TypeError, AttributeError):
        return None


def said(folder: Path) -> str | None:
    """The mistake that the command printed last, in the language of whoever started it."""
    lines = reversed(process.said(folder, 1_000))
    return next((line.removeprefix("bluecut: ") for line in lines if line.startswith("bluecut: ")), None)


def amount(value: Any) -> int:
    """A count in a file, which may say anything."""
    return value if isinstance(value, int) and value >= 0 else 0
