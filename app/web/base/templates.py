"""Pages: templates with the words of the visitor's language.

Every template knows ``t(key, **fields)`` (words), ``knows(key)`` (are there words for a name that comes from a
scenario?), ``in_words(phrase)`` (what is wrong), ``spoken(words)`` (a text of a file in the language, empty if there is
none), ``readable(value)`` (a value as people read it), ``thumbnail_of(name)`` (the small picture of a scenario),
``language``, ``glue`` (what stands between two sentences in it), ``comma`` and ``pause`` (between what is listed),
``other`` (the other language), ``switch`` (this address in it), ``static(path)`` (a file's address, which changes with
its content), ``use(path, …)`` (the page needs these scripts and styles), ``page_files()`` (the elements that load
them), ``terms(text)`` (a text whose terms link to the glossary), ``public`` (the address of this site, for link
previews), ``root`` (the path below which it lies; addresses in attributes are written without it), ``site`` (the map of
the site), and the filters ``script`` (a value, or bytes that are JSON already, for a script element that contains only
data) and ``below`` (addresses by name, for it).
"""

import hashlib
import os
from functools import cache, partial
from typing import Any, TypeAlias

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.compact_json import compact
from app.core.model.values import Json
from app.paths import STATIC
from app.pictures import render
from app.scenario.library import LIBRARY
from app.web.base.fresh import APART, Fresh
from app.web.base.glossary_links import terms
from app.web.base.language import COOKIE, language, named, other, switched
from app.web.base.page_files import PageFiles
from app.web.base.root import at, below, public, root, rooted
from app.web.base.site import SITE
from app.words.catalogues import GLUE, JOIN, PAUSE, catalogue, readable, texts, word
from app.words.error_words import error_text
from app.words.guarantee_words import either

YEAR = 31_536_000

Context: TypeAlias = dict[str, Any]
"""What a template gets, by name."""


def script(value: Json | bytes) -> Markup:
    """Return JSON that may stand inside a script element: nothing in it can end the element. Bytes are JSON, and
    Markup is the result itself."""
    if isinstance(value, Markup):
        return value
    text = value.decode() if isinstance(value, bytes) else compact(value)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


@cache
def script_texts(language: str, asked: tuple[str, ...]) -> Markup:
    """Return the words of ``texts`` as JSON for a script element."""
    return script(texts(language, asked))


ENVIRONMENT = render.environment()
ENVIRONMENT.filters["script"] = script
ENVIRONMENT.filters["below"] = below
ENVIRONMENT.globals["site"] = SITE
ENVIRONMENT.globals["thumbnail_of"] = lambda name: Markup(render.thumbnail(LIBRARY.scenario(name)))


def _edition() -> str:
    facts: list[tuple[str, int, int]] = []
    folders = [str(STATIC)]
    while folders:  # every page calls this: walking with pathlib took a third of its time
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    folders.append(entry.path)
                else:
                    stat = entry.stat()
                    facts.append((entry.path, stat.st_size, stat.st_mtime_ns))
    return hashlib.sha256(repr(sorted(facts)).encode()).hexdigest()[:12]


edition = Fresh(_edition, lasts=APART)
"""Twelve digits that change soon after any static file does. They are part of a file's path, so that imports between
modules carry them too."""


def page(
    request: Request, template: str, *, status: int = 200, headers: dict[str, str] | None = None, **context: object
) -> HTMLResponse:
    """Return the page that ``template`` makes of ``context``, in the visitor's language."""
    spoken = language(request)
    base = at(f"/static/{edition()}/")
    files = PageFiles(base)
    known = {
        "t": lambda key, **fields: word(key, spoken, **fields),
        "knows": catalogue(spoken).__contains__,
        "readable": partial(readable, language=spoken),
        "in_words": partial(error_text, language=spoken),
        "spoken": lambda words: getattr(words, spoken, ""),
        "either": partial(either, language=spoken),
        "language": spoken,
        "glue": GLUE[spoken],
        "comma": JOIN[spoken],
        "pause": PAUSE[spoken],
        "asked_lang": named(request),
        "other": other(spoken),
        "switch": switched(request, other(spoken)),
        "static": lambda path: base + path,
        "use": files.use,
        "page_files": files.tags,
        "terms": partial(terms, spoken=spoken, lang=named(request)),
        "public": public(request),
        "root": root(),
    }
    html = rooted(ENVIRONMENT.get_template(template).render(known | context))
    answer = HTMLResponse(html, status, headers)
    answer.headers.update({"cache-control": "no-cache", "vary": "Accept-Language, Cookie, HX-Request"})
    answer.headers["content-language"] = spoken
    # A link in slides or mail chooses for its own page only; who switches here, for all.
    if named(request) == spoken and request.headers.get("sec-fetch-site", "same-origin") == "same-origin":
        there, safe = root() or "/", request.url.scheme == "https"
        answer.set_cookie(COOKIE, spoken, max_age=YEAR, path=there, secure=safe, httponly=True, samesite="lax")
    return answer
