"""The server, killed with SIGKILL while clients save: what it has acknowledged is shown when it starts again."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from app.web.base.store import FILE, address
from tests.until import lives, until

CLIENTS = 4
MOST = 30
"""The most saves that are acknowledged before a kill; fewer than one client may make in an hour."""


@contextmanager
def server(data: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Yield a server and its host and port; at the end, it and its workers are gone."""
    command = [str(Path(sys.executable).with_name("bluecut")), "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, urlsplit(process.stdout.readline().removeprefix("Bluecut: ").strip()).netloc
        finally:
            workers = [each.pid for each in psutil.Process(process.pid).children(recursive=True)]
            process.kill()
            assert process.wait() == -signal.SIGKILL
    until(lambda: not any(map(lives, workers)))


def scenario(number: int) -> bytes:
    """Return a scenario that is too large for a link, as JSON."""
    draw = random.Random(number)
    said = [{"en": f"{draw.getrandbits(160):x}", "zh": f"{draw.getrandbits(160):o}"} for _ in range(400)]
    return json.dumps(
        {
            "title": {"en": f"Number {number}.", "zh": f"第 {number} 个。"},
            "topology": {"processes": ["A", "B"], "channels": ["A->B", "B->A"]},
            "program": {"kind": "bank", "accounts": {"A": 900, "B": 900}},
            "algorithm": "chandy-lamport",
            "script": [{"send": {"on": "A->B", "message": 1}, "say": say} for say in said],
        }
    ).encode()


def save(host: str, numbers: Iterator[int], acknowledged: dict[str, int]) -> None:
    """Save one scenario after another, until the server is gone."""
    with closing(HTTPConnection(host)) as connection:
        while True:
            number = next(numbers)
            try:
                connection.request("POST", "/api/scenarios", scenario(number))
                answer = connection.getresponse()
                text = answer.read()
            except (OSError, HTTPException):
                return
            assert answer.status == 200, text
            acknowledged[json.loads(text)["ref"]] = number


def check(data: Path, acknowledged: dict[str, int]) -> None:
    """Read what is on the disk: whole scenarios only, and all that were acknowledged."""
    with closing(sqlite3.connect(data / FILE)) as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        kept = dict(base.execute("SELECT id, text FROM scenario"))
    assert acknowledged.keys() <= kept.keys()
    assert all(address(text) == name for name, text in kept.items())


class Numbers(Iterator[int]):
    """Counts, for several threads at once."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def __next__(self) -> int:
        with self._lock:
            self._last += 1
            return self._last


@pytest.mark.slow
def test_what_was_acknowledged_is_shown_after_kill_9_at_any_moment(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    draw, numbers = random.Random(16), Numbers()
    acknowledged: dict[str, int] = {}
    for _ in range(pytestconfig.getoption("--kills")):
        enough = len(acknowledged) + draw.randint(1, MOST)
        with server(tmp_path) as (process, host), ThreadPoolExecutor(CLIENTS) as clients:
            begun = [clients.submit(save, host, numbers, acknowledged) for _ in range(CLIENTS)]
            until(lambda: len(acknowledged) >= enough or any(each.done() for each in begun))  # noqa: B023
            time.sleep(draw.uniform(0, 0.05))
            process.send_signal(signal.SIGKILL)
            for each in begun:
                each.result()
        check(tmp_path, acknowledged)
    with server(tmp_path) as (_, host), closing(HTTPConnection(host)) as connection:
        for name, number in acknowledged.items():
            connection.request("GET", f"/editor?from={name}&lang=en")
            answer = connection.getresponse()
            assert answer.status == 200 and f"Number {number}." in answer.read().decode()
    print(f"{len(acknowledged):,} saves acknowledged, all shown")
