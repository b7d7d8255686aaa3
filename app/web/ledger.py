"""The ledger of a run of a dataflow, as a piece of its page.

Besides what ``app.web.balance`` says, ``_ledger.html`` gets here ``guarantees``: the three as a switch, each with the
address of this run under it, see ``app.web.guarantee``; and ``beside``: the address that shows them side by side, or
None.
"""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.web.balance import balance
from app.web.errors import NoSuchStep, answers
from app.web.guarantee import switch
from app.web.page import page
from app.web.pages import Shown

router = APIRouter(responses=answers(400, 404))


@router.get("/run/{ref}/ledger", response_class=HTMLResponse)
def ledger(shown: Shown) -> Response:
    """Return how the failures of this run have affected its result by a step: a piece of the run's page."""
    told = balance(shown.run, shown.address.step)
    if told["book"] is None:
        raise NoSuchStep("only a dataflow has a ledger")
    return page(shown.request, "_ledger.html", **told, **switch(shown.run, shown.scenario, shown.address))
