"""The visitor's language: that of the address, else the earlier choice, else the browser's preference."""

from starlette.requests import Request

from app.words.catalogues import LANGUAGES, languages_of

COOKIE = "lang"


def language(request: Request) -> str:
    """Return the language of the answer."""
    for asked in (named(request), request.cookies.get(COOKIE)):
        if asked in LANGUAGES:
            return asked
    return str(languages_of(request.headers.get("accept-language", "")))


def named(request: Request) -> str | None:
    """Return the language that the address itself names."""
    asked = request.query_params.get("lang")
    return asked if asked in LANGUAGES else None


def language_pair(request: Request) -> list[tuple[str, str]]:
    """Return the language that the address names as a field of another address; nothing if it names none."""
    return [("lang", lang)] if (lang := named(request)) else []


def language_query(request: Request) -> str:
    """Return the language that the address names as the query of another address, empty if it names none: so a choice
    lasts without cookies."""
    return f"?lang={language(request)}" if "lang" in request.query_params else ""


def asked_of_a_program(request: Request) -> str:
    """Return the language of an answer for a program: English, unless its address names another."""
    return named(request) or LANGUAGES[0]


def other(spoken: str) -> str:
    """Return the other language."""
    return LANGUAGES[1 - LANGUAGES.index(spoken)]


def switched(request: Request, to: str) -> str:
    """Return the current address in another language; everything else in it stays. After two slashes a browser would
    read the name of another server."""
    return "/" + request.url.path.lstrip("/") + "?" + request.url.include_query_params(lang=to).query
