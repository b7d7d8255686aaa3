"""What the first visitor would otherwise wait for: libraries loaded on first use, and the first page."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from app.core.model.topology import Topology, named
from app.scenario.library import FIRST, LIBRARY
from app.scenario.run_key import RunKey
from app.web.base.glossary_links import known
from app.web.base.templates import ENVIRONMENT

GRID = tuple(f"P{i}" for i in range(13))
"""Enough processes for the layout that loads the most."""


def warm(app: FastAPI) -> None:
    """Load what pages about runs use."""
    app.state.runs.recorded(LIBRARY.scenario(FIRST), RunKey())
    known()
    for template in ("run.html", "step.html"):
        ENVIRONMENT.get_template(template)
    _ = Topology(GRID, named("random", list(GRID))).layout  # the property loads its libraries when it is read


@asynccontextmanager
async def warming(app: FastAPI) -> AsyncIterator[None]:
    """Warm up and tidy up in parallel with the first answers. The query that visitors watch ends with the server."""
    threading.Thread(target=warm, args=(app,), daemon=True, name="warm").start()
    if app.state.pool:
        threading.Thread(target=app.state.pool.warm, daemon=True, name="workers").start()
    threading.Thread(target=app.state.jobs.open, daemon=True, name="tidy").start()
    yield
    app.state.inside.leave()
    if app.state.pool:
        app.state.pool.close()
