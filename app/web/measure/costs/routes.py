"""What it costs: the page of measurements.

Every number comes from runs of the simulator in virtual time that were measured once (``app.analysis.cost_runs``);
every point of a figure opens its run. A slider chooses among what was measured.

``costs.html`` gets ``query`` (the settings, see ``app.web.measure.costs.query``), ``measures`` that can be drawn,
``ranges`` of the sliders (name to (least, most, step)), ``leads`` (the numbers in the texts before the
parts) and ``parts`` by name (see ``app.web.measure.costs.parts``).
"""

from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.web.base.errors import NoSuchStep, answers
from app.web.base.htmx import part_only
from app.web.base.language import language, named
from app.web.base.templates import page
from app.web.measure.costs.drawn import Drawn
from app.web.measure.costs.parts import PARTS, leads
from app.web.measure.costs.query import AXES, MEASURES, Query, stops
from app.web.shared.default_run import query_of

router = APIRouter(responses=answers(404))
Turned = Annotated[Query, Parameter()]


@router.get("/costs", response_class=HTMLResponse)
def costs(request: Request, query: Turned) -> Response:
    """Return the whole page."""
    draw = Drawn(language(request), named(request))
    return page(
        request,
        "costs.html",
        query=query.model_dump(),
        measures=MEASURES,
        ranges={name: (found[0], found[-1], found[1] - found[0]) for name in AXES for found in [stops(name)]},
        leads=leads(),
        parts={name: made(query, draw) for name, made in PARTS.items()},
    )


@router.get("/tradeoffs{rest:path}", include_in_schema=False)
def moved(request: Request, rest: str) -> Response:
    """Redirect from the address that the page had before."""
    return RedirectResponse(f"/costs{rest}{query_of(request)}", 308)


@router.get("/costs/{name}", response_class=HTMLResponse)
def one_part(request: Request, name: str, query: Turned) -> Response:
    """Return one part of it for htmx; everyone else gets the whole page, at that part. Raises NoSuchStep if there is
    none of that name."""
    if name not in PARTS:
        raise NoSuchStep("unknown part {name!r}; one of {known}", name=name[:40], known=tuple(PARTS))
    if not part_only(request):
        return RedirectResponse(f"/costs{query_of(request)}#{name}", 302)
    made = PARTS[name](query, Drawn(language(request), named(request)))
    return page(request, "_costs_part.html", name=name, part=made)
