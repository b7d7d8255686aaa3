"""``/healthz``: is the process alive? ``/readyz``: can it do everything, or what not? ``/metrics``: the numbers.

``/healthz`` needs neither a thread nor the disk, so that it answers whatever else is going on. All three are in English
and for programs.
"""

import os
import shutil
import sqlite3
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from app.web.base.store import Store
from app.web.workers.pool import Pool

router = APIRouter(include_in_schema=False)

Open = Literal["local", "all", "off"]
OPEN: tuple[Open, ...] = ("local", "all", "off")
"""Who may read the numbers: programs on this machine, everybody, or nobody."""

LEAST_ROOM = 50_000_000
"""Free bytes on the disk of the data folder, below which the server is not ready."""

WELL = "ok"
PLAIN = {"cache-control": "no-store"}


@router.get("/healthz")
async def healthy() -> Response:
    """Return ``ok``: the process answers."""
    return PlainTextResponse("ok", headers=PLAIN)


@router.get("/readyz")
def ready(request: Request) -> Response:
    """Return what works and what is wrong, by name; the status is 503 if anything is."""
    state = request.app.state
    checks = {"store": store_check(state.store), "disk": _disk_check(state.data), "workers": _workers_check(state.pool)}
    well = all(said == WELL for said in checks.values())
    return JSONResponse({"ready": well, "checks": checks}, 200 if well else 503, headers=PLAIN)


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Return the numbers in the Prometheus format to those who may read them. Raises HTTPException for others."""
    opened: Open = request.app.state.settings.metrics
    if opened == "off" or (opened == "local" and not _local(request)):
        raise HTTPException(404)
    text, kind = request.app.state.numbers.written()
    return Response(text, headers={**PLAIN, "content-type": kind})


def store_check(store: Store) -> str:
    """Return ``ok`` if a scenario could be saved now, or why not."""
    if not store.file.is_file():
        return WELL if _may_make(store.file.parent) else "the data folder cannot be written"
    try:
        base = sqlite3.connect(f"{store.file.absolute().as_uri()}?mode=rw", timeout=1, isolation_level=None, uri=True)
        try:
            base.execute("BEGIN IMMEDIATE")
            base.execute("CREATE TABLE tried (x)")  # a file that may only be read allows the line before
            base.execute("ROLLBACK")
        finally:
            base.close()
    except sqlite3.Error as error:
        busy = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
        return WELL if busy else f"the store cannot be written: {error}"
    return WELL


def _may_make(folder: Path) -> bool:
    """Could a file be written in a folder, which need not be there yet?"""
    there = _nearest(folder)
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def _disk_check(folder: Path) -> str:
    """Return ``ok`` if the disk has room, or how little there is."""
    try:
        free = shutil.disk_usage(_nearest(folder)).free
    except OSError as error:
        return f"the data folder cannot be read: {error.strerror}"
    return WELL if free >= LEAST_ROOM else f"{free:,} bytes are free, fewer than {LEAST_ROOM:,}"


def _nearest(folder: Path) -> Path:
    """Return a folder, or the nearest one above that is there; a link to nowhere is in the way of one."""
    return next((each for each in (folder, *folder.parents) if each.exists() or each.is_symlink()), folder)


def _workers_check(pool: Pool | None) -> str:
    """Return ``ok`` if there are workers, or none are needed, or what they lack."""
    return WELL if pool is None or pool.alive else "the worker processes are not running"


def _local(request: Request) -> bool:
    """Does a program on this machine ask? Behind a proxy, the client is the proxy's."""
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False
