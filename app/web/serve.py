"""Serving: the address is bound first, so that a sentence can report a port in use."""

import asyncio
import errno
import logging
import multiprocessing.util
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import segno
import uvicorn
from msgspec.structs import replace

from app.core.model.values import BluecutError
from app.web.app import Settings, create_app
from app.web.base.hosts import checked_name
from app.web.connections import AT_ONCE, Crowd, open_files, protocol, quiet
from app.web.measure.lab.report import Unread
from app.web.measure.lab.report import report as report_in
from app.web.operate.health import WELL, store_check
from app.web.operate.logs import Kind, logs
from app.web.workers.pool import WORKERS

GRACE = 0.5
"""Seconds to finish answers when the server stops."""

SWITCH = 0.0002
"""Seconds for which a thread that computes may keep the interpreter from the one that answers everybody, which needs it
several times for a page. Python's own value is 25 times as long."""

WAITING = 2_048
"""The most connections waiting to be accepted."""

ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation: only the way to it is asked for, and nothing is sent."""


class Server(uvicorn.Server):
    """Stops even if a client reads slowly: after GRACE it closes the remaining connections. ``leaving`` is called
    first: it lets those go who would stay for ever."""

    def __init__(self, config: uvicorn.Config, leaving: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self._leaving = leaving

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        sys.setswitchinterval(SWITCH)
        asyncio.get_running_loop().set_exception_handler(quiet())
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(WAITING)  # uvicorn has made the queue as short as what is accepted at once

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait for current answers, then close. What still computes in a thread then is for nobody, and cannot be
        stopped: the process ends without it, and without taking its memory apart, which would take a second."""
        self._leaving()
        logging.getLogger("uvicorn.error").addFilter(_no_cut)
        asyncio.get_running_loop().call_later(GRACE, self.cut)
        await super().shutdown(sockets)
        if threading.current_thread() is threading.main_thread():
            _leave(self._captured_signals)

    def cut(self) -> None:
        """Close every remaining connection at once."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()


def _no_cut(record: logging.LogRecord) -> bool:
    """Is what is logged something else than that an answer was cut short?"""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, asyncio.CancelledError) and not str(record.msg).startswith("Cancel ")


def _leave(signals: list[int]) -> None:
    """End this process at once, by SIGTERM if it was told so by that."""
    multiprocessing.util._exit_function()  # type: ignore[attr-defined]
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    if signal.SIGTERM in signals:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)
    os._exit(0)


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises BluecutError if that is impossible."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        # asyncio switches Nagle's algorithm off only if the protocol is named: 40 ms per answer.
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise _refusal(host, port, error) from None
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(WAITING)
    except OSError as error:
        bound.close()
        raise _refusal(host, port, error) from None
    bound.setblocking(False)
    return bound


def _refusal(host: str, port: int, error: OSError) -> BluecutError:
    """Return the error that the server cannot listen, with its reason and the remedy."""
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
    """Return the address at which a browser on this machine finds the server."""
    host, port = bound.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def exposed(bound: socket.socket) -> bool:
    """Can other machines reach the socket?"""
    return not ip_address(str(bound.getsockname()[0]).partition("%")[0]).is_loopback


def readable(given: Path) -> Path:
    """Return the absolute path of a report that can be shown. Raises BluecutError if it cannot."""
    file = given / "report.json" if given.is_dir() else given
    try:
        report_in(file)
    except Unread as error:
        raise BluecutError("{file}: {reason}", file=file, reason=str(error)) from None
    return file.absolute()


def _alone() -> None:
    """Raise BluecutError if several servers are wanted."""
    if (several := os.environ.get("WEB_CONCURRENCY", "1")) not in ("", "1"):
        raise BluecutError(
            "WEB_CONCURRENCY={got}: the phones of a room must meet in one server; leave it out", got=several[:20]
        )


def _tell(says: str, log: Kind) -> None:
    """Say on stderr what an operator should know from the start."""
    if log == "json":
        logging.getLogger("bluecut").warning(says)
    else:
        print(f"bluecut: {says}", file=sys.stderr, flush=True)


def _tell_who_comes(lan: str, most: int, jobs: bool, log: Kind) -> None:
    """Say that other machines reach the server, and how phones do."""
    may = "anyone who does may start and end work on Spark (--jobs)" if jobs else "Spark is off (--jobs turns it on)"
    _tell(f"other machines can reach this server; {may}", log)
    if lan and log == "text":
        _invite(lan, most)


def serve(
    settings: Settings, *, host: str, port: int, open_browser: bool, starts: bool | None, per_address: int | None
) -> None:
    """Serve until stopped, with these settings; their report may be the folder of a sweep with one. ``starts`` says
    whether visitors may start and end Spark (None: if no other machine reaches the server, not even through a proxy,
    for which a path or a name is given), ``per_address`` how many connections one address may have. Prints one line,
    the address. Raises BluecutError if the port is unavailable, or the report cannot be shown."""
    _alone()
    report = readable(settings.report) if settings.report else None
    names = tuple(map(checked_name, settings.hosts))
    bound = bind(host, port)
    direct = exposed(bound)
    reached = direct or bool(settings.root or names)
    jobs = not reached if starts is None else starts
    lan = lan_address(bound, settings.root) if direct else ""
    settings = replace(settings, starts=jobs, exposed=reached, lan=lan, hosts=names, report=report, workers=WORKERS)
    app, root, log = create_app(settings), settings.root.strip("/"), settings.log
    address = url_of(bound) + (f"{root}/" if root else "")
    print(f"Bluecut: {address}", flush=True)
    crowd = Crowd.within(open_files(), per_address)
    config = uvicorn.Config(
        app,
        backlog=AT_ONCE,
        http=protocol(crowd),
        ws="none",
        loop="asyncio",  # whatever else is installed
        workers=1,
        log_config=logs(log),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=int(2 * GRACE),
    )
    if reached:
        _tell_who_comes(lan, crowd.most, jobs, log)
    if (trouble := store_check(app.state.store)) != WELL:
        _tell(f"large scenarios cannot be shared: {trouble}", log)
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        Server(config, app.state.rooms.close).run([bound])


def lan_address(bound: socket.socket, root: str = "") -> str:
    """Return the address at which phones in the same network find the site, without a slash at its end; empty if there
    is no network."""
    host, port = bound.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            try:
                way.connect(ELSEWHERE)
            except OSError:
                return ""
            host = way.getsockname()[0]
    below = f"/{root.strip('/')}" if root.strip("/") else ""
    return (f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}") + below


def _invite(address: str, most: int) -> None:
    """Show on standard error how phones join a room, and how many fit."""
    print(
        f"bluecut: phones join a room at {address}/r; {most:,} fit. "
        "Some networks keep phones from reaching a laptop: try it before the class comes.",
        file=sys.stderr,
        flush=True,
    )
    segno.make(f"{address}/r", error="l").terminal(sys.stderr, compact=True, border=1)
