"""A page that works on any run, asked for without one: it shows the run that shows its point best."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response


def shows(request: Request, place: str, name: str) -> Response:
    """The page ``place`` of the scenario ``name``, with whatever else the address asks for."""
    query = request.url.query
    return RedirectResponse(f"/{place}/{name}" + (f"?{query}" if query else ""), 302)
