"""A process in which a written class runs, with nothing to reach and little to take.

The worker bounds its own memory, processor time and files, and knows only harmless modules. Where the machine has
``bwrap`` or ``unshare``, it also gets namespaces of its own: no network, and no process to send signals to; under
``bwrap`` no file can be written, and the folders of people cannot be read. ``walls`` says so.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from app.judge.mistake import Mistake, mistake_of

PATIENCE = 6.0
"""Seconds that an answer may be waited for; the worker itself ends one after five, and names the line."""
ALL_PATIENCE = 120.0
"""Seconds that all its answers together may be waited for."""
LONGEST = 1_000_000
"""The most bytes of an answer."""
WORKER = Path(__file__).with_name("worker.py")
PYTHON = (sys.executable, "-s", "-S", "-P", "-B")
HIDDEN = ("/home", "/media", "/mnt", "/opt", "/proc", "/root", "/run", "/srv", "/tmp", "/var")
"""Folders that Python needs nothing of but itself."""
NEEDED = tuple(dict.fromkeys((sys.base_prefix, sys.prefix, str(WORKER.parent))))
BUBBLE = (
    "bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev",
    *(part for one in HIDDEN if Path(one).is_dir() for part in ("--tmpfs", one)),
    *(part for one in NEEDED for part in ("--ro-bind", one, one)),
)  # fmt: skip
NAMESPACES = ("unshare", "--user", "--pid", "--net", "--ipc", "--fork", "--kill-child")
MORTAL = ("setpriv", "--pdeathsig", "KILL", *NAMESPACES)
"""The same, and nothing of it outlives the judge, however that ends."""


@cache
def walls() -> tuple[str, ...]:
    """Return what stands before a command to give it namespaces of its own: bubblewrap where it works, else the
    namespaces alone; nothing where this machine allows neither."""
    return next((one for one in (BUBBLE, MORTAL, NAMESPACES) if stands(one)), ())


def stands(wall: tuple[str, ...]) -> bool:
    """Can the worker start behind this?"""
    if shutil.which(wall[0]) is None:
        return False
    command = [*wall, *PYTHON, str(WORKER)]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


class Sandbox:
    """A running worker. Use it as a context."""

    def __init__(self, hash_seed: int = 0) -> None:
        command = [*walls(), *PYTHON, str(WORKER)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONHASHSEED": str(hash_seed), "PATH": os.defpath},
            start_new_session=True,
            cwd="/",
        )
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        self._rest, self._waited = b"", 0.0

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the process, and whatever it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def ask(self, request: Mapping[str, object]) -> dict[str, Any]:
        """Return the answer to a request. Raises Mistake, also where there is none."""
        self.say(request)
        return self.answer()

    def say(self, request: Mapping[str, object]) -> None:
        """Send a request, whose answer is to be read next. Raises Mistake where nobody reads it."""
        assert self._process.stdin is not None
        rest = json.dumps(request).encode() + b"\n"
        try:
            pipe = self._process.stdin.fileno()
            while rest:
                if not select.select([], [pipe], [], PATIENCE)[1]:
                    raise Mistake("hangs")  # it has answered before it was asked, and reads no more
                rest = rest[os.write(pipe, rest) :]
        except (BrokenPipeError, ValueError):  # it has ended, or was stopped
            raise Mistake("ended") from None

    def answer(self) -> dict[str, Any]:
        """Return the answer to the request that was sent last. Raises Mistake, also where there is none."""
        try:
            answer = json.loads(self._line())
        except (ValueError, RecursionError):
            raise Mistake("protocol") from None
        if not isinstance(answer, dict):
            raise Mistake("protocol")
        if "mistake" in answer:
            raise mistake_of(answer)
        return answer

    def _line(self) -> bytes:
        """Return the next line that the worker writes. Raises Mistake."""
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while b"\n" not in self._rest:
            began = time.monotonic()
            if not select.select([pipe], [], [], PATIENCE)[0]:
                raise Mistake("hangs")
            self._waited += time.monotonic() - began
            if self._waited > ALL_PATIENCE:
                raise Mistake("hangs")
            more = os.read(pipe, 65_536)
            if not more:
                raise Mistake("ended")
            self._rest += more
            if len(self._rest) > LONGEST:
                raise Mistake("too-large")
        line, self._rest = self._rest.split(b"\n", 1)
        return line
