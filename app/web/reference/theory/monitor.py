"""The value of one quantity over time, according to the snapshots of a run: ``/monitor`` and ``/monitor/REF``.

``/monitor/REF?…&of=flight``: the query names the run as on other pages; ``of`` is the quantity: ``flight`` (the
messages in flight), a channel, or a process whose state is a number.

What ``monitor.html`` gets, besides what every page about a run gets (see ``app.web.shared.run_page.run_context``)
------------------------------------------------------------------------------------------------
``offered``  [(value of ``of``, its name)], ``of`` the current one
``figure``   (see ``app.pictures.chart``), ``count`` the number of its snapshots, and ``never`` how many of their
             recorded states the run was never in
``hidden``   the form's hidden fields that name the run
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from pydantic import StringConstraints
from starlette.responses import HTMLResponse, Response

from app.analysis.readings import FLIGHT, Reading, quantities, readings, truth
from app.core.model.values import BluecutError
from app.pictures.chart import Axis, Cell, Figure, Point, Series, Table, four_digits
from app.web.base.errors import answers
from app.web.base.templates import Context, page
from app.web.shared.default_run import redirects_to
from app.web.shared.run_page import run_context
from app.web.shared.visit import Visit, VisitedRun
from app.words.catalogues import word

FIRST = "meter-readings"

Of = Annotated[
    str,
    StringConstraints(max_length=40),
    Parameter(description="what is read: flight, a channel, or a process whose state is a number"),
]

router = APIRouter(responses=answers(400, 404))
redirects_to(router, "monitor", FIRST)


@router.get("/monitor/{ref}", response_class=HTMLResponse)
def monitor(shown: VisitedRun, of: Of = "") -> Response:
    """Return the chart."""
    known = quantities(shown.run)
    of = of or FLIGHT
    if of not in known:
        raise BluecutError("of: {of!r} cannot be read in this run; one of {known}", of=of, known=tuple(known))
    found = readings(shown.run, known[of])
    context: Context = run_context(shown, "monitor") | {
        "of": of,
        "offered": [(name, _called(name, shown.language)) for name in known],
        "figure": _figure(shown, of, found),
        "count": len(found),
        "never": sum(one.was is None for one in found),
        "hidden": shown.address.query(lang=shown.address.lang),
    }
    return page(shown.request, "monitor.html", **context)


def _called(of: str, spoken: str) -> str:
    if of == FLIGHT:
        return word("monitor.of.flight", spoken)
    return word("monitor.of.channel" if "->" in of else "monitor.of.process", spoken, name=of)


def _figure(visit: Visit, of: str, found: tuple[Reading, ...]) -> Figure:
    """Return the true value over the steps, and what each snapshot says, at the step in which it was complete."""
    spoken, name = visit.language, _called(of, visit.language)
    points = tuple(
        Point(
            one.completed,
            one.recorded,
            visit.address.of_step(one.completed),
            word("monitor.point", spoken, **_fields(one)),
        )
        for one in found
    )
    return Figure(
        "monitor",
        word("monitor.figure", spoken, quantity=name),
        Axis(word("monitor.step", spoken)),
        Axis(name),
        (
            Series(word("monitor.true", spoken), tuple(_stairs(truth(visit.run, of))), "trend"),
            Series(word("monitor.recorded", spoken), points, "point"),
        ),
        _numbers(visit, found),
    )


def _stairs(values: list[tuple[int, int | float]]) -> Iterator[Point]:
    """Yield a line that stays level until the step in which it changes. It has too many corners to mark each."""
    for (_, before), (step, value) in pairwise(values[:1] + values):
        yield Point(step, before)
        yield Point(step, value)


def _numbers(visit: Visit, found: tuple[Reading, ...]) -> Table:
    """Return the same in rows, one per snapshot: the true value at its start, the recorded one, the true value at its
    end."""
    spoken = visit.language
    head = tuple(word(f"monitor.head.{name}", spoken) for name in ("snapshot", "before", "recorded", "after", "was"))
    rows = tuple(
        (
            Cell(word("monitor.snapshot", spoken, snapshot=one.number, first=one.started, last=one.completed)),
            Cell(four_digits(one.before), visit.address.of_step(one.started - 1)),
            Cell(four_digits(one.recorded), visit.address.of_step(one.completed)),
            Cell(four_digits(one.after), visit.address.of_step(one.completed)),
            Cell(word("monitor.never", spoken))
            if one.was is None
            else Cell(word("monitor.was", spoken, step=one.was), visit.address.of_step(one.was)),
        )
        for one in found
    )
    return Table(head, rows, 1)


def _fields(one: Reading) -> Context:
    """Return the words about a snapshot."""
    return {
        "snapshot": one.number,
        "started": one.started,
        "completed": one.completed,
        "before": four_digits(one.before),
        "after": four_digits(one.after),
    }
