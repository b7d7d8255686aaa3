"""The glossary: ``/glossary``.

``/glossary?q=WORDS``: only terms with all of these words. ``/glossary#NAME`` is the place of a term.

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
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.course.glossary import GLOSSARY
from app.web.base.errors import answers
from app.web.base.htmx import part_only
from app.web.base.language import language
from app.web.base.templates import Context, page

router = APIRouter(responses=answers(400))


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
