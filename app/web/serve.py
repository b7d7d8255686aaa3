"""Serving: the address is bound first, so that a port that is taken is told in a sentence."""

import asyncio
import errno
import socket
import threading
import webbrowser
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import uvicorn

from app.core.model import BluecutError
from app.web.app import create_app
from app.web.swept.report import Unread
from app.web.swept.report import report as report_in

GRACE = 1.0
"""Seconds that answers under way have when the server stops."""

WAITING = 2_048
"""Connections that may wait to be accepted."""


class Server(uvicorn.Server):
    """Stops even where somebody reads slowly: after GRACE the connections that are left are cut."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait for what is under way, then cut."""
        asyncio.get_running_loop().call_later(GRACE, self.cut)
        await super().shutdown(sockets)

    def cut(self) -> None:
        """Close every connection that is left, at once."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises BluecutError where that is not possible."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        # Only where the protocol is named does asyncio switch Nagle's algorithm off: 40 ms an answer.
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise refusal(host, port, error) from None
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(WAITING)
    except OSError as error:
        bound.close()
        raise refusal(host, port, error) from None
    bound.setblocking(False)
    return bound


def refusal(host: str, port: int, error: OSError) -> BluecutError:
    """Why the server cannot listen, and what to do."""
    if error.errno == errno.EADDRINUSE:
        return BluecutError(
            "port {port} on {host} is taken; choose another one with --port, or stop the program that has it",
            port=port,
            host=host,
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return BluecutError(
            "port {port} may not be used without special rights; choose one above 1023 with --port", port=port
        )
    return BluecutError(
        "cannot listen on {host}, port {port}: {reason}; choose another --host or --port",
        host=host,
        port=port,
        reason=error.strerror or str(error),
    )


def url_of(bound: socket.socket) -> str:
    """Where a browser on this machine finds the server."""
    host, port = bound.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def exposed(bound: socket.socket) -> bool:
    """Do other machines reach it?"""
    return not ip_address(str(bound.getsockname()[0]).partition("%")[0]).is_loopback


def readable(given: Path) -> Path:
    """The file of a report, which can be shown. Raises BluecutError where it cannot."""
    file = given / "report.json" if given.is_dir() else given
    try:
        report_in(file)
    except Unread as error:
        raise BluecutError("{file}: {reason}", file=file, reason=str(error)) from None
    return file


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    open_browser: bool = False,
    data: Path | None = None,
    *,
    starts: bool = True,
    report: Path | None = None,
    lessons_in: tuple[Path, ...] = (),
) -> None:
    """Serve until stopped; ``starts`` says whether visitors may start and end Spark, ``report`` is the report, or the
    folder of a sweep with one, that the Lab shows first, ``lessons_in`` are folders with lessons of teachers. Prints
    the address, one line. Raises BluecutError where the port cannot be had, or the report cannot be shown."""
    report = readable(report) if report else None
    bound = bind(host, port)
    app = create_app(data=data, starts=starts, exposed=exposed(bound), report=report, lessons_in=lessons_in)
    print(f"Bluecut: {url_of(bound)}", flush=True)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=int(2 * GRACE)
    )
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(url_of(bound),), daemon=True).start()
    with suppress(KeyboardInterrupt):
        Server(config).run([bound])
