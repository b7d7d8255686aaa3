"""What programs that follow links should leave alone: every run leads to others without end."""

from fastapi import APIRouter
from starlette.responses import PlainTextResponse, Response

from app.web.base.root import at
from app.web.workers.kept_answers import EXPENSIVE

router = APIRouter()

CLOSED = ("/*?", "/run/*/", "/api/", "/editor", "/embed/", "/lab/jobs", "/search", "/spark")
"""Settings, the steps and branches of runs, and what is made on request."""


@router.get("/robots.txt", include_in_schema=False)
def robots() -> Response:
    """Return the rules."""
    closed = (*CLOSED, *(f"/{word}/" for word in sorted(EXPENSIVE)))
    return PlainTextResponse(
        "".join(f"{line}\n" for line in ("User-agent: *", *(f"Disallow: {at(p)}" for p in closed)))
    )
