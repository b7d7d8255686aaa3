"""Inside Spark: a real query that visitors kill between its sink and its commit log, and start again.

``inside.html`` and ``_inside_live.html``, the part of it that follows the query, get
``does``       what the query does, see ``app.web.watched``
``query``      all that its files say, see ``app.web.epochs``; ``shown`` its batches, the latest first
``pid``        the process, or the last that there was
``aimed``      will it be killed at the next moment between sink and commit?
``failed``     why it failed, as a Phrase, or None
``missing``    the Python packages that are not there; ``install`` what to type
``limits``     {batches, minutes}: when it ends by itself
``asked``      what to put behind an address so that its answer speaks the same language
``crashes``    [{title, surprise, picture, url}]: the same crash in the simulator
"""

from typing import Any, Literal

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.model import Crash
from app.simulator.key import RunKey
from app.simulator.library import LIBRARY
from app.view.address import Address, stamp
from app.web.editor import asked
from app.web.errors import answers
from app.web.job import failure
from app.web.language import language
from app.web.origin import same_origin
from app.web.page import page
from app.web.spark import INSTALL, missing, possible
from app.web.watched import Watched

BATCHES = 24
MINUTES = 10
LIMITS = ("--batches", str(BATCHES), "--minutes", str(MINUTES))
"""When the query ends by itself."""

CRASHES = ("micro-batch", "micro-batch-plain")
"""The scenarios of the same crash, at either sink."""

Act = Literal["start", "restart", "kill", "aim", "end"]

router = APIRouter()
ours = [Depends(same_origin)]


@router.get("/spark", response_class=HTMLResponse)
def inside(request: Request) -> Response:
    """The page."""
    return page(request, "inside.html", **seen(request), crashes=[crash(request, name) for name in CRASHES])


@router.get("/spark/live", response_class=HTMLResponse)
def live(request: Request) -> Response:
    """The part of it that follows the query."""
    return page(request, "_inside_live.html", **seen(request))


@router.post("/spark/{act}", include_in_schema=False, dependencies=ours, responses=answers(403))
def act(request: Request, act: Act) -> Response:
    """Do something to the query. What cannot be done any more, because somebody else was quicker, is not: the answer
    shows what there is."""
    watched: Watched = request.app.state.inside
    if act in ("start", "restart"):
        if possible() and not missing():
            watched.start() if act == "start" else watched.restart()
    elif act == "kill":
        watched.kill()
    elif act == "aim":
        watched.aim()
    else:
        watched.close()
    if request.headers.get("hx-request"):
        return live(request)
    return RedirectResponse(f"/spark{asked(request)}", 303)


def seen(request: Request) -> dict[str, Any]:
    """What both templates get."""
    watched: Watched = request.app.state.inside
    does, query = watched.look()
    return {
        "does": does,
        "query": query,
        "shown": query.epochs[::-1],
        "pid": watched.pid,
        "aimed": watched.aimed,
        "failed": failure(query.now.get("mistake")),
        "missing": missing(),
        "possible": possible(),
        "install": INSTALL,
        "limits": {"batches": BATCHES, "minutes": MINUTES},
        "asked": asked(request),
    }


def crash(request: Request, name: str) -> dict[str, Any]:
    """The crash of a scenario: its picture at that step, and where the run goes on from there."""
    scenario, spoken = LIBRARY.scenario(name), language(request)
    run = request.app.state.runs.recorded(scenario, RunKey()).run
    step = next(step.number for step in run.steps if isinstance(step.action, Crash))
    lang = spoken if asked(request) else None
    here = Address(name, scenario, RunKey(), step, lang=lang)
    return {
        "title": getattr(scenario.form.title, spoken),
        "surprise": getattr(scenario.form.surprise, spoken),
        "picture": here.url("run", "step", f"{step}.svg", lang=spoken, v=stamp(scenario)),
        "url": here.here,
        "step": step,
    }
