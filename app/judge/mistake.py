"""What is wrong with a written class, apart from its algorithm."""

from collections.abc import Mapping
from typing import Any

from app.core.model.values import Phrase
from app.run.explore import Broken


class Mistake(Broken):
    """A class cannot be judged, or has done what no process can do.

    ``kind`` is a key of the words, ``about`` says more, ``line`` is the line of the file where that is known. A verb
    that was refused says why in a ``phrase``.
    """

    def __init__(self, kind: str, about: str = "", line: int | None = None, phrase: Phrase | None = None) -> None:
        super().__init__(f"{kind} {about}".rstrip())
        self.kind, self.about, self.line, self.phrase = kind, about, line, phrase


def mistake_of(answer: Mapping[str, Any]) -> Mistake:
    """Return the mistake that a worker tells."""
    line = answer.get("line")
    return Mistake(str(answer["mistake"]), str(answer.get("about", ""))[:300], line if isinstance(line, int) else None)
