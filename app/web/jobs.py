"""The panel of the Lab where sweeps are started, watched and cancelled.

``_jobs.html`` (inside ``jobs.html`` for browsers without scripts), ``_jobs_form.html`` and ``_jobs_list.html`` get
``jobs``       the sweeps, the latest first (see ``app.web.job``)
``wish``       what the form says, ``plan`` what that comes to (see ``app.web.sweepform``)
``tried``      has somebody tried to start it as it is?
``wrong``      why it was not started although nothing is wrong with it, a Phrase or None
``shapes`` ``programs`` ``disciplines`` ``groups``   what there is to choose; ``groups`` are the algorithms
``limits``     {least, most, sizes, chosen, seeds, runs, kept, room}; ``room`` in megabytes
``lack``       why nothing can be started here (see ``app.web.spark``), or None
``missing``    the Python packages that are not there; ``install`` what to type
``exposed``    do other machines reach this server?
``reload``     shall a browser without scripts ask again by itself?
``asked``      what to put behind an address so that its answer speaks the same language
``and_lang``   the same, where the address has a question mark already
"""

from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends
from fastapi import Path as Place
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.algorithms.registry import ALGORITHMS
from app.core.model import BluecutError, Phrase
from app.core.system import DISCIPLINES
from app.web import sweepform
from app.web.editor import MOST_FIELDS, asked
from app.web.errors import answers, told
from app.web.job import Busy, Jobs
from app.web.language import language
from app.web.origin import same_origin
from app.web.page import page
from app.web.spark import INSTALL, OFF, lack, missing
from app.web.sweepform import PROGRAMS, SHAPES, Wish, again, judged, spec, wish

router = APIRouter()
ours = [Depends(same_origin)]
Id = Annotated[str, Place(max_length=40)]


@router.get("/lab/jobs", response_class=HTMLResponse)
def panel(request: Request) -> Response:
    """The panel; a page of its own where nothing asks for a piece."""
    return shown(request, begun(request))


@router.get("/lab/jobs/list", response_class=HTMLResponse)
def listed(request: Request) -> Response:
    """The sweeps alone."""
    return page(request, "_jobs_list.html", **sweeps(request))


async def posted(request: Request) -> Wish:
    """The form as it was posted. Raises BluecutError where it has too many fields."""
    try:
        pairs = parse_qsl((await request.body()).decode("utf-8", "replace"), max_num_fields=MOST_FIELDS)
    except ValueError:
        raise BluecutError("the form has more than {most:,} fields", most=MOST_FIELDS) from None
    return wish(pairs)


@router.get("/lab/jobs/plan", include_in_schema=False)
def planned(request: Request) -> Response:
    """Whoever comes back to where something was posted finds the panel."""
    return RedirectResponse(f"/lab/jobs{asked(request)}", 303)


@router.post("/lab/jobs/plan", include_in_schema=False, dependencies=ours, responses=answers(403))
def plan(request: Request, asked_for: Annotated[Wish, Depends(posted)]) -> Response:
    """What the form comes to, before it is started."""
    if request.headers.get("hx-request"):
        return page(request, "_jobs_form.html", **form(request, asked_for))
    return shown(request, asked_for)


@router.post("/lab/jobs", include_in_schema=False, dependencies=ours, responses=answers(403))
def start(request: Request, asked_for: Annotated[Wish, Depends(posted)]) -> Response:
    """Start a sweep."""
    jobs: Jobs = request.app.state.jobs
    lacking = lack(request)
    if lacking == "off":
        return told(request, 403, OFF)
    if not judged(asked_for).fits:
        return shown(request, asked_for, tried=True, status=422)
    try:
        if lacking:
            raise Busy("this server cannot run Spark; the page says what is missing")
        jobs.start(spec(asked_for), language(request))
    except BluecutError as error:
        return shown(request, asked_for, error.phrase, status=409 if isinstance(error, Busy) else 422)
    if request.headers.get("hx-request"):
        return shown(request, asked_for)
    return RedirectResponse(f"/lab/jobs{asked(request)}", 303)


@router.post("/lab/jobs/{name}/cancel", include_in_schema=False, dependencies=ours, responses=answers(403))
def cancel(request: Request, name: Id) -> Response:
    """End a sweep. One that has ended meanwhile is shown as it is."""
    if lack(request) == "off":
        return told(request, 403, OFF)
    request.app.state.jobs.cancel(name)
    return after(request)


@router.post("/lab/jobs/{name}/resume", include_in_schema=False, dependencies=ours, responses=answers(403))
def resume(request: Request, name: Id) -> Response:
    """Let a sweep go on where it was stopped."""
    if lacking := lack(request):
        return told(request, 403, OFF) if lacking == "off" else after(request)
    try:
        request.app.state.jobs.go_on(name, language(request))
    except BluecutError as error:
        if not request.headers.get("hx-request"):
            return shown(request, begun(request), error.phrase, status=409 if isinstance(error, Busy) else 422)
        return page(request, "_jobs_list.html", **sweeps(request) | {"refused": error.phrase})
    return after(request)


def after(request: Request) -> Response:
    """What is shown after something was done to a sweep."""
    if request.headers.get("hx-request"):
        return listed(request)
    return RedirectResponse(f"/lab/jobs{asked(request)}", 303)


def begun(request: Request) -> Wish:
    """The form before anybody has changed it here: as the sweep has it that runs, else as it is at first."""
    jobs: Jobs = request.app.state.jobs
    running = next((job for job in jobs.all() if not job.over), None)
    return again(running.spec) if running else Wish()


def sweeps(request: Request) -> dict[str, Any]:
    """What the list gets."""
    lang = asked(request)
    found = request.app.state.jobs.all()
    return {"jobs": found, "refused": None, "lack": lack(request), "asked": lang, "and_lang": lang.replace("?", "&")}


def form(request: Request, filled: Wish, *, tried: bool = False) -> dict[str, Any]:
    """What the form gets."""
    jobs: Jobs = request.app.state.jobs
    return {
        "wish": filled,
        "plan": judged(filled),
        "tried": tried,
        "shapes": SHAPES,
        "programs": PROGRAMS,
        "disciplines": DISCIPLINES,
        "groups": {
            "right": [name for name, rules in ALGORITHMS.items() if rules.WRONG is None],
            "broken": [name for name, rules in ALGORITHMS.items() if rules.WRONG is not None],
        },
        "limits": {
            "least": sweepform.LEAST,
            "most": sweepform.MOST,
            "sizes": sweepform.SIZES,
            "chosen": sweepform.CHOSEN,
            "seeds": sweepform.SEEDS,
            "runs": sweepform.RUNS,
            "kept": jobs.kept,
            "room": jobs.room // 1_000_000,
        },
        "asked": asked(request),
    }


def shown(
    request: Request, filled: Wish, wrong: Phrase | None = None, *, tried: bool = False, status: int = 200
) -> Response:
    """The panel with the form as it was filled in."""
    context = sweeps(request) | form(request, filled, tried=tried)
    # Asking again would empty a form that somebody fills in; where one sweep runs, another cannot be started.
    works = any(not job.over for job in context["jobs"])
    context |= {
        "wrong": wrong,
        "missing": missing(),
        "install": INSTALL,
        "exposed": request.app.state.exposed,
        "reload": works and request.method == "GET",
    }
    if request.headers.get("hx-request"):
        return page(request, "_jobs.html", **context)
    return page(request, "jobs.html", status=status, **context)
