"""The history of the field: ``/history``.

What ``history.html`` gets
--------------------------
``milestones``  see ``app.course.history``; the earliest first
``scale``       the same on a line of years, see ``app.web.shared.years``
``terms``       {name: term of the glossary}
``door``        a function: the name of a link
"""

from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.course.glossary import GLOSSARY
from app.course.history import history
from app.web.base.errors import answers
from app.web.base.language import language
from app.web.base.templates import page
from app.web.reference.theory.link_titles import door
from app.web.shared.years import scale

router = APIRouter(responses=answers(400))


@router.get("/history", response_class=HTMLResponse)
def milestones(request: Request) -> Response:
    """Return the history."""
    spoken, known = language(request), history()
    terms = {name: getattr(form.term, spoken) for name, form in GLOSSARY.glossary().forms.items()}
    return page(
        request,
        "history.html",
        milestones=known,
        scale=scale(known),
        terms=terms,
        door=partial(door, spoken=spoken),
    )
