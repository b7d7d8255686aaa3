"""Inside Spark: a real query that visitors kill between its sink and its commit log, and restart.

``inside.html`` and ``_inside_live.html``, the part of it that follows the query, get
``does``       what the query does, see ``app.web.measure.spark.query_process``
``query``      the contents of its files, see ``app.web.measure.spark.batch_log``; ``shown`` its batches, the latest
               first
``pid``        the current or last process; ``life`` how often the query has been started
``aimed``      will it be killed at the next moment between sink and commit?
``failed``     why it failed, as a Phrase, or the line of its log that says why it died, or None; ``log`` the last lines
``files``      the last files of the offset log and of the commit log, see ``app.web.measure.spark.batch_log``;
               ``command`` what shows them on a terminal, None if other machines reach this server: it names a folder of
               this one
``ended``      why it has ended on time, ``batches`` or ``minutes``, if its files say so; otherwise None
``goes_on``    is there a checkpoint from which it could continue?
``clock``      {left, since, ends}: seconds until its rest is over, since its current activity began, and until
               it ends; None if there is nothing to say
``lack``       why nothing can be started here (see ``app.web.shared.spark_available``), or None
``missing``    the missing Python packages; ``install`` what to type
``exposed``    do other machines reach this server?
``limits``     {batches, minutes}: when it ends; ``pace`` seconds between two items, ``most`` how many of each log
               are in a batch
``asked``      what to append to an address so that its answer is in the same language
``crashes``    [{form, name, pictures, url, step, moments}]: the same crash in the simulator; ``moments`` are
               (key, step, address, the author's words) of those that the real query also has
``task``       {form, url}: the crash of a task, a different kind
"""

import math
import shlex
import time
from pathlib import Path
from typing import Literal

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.model.values import Crash, Start, Todo, Wake
from app.forms.json_shape import number
from app.run.run import Run
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.base.errors import answers, error_response
from app.web.base.language import language, language_query
from app.web.base.same_origin import same_origin
from app.web.base.templates import Context, page
from app.web.measure.spark.batch_log import Query, entries
from app.web.measure.spark.query_process import Watched
from app.web.shared import subprocesses
from app.web.shared.question_view import stages
from app.web.shared.spark_available import INSTALL, OFF, lack, missing
from app.web.shared.step_view import caption
from app.web.shared.subprocesses import failure
from app.wire.run_url import Address

BATCHES = 24
MINUTES = 10
LIMITS = ("--batches", str(BATCHES), "--minutes", str(MINUTES))
"""When the query ends."""

PACE = 2
MOST = {"P": 3, "Q": 2}
"""Seconds between two items of a log, and the most items of each in a batch: the values of the query."""

ROOMS, NARROW = ((520, 200, 240),), ((340, 176, 640),)
"""The place of a picture of a crash, in px: half of a page, and on a phone."""
CRASHES = ("micro-batch", "micro-batch-plain")
"""The scenarios of the same crash, that of the driver, with either sink."""

TASK = "task-retried"
"""The scenario in which only tasks crash."""

Act = Literal["start", "restart", "kill", "aim", "end"]

router = APIRouter()
ours = [Depends(same_origin)]


@router.get("/spark", response_class=HTMLResponse)
def inside(request: Request) -> Response:
    """Return the page."""
    crashes = [_crash(request, name) for name in CRASHES]
    return page(request, "inside.html", **_seen(request), crashes=crashes, task=_task(request))


@router.get("/spark/live", response_class=HTMLResponse)
def live(request: Request) -> Response:
    """Return the part of it that follows the query."""
    return page(request, "_inside_live.html", **_seen(request))


@router.post("/spark/{act}", include_in_schema=False, dependencies=ours, responses=answers(403))
def act(request: Request, act: Act) -> Response:
    """Do something to the query. If it is no longer possible, because another visitor was quicker, do nothing and show
    the state."""
    watched: Watched = request.app.state.inside
    lacking = lack(request)
    if lacking == "off":
        return error_response(request, 403, OFF)
    if act in ("start", "restart"):
        if not lacking:
            watched.start() if act == "start" else watched.restart()
    elif act == "kill":
        watched.kill()
    elif act == "aim":
        watched.aim()
    else:
        watched.close()
    if request.headers.get("hx-request"):
        return live(request)
    return RedirectResponse(f"/spark{language_query(request)}", 303)


def _seen(request: Request) -> Context:
    watched: Watched = request.app.state.inside
    does, query = watched.look()
    gone = does in ("died", "failed")
    return {
        "does": does,
        "query": query,
        "shown": query.epochs[::-1],
        "pid": watched.pid,
        "life": _life(query),
        "aimed": watched.aimed,
        "failed": failure(query.now.get("mistake")) or (subprocesses.because(watched.folder) if gone else None),
        "log": subprocesses.last_lines(watched.folder) if gone else (),
        "files": {log: entries(watched.folder, log) for log in ("offsets", "commits")},
        "command": None if request.app.state.settings.exposed else _command(watched.folder),
        "ended": _ended(query) if does == "ended" else None,
        "goes_on": bool(query.epochs),
        "clock": _clock(query),
        "lack": lack(request),
        "missing": missing(),
        "install": INSTALL,
        "exposed": request.app.state.settings.exposed,
        "limits": {"batches": BATCHES, "minutes": MINUTES},
        "pace": PACE,
        "most": MOST,
        "asked": language_query(request),
    }


def _command(folder: Path) -> str:
    """Return the command that shows its checkpoint on a terminal."""
    return shlex.join(["bluecut", "checkpoint", str((folder / "checkpoint").absolute())])


def _life(query: Query) -> int:
    """Return how often it has been started. The server counts a query that has just started, before its Python does:
    only what the query says itself contains its life."""
    begun = query.now.get("stage") == "starting" and "life" not in query.now
    return max(1, len(query.lives) + begun)


def _ended(query: Query) -> Literal["batches", "minutes"] | None:
    """Return why a query has ended: its last batch is done, or its time is up; None if it does not say."""
    if any(epoch.committed and epoch.number >= BATCHES - 1 for epoch in query.epochs):
        return "batches"
    at, ends = query.now.get("at"), query.now.get("ends")
    return "minutes" if number(at) and number(ends) and at >= ends else None


def _clock(query: Query) -> dict[str, int | None]:
    """Return whole seconds from now, according to the query."""
    now = time.time()

    def away(name: str, sign: int) -> int | None:
        at = query.now.get(name)
        return max(0, math.ceil(sign * (at - now))) if number(at) else None

    return {"left": away("until", 1), "since": away("at", -1), "ends": away("ends", 1)}


def _crash(request: Request, name: str) -> Context:
    """Return the crash of a scenario: its picture at that step, and where its run continues; and the moments that the
    real query also has, in the author's words."""
    scenario, spoken = LIBRARY.scenario(name), language(request)
    run = request.app.state.runs.recorded(scenario, RunKey()).run
    lang = spoken if language_query(request) else None
    at = _moments(run)
    step = at["crash"]
    return {
        "form": scenario.form,
        "name": name,
        "pictures": stages(run, step, spoken, name, ring=True, rooms=ROOMS, narrow=NARROW),
        "url": Address(name, scenario, RunKey(), step, lang=lang).here,
        "step": step,
        "moments": [
            (key, number, Address(name, scenario, RunKey(), number, lang=lang).here, caption(run, number, spoken))
            for key, number in at.items()
        ],
    }


def _task(request: Request) -> Context:
    """Return the crash of a task: its scenario, and its address."""
    scenario, lang = LIBRARY.scenario(TASK), language(request) if language_query(request) else None
    return {"form": scenario.form, "url": Address(TASK, scenario, RunKey(), 0, lang=lang).here}


def _moments(run: Run) -> dict[str, int]:
    """Return the steps of a run at which its batch 1 is in the offset log, in the sink, in a crash, run again, and in
    the sink once more."""
    steps = run.steps
    wrote = [step.number for step in steps if step.action == Wake("out", Todo("write", (1,)))]
    again = next(step.number for step in steps if step.action == Wake("driver", Todo("trigger", (1,))))
    fell = next(step.number for step in steps if step.action == Crash("driver"))
    begun = next(run.steps_of(Start)).number
    return {"offsets": begun, "sinks": wrote[0], "crash": fell, "again": again, "twice": wrote[1]}
