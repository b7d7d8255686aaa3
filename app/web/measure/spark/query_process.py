"""The server's one Spark query that visitors watch and kill: started, killed, started again, ended.

It is a process beside the server (see ``app.web.shared.subprocesses``), and all information on it is in its folder, so
all visitors see the same. It ends with the server.
"""

import shutil
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from app.core.model.values import BluecutError
from app.formats.spark_checkpoint import numbers
from app.web.measure.spark.batch_log import KILLED, Query, query
from app.web.shared import subprocesses

MODULE = "app.pipeline.demo_query.query"

LOOK = 0.05
"""Seconds between two checks of what the query does."""

MOMENT = 0.3
"""Seconds for which both logs can be seen before the query is killed."""

Does = Literal["nothing", "starting", "waiting", "planned", "written", "killed", "died", "ended", "failed"]
"""What it does. ``killed`` means killed from here, ``died`` that the process is gone without being killed from here,
``failed`` that it could still say why."""


class Watched:
    """The query in a folder."""

    def __init__(self, folder: Path, arguments: Sequence[str] = ()) -> None:
        self.folder = folder
        self.arguments = tuple(arguments)
        self._lock = threading.Lock()
        self._aimed: int | None = None  # the process to kill: this life and no other
        self._mine: int | None = None  # the last process started here

    @property
    def aimed(self) -> bool:
        """Will it be killed as soon as a batch is in the sinks and not in the commit log?"""
        return self._aimed is not None

    @property
    def running(self) -> bool:
        """Is there a process?"""
        return subprocesses.running(self.folder)

    @property
    def pid(self) -> int | None:
        """The id of its current or last process."""
        return subprocesses.pid(self.folder)

    def look(self) -> tuple[Does, Query]:
        """Return what it does, and the content of its files."""
        for _ in range(3):
            live, found, still = self.running, query(self.folder), self.running
            if live == still:  # otherwise it ended in between, and the files say more by now
                break
        return does(found, live, self.pid), found

    def start(self) -> bool:
        """Begin from nothing, unless it runs. Raises BluecutError if the folder cannot be written."""
        with self._lock:
            if self.running:
                if not self._over():
                    return False
                subprocesses.kill(self.folder)  # only its Java still takes its time
            return self._forget() and self._go()

    def restart(self) -> bool:
        """Continue from the checkpoint, unless it runs, or there is none. Raises BluecutError if the folder cannot be
        written."""
        with self._lock:
            if not (self.folder / "now.json").is_file():
                return False
            if self.running and self._over():
                subprocesses.kill(self.folder)  # only its Java still takes its time
            return not self.running and self._go()

    def _over(self) -> bool:
        """Has the query itself reported its end?"""
        return does(query(self.folder), True) in ("ended", "failed")

    def _go(self) -> bool:
        self._aimed = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # What the previous life said no longer holds.
            subprocesses.write(self.folder / "now.json", {"stage": "starting", "at": time.time()})
            spark = self.folder / "spark.txt"
            for before in (self.folder / KILLED, spark):
                before.unlink(missing_ok=True)
            command = ["-m", MODULE, str(self.folder), *self.arguments]
            self._mine = subprocesses.start(self.folder, command, {"BLUECUT_SPARK_LOG": str(spark)})
        except BlockingIOError:  # another server on the same folder was quicker
            return False
        except OSError as error:
            raise BluecutError(
                "this server cannot start a query now, its data folder ($BLUECUT_DATA) cannot be written: {reason}",
                reason=error.strerror or type(error).__name__,
            ) from None
        return True

    def kill(self) -> bool:
        """Send SIGKILL now, to all of it."""
        self._aimed = None
        return self._kill()

    def _kill(self) -> bool:
        """Kill it, and record first that it was killed, so that no visitor sees it dead without knowing why."""
        pid, known = self.pid, self.folder / KILLED
        if pid is None or not self.running:
            return False
        with suppress(OSError):
            subprocesses.write(known, {"pid": pid})
        if subprocesses.kill(self.folder):
            return True
        known.unlink(missing_ok=True)
        return False

    def aim(self) -> bool:
        """Kill it when a batch is in the sinks and not yet in the commit log, without waiting for that here."""
        with self._lock:
            pid = self.pid
            if pid is None or not self.running or self.aimed:
                return False
            self._aimed = pid
        threading.Thread(target=self._wait, args=(pid,), daemon=True, name="aim").start()
        return True

    def _wait(self, pid: int) -> None:
        while self._meant(pid):  # this ends when the query does
            now = subprocesses.read(self.folder / "now.json")
            if now.get("stage") == "written":
                time.sleep(MOMENT)
                with self._lock:  # no other life starts in between
                    if self._meant(pid) and now["batch"] not in numbers(self.folder / "checkpoint" / "commits"):
                        self._kill()
                        break
            time.sleep(LOOK)
        with self._lock:
            if self._aimed == pid:
                self._aimed = None

    def _meant(self, pid: int) -> bool:
        """Is this still the process to kill, and does it live?"""
        return self._aimed == pid == self.pid and self.running

    def leave(self) -> None:
        """End what this server started, because it stops. Another server on the same folder may still need its own."""
        with self._lock:
            if self._mine is not None and self._mine == self.pid:
                self._end()
            self._mine = None

    def close(self) -> None:
        """End it and forget it."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._aimed = None
        subprocesses.kill(self.folder)
        self._forget()
        self._mine = None

    def _forget(self) -> bool:
        """Delete the folder, unless a process runs in it: without its lock no server would know about it."""
        if self.running:
            return False
        shutil.rmtree(self.folder, ignore_errors=True)
        return True


def does(found: Query, running: bool, pid: int | None = None) -> Does:
    """Return what a query does, given its last words, whether it has a process, and the ``pid`` of the last one."""
    stage = found.now.get("stage")
    if stage in ("ended", "failed"):
        return "ended" if stage == "ended" else "failed"
    if not running:
        if not found.lives and not found.now:
            return "nothing"
        return "killed" if found.killed is not None and found.killed == pid else "died"
    return stage if stage in ("waiting", "planned", "written") else "starting"
