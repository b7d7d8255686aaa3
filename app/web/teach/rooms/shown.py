"""What a room has shown, as links that remain when it has ended: for the presenter and the phones."""

from starlette.requests import Request

from app.core.model.values import BluecutError
from app.course.live_run import HAND
from app.web.base.language import language
from app.web.shared.lessons_of import shelf
from app.web.shared.own_scenario import resolve
from app.web.teach.rooms.access import rooms
from app.web.teach.rooms.live_room import LiveRoom
from app.web.teach.rooms.pages import asks
from app.web.teach.rooms.room import CROWD, MadeRun, Poll
from app.words.catalogues import word

Link = tuple[str, str]
"""A title and an address."""


def shown_in(request: Request, live: LiveRoom) -> list[Link]:
    """Return all that a room has shown: runs and lessons, what was asked, and the runs of its activities. What this
    server no longer has is left out."""
    found: dict[str, str] = {}  # by the address: what an activity made and the presenter opened is there once
    things: tuple[str | Poll | MadeRun, ...] = (*live.room.runs, *live.room.polls, *live.room.made)
    for one in things:
        try:
            title, address = _link(request, one)
        except BluecutError:
            continue
        found[address] = title
    return [(title, address) for address, title in found.items()]


def _link(request: Request, one: str | Poll | MadeRun) -> Link:
    if isinstance(one, str):
        return _titled(request, one), one
    if isinstance(one, MadeRun):
        return _made(request, one), one.at
    step = f"{'&' if '?' in one.at else '?'}step={one.step}" if one.floor else ""
    return f"{_titled(request, one.at)} · {asks(request, one)}", one.at + step


def _titled(request: Request, address: str) -> str:
    """Return the title of a page that was shown. Raises BluecutError if there is none any more."""
    spoken = language(request)
    page, name, *_ = address.partition("?")[0].strip("/").split("/")
    if page == "lessons":
        lesson = shelf(request).lesson(name)
        if lesson is None:
            raise BluecutError("at: there is no lesson {name}", name=name[:40])
        return str(getattr(lesson.form.title, spoken))
    how = [] if page == "run" else [word(f"tab.{page}", spoken)]
    if f"algorithm={HAND}" in address:
        how.append(word("room.ended.hand", spoken))
    elif "choices=" in address:
        how.append(word("room.ended.choices", spoken))
    return " · ".join((getattr(resolve(name, request).form.title, spoken), *how))


def _made(request: Request, one: MadeRun) -> str:
    """Return the title of a run that people have made: the activity, its round, and the group if there were several."""
    spoken, activity = language(request), rooms(request).activities.known().get(one.name)
    title = getattr(activity.form.title, spoken) if activity else _titled(request, one.at)
    group = []
    if one.group is not None:
        crowd = one.group == CROWD
        group.append(word("net.title", spoken) if crowd else word("table.group", spoken, number=one.group + 1))
    return " · ".join((title, word("room.ended.round", spoken, round=one.round + 1), *group))
