"""Which language a visitor reads: what the address says, else the choice made before, else the browser's wish."""

from starlette.requests import Request

from app.narration.tell import LANGUAGES, languages_of

COOKIE = "lang"


def language(request: Request) -> str:
    """The language of the answer."""
    for asked in (named(request), request.cookies.get(COOKIE)):
        if asked in LANGUAGES:
            return asked
    return str(languages_of(request.headers.get("accept-language", "")))


def named(request: Request) -> str | None:
    """The language that the address itself names."""
    asked = request.query_params.get("lang")
    return asked if asked in LANGUAGES else None


def asked_of_a_program(request: Request) -> str:
    """The language of an answer that a program reads: English, unless its address asks for another one."""
    return named(request) or LANGUAGES[0]


def other(spoken: str) -> str:
    """The other language."""
    return LANGUAGES[1 - LANGUAGES.index(spoken)]


def switched(request: Request, to: str) -> str:
    """The present address in another language; everything else in it stays."""
    return request.url.path + "?" + request.url.include_query_params(lang=to).query
