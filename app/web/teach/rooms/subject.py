"""What a presenter can show in a room: the pages about runs, and lessons. Of an address, only what everybody should see
is kept: neither the presenter's size and language, nor an answer."""

from urllib.parse import parse_qsl, urlsplit

from pydantic import ValidationError
from starlette.requests import Request

from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.course.question import Question
from app.course.quiz import quiz
from app.forms.whole_number import whole_number
from app.web.base.root import split_here
from app.web.shared.lessons_of import shelf
from app.web.shared.own_scenario import resolve
from app.web.shared.run_head import PARTS, TOOLS
from app.web.shared.visit import Visit, visit
from app.web.teach.rooms.access import rooms
from app.wire.run_url import Query, written_url

PAGES = ("lessons", *TOOLS, *(page for pages in PARTS.values() for page in pages))
"""The first words of the addresses that can be shown."""
LONGEST = 6_000
"""The most characters of an address."""
_OWN = frozenset(("lang", "presenter", "view", "answer", "place", "show", "track"))


class Subject(Frozen):
    """A page, and of a run the step. ``asks``: is it a question?"""

    at: str
    step: int = 0
    asks: bool = False


def subject_of(request: Request, address: str) -> Subject:
    """Return what an address shows. Raises BluecutError if it is none that can be shown, Unknown and Missing."""
    parts = split_here(request, address)
    words = parts.path.strip("/").split("/") if parts else []
    if parts is None or len(address) > LONGEST or words[0] not in PAGES or len(words) < 2:
        raise _nothing_shown(address)
    query = [(name, value) for name, value in parse_qsl(parts.query) if name not in _OWN]
    room, name, *rest = words
    if room == "lessons":
        return _of_lesson(request, name, rest, query)
    resolve(name, request)
    steps = [value for key, value in query if key == "step"]
    query = [pair for pair in query if pair[0] != "step"]
    at = written_url(f"/{room}/{name}", query)
    if room != "run":
        return Subject(at, asks=room == "quiz")
    return Subject(at, whole_number(steps[0], digits=5) or 0 if steps else 0)


def _nothing_shown(address: str) -> BluecutError:
    return BluecutError(
        "at: {address} is not a run, a lesson or a question of this site; show {example}",
        address=address[:80],
        example="/run/blue-figure?step=3",
    )


def _of_lesson(request: Request, name: str, rest: list[str], query: list[tuple[str, str]]) -> Subject:
    """Return a page of a lesson; that of an answer is that of its question."""
    if shelf(request).lesson(name) is None:
        raise BluecutError("at: there is no lesson {name}", name=name[:40])
    if rest == ["by-hand"]:
        return Subject(f"/lessons/{name}/by-hand")
    asks = rest or [value for key, value in query if key == "q"]
    if asks:
        return Subject(written_url(f"/lessons/{name}", [("q", asks[0])]), asks=True)
    return Subject(written_url(f"/lessons/{name}", [pair for pair in query if pair[0] == "end"]))


def question_at(request: Request, at: str) -> Question:
    """Return the question of an address that ``subject_of`` has given. Raises BluecutError if there is none. One
    about a run is found once: every vote asks for it."""
    if at.startswith("/lessons/"):
        return _question_at(request, at)
    return rooms(request).questions.get(at, lambda: _question_at(request, at))


def _question_at(request: Request, at: str) -> Question:
    parts = urlsplit(at)
    query, (room, name) = parse_qsl(parts.query), parts.path.strip("/").split("/")
    found: Question | None = None
    if room == "lessons":
        lesson = shelf(request).lesson(name)
        asked = dict(query).get("q")
        found = next((one for one in lesson.questions if one.id == asked), None) if lesson else None
    else:
        shown = visit_at(request, at)
        kinds = tuple(value for key, value in query if key == "kinds")
        number = whole_number(dict(query).get("n", ""), digits=7)
        found = quiz(shown.run, shown.address, 0 if number is None else number - 1, kinds)
    if found is None:
        raise BluecutError("at: there is no question at {address}", address=at[:80])
    return found


def visit_at(request: Request, at: str, step: int = 0) -> Visit:
    """Return the run of an address at a step. Raises BluecutError."""
    parts = urlsplit(at)
    try:
        query = Query.model_validate(dict(parse_qsl(parts.query)) | {"step": str(step)})
    except ValidationError:
        raise _nothing_shown(at) from None
    return visit(request, parts.path.strip("/").split("/")[1], query)
