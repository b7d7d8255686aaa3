"""The server's lessons, and where a scenario is taught: the lessons to which it belongs, for visitors of its runs."""

from collections.abc import Iterable

from starlette.requests import Request

from app.course.lesson_list import Shelf
from app.web.base.language import language, language_pair
from app.wire.run_url import written_url
from app.words.catalogues import word


def shelf(request: Request) -> Shelf:
    """Return the server's lessons, as they are now."""
    found: Shelf = request.app.state.lessons.shelf()
    return found


def taught(request: Request, places: Iterable[int]) -> list[tuple[str, str]]:
    """Return the lessons at these places: the name and the address of each. A place without a lesson is left out."""
    kept = language_pair(request)
    known = shelf(request).places()
    spoken = language(request)
    return [
        (
            word("claims.to.lesson", spoken, number=place, title=getattr(known[place].form.title, spoken)),
            written_url(f"/lessons/{known[place].name}", kept),
        )
        for place in dict.fromkeys(places)
        if place in known
    ]
