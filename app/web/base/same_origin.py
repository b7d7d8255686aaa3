"""The origin of a request. Only our own pages and programs may change something here."""

from starlette.exceptions import HTTPException
from starlette.requests import Request


async def same_origin(request: Request) -> None:
    """Refuse (403) what another site's page makes a visitor's browser send.

    Browsers say where a request comes from in ``Sec-Fetch-Site``, older ones in ``Origin``. A client that says neither
    is a program, which could say anything. It waits for nothing; asynchronous, it needs no thread.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        allowed = site in ("same-origin", "none")
    else:
        origin = request.headers.get("origin")
        allowed = origin is None or origin.partition("://")[2] == request.headers.get("host")
    if not allowed:
        raise HTTPException(403)
