"""Errors in plain words: a sentence that says what happened, and one thing to do. Never a traceback."""

import re
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from app.core.model.values import BluecutError, Phrase
from app.course.live_run import Gone
from app.forms.explain import Problem, quoted_value, want
from app.scenario.library import Unknown
from app.web.base.language import asked_of_a_program, language, language_query
from app.web.base.security_headers import headers
from app.web.base.store import Full, Missing, TooOften, Unkept, Unreadable
from app.web.base.templates import page
from app.words import error_words

TOLD = (400, 403, 404, 405, 409, 413, 414, 421, 429, 500, 503)
"""The statuses with their own words; any other is reported as 400 or 500."""


RETRY = 5
"""The seconds after which it is worthwhile to ask a busy server again, unless the error knows better."""

DOORS = ("lessons", "algorithms", "challenge", "playlist", "glossary", "r", "scenarios")
"""The pages that an error page leads to, by the first word of the address; by default the last."""
MEANT = 60
"""How much of an address that does not exist is offered as words to look for."""


class Stale(BluecutError):
    """What a request is about has changed: the engine or the scenario of a link, or a vote that is closed by now."""


class NoSuchStep(BluecutError):
    """There is no such page; the text says which there are."""


def answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the errors that a route documents."""
    kinds: dict[str, Any] = {"text/html": {}, "application/json": {}}
    return {status: {"description": "told in a sentence", "content": kinds} for status in statuses}


def _status_of(error: BluecutError) -> int:
    if isinstance(error, Unknown | Missing | NoSuchStep):
        return 404
    if isinstance(error, TooOften):
        return 429
    if isinstance(error, Unkept | Unreadable):
        return 503
    return 409 if isinstance(error, Stale | Gone) else 400


def _kind_of(error: BluecutError) -> str:
    """Return which words stand above the text of an error, if not those of its status."""
    if isinstance(error, Full):
        return "full"
    return "unkept" if isinstance(error, Unkept | Unreadable) and not isinstance(error, TooOften) else ""


def install(app: FastAPI) -> None:
    """Let ``app`` answer every error with ``error_response``."""

    @app.exception_handler(BluecutError)
    def bad(request: Request, error: BluecutError) -> Response:
        later = error.seconds if isinstance(error, Unkept) else RETRY
        return error_response(request, _status_of(error), error.phrase, later=later, kind=_kind_of(error))

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        return error_response(request, 400, _misread(error.errors()[0]))

    @app.exception_handler(HTTPException)
    def refused(request: Request, error: HTTPException) -> Response:
        return error_response(request, error.status_code, allow=(error.headers or {}).get("Allow"))

    @app.exception_handler(ClientDisconnect)
    def left(request: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=499)  # nobody reads it, and it is no failure of ours

    @app.exception_handler(Exception)
    def broken(request: Request, error: Exception) -> Response:
        answer = error_response(request, 500)
        answer.headers.update(headers(request.url.path))  # this handler runs outside every middleware
        return answer


def _misread(problem: Problem) -> Phrase:
    """Return our own words for what is wrong with a part of an address."""
    field = ".".join(str(part) for part in problem["loc"][1:])
    if problem["type"] == "missing":
        return Phrase("{field}: missing; it must be given", field=field)
    return Phrase(
        "{field}: must be {wanted}, not {got}", field=field, wanted=want(problem), got=quoted_value(problem["input"])
    )


def error_response(
    request: Request,
    status: int,
    says: Phrase | None = None,
    *,
    allow: str | None = None,
    later: int = RETRY,
    kind: str = "",
) -> Response:
    """Return the answer that reports an error: a page, a piece of one for htmx, or JSON if no page is wanted. ``kind``
    are other words than those of the status."""
    known = status if status in TOLD else 500 if status >= 500 else 400
    more = {"allow": allow} if allow else {"retry-after": str(later)} if status in (429, 503) else None
    if not _wants_page(request):
        sentence = error_words.error_text(says, asked_of_a_program(request)) if says else f"HTTP {status}"
        return JSONResponse({"status": status, "error": sentence}, status, headers=more)
    template = "_error.html" if request.headers.get("hx-request") else "error.html"
    sentence = error_words.error_text(says, language(request)) if says else ""
    place, _, name = request.url.path.strip("/").partition("/")
    door = place if place in DOORS else "scenarios"
    meant = " ".join(re.findall(r"\w+", name.split("/")[0] or place))[:MEANT] if known == 404 and door != "r" else ""
    settings = known == 400 and set(request.query_params) - {"lang"}
    plain = request.url.path + language_query(request) if settings else None
    doors = {"door": door, "meant": meant, "plain": plain}
    words = {"told": known, "kind": kind or known, "sentence": sentence}
    return page(request, template, status=status, headers=more, **words, **doors)


def _wants_page(request: Request) -> bool:
    """Does the visitor read pages? By default, yes."""
    accept = request.headers.get("accept", "*/*").lower()
    return "text/html" in accept or "application/xhtml+xml" in accept or accept.split(";")[0].strip() in ("", "*/*")
