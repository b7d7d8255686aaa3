"""A page about any run, requested without one: it shows the run that makes its point best."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response


def shows(request: Request, place: str, name: str) -> Response:
    """Redirect to the page ``place`` of the scenario ``name``, with the rest of the address."""
    query = request.url.query
    return RedirectResponse(f"/{place}/{name}" + (f"?{query}" if query else ""), 302)
