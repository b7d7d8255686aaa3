"""What is known of a visitor: ``/privacy``. ``privacy.html`` gets ``contact``, what the operator says of themselves."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.web.base.templates import page

router = APIRouter()


@router.get("/privacy", response_class=HTMLResponse)
def privacy(request: Request) -> Response:
    """Return what the browser and the server keep, and for how long."""
    return page(request, "privacy.html", contact=request.app.state.settings.contact)
