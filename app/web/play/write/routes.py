"""``/write``: an editor for a class that runs in the visitor's own browser.

The browser has the class, the server has the systems. The server searches all runs and asks, in rounds, what the class
does in an event that it has not answered yet; the browser answers. The code never leaves the browser.
"""

import asyncio
import time
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from app.core.model.values import Json
from app.judge import browser_python, worker
from app.judge.answers import Answers
from app.judge.judge import Failure, Trial, tried
from app.judge.known_bugs import LEVEL as EXERCISES
from app.judge.known_bugs import bugs
from app.judge.mistake import Mistake, mistake_of
from app.judge.report import reason, told_by, trial_text
from app.judge.suite import FOLDER, LEVELS, TrialSystem, of_level
from app.judge.written import Written
from app.paths import STATIC
from app.run.run import record
from app.web.base.errors import answers
from app.web.base.language import language, language_query
from app.web.base.same_origin import same_origin
from app.web.base.security_headers import POLICY
from app.web.base.templates import page, script_texts
from app.wire.frames import sentences_of_step
from app.wire.run_url import Address, stamp
from app.words.catalogues import plain, tell

MOST_STATES = 20_000
"""The most states of a system that the server visits for a page."""
SECONDS = 4.0
"""The most seconds of processor time of one search."""
WAITING = 8
"""The most searches that wait for another one."""
FILE = "snapshot.py"
"""How the class is called in what is told about it."""
WASM = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
"""The policy of the script that runs Python, and of nothing else."""

router = APIRouter(responses=answers(400, 404))
Level = Annotated[int, Field(ge=LEVELS[0], le=LEVELS[-1])]


class Asked(BaseModel):
    """What a browser has: the facts about its class, and its answers by the names of the questions. ``place`` is that
    of the system at its level."""

    model_config = ConfigDict(extra="forbid")
    level: Level
    place: Annotated[int, Field(ge=0, le=99)]
    tags: bool
    values: bool
    answers: dict[Annotated[str, Field(pattern="^[0-9a-f]{16}$")], dict[str, Any]]


class Broken(BaseModel):
    """A mistake for which there is no run: what the worker told of it."""

    model_config = ConfigDict(extra="forbid")
    mistake: Annotated[str, Field(pattern="^[a-z-]{1,40}$")]
    about: Annotated[str, Field(max_length=300)] = ""
    line: int | None = None


class _Turns:
    """One search at a time; a few wait."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(1)
        self._waiting = 0

    async def take(self, system: TrialSystem, asked: Asked) -> tuple[Answers, Trial]:
        """Search once. Raises HTTPException if too many are waiting."""
        if self._waiting >= WAITING:
            raise HTTPException(503)
        self._waiting += 1
        try:
            async with self._turn:
                return await run_in_threadpool(_searched, system, asked)
        finally:
            self._waiting -= 1


_TURNS = _Turns()


@router.get("/write", response_class=HTMLResponse)
def write(request: Request, level: Level = 2, bug: str = "") -> Response:
    """Return the page with a class to begin with, or with a wrong one whose ``bug`` is to be found."""
    if bug and bug not in bugs():
        raise HTTPException(404)
    level = EXERCISES if bug else level
    file = FOLDER / ("bugs" if bug else "start") / f"{bug or level}.py"
    return page(
        request,
        "write.html",
        level=level,
        asked=language_query(request),
        levels=LEVELS,
        bug=bug,
        bugs=list(bugs()),
        source=file.read_text("utf-8"),
        systems=[system.name for system in of_level(level)],
        fewest=sum(system.fewest for system in of_level(level)),
        there=browser_python.is_there(request.app.state.data),
        megabytes=13,
        words=script_texts(language(request), ("write.says.", "judge.mistake.hangs")),
    )


@router.post("/write/judge", include_in_schema=False, dependencies=[Depends(same_origin)])
async def judged(request: Request, asked: Asked) -> Json:
    """Return the questions that are left, or how the class does in a system."""
    systems = of_level(asked.level)
    if asked.place >= len(systems):
        raise HTTPException(404)
    answers, trial = await _TURNS.take(systems[asked.place], asked)
    if answers.missing:
        return {"questions": answers.missing}
    return _trial_json(trial, language(request))


@router.post("/write/mistake", include_in_schema=False, dependencies=[Depends(same_origin)])
def mistaken(request: Request, broken: Broken) -> Json:
    """Return a mistake in the visitor's words."""
    return {"says": told_by(mistake_of(broken.model_dump()), language(request)), "line": broken.line}


@router.get("/write/worker.js", include_in_schema=False)
def worker_script() -> Response:
    """Return the script that runs Python; it alone may."""
    file = STATIC / "js" / "write" / "worker.js"
    return FileResponse(file, media_type="text/javascript", headers={"content-security-policy": WASM})


@router.get("/write/python/worker.py", include_in_schema=False)
def worker_source() -> Response:
    """Return what runs in Python beside the class."""
    return FileResponse(Path(worker.__file__), media_type="text/x-python")


@router.get("/write/python/{name}", include_in_schema=False)
def python_file(request: Request, name: Annotated[str, InPath(max_length=40)]) -> Response:
    """Return a file of the Python for browsers, if it was fetched."""
    file = browser_python.folder(request.app.state.data) / name
    if name not in browser_python.FILES or not file.is_file():
        raise HTTPException(404)
    kept = {"cache-control": "public, max-age=31536000, immutable"}
    return FileResponse(file, media_type=browser_python.FILES[name], headers=kept)


def _searched(system: TrialSystem, asked: Asked) -> tuple[Answers, Trial]:
    answers = Answers(asked.answers)
    until = time.thread_time() + SECONDS
    written = Written(answers.ask, {"tags": asked.tags, "values": asked.values})
    return answers, tried(system, written, MOST_STATES, tired=lambda: time.thread_time() > until)


def _trial_json(trial: Trial, spoken: str) -> Json:
    """Return a trial as the page shows it: its line, and where it failed, the run by hand."""
    told: dict[str, Any] = {"verdict": trial.verdict, "says": trial_text(trial, spoken)}
    if trial.markers:
        told["markers"] = trial.markers
    failure = trial.failure
    if failure is None:
        return told
    told |= {"why": reason(FILE, failure, spoken), "line": _line(failure.mistake), "run": None}
    if failure.replay is not None and failure.replay.lines:
        told["run"] = _run_json(trial, failure, spoken)
    return told


def _run_json(trial: Trial, failure: Failure, spoken: str) -> Json:
    """Return the run by hand: where it is played, and the sentence and the lines of each step."""
    assert failure.replay is not None
    scenario, made = trial.system.scenario, failure.replay
    run, address = record(scenario, made.key), Address(scenario.name, scenario, made.key, lang=spoken)
    return {
        "embed": address.url("embed", step=1, lang=spoken, v=stamp(scenario)),
        "open": address.url(lang=spoken, v=stamp(scenario)),
        "steps": [
            {"says": plain(tell(sentences_of_step(run, step), spoken)), "lines": lines}
            for step, lines in zip(run.steps, made.lines, strict=False)
        ],
    }


def _line(mistake: Mistake | None) -> int | None:
    return mistake.line if mistake else None
