"""What all answers depend on: the static files, and the lessons."""

from app.course.lesson_store import Kept
from app.web.base.templates import edition


class Edition:
    """A value that changes whenever a static file, a lesson, or what is known of a lesson does."""

    def __init__(self, lessons: Kept) -> None:
        self._lessons = lessons
        self._shelf: object = None
        self._count = 0

    def __call__(self) -> object:
        """Return the present value."""
        shelf = self._lessons.shelf()
        self._count += shelf is not self._shelf
        self._shelf = shelf
        return edition(), self._count
