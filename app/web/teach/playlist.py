"""A playlist for a lecture: runs and lessons in the order of a talk, ``/playlist?item=…&item=…[&at=N]``, and the code
to point a phone at, ``/qr.svg?of=…``.

An item is an address of this site: a run, at any step, or a lesson. The page shows one of them in a frame, with the way
to the next and the one before; without items it is a form that makes such an address. Nothing is stored: the list is
the address.

What ``playlist.html`` gets
---------------------------
``items``   [Item]; ``at`` the number of the shown one, from 1; ``shown`` it; ``back`` and ``next`` their addresses, or
            None
``fields``  the texts of the form's fields; ``wrong`` what is wrong with some of them, by number from 1; ``most`` items;
            ``choices`` [(kind, [(address, title)])]
"""

import io
from typing import Annotated
from urllib.parse import parse_qsl, urlencode, urlsplit

import segno
from fastapi import APIRouter
from fastapi import Query as Parameter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Phrase
from app.scenario.library import LIBRARY
from app.web.base.errors import answers
from app.web.base.language import language, language_pair
from app.web.base.root import for_phones, split_here, within
from app.web.base.templates import Context, page
from app.web.shared.lessons_of import shelf
from app.web.shared.own_scenario import resolve

MOST = 20
"""The most items of a playlist."""
LONGEST = 1_000
"""The most characters of an item, and of what a code says."""
EMPTY = 6
"""How many empty fields the form has at least."""

router = APIRouter(responses=answers(400, 404))
Items = Annotated[list[str] | None, Parameter(max_length=4 * MOST, description="addresses of runs and lessons")]


class Item(Frozen):
    """An address of this site and its title."""

    address: str
    title: str

    @property
    def large(self) -> str:
        """Its address in large type."""
        parts = urlsplit(self.address)
        query = dict(parse_qsl(parts.query)) | {"presenter": "1"}
        return f"{parts.path}?{urlencode(query, safe=':,.')}"


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
            items.append(_item(request, each))
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
        "choices": _choices(request),
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


def _item(request: Request, asked: str) -> Item:
    """Return an item. Raises BluecutError if it is not a run or a lesson of this site, and Unknown or Missing."""
    parts = split_here(request, asked)
    room, _, name = parts.path.strip("/").partition("/") if parts else ("", "", "")
    if parts is None or len(asked) > LONGEST or room not in ("run", "lessons") or not name or "/" in name:
        raise BluecutError(
            "item: {item} is not a run or a lesson of this site; write {example}",
            item=asked[:80],
            example="/run/blue-figure?step=3",
        )
    address = f"/{room}/{name}" + (f"?{parts.query}" if parts.query else "")
    if room == "run":
        return Item(address, getattr(resolve(name, request).form.title, language(request)))
    lesson = shelf(request).lesson(name)
    if lesson is None:
        raise BluecutError("item: there is no lesson {name}", name=name)
    return Item(address, getattr(lesson.form.title, language(request)))


def _choices(request: Request) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what can be chosen, by kind, with titles: the lessons, then the scenarios."""
    spoken = language(request)
    lessons = [(f"/lessons/{one.name}", one.form.title) for one in shelf(request).lessons]
    runs = [(f"/run/{one.name}", one.form.title) for one in LIBRARY.scenarios()]
    kinds = (("lesson", lessons), ("scenario", runs))
    return [(kind, [(address, getattr(title, spoken)) for address, title in rows]) for kind, rows in kinds]
