"""A page about any run, requested without one: it shows the run that makes its point best."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response


def redirects_to(router: APIRouter, place: str, name: str) -> None:
    """Let ``/place`` redirect to that page of the scenario ``name``, with the rest of the address."""

    def first(request: Request) -> Response:
        query = request.url.query
        return RedirectResponse(f"/{place}/{name}" + (f"?{query}" if query else ""), 302)

    router.add_api_route(f"/{place}", first, include_in_schema=False)
