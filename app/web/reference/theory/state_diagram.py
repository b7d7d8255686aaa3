"""The state-transition diagram of a run's program: ``/diagram`` and ``/diagram/REF``.

The query names the run as on other pages; the system is shown after ``step``.

What ``diagram.html`` gets, besides what every page about a run gets (see ``app.web.shared.run_page.run_context``)
---------------------------------------------------------------------------------------------------
``drawing``  (see ``app.pictures.state_diagram``), or None: then there are too many states (``count``, or more if they
             are not the
             ``whole``; at most ``most`` are drawn), or the program is a ``dataflow``
``urls``     {place of a state: where the run is in it}, ``here`` the current box; None if a fault has led out of
             the diagram
``stars``    [(snapshot, the box of its recorded state, or None)] of the complete snapshots
``pieces``   the sentence of the step; ``walk`` {first, back, next, last: address or None}; ``log`` (list of Line, see
             ``app.web.shared.step_view``)
"""

from functools import partial

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.analysis.state_diagram import DRAWN, Diagram, diagram
from app.pictures.state_diagram import draw
from app.web.base.errors import answers
from app.web.base.templates import Context, page
from app.web.shared import step_view
from app.web.shared.default_run import redirects_to
from app.web.shared.run_page import run_context
from app.web.shared.visit import Visit, VisitedRun
from app.words.catalogues import pieces

FIRST = "token-late"

router = APIRouter(responses=answers(400, 404))
redirects_to(router, "diagram", FIRST)


@router.get("/diagram/{ref}", response_class=HTMLResponse)
def show(shown: VisitedRun) -> Response:
    """Return the diagram, and where the run is in it after a step."""
    run, step, spoken = shown.run, shown.address.step, shown.language
    found, to = diagram(run.system), partial(shown.address.of_step, place="diagram")
    dataflow = run.system.eager is not None
    fits = found.whole and len(found.states) <= DRAWN and not dataflow
    context: Context = run_context(shown, "diagram") | {
        "dataflow": dataflow,
        "count": len(found.states),
        "whole": found.whole,
        "most": DRAWN,
        "pieces": pieces(step_view.sentence(run, step, spoken)),
        "walk": step_view.walk(step, shown.steps, to),
        "log": step_view.log(run, step, to, spoken),
        **(_drawn(shown, found) if fits else {"drawing": None}),
    }
    return page(shown.request, "diagram.html", **context)


def _drawn(shown: Visit, found: Diagram) -> Context:
    run, visits = shown.run, found.visits(shown.run)
    recorded = found.recorded(run)
    drawing = draw(found, visits, recorded, visits[shown.address.step], shown.language)
    boxes = {box.place: box for box in drawing.boxes}
    return {
        "drawing": drawing,
        "urls": {box.place: shown.address.of_step(box.steps[0]) for box in drawing.boxes if box.steps},
        "here": next((box for box in drawing.boxes if box.now), None),
        "stars": [(number, None if place is None else boxes[place]) for number, place in recorded.items()],
    }
