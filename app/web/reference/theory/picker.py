"""What is in the state? ``/picker`` and ``/picker/REF?…&keep=NAME&keep=NAME``.

The query names the run as on other pages; ``keep`` are the variables that count as state, by default all of them.

What ``picker.html`` gets, besides what every page about a run gets (see ``app.web.shared.run_page.run_context``)
------------------------------------------------------------------------------------------------
``offered``  [(variable, does it count?)]; none if the program has no variables or no snapshot is complete
``number``   of the snapshot; ``processes`` (list of Choice, see ``app.analysis.chosen_variables``) and ``channels``
             [(channel, messages)] that it recorded; ``wrong`` how many variables are restored with another value
``hidden``   the form's hidden fields that name the run; ``at`` the address of the run when the snapshot is complete
"""

from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from pydantic import StringConstraints
from starlette.responses import HTMLResponse, Response

from app.analysis.chosen_variables import choices, variables
from app.core.model.values import BluecutError
from app.run.run import channels as recorded_channels
from app.run.run import complete
from app.web.base.errors import answers
from app.web.base.templates import Context, page
from app.web.shared.default_run import redirects_to
from app.web.shared.run_page import run_context
from app.web.shared.visit import VisitedRun

FIRST = "what-is-state"

Name = Annotated[str, StringConstraints(max_length=80)]
Keep = Annotated[list[Name], Parameter(max_length=100, description="the variables that count as state")]

router = APIRouter(responses=answers(400, 404))
redirects_to(router, "picker", FIRST)


@router.get("/picker/{ref}", response_class=HTMLResponse)
def picker(shown: VisitedRun, keep: Keep = []) -> Response:  # noqa: B006
    """Return the recorded table of what counts, and the result of a restart from it."""
    run, here = shown.run, shown.address
    known = variables(run)
    number, parts = next(complete(run), (None, {})) if known else (None, {})
    for name in keep:
        if number is not None and name not in known:
            raise BluecutError("keep: no variable is called {name!r}; there are {known}", name=name, known=known)
    kept = tuple(name for name in known if name in keep) or known
    context: Context = run_context(shown, "picker") | {
        "offered": [(name, name in kept) for name in known] if number is not None else [],
        "number": number,
        "hidden": here.query(lang=here.lang),
        "at": None,
    }
    if number is not None:
        found = choices(run, number, kept)
        step = run.history.recordings[number].completed
        context |= {
            "processes": found,
            "channels": recorded_channels(run.system, parts),
            "wrong": sum(len(one.wrong) for one in found),
            "whole": kept == known,
            "at": here.link_to(step=step),
        }
    return page(shown.request, "picker.html", **context)
