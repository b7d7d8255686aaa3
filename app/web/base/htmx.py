"""What htmx asks for."""

from starlette.requests import Request


def part_only(request: Request) -> bool:
    """Is only a part of the page wanted? Going back in the browser's history asks for the whole page."""
    return "hx-request" in request.headers and "hx-history-restore-request" not in request.headers
