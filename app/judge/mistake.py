"""What is wrong with a written class, apart from its algorithm."""

from collections.abc import Mapping
from typing import TypeGuard

from app.core.model.values import Phrase
from app.run.explore import Broken
from app.words.catalogues import catalogue


class Mistake(Broken):
    """A class cannot be judged, or has done what no process can do.

    ``kind`` is a key of the words, ``about`` says more, ``line`` is the line of the file where that is known. A verb
    that was refused says why in a ``phrase``.
    """

    def __init__(self, kind: str, about: str = "", line: int | None = None, phrase: Phrase | None = None) -> None:
        super().__init__(f"{kind} {about}".rstrip())
        self.kind, self.about, self.line, self.phrase = kind, about, line, phrase


MOST_LINES = 100_000
"""The most lines of a file, which has as many characters at most."""


def is_line(line: object) -> TypeGuard[int]:
    """Can this be the number of a line?"""
    return type(line) is int and 0 < line <= MOST_LINES


def mistake_of(answer: Mapping[str, object]) -> Mistake:
    """Return the mistake that a worker tells, which a class may have made it say."""
    line, kind = answer.get("line"), str(answer["mistake"])
    if f"judge.mistake.{kind}" not in catalogue("en"):
        return Mistake("protocol")
    return Mistake(kind, str(answer.get("about", ""))[:300], line if is_line(line) else None)
