"""The panel of the Lab where sweeps are started, watched and cancelled.

``_jobs.html`` (inside ``jobs.html`` for browsers without scripts), ``_jobs_form.html`` and ``_jobs_list.html`` get
``jobs``       the sweeps, the latest first (see ``app.web.measure.lab.sweep_jobs``)
``wish``       what the form says, ``plan`` the resulting sweep (see ``app.web.measure.lab.sweep_form``)
``tried``      has the visitor tried to start it as it is?
``wrong``      why it was not started although it is correct, a Phrase or None
``shapes`` ``programs`` ``disciplines`` ``groups``   the choices; ``groups`` are the algorithms
``limits``     {least, most, sizes, chosen, seeds, runs, kept, room}; ``room`` in megabytes
``lack``       why nothing can be started here (see ``app.web.shared.spark_available``), or None
``missing``    the missing Python packages; ``install`` what to type
``exposed``    do other machines reach this server?
``reload``     should a browser without scripts reload automatically?
``asked``      what to append to an address so that its answer is in the same language
``and_lang``   the same, if the address already has a question mark
"""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi import Path as Place
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.model.system import DISCIPLINES
from app.core.model.values import BluecutError, Phrase
from app.web.base.errors import answers, error_response
from app.web.base.form_fields import form_fields
from app.web.base.language import language, language_query
from app.web.base.same_origin import same_origin
from app.web.base.templates import Context, page
from app.web.measure.lab import sweep_form
from app.web.measure.lab.sweep_form import PROGRAMS, SHAPES, Wish, again, judged, spec, wish
from app.web.measure.lab.sweep_jobs import Busy, Jobs
from app.web.shared.algorithm_options import grouped
from app.web.shared.spark_available import INSTALL, OFF, lack, missing

router = APIRouter()
ours = [Depends(same_origin)]
Id = Annotated[str, Place(max_length=40)]


@router.get("/lab/jobs", response_class=HTMLResponse)
def panel(request: Request) -> Response:
    """Return the panel, as a whole page unless a piece is wanted."""
    return _sweep_panel(request, _begun(request))


@router.get("/lab/jobs/list", response_class=HTMLResponse)
def listed(request: Request) -> Response:
    """Return the sweeps alone."""
    return page(request, "_jobs_list.html", **_sweeps(request))


async def _posted(request: Request) -> Wish:
    """Return the posted form. Raises BluecutError if it has too many fields."""
    return wish((name, value) for name, value in await form_fields(request) if value)


@router.get("/lab/jobs/plan", include_in_schema=False)
def planned(request: Request) -> Response:
    """Return the panel to visitors who come back to a posted address."""
    return RedirectResponse(f"/lab/jobs{language_query(request)}", 303)


@router.post("/lab/jobs/plan", include_in_schema=False, dependencies=ours, responses=answers(403))
def plan(request: Request, asked_for: Annotated[Wish, Depends(_posted)]) -> Response:
    """Return the form with the sweep that it describes, before it is started."""
    if request.headers.get("hx-request"):
        return page(request, "_jobs_form.html", **_form(request, asked_for))
    return _sweep_panel(request, asked_for)


@router.post("/lab/jobs", include_in_schema=False, dependencies=ours, responses=answers(403))
def start(request: Request, asked_for: Annotated[Wish, Depends(_posted)]) -> Response:
    """Start a sweep."""
    jobs: Jobs = request.app.state.jobs
    lacking = lack(request)
    if lacking == "off":
        return error_response(request, 403, OFF)
    if not judged(asked_for).fits:
        return _sweep_panel(request, asked_for, tried=True, status=422)
    try:
        if lacking:
            raise Busy("this server cannot run Spark; the page says what is missing")
        jobs.start(spec(asked_for), language(request))
    except BluecutError as error:
        return _sweep_panel(request, asked_for, error.phrase, status=409 if isinstance(error, Busy) else 422)
    if request.headers.get("hx-request"):
        return _sweep_panel(request, asked_for)
    return RedirectResponse(f"/lab/jobs{language_query(request)}", 303)


@router.post("/lab/jobs/{name}/cancel", include_in_schema=False, dependencies=ours, responses=answers(403))
def cancel(request: Request, name: Id) -> Response:
    """End a sweep. One that has already ended is shown as it is."""
    if lack(request) == "off":
        return error_response(request, 403, OFF)
    request.app.state.jobs.cancel(name)
    return _after(request)


@router.post("/lab/jobs/{name}/resume", include_in_schema=False, dependencies=ours, responses=answers(403))
def resume(request: Request, name: Id) -> Response:
    """Continue a stopped sweep."""
    if lacking := lack(request):
        return error_response(request, 403, OFF) if lacking == "off" else _after(request)
    try:
        request.app.state.jobs.go_on(name, language(request))
    except BluecutError as error:
        if not request.headers.get("hx-request"):
            return _sweep_panel(request, _begun(request), error.phrase, status=409 if isinstance(error, Busy) else 422)
        return page(request, "_jobs_list.html", **_sweeps(request) | {"refused": error.phrase})
    return _after(request)


def _after(request: Request) -> Response:
    """Return the page after an action on a sweep."""
    if request.headers.get("hx-request"):
        return listed(request)
    return RedirectResponse(f"/lab/jobs{language_query(request)}", 303)


def _begun(request: Request) -> Wish:
    """Return the form before any change: that of the running sweep, or else the initial one."""
    jobs: Jobs = request.app.state.jobs
    running = next((job for job in jobs.all() if not job.over), None)
    return again(running.spec) if running else Wish()


def _sweeps(request: Request) -> Context:
    lang = language_query(request)
    found = request.app.state.jobs.all()
    return {"jobs": found, "refused": None, "lack": lack(request), "asked": lang, "and_lang": lang.replace("?", "&")}


def _form(request: Request, filled: Wish, *, tried: bool = False) -> Context:
    jobs: Jobs = request.app.state.jobs
    return {
        "wish": filled,
        "plan": judged(filled),
        "tried": tried,
        "shapes": SHAPES,
        "programs": PROGRAMS,
        "disciplines": DISCIPLINES,
        "groups": grouped(),
        "limits": {
            "least": sweep_form.LEAST,
            "most": sweep_form.MOST,
            "sizes": sweep_form.SIZES,
            "chosen": sweep_form.CHOSEN,
            "seeds": sweep_form.SEEDS,
            "runs": sweep_form.RUNS,
            "kept": jobs.kept,
            "room": jobs.room // 1_000_000,
        },
        "asked": language_query(request),
    }


def _sweep_panel(
    request: Request, filled: Wish, wrong: Phrase | None = None, *, tried: bool = False, status: int = 200
) -> Response:
    context = _sweeps(request) | _form(request, filled, tried=tried)
    # Reloading would empty a form being filled in, but while a sweep runs, no other can be started.
    works = any(not job.over for job in context["jobs"])
    context |= {
        "wrong": wrong,
        "missing": missing(),
        "install": INSTALL,
        "exposed": request.app.state.settings.exposed,
        "reload": works and request.method == "GET",
    }
    if request.headers.get("hx-request"):
        return page(request, "_jobs.html", **context)
    return page(request, "jobs.html", status=status, **context)
