"""The home page ``/``, the page of each place, ``/theory`` as it was once called, and ``/pick``, which opens a run in a
tool.

What ``home.html`` gets
-----------------------
``still``     the blue figure at its end, as SVG; the script lets it play, with what the player gets, and ``says`` (the
              sentence of each step)
``lesson``    the first lesson, or None
``scenarios`` how many there are; ``algorithms`` and ``lessons`` likewise

What ``place.html`` gets
------------------------
``place``     the Place; ``sections`` its cards, see ``app.web.places.cards``; ``drawn`` the pictures
``units``     of the place to learn: [(name, its lessons)]
``tracks``    of the place to teach: {name: its lessons}
``lecture``   of the place to teach: the parts of a lecture, [(name, address or nothing)]; ``first``: the first run
``plan``      [(minutes, name, address)] of one, and ``playlist``, the address of those to show
``numbers``   how many ``scenarios``, ``algorithms`` and ``terms`` there are
"""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from markupsafe import Markup
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.algorithms.registry import ALGORITHMS
from app.core.model.values import BluecutError
from app.course.glossary import GLOSSARY
from app.course.lesson_list import TRACKS, by_unit
from app.pictures import render
from app.scenario.library import FIRST, LIBRARY
from app.web.base.errors import answers
from app.web.base.language import language, language_query
from app.web.base.root import at
from app.web.base.site import SITE, Place
from app.web.base.templates import Context, page, script_texts
from app.web.places.cards import LECTURE, ON_ANY_RUN, PLAN, PLAYLIST, TEACH
from app.web.places.pictures import drawn
from app.web.shared import step_view
from app.web.shared.lessons_of import shelf
from app.web.shared.run_head import TOOLS
from app.web.shared.run_page import STAGE_WORDS, plan_link, player_context
from app.web.shared.visit import visit
from app.wire.run_url import Query
from app.wire.scenario_link import LONGEST
from app.words.catalogues import plain

router = APIRouter(responses=answers(400, 404))


@router.get("/", response_class=HTMLResponse)
def home(request: Request) -> Response:
    """Return the page that says what this is."""
    shown = visit(request, FIRST, Query.model_validate({}))
    spoken, run, steps = language(request), shown.run, shown.steps
    lessons = shelf(request).lessons
    context = player_context(replace(shown, address=shown.address.at(steps))) | {
        "words": script_texts(spoken, STAGE_WORDS),
        "plan": at(plan_link(shown.address)),
        "still": Markup(render.stage(run, steps, spoken, ring=False)),
        "says": [plain(step_view.sentence(run, step, spoken)) for step in range(1, steps + 1)],
        "lesson": lessons[0] if lessons else None,
        "scenarios": len(LIBRARY.names()),
        "algorithms": len(ALGORITHMS),
        "lessons": len(lessons),
    }
    return page(request, "home.html", **context)


def _page_of(place: Place) -> Callable[[Request], Response]:
    pages = {name: address for name, address in place.pages.items() if name != "lessons"}  # those stand above, by unit
    own = {"practice" if place.name == "learn" else "": pages}
    sections = {"teach": TEACH, "play": own | ON_ANY_RUN}.get(place.name, own)

    def shown(request: Request) -> Response:
        """Return what is in a place of the site, each with a small picture."""
        context: Context = {
            "place": place,
            "sections": sections,
            "drawn": drawn(language(request)),
            "units": by_unit(shelf(request).lessons) if place.name == "learn" else [],
            "asked": language_query(request),
            "lecture": LECTURE,
            "plan": PLAN,
            "playlist": PLAYLIST,
            "first": FIRST,
            "tracks": {name: shelf(request).of_track(name) for name in TRACKS} if place.name == "teach" else {},
            "numbers": {
                "scenarios": len(LIBRARY.names()),
                "algorithms": len(ALGORITHMS),
                "terms": len(GLOSSARY.glossary().forms),
            },
        }
        return page(request, "place.html", **context)

    return shown


for _place in SITE:
    router.add_api_route(_place.address, _page_of(_place), response_class=HTMLResponse, name=_place.name)


@router.get("/theory", include_in_schema=False)
def theory(request: Request) -> Response:
    """Redirect to what the theory became."""
    return RedirectResponse("/reference" + language_query(request), 302)


@router.get("/pick", response_class=Response, responses={303: {"description": "the run"}})
def pick(
    request: Request,
    ref: Annotated[str, Parameter(max_length=LONGEST, description="a name of the library")],
    tool: Annotated[str, Parameter(max_length=20, description="a tool for runs")] = "run",
) -> Response:
    """Return a run in a tool: the choice of runs works without scripts."""
    if tool not in TOOLS:
        raise BluecutError("unknown tool {tool!r}; one of {known}", tool=tool, known=TOOLS)
    return RedirectResponse(f"/{tool}/{LIBRARY.scenario(ref).name}" + language_query(request), 303)
