"""A server that is told to stop: who reads a room is let go and comes back, and no process stays."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest

from app.course.assignment.assignment import owner
from tests.benchmarks.expensive import SCENARIOS
from tests.until import PATIENCE, members, until
from tests.web.teach.rooms.people import Person, opened

SIGNALS = [(signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM)]


@contextmanager
def server(data: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Yield a server that leads a group of its own, as in a terminal, and its address."""
    command = [str(Path(sys.executable).with_name("bluecut")), "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().removeprefix("Bluecut: ").strip().rstrip("/")
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "path"),
    [
        (signal.SIGINT, "/live"),
        (signal.SIGTERM, "/table/live"),
        (signal.SIGINT, "/table/live"),
        (signal.SIGTERM, "/live"),
    ],
)
def test_who_reads_a_room_is_let_go_and_told_when_to_come_back(tmp_path: Path, told: signal.Signals, path: str) -> None:
    with server(tmp_path) as (process, address):
        lead = opened(address)
        phone = Person(address, lead.code)
        phone.post("/seat")
        assert lead.post("/activity", {"do": "begin", "name": "eighty-coins"}).status_code == 200
        with phone.http.stream("GET", f"/r/{lead.code}{path}") as answer:
            lines = answer.iter_lines()
            assert next(lines).startswith("retry:10")
            assert json.loads(next(line for line in lines if line.startswith("data:{"))[5:])["version"] >= 0
            process.send_signal(told)
            rest = list(lines)  # raises an error if the connection is cut and the answer not ended
            assert not any("error" in line for line in rest)
        assert process.wait(PATIENCE) in (0, -signal.SIGTERM)
        for each in (lead, phone):
            each.http.close()


@pytest.mark.parametrize(
    ("told", "code", "everyone"),
    [
        (*SIGNALS[0], True),
        pytest.param(*SIGNALS[1], False, marks=pytest.mark.slow),
        pytest.param(*SIGNALS[0], False, marks=pytest.mark.slow),
        pytest.param(*SIGNALS[1], True, marks=pytest.mark.slow),
    ],
)
def test_a_server_that_has_just_begun_stops_without_a_word_and_leaves_no_process(
    tmp_path: Path, told: signal.Signals, code: int, everyone: bool
) -> None:
    """A terminal tells the whole group: also the process from which workers are forked, while it imports."""
    with server(tmp_path) as (process, address):
        with urlopen(f"{address}/healthz") as answer:
            assert answer.status == 200
        (os.killpg if everyone else os.kill)(process.pid, told)
        assert process.wait(PATIENCE) == code
        assert process.stderr is not None and process.stderr.read() == ""
        until(lambda: not members(process.pid))


@pytest.mark.slow
@pytest.mark.parametrize(("told", "code"), SIGNALS)
def test_a_server_that_computes_stops_without_a_word_and_leaves_no_process(
    tmp_path: Path, told: signal.Signals, code: int
) -> None:
    expensive = f"/states/{SCENARIOS['200 processes, 4,000 channels']}"
    with server(tmp_path) as (process, address):
        host, _, port = address.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as asking:
            asking.sendall(f"GET {expensive} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            until(lambda: any(busy(each) for each in psutil.Process(process.pid).children(recursive=True)))
            os.killpg(process.pid, told)
            assert process.wait(PATIENCE) == code
        assert process.stderr is not None and process.stderr.read() == ""
        until(lambda: not members(process.pid))


FORTY = 40


@pytest.mark.slow
@pytest.mark.parametrize(("told", "code"), SIGNALS)
def test_a_server_that_is_asked_for_much_that_workers_cannot_make_stops_without_a_word(
    tmp_path: Path, told: signal.Signals, code: int
) -> None:
    form = b"name=A"
    with server(tmp_path) as (process, address), ExitStack() as open_:
        host, _, port = address.removeprefix("http://").partition(":")
        head = f"Host: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n"
        path = f"/assign/sheet?title=a&seed=1&for={owner('a')}&{'&'.join(['q=every'] * 12)}"
        for _ in range(FORTY):
            asking = open_.enter_context(socket.create_connection((host, int(port))))
            asking.sendall(f"POST {path} HTTP/1.1\r\n{head}".encode() + form)
        until(lambda: psutil.Process(process.pid).cpu_times().user > 3)
        os.killpg(process.pid, told)
        assert process.wait(PATIENCE) == code
        assert process.stderr is not None and process.stderr.read() == ""
        until(lambda: not members(process.pid))


def busy(process: psutil.Process) -> bool:
    """Has a worker computed for a while?"""
    with suppress(psutil.Error):
        return "forkserver" in " ".join(process.cmdline()) and process.cpu_times().user > 0.5 and process.nice() > 0
    return False
