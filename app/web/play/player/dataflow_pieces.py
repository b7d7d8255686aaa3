"""Two pieces of the page of a dataflow's run: its ledger, and the files of its checkpoints.

Besides what ``app.web.play.player.ledger_view`` says, ``_ledger.html`` gets here ``guarantees``: the three as a switch,
each with the address of this run under it, see ``app.web.play.player.guarantee_switch``; and ``beside``: the address
that shows them side by side, or None.
"""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.web.base.errors import NoSuchStep, answers
from app.web.base.templates import page
from app.web.play.player.files_view import shelves
from app.web.play.player.guarantee_switch import switch
from app.web.play.player.ledger_view import balance
from app.web.shared.visit import VisitedRun

router = APIRouter(responses=answers(400, 404))


@router.get("/run/{ref}/ledger", response_class=HTMLResponse)
def ledger(shown: VisitedRun) -> Response:
    """Return how the failures of this run have affected its result by a step: a piece of the run's page."""
    told = balance(shown.run, shown.address.step)
    if told["book"] is None:
        raise NoSuchStep("only a dataflow has a ledger")
    return page(shown.request, "_ledger.html", **told, **switch(shown.run, shown.scenario, shown.address))


@router.get("/run/{ref}/files", response_class=HTMLResponse)
def files(shown: VisitedRun) -> Response:
    """Return the files of the checkpoints written by a step: a piece of the run's page."""
    told = shelves(shown.run, shown.address.step)
    if not told["shelves"]:
        raise NoSuchStep("only a dataflow whose checkpoints are restored has files of them")
    return page(shown.request, "_files.html", **told)
