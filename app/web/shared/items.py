"""What a lecture shows, item by item: runs, at any step, and lessons."""

from typing import Annotated
from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import Query
from starlette.requests import Request

from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.scenario.library import LIBRARY
from app.web.base.language import language
from app.web.base.root import split_here
from app.web.shared.lessons_of import shelf
from app.web.shared.own_scenario import resolve

MOST = 20
"""The most items of a playlist."""
LONGEST = 1_000
"""The most characters of an address."""
Items = Annotated[list[str] | None, Query(max_length=4 * MOST, description="addresses of runs and lessons")]


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


def item_of(request: Request, asked: str) -> Item:
    """Return the run or lesson at an address. Raises BluecutError if it is neither, and Unknown or Missing."""
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


def choices(request: Request) -> list[tuple[str, list[Item]]]:
    """Return what can be shown, by kind: the lessons, then the scenarios."""
    spoken = language(request)
    lessons = [Item(f"/lessons/{one.name}", getattr(one.form.title, spoken)) for one in shelf(request).lessons]
    runs = [Item(f"/run/{one.name}", getattr(one.form.title, spoken)) for one in LIBRARY.scenarios()]
    return [("lesson", lessons), ("scenario", runs)]
