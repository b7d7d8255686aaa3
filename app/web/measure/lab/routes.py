"""The Lab: the results of a sweep over many runs, as figures in which every point opens its run.

Everything comes from one file, the report of a sweep. ``?job=`` says which: the id of a sweep started here, or
``shipped``, the one that comes with Bluecut. By default, it is the one that the server was given (``bluecut serve
--report``), or else the shipped one. Reading it does not need Spark.

``lab.html`` gets ``query`` (see ``app.web.measure.lab.query``), ``jobs`` (the address of the panel
where sweeps are started), ``starts`` (may they be?), ``running`` (the running sweep, or None), ``shipped`` (the address
of the Lab with the shipped report; None if this is it) and either ``trouble`` (a Phrase: why there is no report) or the
``findings`` and what ``report_context`` gives.
"""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from fastapi import APIRouter
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response

from app.analysis.sweep_report import Group, Report, Sample
from app.paths import STATIC
from app.scenario.run_key import ENGINE
from app.web.base.errors import answers, error_response
from app.web.base.htmx import part_only
from app.web.base.language import language
from app.web.base.root import public
from app.web.base.templates import Context, page
from app.web.measure.lab.boxplot import spread
from app.web.measure.lab.crash_cost import losses
from app.web.measure.lab.download import combinations, points
from app.web.measure.lab.findings import findings
from app.web.measure.lab.growth import panels
from app.web.measure.lab.labels import (
    algorithm,
    batched,
    called,
    check,
    link,
    settings,
    three_digits,
    title,
    topology,
    what,
    when,
)
from app.web.measure.lab.query import ALL, FILTERS, REQUIRED, WEAKER, Query, adapted, measured, options
from app.web.measure.lab.regression import LEAST
from app.web.measure.lab.report import AGAINST, Unread, report
from app.web.measure.lab.violations import COLUMNS, breakdown, rates

SHIPPED = STATIC / "lab" / "report.json"
COMES_ALONG = "shipped"
JOB = re.compile(r"[A-Za-z0-9_-]{1,40}")

router = APIRouter(responses=answers(400, 404))
Asked = Annotated[Query, Parameter()]


@router.get("/lab", response_class=HTMLResponse)
def lab(request: Request, query: Asked) -> Response:
    """Return the page, or, for htmx, only what the filters change."""
    partial = part_only(request)
    other = query.job != COMES_ALONG and (query.job or request.app.state.settings.report)
    context: Context = {
        "starts": request.app.state.settings.starts,
        "jobs": f"/lab/jobs?lang={query.lang}" if query.lang else "/lab/jobs",
        "running": next((job for job in request.app.state.jobs.all() if not job.over), None),
        "shipped": Query(job=COMES_ALONG, lang=query.lang).address() if other else None,
    }
    try:
        file = _file_of(request, query)
        found = report(file)
    except Unread as error:
        if partial:
            return error_response(request, 404, error.phrase)
        return page(request, "lab.html", status=404, query=query, trouble=error.phrase, **context)
    query = adapted(found, query)
    context |= {"query": query, "trouble": None} | _report_context(found, query, language(request))
    if other:
        context["measured_at"] = when(file)
    if partial:
        return page(request, "_lab_found.html", headers={"hx-push-url": query.address()}, **context)
    shown = findings(found, query, language(request))
    return page(request, "lab.html", findings=shown, **context)


@router.get("/lab/report.json", response_class=FileResponse, responses={200: {"content": {"application/json": {}}}})
def download_report(request: Request, job: Annotated[str, Parameter(max_length=40)] = "") -> Response:
    """Return the report as it is. Raises Unread."""
    file = _file_of(request, Query(job=job))
    report(file)
    name = f"bluecut-report-{job}.json" if job else "bluecut-report.json"
    return FileResponse(file, media_type="application/json", filename=name)


@router.get(
    "/lab/{table}.{form}",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}, "application/json": {}}}},
)
def table(
    request: Request, table: Literal["points", "combinations"], form: Literal["csv", "json"], query: Asked
) -> Response:
    """Return what the query leaves: the single snapshots, or the combinations of settings, one per row. Raises
    Unread."""
    found = report(_file_of(request, query))
    base = public(request)
    made = points(found, query, base) if table == "points" else combinations(found, query)
    named = {"content-disposition": f'attachment; filename="bluecut-{table}.{form}"'}
    if form == "json":
        return JSONResponse(made.as_json(), headers=named)
    return Response(made.as_csv(), media_type="text/csv; charset=utf-8", headers=named)


def _file_of(request: Request, query: Query) -> Path:
    """Return the path of the report. Raises Unread if the name cannot be that of a sweep."""
    given: Path | None = request.app.state.settings.report
    if query.job == COMES_ALONG or not (query.job or given):
        return SHIPPED
    if not query.job and given:
        return given
    if not JOB.fullmatch(query.job):
        raise Unread("there is no sweep of this name; copy the address again, or start a sweep of your own")
    folder: Path = request.app.state.data
    return folder / "lab" / query.job / "report.json"


def _report_context(found: Report, query: Query, spoken: str) -> Context:
    """Return what the page gets of a report: the ``report`` itself, its ``title`` and a line on ``what`` was swept,
    ``swept`` (what varied, see there), its ``spec`` in YAML, the ``least`` r² of a drawn line, the ``breakdown`` of all
    its snapshots, ``measures`` and ``against`` to choose from, ``filters`` (see ``choices``), how many runs are
    ``left`` and, by the filter of orders, would be (``orders``), the ``spread``, the ``panels`` of growth by program,
    ``rates`` and their ``columns``, ``losses``, ``samples`` for the table, and whether the report is of ``another``
    engine. ``measured_at`` is when it was written; None for the shipped one."""
    return {
        "report": found,
        "title": title(found, spoken),
        "what": what(found, spoken),
        "measured_at": None,
        "another": found.engine != ENGINE,
        "swept": _swept(found, spoken),
        "spec": yaml.safe_dump(found.spec, allow_unicode=True, sort_keys=False, default_flow_style=None, width=100),
        "least": LEAST,
        "breakdown": breakdown(found),
        "measures": measured(found),
        "against": AGAINST,
        "filters": {name: _choices(found, query, name, spoken) for name in FILTERS},
        "left": sum(group.runs for group in query.groups(found)),
        "orders": options(found, query, "discipline"),
        "spread": spread(found, query, spoken),
        "panels": panels(found, query, spoken),
        "rates": rates(found, query, spoken),
        "columns": [(name, check(name, spoken)) for name in COLUMNS[:-1]],
        "losses": losses(found, query, spoken),
        "samples": [_line(group, sample, query, spoken) for group, sample in query.samples(found)],
        "number": three_digits,
    }


def _choices(found: Report, query: Query, name: Any, spoken: str) -> list[tuple[str, str, int]]:
    """Return the values of a filter: (value, its name, how many runs it would leave)."""
    return [(value, _name_of(name, value, spoken), runs) for value, runs in options(found, query, name).items()]


def _name_of(name: str, value: str, spoken: str) -> str:
    if name == "algorithm":
        return algorithm(value, spoken)
    if name == "topology":
        return topology(value, spoken)
    if name == "size":
        return value
    return called("lab.choice.", value or "required", spoken)


def _swept(found: Report, spoken: str) -> dict[str, list[str]]:
    """Return what varied in the sweep, and over what, in words, by the name of the setting."""
    told: dict[str, list[str]] = {}
    for name in FILTERS:
        values = [value for value in options(found, Query(), name) if value not in (REQUIRED, WEAKER, ALL)]
        told[name] = [_name_of(name, value, spoken) for value in values]
    for setting in ("program", "delay"):
        values_of = {getattr(group, setting) for group in found.groups} - {None}
        told[setting] = [
            called("sweep.program.", str(value), spoken) if setting == "program" else str(value)
            for value in sorted(values_of)
        ]
    batches = {group.interval for group in found.groups if group.interval is not None and batched(group)}
    every = {group.interval for group in found.groups if group.interval is not None and not batched(group)}
    told |= {"interval": [str(each) for each in sorted(every)], "batch": [str(each) for each in sorted(batches)]}
    told["runs"] = [str(runs) for runs in sorted({group.runs for group in found.groups})]
    return told


def _line(group: Group, sample: Sample, query: Query, spoken: str) -> Context:
    """Return a snapshot as a row of the table of all points."""
    return {
        "algorithm": algorithm(group.algorithm, spoken),
        "settings": settings(group, spoken),
        "run": sample.run,
        "value": sample.value(query.measure),
        "against": getattr(group, query.against),
        "broken": [check(name, spoken) for name in sample.broken],
        "url": link(group, sample, query),
    }
