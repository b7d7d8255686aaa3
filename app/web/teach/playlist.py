"""A playlist for a lecture: runs and lessons in the order of a talk, ``/playlist?item=…&item=…[&at=N]``, and the code
to point a phone at, ``/qr.svg?of=…``.

An item is an address of this site: a run, at any step, or a lesson. The page shows one of them in a frame, with the way
to the next and the one before; without items it is a form that makes such an address. Nothing is stored: the list is
the address.

What ``playlist.html`` gets
---------------------------
``items``   [Item], see ``app.web.shared.items``; ``at`` the number of the shown one, from 1; ``shown`` it; ``back`` and
            ``next`` their addresses, or None
``fields``  the texts of the form's fields; ``wrong`` what is wrong with some of them, by number from 1; ``most`` items;
            ``choices`` [(kind, [Item])]
"""

import io
from typing import Annotated
from urllib.parse import urlencode

import segno
from fastapi import APIRouter
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.core.model.values import BluecutError, Phrase
from app.web.base.errors import answers
from app.web.base.language import language_pair
from app.web.base.root import for_phones, within
from app.web.base.templates import Context, page
from app.web.shared.items import LONGEST, MOST, Item, Items, choices, item_of

EMPTY = 6
"""How many empty fields the form has at least."""

router = APIRouter(responses=answers(400, 404))


@router.get("/playlist", response_class=HTMLResponse)
def playlist(
    request: Request,
    item: Items = None,
    at: Annotated[int, Parameter(ge=0, le=10_000, description="the item to show, from 1; 0: the form")] = 1,
    add: Annotated[str, Parameter(max_length=LONGEST, description="one more item; the form is shown again")] = "",
) -> Response:
    """Return the page of a playlist, or the form that makes one."""
    asked = [each.strip() for each in (*(item or ()), add) if each.strip()]
    if len(asked) > MOST:
        raise BluecutError("item: a playlist has at most {most} items, this one has {got}", most=MOST, got=len(asked))
    items: list[Item] = []
    wrong: dict[int, Phrase] = {}
    for number, each in enumerate(asked, 1):
        try:
            items.append(item_of(request, each))
        except BluecutError as error:
            wrong[number] = error.phrase
    at = 0 if add or wrong else min(at, len(items))
    context: Context = {
        "items": items,
        "at": at,
        "shown": items[at - 1] if at else None,
        "wrong": wrong,
        "back": _address(request, items, at - 1) if at > 1 else None,
        "next": _address(request, items, at + 1) if at < len(items) else None,
        "edit": _address(request, items, 0),
        "addresses": [_address(request, items, number) for number in range(1, len(items) + 1)],
        "fields": asked + [""] * min(MOST - len(asked), max(EMPTY - len(asked), 2)),
        "choices": choices(request),
        "most": MOST,
    }
    return page(request, "playlist.html" if at else "playlist_form.html", status=400 if wrong else 200, **context)


@router.get("/qr.svg")
def code(
    request: Request,
    of: Annotated[str, Parameter(max_length=LONGEST, description="an address of this site")],
) -> Response:
    """Return a code that leads a phone to an address of this site."""
    if not of.startswith("/") or of.startswith(("//", "/\\")) or any(ord(each) < 33 for each in of):
        raise BluecutError("of: must be an address of this site, as in {example}", example="/run/blue-figure?step=3")
    drawn = io.BytesIO()
    whole = for_phones(request) + within(of)
    segno.make(whole, error="m", micro=False).save(drawn, kind="svg", scale=4, border=2, light="#ffffff")
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers={"cache-control": "public, max-age=3600"})


def _address(request: Request, items: list[Item], at: int) -> str:
    query = [*(("item", each.address) for each in items), *([("at", str(at))] if at != 1 else [])]
    query += language_pair(request)
    return f"/playlist?{urlencode(query, safe=':,./')}"
