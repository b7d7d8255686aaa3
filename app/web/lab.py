"""The Lab: what a sweep over many runs has measured, as figures of which every point opens its run.

All of it comes from one file, the report of a sweep: the one that comes with Bluecut, or that of a sweep which somebody
has started here (``?job=``). No Spark is needed to read it.

``lab.html`` gets ``query`` (see ``app.web.swept.query``), ``asked_lang``, ``jobs`` (the address of the panel where
sweeps are started) and either ``trouble`` (a Phrase: why there is no report) or what ``shown`` gives.
"""

import csv
import io
import re
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from app.places import STATIC
from app.simulator.key import ENGINE
from app.view.figure import shown as number
from app.web.errors import answers
from app.web.language import language
from app.web.page import page
from app.web.swept.broken import COLUMNS, PARTS, rates
from app.web.swept.growth import panels
from app.web.swept.loss import losses
from app.web.swept.query import FILTERS, Query, asked, measured, options
from app.web.swept.report import AGAINST, MEASURES, Group, Report, Unread, report
from app.web.swept.spread import spread
from app.web.swept.words import algorithm, called, check, link, settings, topology

SHIPPED = STATIC / "lab" / "report.json"
JOB = re.compile(r"[A-Za-z0-9_-]{1,40}")

SETTINGS = ("algorithm", "topology", "processes", "channels", "program", "discipline", "delay", "interval")

router = APIRouter(responses=answers(400, 404))

Word = Annotated[str, Parameter(max_length=40)]


def turned(
    job: Annotated[str, Parameter(max_length=40, description="a sweep that was started here")] = "",
    measure: Annotated[str, Parameter(max_length=40, description=f"one of {', '.join(MEASURES)}")] = "duration",
    against: Annotated[str, Parameter(max_length=40, description=f"one of {', '.join(AGAINST)}")] = "channels",
    algorithm: Annotated[str, Parameter(max_length=40, description="only runs of this algorithm")] = "",
    topology: Annotated[str, Parameter(max_length=40, description="only runs on graphs of this shape")] = "",
    discipline: Annotated[str, Parameter(max_length=40, description="only runs with this order of delivery")] = "",
    size: Annotated[str, Parameter(max_length=40, description="only runs with so many processes")] = "",
    lang: Annotated[str, Parameter(max_length=40, description="en or zh")] = "",
) -> Query:
    """What is asked, as the address has it."""
    known = lang if lang in ("en", "zh") else ""
    return Query(measure, against, algorithm, topology, discipline, size, job, known)


Asked = Annotated[Query, Depends(turned)]


@router.get("/lab", response_class=HTMLResponse)
def lab(request: Request, query: Asked) -> Response:
    """The page, or, for htmx, only what the filters change."""
    context: dict[str, Any] = {
        "asked_lang": query.lang,
        "jobs": f"/lab/jobs?lang={query.lang}" if query.lang else "/lab/jobs",
    }
    try:
        found = report(file_of(request, query))
    except Unread as error:
        return page(request, "lab.html", status=404, query=query, trouble=error.phrase, **context)
    query = asked(found, query)
    context |= {"query": query, "trouble": None} | shown(found, query, language(request))
    # Going back in the browser's history asks for the whole page.
    if request.headers.get("hx-request") and not request.headers.get("hx-history-restore-request"):
        return page(request, "_lab_found.html", headers={"hx-push-url": query.address()}, **context)
    return page(request, "lab.html", **context)


@router.get("/lab/report.json", response_class=FileResponse, responses={200: {"content": {"application/json": {}}}})
def whole(request: Request, job: Annotated[str, Parameter(max_length=40)] = "") -> Response:
    """The report as it is. Raises Unread."""
    file = file_of(request, Query(job=job))
    report(file)
    name = f"bluecut-report-{job}.json" if job else "bluecut-report.json"
    return FileResponse(file, media_type="application/json", filename=name)


@router.get("/lab/samples.csv", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
def samples(request: Request, query: Asked) -> Response:
    """The single snapshots that the query leaves, one a line. Raises Unread."""
    found = report(file_of(request, query))
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*SETTINGS, "snapshot", "broken", *MEASURES, "url"])
    for group, sample in query.samples(found):
        facts = [getattr(group, name) for name in SETTINGS]
        values = [sample.value(name) for name in MEASURES]
        table.writerow(
            [*facts, sample.snapshot, " ".join(sample.broken), *values, str(request.base_url)[:-1] + sample.at(group)]
        )
    named = {"content-disposition": 'attachment; filename="bluecut-samples.csv"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=named)


def file_of(request: Request, query: Query) -> Path:
    """Where the report is. Raises Unread for what cannot be the name of a sweep."""
    if not query.job:
        return SHIPPED
    if not JOB.fullmatch(query.job):
        raise Unread("there is no sweep of this name; copy the address again, or start a sweep of your own")
    folder: Path = request.app.state.data
    return folder / "lab" / query.job / "report.json"


def shown(found: Report, query: Query, spoken: str) -> dict[str, Any]:
    """What the page gets of a report: the ``report`` itself, ``swept`` (what varied, see there), ``measures`` and
    ``against`` to choose from, ``filters`` (see ``choices``), the ``spread``, the ``panels`` of growth, ``rates`` and
    their ``columns``, ``losses``, ``samples`` for the table, and whether the report is of ``another`` engine."""
    every, here = rates(found, query.everything, spoken), rates(found, query, spoken)
    groups = query.groups(found)
    return {
        "report": found,
        "another": found.engine != ENGINE,
        "swept": swept(found, spoken),
        "measures": measured(found),
        "against": AGAINST,
        "filters": {name: choices(found, query, name, spoken) for name in FILTERS},
        "left": sum(group.runs for group in groups),
        "every": dict.fromkeys(PARTS) | {each.part: each for each in every},
        "spread": spread(found, query, spoken),
        "panels": panels(found, query, spoken),
        "rates": here,
        "columns": [(name, check(name, spoken)) for name in COLUMNS[:-1]],
        "losses": losses(found, query, spoken),
        "samples": [line(group, sample, query, spoken) for group, sample in query.samples(found)],
        "number": number,
    }


def choices(found: Report, query: Query, name: Any, spoken: str) -> list[tuple[str, str, int]]:
    """The values of a filter: (value, what it is called, how many runs it would leave)."""
    return [(one.value, name_of(name, one.value, spoken), one.runs) for one in options(found, query, name)]


def name_of(name: str, value: str, spoken: str) -> str:
    """What a value of a filter is called."""
    if name == "algorithm":
        return algorithm(value, spoken)
    if name == "topology":
        return topology(value, spoken)
    return value if name == "size" else called("discipline.", value, spoken)


def swept(found: Report, spoken: str) -> dict[str, list[str]]:
    """What varied in the sweep, and over what, in words: by the name of the setting."""
    told: dict[str, list[str]] = {}
    for name in FILTERS:
        told[name] = [name_of(name, one.value, spoken) for one in options(found, Query(), name)]
    for setting in ("program", "delay", "interval"):
        values = {getattr(group, setting) for group in found.groups} - {None}
        told[setting] = [str(value) for value in sorted(values)]
    told["runs"] = [str(runs) for runs in sorted({group.runs for group in found.groups})]
    return told


def line(group: Group, sample: Any, query: Query, spoken: str) -> dict[str, Any]:
    """A snapshot in the table of all points."""
    return {
        "algorithm": algorithm(group.algorithm, spoken),
        "settings": settings(group, spoken),
        "value": sample.value(query.measure),
        "against": getattr(group, query.against),
        "broken": [check(name, spoken) for name in sample.broken],
        "url": link(group, sample, query),
    }
