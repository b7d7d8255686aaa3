"""What all answers depend on: the static files, and the lessons."""

import time

from app.course.lesson_store import Kept
from app.web.base.templates import edition

MOMENT = 0.25
"""Seconds for which it is taken to stay as it is."""


class Edition:
    """A value that changes whenever a static file, a lesson, or what is known of a lesson does."""

    def __init__(self, lessons: Kept) -> None:
        self._lessons = lessons
        self._shelf: object = None
        self._count = 0
        self._until = 0.0
        self._known = ("", 0)

    def __call__(self) -> object:
        """Return the present value."""
        now = time.monotonic()
        if now >= self._until:
            shelf = self._lessons.shelf()
            self._count += shelf is not self._shelf
            self._shelf, self._until = shelf, now + MOMENT
            self._known = (edition(), self._count)
        return self._known
