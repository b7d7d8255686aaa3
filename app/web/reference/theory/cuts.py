"""Cuts through a run that a visitor chooses: ``/cuts/REF?…&cut=2,1,0``.

The query is that of ``/run/REF``, and

========== ==========================================================================================================
cut        the events before the cut, of each process in the scenario's order; in one field, or one field per process
instant    instead of ``cut``: what had happened after so many steps
clocks     1: vector clocks stand beside the events
event      ``P:2``: what could influence the second event of P, and what it could influence
presenter  1: large type for a lecture hall
========== ==========================================================================================================

What ``cuts.html`` gets
-----------------------
``title`` ``stale`` ``address`` as the pages about runs do; ``cutting`` (see ``app.pictures.chosen_cut``) ``cut``
``judged``
``cone`` ``clocks`` ``picture`` (SVG, or None if the run is too long) ``plan`` ``now`` and ``words`` (for the script)
``to`` (the address of another cut, of another event, with clocks turned on or off, or in the other size) ``presenter``
``states`` (the address of all states)
``before`` (the URL of the run before its first rollback, or None)
"""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from markupsafe import Markup
from pydantic import StringConstraints
from starlette.responses import HTMLResponse, Response

from app.core.model.values import BluecutError
from app.forms.fields import STEPS
from app.pictures import render
from app.pictures.chosen_cut import Cut, Cutting, written
from app.pictures.spacetime.options import Look
from app.web.base.errors import answers
from app.web.base.templates import Context, page, script_texts
from app.web.reference.theory.global_states import before
from app.web.shared.default_run import redirects_to
from app.web.shared.run_head import run_head
from app.web.shared.visit import Visit, VisitedRun

FIRST = "which-cut"
router = APIRouter(responses=answers(400, 404))
redirects_to(router, "cuts", FIRST)

Numbers = Annotated[str, StringConstraints(max_length=2_000)]


@router.get("/cuts/{ref}", response_class=HTMLResponse)
def cuts(
    shown: VisitedRun,
    cut: Annotated[list[Numbers] | None, Parameter(max_length=400, description="events before the cut")] = None,
    instant: Annotated[int | None, Parameter(ge=0, le=STEPS, description="the cut after so many steps")] = None,
    clocks: Annotated[bool, Parameter(description="vector clocks beside the events")] = False,
    event: Annotated[str, StringConstraints(max_length=40), Parameter(description="PROCESS:INDEX")] = "",
) -> Response:
    """Return the page of any cut through a run: is it consistent, and what crosses it?"""
    cutting = Cutting(shown.run, shown.language)
    if shown.stale:
        cut, instant, event = None, None, ""
    if instant is not None:
        if instant > shown.steps:
            raise BluecutError("instant: this run has {steps} steps, not {found}", steps=shown.steps, found=instant)
        chosen = cutting.instant(instant)
    else:
        given = [text for text in cut or () if text]
        chosen = cutting.read(given) if given else cutting.first()
    cone = cutting.cone(event)
    if event and cone is None:
        raise BluecutError("event: {event!r} is not an event of this run; write one as in P:2", event=event)
    drawn = None
    if cutting.drawn and not cutting.undone:
        seen = cutting.chosen(chosen, cone, clocks)
        look = Look(whole=True, records=False, now=False, hall=shown.address.presenter, chosen=seen)
        drawn = Markup(render.spacetime(shown.run, shown.steps, shown.language, look))
    context: Context = run_head(shown, "cuts") | {
        "cutting": cutting,
        "cut": chosen,
        "judged": cutting.judge(chosen),
        "cone": cone,
        "before": before(shown),
        "clocks": clocks,
        "picture": drawn,
        "plan": cutting.plan() if drawn else None,
        "now": [chosen[name] for name in cutting.names],
        "presenter": shown.address.presenter and drawn is not None,
        "words": script_texts(shown.language, ("cuts.", "player.blank")),
        "to": _to(shown, chosen, cutting, event if cone else "", clocks),
        "states": shown.address.link_to("states"),
    }
    return page(shown.request, "cuts.html", **context)


def _to(shown: Visit, cut: Cut, cutting: Cutting, event: str, clocks: bool) -> Callable[..., str]:
    """Return a function that writes the address of this page with something changed."""

    def changed(
        cut: Cut = cut, event: str = event, clocks: bool = clocks, presenter: bool = shown.address.presenter
    ) -> str:
        said, size = written(cutting.names, cut), 1 if presenter else None
        return shown.address.link_to("cuts", cut=said, clocks=1 if clocks else None, event=event, presenter=size)

    return changed
