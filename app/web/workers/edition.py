"""What all answers depend on: the static files, and the lessons."""

from app.course.lesson_store import Kept
from app.web.base.fresh import Fresh
from app.web.base.templates import edition


class Edition(Fresh[object]):
    """A value that changes soon after a static file, a lesson, or what is known of a lesson does."""

    def __init__(self, lessons: Kept) -> None:
        super().__init__(self._present)
        self._lessons = lessons
        self._shelf: object = None
        self._count = 0

    def _present(self) -> object:
        shelf = self._lessons.shelf()
        self._count += shelf is not self._shelf
        self._shelf = shelf
        return edition(), self._count
