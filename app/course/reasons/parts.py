"""Reasons for answers with one part or with several: what is wrong with the first that is wrong, or that is missing."""

from collections.abc import Callable
from typing import TypeAlias

from app.course.question import Answer, Question, less, parts
from app.scenario.format import Words

Explained: TypeAlias = Callable[[Answer], Words | None]
"""Knows why an answer is wrong."""

About: TypeAlias = Callable[[str], Words | None]
"""Knows something of a part of an answer."""


def single(about: About) -> Explained:
    """Return the reasons for a question whose answer has one part."""
    return lambda given: about(given) if isinstance(given, str) else None


def apart(question: Question, extra: About, missing: About) -> Explained:
    """Return the reasons for a question whose answer has several parts: about a part that is too much, otherwise about
    one that is missing."""

    def explained(given: Answer) -> Words | None:
        more, lacking = less(parts(given), parts(question.answer)), less(parts(question.answer), parts(given))
        return extra(more[0]) if more else missing(lacking[0]) if lacking else None

    return explained
