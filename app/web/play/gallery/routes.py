"""The gallery: all scenarios by lesson, the surprise of each, search and filters."""

from collections import Counter
from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.core.model.value import Frozen
from app.scenario.library import LIBRARY
from app.scenario.scenario import Scenario
from app.web.base.errors import answers
from app.web.base.htmx import part_only
from app.web.base.language import language
from app.web.base.templates import Context, page
from app.web.play.gallery.filters import FILTERS, Course, Named, Query, called, filters, mentions, values
from app.web.shared.lessons_of import shelf, taught

router = APIRouter(responses=answers(400))


START = ("blue-figure", "photographs-two", "state-that-never-was", "queue", "barriers-wait", "domino-stopped")
"""What to open first: one of each kind."""


class Shelf(Frozen):
    """The scenarios of a lesson, and its address if there is one; without filters the gallery is a row of shelves,
    otherwise one without a heading."""

    title: str
    scenarios: tuple[Scenario, ...]
    url: str = ""


@router.get("/scenarios", response_class=HTMLResponse)
def gallery(request: Request, query: Annotated[Query, Parameter()]) -> Response:
    """Return the gallery, or, for htmx, only its list, its count and its filters."""
    spoken, library = language(request), LIBRARY.scenarios()
    course = {str(one.form.place): one.form.title for one in shelf(request).lessons if not one.own}
    found = [scenario for scenario in library if query.fits(scenario) and mentions(scenario, query.q, course)]
    counts = {name: Counter(v for scenario in library for v in values(scenario, name)) for name in FILTERS}
    context: Context = {
        "query": query,
        "filters": filters(library, query, course, spoken),
        "start": [each for name in START for each in found if each.name == name] if query.empty else [],
        "shelves": _shelves(found, course, request, apart=query.empty),
        "marks": {each.name: _mark(each, counts, len(library), spoken) for each in found},
        "taught": taught(request, [int(query.lesson)] if query.lesson in course else []),
        "found": len(found),
        "total": len(library),
    }
    if part_only(request):
        return page(request, "_found.html", headers={"hx-push-url": query.address}, **context)
    return page(request, "gallery.html", **context)


def _shelves(found: list[Scenario], course: Course, request: Request, *, apart: bool) -> tuple[Shelf, ...]:
    """Return the scenarios in the order of their first lessons, those without a lesson last; ``apart``: each lesson by
    itself."""
    shelved: dict[str, list[Scenario]] = {lesson: [] for lesson in (*course, "")}
    for each in found:
        shelved[next((place for place in values(each, "lesson") if place in course), "")].append(each)
    if not apart:
        together = tuple(each for row in shelved.values() for each in row)
        return (Shelf("", together),) if together else ()
    spoken = language(request)
    urls = {lesson: taught(request, [int(lesson)])[0][1] for lesson, row in shelved.items() if row and lesson}
    return tuple(
        Shelf(called("lesson", lesson, course, spoken), tuple(row), urls.get(lesson, ""))
        for lesson, row in shelved.items()
        if row
    )


def _mark(scenario: Scenario, counts: dict[Named, Counter[str]], total: int, spoken: str) -> tuple[str, str] | None:
    """Return the algorithm of a scenario if it is an unusual one; otherwise the assumption that the fewest others
    share: the address of all that have it, and its name.

    A value is usual if more than a quarter of all scenarios have it, or more than have any other. What an algorithm
    assumes it assumes in every scenario.
    """
    for name in ("algorithm", "assumption"):
        rarest = min(values(scenario, name), key=lambda value: counts[name][value], default="")
        if rarest and counts[name][rarest] <= min(total / 4, max(counts[name].values()) - 1):
            return Query.model_validate({name: rarest}).address, called(name, rarest, {}, spoken)
    return None
