"""The glossary: ``/glossary``.

``/glossary?q=WORDS``: only terms with all of these words. ``/glossary#NAME`` is the place of a term;
``/glossary/NAME`` leads there.

What ``glossary.html`` gets
---------------------------
``shelves``  [(letter, terms)], see ``app.course.glossary.Term``; in a search, one without a letter
``letters``  the letters that have terms
``titles``   {name: term} for links between terms
``q`` ``found`` ``total``
"""

from itertools import groupby
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi import Path as Place
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.course.glossary import GLOSSARY
from app.forms.explain import no_term
from app.web.base.errors import NoSuchStep, answers
from app.web.base.htmx import part_only
from app.web.base.language import language, language_query
from app.web.base.templates import Context, page

router = APIRouter(responses=answers(400))


@router.get("/glossary/{term}", include_in_schema=False)
def one(request: Request, term: Annotated[str, Place(max_length=80, description="the name of a term")]) -> Response:
    """Lead to a term. Raises NoSuchStep."""
    known = tuple(GLOSSARY.glossary().forms)
    if term not in known:
        raise NoSuchStep("{reason}", reason=no_term(term[:40], known))
    return RedirectResponse(f"/glossary{language_query(request)}#{term}", 302)


@router.get("/glossary", response_class=HTMLResponse)
def glossary(
    request: Request, q: Annotated[str, Parameter(max_length=100, description="words to look for")] = ""
) -> Response:
    """Return the glossary, or, for htmx, only its list and its count."""
    spoken, known = language(request), GLOSSARY.glossary()
    found = known.search(q, spoken)
    by_letter = groupby(found, key=lambda term: term.letter)
    shelves = [("", found)] if q.strip() else [(letter, tuple(terms)) for letter, terms in by_letter]
    context: Context = {
        "shelves": shelves if found else (),
        "letters": tuple(letter for letter, _ in shelves if letter),
        "titles": {name: getattr(form.term, spoken) for name, form in known.forms.items()},
        "q": q,
        "found": len(found),
        "total": len(known.forms),
    }
    if part_only(request):
        here = "/glossary?" + urlencode({"q": q}) if q.strip() else "/glossary"
        return page(request, "_glossary_found.html", headers={"hx-push-url": here}, **context)
    return page(request, "glossary.html", **context)
