"""The files of the checkpoints of a run, as a piece of its page."""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.web.base.errors import NoSuchStep, answers
from app.web.base.templates import page
from app.web.play.player.files_view import shelves
from app.web.shared.visit import VisitedRun

router = APIRouter(responses=answers(400, 404))


@router.get("/run/{ref}/files", response_class=HTMLResponse)
def files(shown: VisitedRun) -> Response:
    """Return the files of the checkpoints written by a step: a piece of the run's page."""
    told = shelves(shown.run, shown.address.step)
    if not told["shelves"]:
        raise NoSuchStep("only a dataflow whose checkpoints are restored has files of them")
    return page(shown.request, "_files.html", **told)
