"""``/write``: an editor for a class that runs in the visitor's own browser.

The browser has the class, the server has the systems. The server searches all runs and asks, in rounds, what the class
does in an event that it has not answered yet; the browser answers. The code never leaves the browser.
"""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from app.algorithms.registry import DESCRIPTIONS
from app.core.model.values import Json
from app.forms.whole_number import whole_number
from app.judge import browser_python, worker
from app.judge.known_bugs import Sign, beginning, bugs, elsewhere, recognised_by
from app.judge.mistake import mistake_of
from app.judge.report import likeness, told_by
from app.judge.suite import LEVELS, of_level
from app.paths import STATIC
from app.web.base.errors import answers
from app.web.base.language import language, language_query
from app.web.base.quota import client_of
from app.web.base.same_origin import same_origin
from app.web.base.security_headers import POLICY
from app.web.base.templates import page, script_texts
from app.web.play.write.search import Asked, Level, searched
from app.web.workers.fair_line import Crowded

WASM = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
"""The policy of the script that runs Python, and of nothing else."""

FRESH = {"cache-control": "no-cache"}
"""Both scripts belong to this version of the server; their addresses do not say so."""

router = APIRouter(responses=answers(400, 404))


class Broken(BaseModel):
    """A mistake for which there is no run: what the worker told of it."""

    model_config = ConfigDict(extra="forbid")
    mistake: Annotated[str, Field(pattern="^[a-z-]{1,40}$")]
    about: Annotated[str, Field(max_length=300)] = ""
    line: int | None = None


class Signs(BaseModel):
    """How a class has done in each system of a level, in their order."""

    model_config = ConfigDict(extra="forbid")
    level: Level
    signs: Annotated[list[Sign], Field(max_length=99)]


@router.get("/write", response_class=HTMLResponse)
def write(request: Request, level: Level = 2, bug: str = "") -> Response:
    """Return the page with a class to begin with, or with a wrong one whose ``bug`` is to be found. Its name would tell
    what is wrong, so the page gives its number; both are understood."""
    known, number = list(bugs()), whole_number(bug)
    if number is not None and 0 < number <= len(known):
        bug = known[number - 1]
    if bug and bug not in known:
        raise HTTPException(404)
    level = bugs()[bug].level if bug else level
    return page(
        request,
        "write.html",
        level=level,
        asked=language_query(request),
        levels=LEVELS,
        bug=bug,
        bugs=known,
        elsewhere=[(name, DESCRIPTIONS[name].shown_by, why) for name, why in elsewhere().items()],
        source=beginning(level, bug, language(request)),
        systems=[system.name for system in of_level(level)],
        fewest=sum(system.fewest for system in of_level(level)),
        there=browser_python.place(request.app.state.data) is not None,
        megabytes=13,
        words=script_texts(language(request), ("write.says.", "write.find.", "judge.mistake.hangs", "judge.working")),
    )


@router.post("/write/judge", include_in_schema=False, dependencies=[Depends(same_origin)])
async def judged(request: Request, asked: Asked) -> Json:
    """Return the questions that are left, or how the class does in a system."""
    if asked.place >= len(of_level(asked.level)):
        raise HTTPException(404)
    if request.app.state.pool is None:
        return await run_in_threadpool(searched, asked, language(request))
    try:
        return await request.app.state.pool.call(client_of(request), searched, asked, language(request))
    except Crowded as crowded:
        raise HTTPException(429 if crowded.mine else 503) from None


@router.post("/write/like", include_in_schema=False, dependencies=[Depends(same_origin)])
def alike(request: Request, seen: Signs) -> Json:
    """Return what other classes do that fail in the same way, and what was perhaps thought."""
    names = [system.name for system in of_level(seen.level)]
    bug = recognised_by(zip(names, seen.signs, strict=False))
    return {"says": likeness(bug, language(request))}


@router.post("/write/mistake", include_in_schema=False, dependencies=[Depends(same_origin)])
def mistaken(request: Request, broken: Broken) -> Json:
    """Return a mistake in the visitor's words."""
    return {"says": told_by(mistake_of(broken.model_dump()), language(request)), "line": broken.line}


@router.get("/write/worker.js", include_in_schema=False)
def worker_script() -> Response:
    """Return the script that runs Python; it alone may."""
    file = STATIC / "js" / "write" / "worker.js"
    return FileResponse(file, media_type="text/javascript", headers={"content-security-policy": WASM} | FRESH)


@router.get("/write/python/worker.py", include_in_schema=False)
def worker_source() -> Response:
    """Return what runs in Python beside the class."""
    return FileResponse(Path(worker.__file__), media_type="text/x-python", headers=FRESH)


@router.get("/write/python/{name}", include_in_schema=False)
def python_file(request: Request, name: Annotated[str, InPath(max_length=40)]) -> Response:
    """Return a file of the Python for browsers, if that is there."""
    place = browser_python.place(request.app.state.data)
    if name not in browser_python.FILES or place is None:
        raise HTTPException(404)
    kept = {"cache-control": "public, max-age=31536000, immutable"}
    return FileResponse(place / name, media_type=browser_python.FILES[name], headers=kept)
