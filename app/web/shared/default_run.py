"""A page about any run, requested without one: it shows the run that makes its point best."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response


def redirects_to(router: APIRouter, place: str, name: str) -> None:
    """Let ``/place`` redirect to that page of the scenario ``name``, with the rest of the address."""

    def first(request: Request) -> Response:
        return RedirectResponse(f"/{place}/{name}{query_of(request)}", 302)

    router.add_api_route(f"/{place}", first, include_in_schema=False)


def query_of(request: Request) -> str:
    """Return the query of a request with its ``?``, for another address; nothing if there is none."""
    return f"?{request.url.query}" if request.url.query else ""
