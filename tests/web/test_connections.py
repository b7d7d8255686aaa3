"""Connections: who asks for nothing is closed, and too many are refused in words."""

import asyncio
import errno
import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from app.web import connections
from app.web.connections import MOST, OTHER_FILES, SHARE, SILENCE, SPARE, Crowd, protocol, quiet
from app.web.serve import Server, bind
from app.words.catalogues import word
from tests.each import each
from tests.until import PATIENCE, until

UNASKED = STALLED = 0.3
FAR = "192.0.2.1"


LARGE = 32_000_000
"""More bytes than the system keeps for a connection."""


async def reads(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with what was sent, later than a connection may take to ask; at /large with much."""
    if scope["type"] == "http" and scope["path"] == "/large":
        await PlainTextResponse(b"x" * LARGE)(scope, receive, send)
    elif scope["type"] == "http":
        body = await Request(scope, receive).body()
        await asyncio.sleep(2 * UNASKED)
        await PlainTextResponse(b"read " + body)(scope, receive, send)


@contextmanager
def served(crowd: Crowd) -> Iterator[int]:
    """Yield the port of a server."""
    bound = bind("127.0.0.1", 0)
    config = uvicorn.Config(reads, http=protocol(crowd, UNASKED, STALLED), lifespan="off", log_level="critical")
    server = Server(config)
    thread = threading.Thread(target=server.run, args=([bound],), daemon=True)
    thread.start()
    try:
        yield bound.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(Crowd(100, 100)) as found:
        yield found


def connected(port: int) -> socket.socket:
    """Return a connection."""
    return socket.create_connection(("127.0.0.1", port), PATIENCE)


def said(connection: socket.socket) -> bytes:
    """Return all that comes until the connection is closed."""
    parts = []
    while part := connection.recv(65_536):
        parts.append(part)
    return b"".join(parts)


HALF = [b"", b"GET / HTTP/1.1\r\nHost: a\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nfour"]


@each("sent", HALF)
def test_a_connection_that_does_not_ask_in_time_is_closed(port: int, sent: bytes) -> None:
    with connected(port) as connection:
        connection.sendall(sent)
        assert said(connection) == b""


def test_who_has_asked_may_wait_for_the_answer_and_ask_again(port: int) -> None:
    with connected(port) as connection:
        for _ in range(2):
            connection.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nfour")
            got = b""
            while b"read four" not in got:
                part = connection.recv(65_536)
                assert part
                got += part
        connection.sendall(b"GET / HT")  # and again half a request
        assert said(connection) == b""


MUCH = b"GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


def test_who_takes_nothing_of_the_answer_is_closed() -> None:
    crowd = Crowd(100, 100)
    with served(crowd) as port, connected(port) as connection:
        connection.sendall(MUCH)
        until(lambda: crowd.addresses)
        until(lambda: not crowd.addresses)
        got = 0
        with suppress(ConnectionResetError):
            while part := connection.recv(1 << 20):
                got += len(part)
        assert got < LARGE


def test_who_reads_slowly_gets_the_whole_answer(port: int) -> None:
    with connected(port) as connection:
        connection.sendall(MUCH)
        got, rest = 0, b"x"
        while rest:
            time.sleep(STALLED / 5)
            before = got
            while got < before + LARGE // 32 and (rest := connection.recv(1 << 16)):
                got += len(rest)
        assert got > LARGE


def test_one_connection_too_many_is_told_so_in_the_visitors_language() -> None:
    ask = b"GET / HTTP/1.1\r\nHost: a\r\nAccept-Language: zh\r\nConnection: close\r\n\r\n"
    with served(Crowd(1, 1)) as port:
        with connected(port) as first, connected(port) as second:
            first.sendall(ask)
            second.sendall(ask)
            refused = said(second)
            assert b" 503 " in refused and word("error.503.title", "zh").encode() in refused
            assert b" 200 " in said(first)
        with connected(port) as third:
            third.sendall(ask)
            assert b" 200 " in said(third)


def test_the_limits_hold_at_their_values_and_not_one_beyond() -> None:
    crowd = Crowd(MOST, SHARE)
    assert [crowd.enter(FAR) for _ in range(SHARE + 2)][-3:] == [0, 1, 2]
    assert [crowd.enter("::1") for _ in range(MOST - SHARE - 2)][-1] == 0  # a proxy on this machine may have all
    assert crowd.enter("192.0.2.2") == 1
    for address in (FAR, FAR, "::1"):
        crowd.leave(address)
    assert crowd.enter(FAR) == 1
    assert crowd.enter("192.0.2.2") == 0


def test_the_limits_lie_below_the_open_files() -> None:
    for files in (300, 1_024, 65_536):
        crowd = Crowd.within(files)
        assert crowd.share <= crowd.most // 2 and crowd.most + OTHER_FILES <= files
        assert crowd.most <= MOST and crowd.share <= SHARE
        assert Crowd.within(files, 5_000).share == min(5_000, crowd.most), "as the operator says"
    assert Crowd.within(MOST + OTHER_FILES).most == MOST and Crowd.within(MOST + OTHER_FILES - 1).most == MOST - 1


def test_far_too_many_are_closed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    over = SPARE

    class Transport(asyncio.Transport):
        aborted = False

        def abort(self) -> None:
            self.aborted = True

        def is_closing(self) -> bool:
            return self.aborted

    async def aborted() -> bool:
        monkeypatch.setattr(Crowd, "enter", lambda *_: over)
        made = protocol(Crowd(2, 2))(uvicorn.Config(reads), uvicorn.server.ServerState(), {})
        transport = Transport()
        made.connection_made(transport)
        made.connection_lost(None if over > SPARE else OSError())
        return transport.aborted

    assert not asyncio.run(aborted())
    over = SPARE + 1
    monkeypatch.setattr(Transport, "close", lambda self: None)
    assert asyncio.run(aborted())


def test_files_that_run_out_are_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    moments = [0.0, 0.0, 1.0, SILENCE - 0.1, SILENCE, SILENCE, SILENCE + 1]
    handle = quiet(iter(moments).__next__)
    full = {"message": "socket.accept() out of system resource", "exception": OSError(errno.EMFILE, "")}
    loop = asyncio.new_event_loop()
    try:
        with caplog.at_level(logging.ERROR):
            for _ in range(5):
                handle(loop, full)
            assert [one.name for one in caplog.records] == ["bluecut"] * 2
            handle(loop, {"message": "something else", "exception": ValueError("odd")})
            assert "something else" in caplog.text
    finally:
        loop.close()


@pytest.mark.slow
def test_the_server_asks_for_as_many_open_files_as_it_may_have() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 512));"
        f"from {connections.__name__} import open_files;"
        "print(open_files(), *resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "512 512 512\n"
