"""What it costs: the page of measurements.

Every number comes from runs of the simulator in virtual time; every point of a figure links to the measured run.
Measurements are made on the first request (see ``app.web.measure.costs.measure_queue``); until then their part of the
page shows the progress and asks again.

``tradeoffs.html`` gets ``query`` (the settings, see ``app.web.measure.costs.query``), ``measures`` that can be drawn,
``ranges`` of the sliders (name to (least, most, step)), ``asked_lang`` and ``parts`` {name: what ``_costs_part.html``
gets}: ``name``, ``progress`` (a Progress, or None if everything is known), ``again`` (the address of this part) and
``here`` (that of the page), and what the module of that name gives.
"""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.analysis.experiments import MEANS, PRICES, SIZES, SLOW, STORING
from app.pictures.chart import four_digits
from app.web.base.errors import NoSuchStep, answers
from app.web.base.language import language, named
from app.web.base.templates import page
from app.web.measure.costs import all_algorithms, interval, quiet_times, size, storage, straggler
from app.web.measure.costs.measure_queue import Laboratory, Progress, Results
from app.web.measure.costs.measured_run import Trial
from app.web.measure.costs.query import MEASURES, Query

Context = Callable[[Query, Results, str, str | None], dict[str, Any]]

PARTS: dict[str, tuple[Callable[[Query], tuple[Trial, ...]], Context]] = {
    "straggler": (straggler.trials, straggler.context),
    "interval": (interval.trials, interval.context),
    "storage": (storage.trials, storage.context),
    "tides": (quiet_times.trials, quiet_times.context),
    "crowd": (size.trials, size.context),
    "dashboard": (all_algorithms.trials, all_algorithms.context),
}
"""The parts of the page in order: the runs that each needs, and their presentation."""

IN_TURN = (*(name for name in PARTS if name != "crowd"), "crowd")
"""The order in which they are measured: the slowest comes last."""

RANGES = {
    name: (values[0], values[-1], values[1] - values[0])
    for name, values in (("slow", SLOW), ("price", PRICES), ("mean", MEANS), ("size", SIZES), ("storing", STORING))
}

AT_FIRST = 0.3
PATIENCE = 1.5
"""The most seconds that the page and one of its parts wait for measurements."""

router = APIRouter(responses=answers(404))
Turned = Annotated[Query, Parameter()]


@router.get("/tradeoffs", response_class=HTMLResponse)
async def tradeoffs(request: Request, query: Turned) -> Response:
    """Return the whole page."""
    made = dict(zip(IN_TURN, await asyncio.gather(*(_part(request, n, query, AT_FIRST) for n in IN_TURN)), strict=True))
    context: dict[str, Any] = {
        "query": query.model_dump(),
        "measures": MEASURES,
        "ranges": RANGES,
        "shown": four_digits,
        "asked_lang": named(request),
        "parts": {name: made[name] for name in PARTS},
    }
    return page(request, "tradeoffs.html", **context)


@router.get("/tradeoffs/{name}", response_class=HTMLResponse)
async def one_part(request: Request, name: str, query: Turned) -> Response:
    """Return one part of it, for an existing page. Raises NoSuchStep if there is none of that name."""
    if name not in PARTS:
        raise NoSuchStep("unknown part {name!r}; one of {known}", name=name[:40], known=tuple(PARTS))
    made = await _part(request, name, query, PATIENCE)
    return page(
        request,
        "_costs_part.html",
        query=query.model_dump(),
        shown=four_digits,
        part=made,
    )


async def _part(request: Request, name: str, query: Query, patience: float) -> dict[str, Any]:
    """Return what a part of the page gets."""
    trials, context = PARTS[name]
    laboratory: Laboratory = request.app.state.laboratory
    found = await laboratory.results(trials(query), patience)
    lang = named(request)
    known = {"name": name, "again": query.url(f"/tradeoffs/{name}", lang), "here": query.url(lang=lang)}
    if isinstance(found, Progress):
        return {**known, "progress": found}
    return {**known, "progress": None, **context(query, found, language(request), lang)}
