"""The server as a process: it says where it is, refuses a port that is taken, and stops although somebody reads."""

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from app.core.model.values import BluecutError
from app.web.serve import bind, exposed, url_of
from tests.often import some
from tests.until import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


COMPUTES = """
import time
import uvicorn
from starlette.concurrency import run_in_threadpool
from app.web.serve import Server, bind

def compute():
    print("computing", flush=True)
    time.sleep(3_600)

async def app(scope, receive, send):
    await run_in_threadpool(compute)

bound = bind("127.0.0.1", 0)
print(bound.getsockname()[1], flush=True)
Server(uvicorn.Config(app, lifespan="off", log_level="warning", timeout_graceful_shutdown=1)).run([bound])
"""


@contextmanager
def server(data: Path) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    command = [sys.executable, "-m", "app", "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            match = re.fullmatch(r"Bluecut: http://127\.0\.0\.1:(\d+)/\n", line)
            assert match, line
            yield process, int(match[1])
        finally:
            process.kill()


def test_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert url_of(taken) == f"http://127.0.0.1:{port}/"
        with pytest.raises(BluecutError, match=f"port {port} on 127.0.0.1 is taken; choose another one with --port"):
            bind("127.0.0.1", port)


def test_a_host_that_there_is_not_is_told_in_a_sentence() -> None:
    with pytest.raises(BluecutError, match=r"cannot listen on 192\.0\.2\.1"):
        bind("192.0.2.1", 0)


@pytest.mark.slow
def test_it_stops_although_a_reader_stalls(tmp_path: Path) -> None:
    with server(tmp_path) as (process, port):
        reader = socket.create_connection(("127.0.0.1", port))
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        ask = f"GET /run/random-twelve/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        reader.sendall(ask * 200)  # more than the buffers between us hold, and nothing is read
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        reader.close()


@pytest.mark.slow
@pytest.mark.parametrize(("told", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM)])
def test_it_stops_although_it_computes(told: signal.Signals, code: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", COMPUTES], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        port = int(process.stdout.readline())
        with socket.create_connection(("127.0.0.1", port)) as asking:
            asking.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert process.stdout.readline() == "computing\n"
            process.send_signal(told)
            assert process.wait(PATIENCE) == code  # the thread would take an hour
        assert "Traceback" not in process.stderr.read()


def test_answers_are_sent_at_once_and_do_not_wait_for_the_readers_acknowledgement() -> None:
    """asyncio sets TCP_NODELAY only on sockets that say that they are TCP."""
    with bind("127.0.0.1", 0) as bound:
        assert bound.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize(("host", "reached"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_a_server_knows_whether_other_machines_reach_it(host: str, reached: bool) -> None:
    with bind(host, 0) as bound:
        assert exposed(bound) == reached


@pytest.mark.slow
@pytest.mark.parametrize("how", ["--no-jobs", "--allowed-host=campus.example", "--root-path=/"])
def test_a_server_starts_nothing_for_visitors_if_it_is_told_so_or_has_a_proxy(tmp_path: Path, how: str) -> None:
    command = [str(Path(sys.executable).with_name("bluecut")), "serve", "--port", "0", how]
    with subprocess.Popen([*command, "--data", str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().removeprefix("Bluecut: ").strip()
            with urlopen(f"{address}lab/jobs?lang=en") as answer:
                html = answer.read().decode()
            assert "starts and ends nothing on Spark for visitors" in html and 'method="post"' not in html
            with pytest.raises(HTTPError) as refused:
                urlopen(f"{address}spark/start", b"")
            assert refused.value.code == 403
            refused.value.close()
        finally:
            process.kill()
    assert not (tmp_path / "spark").exists()


@pytest.mark.parametrize(
    ("more", "status", "says"), some([([], 403, "Spark is off"), (["--jobs"], 303, "may start and end")], 2)
)
def test_where_other_machines_reach_it_spark_is_off_unless_it_is_wanted(
    tmp_path: Path, more: list[str], status: int, says: str
) -> None:
    command = [str(Path(sys.executable).with_name("bluecut")), "serve", "--host", "0.0.0.0", "--port", "0", *more]
    with subprocess.Popen(
        [*command, "--data", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None and process.stderr is not None
            address = process.stdout.readline().removeprefix("Bluecut: ").strip()
            assert says in process.stderr.readline()
            connection = HTTPConnection(urlsplit(address).netloc)
            connection.request("POST", "/spark/end")
            assert connection.getresponse().status == status
            connection.close()
        finally:
            process.kill()


@pytest.mark.slow
def test_a_data_folder_that_cannot_be_written_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    command = [str(Path(sys.executable).with_name("bluecut")), "serve", "--port", "0"]
    command += ["--data", str(tmp_path / "file" / "below")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stderr is not None
            said = "bluecut: large scenarios cannot be shared: the data folder cannot be written\n"
            assert process.stderr.readline() == said
        finally:
            process.kill()
