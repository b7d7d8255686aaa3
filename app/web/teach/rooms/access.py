"""Who may do what in a room: the cookies of presenters and seats."""

import hmac
from typing import Annotated

from fastapi import Depends
from fastapi import Path as InPath
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.web.base.quota import client_of
from app.web.base.root import at
from app.web.teach.rooms import secret
from app.web.teach.rooms.live_room import LiveRoom
from app.web.teach.rooms.rooms import LASTS, Rooms

SEAT = "x-bluecut-seat"
"""The header in which scripts of a phone send the token of its seat."""

_Code = Annotated[str, InPath(max_length=40, description="the code of a room")]


def rooms(request: Request) -> Rooms:
    """Return the server's rooms."""
    found: Rooms = request.app.state.rooms
    return found


async def room_of(request: Request, code: _Code) -> LiveRoom:
    """Return the room of an address. It runs on the event loop, as everything that changes rooms does."""

    def is_in(live: LiveRoom) -> bool:
        return leads(request, live) or seat_token(request, live) is not None

    return rooms(request).find(code, client_of(request), is_in)


AnyRoom = Annotated[LiveRoom, Depends(room_of)]


def leads(request: Request, live: LiveRoom) -> bool:
    """Does the request come from the presenter?"""
    return is_token(live, request.cookies.get("lead", ""))


def is_token(live: LiveRoom, token: str) -> bool:
    """Is it the token of the room's presenter?"""
    return hmac.compare_digest(secret.digest(token), live.token)


async def _led_room(request: Request, live: AnyRoom) -> LiveRoom:
    """Return the room, which the request's sender must lead (403)."""
    if not leads(request, live):
        raise HTTPException(403)
    return live


LedRoom = Annotated[LiveRoom, Depends(_led_room)]


def seat_token(request: Request, live: LiveRoom) -> str | None:
    """Return the token of the sender's seat, if there is one: that of the cookie, or, if a phone has lost it, the one
    that its script has kept."""
    given = (request.cookies.get("seat"), request.headers.get(SEAT))
    return next((token for token in given if token and secret.digest(token) in live.seats), None)


def seat_of(request: Request, live: LiveRoom) -> int | None:
    """Return the number of the sender's seat, if there is one."""
    token = seat_token(request, live)
    return live.seats[secret.digest(token)] if token else None


def give(request: Request, answer: Response, live: LiveRoom, name: str, token: str) -> None:
    """Let the browser keep a token, for this room only."""
    safe, there = request.url.scheme == "https", at(f"/r/{live.code}")
    answer.set_cookie(name, token, max_age=LASTS, path=there, secure=safe, httponly=True, samesite="lax")
