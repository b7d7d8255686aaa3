"""Phones: where those in the same network find the server."""

import socket
import sys

import segno

ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation: only the way to it is asked for, and nothing is sent."""


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


def invite(address: str, most: int) -> None:
    """Show on standard error how phones join a room, and how many fit."""
    print(
        f"bluecut: phones join a room at {address}/r; {most:,} fit. "
        "Some networks keep phones from reaching a laptop: try it before the class comes.",
        file=sys.stderr,
        flush=True,
    )
    segno.make(f"{address}/r", error="l").terminal(sys.stderr, compact=True, border=1)
