"""A class that runs somewhere else: what it has answered so far, and what it must still be asked.

The search leaves out what follows an event whose answer is missing, and the question is put on a list. Whoever has the
class answers all of them, and the search is made again, until no question is left: then it has seen what it would have
seen if the class were here. A failure counts only then, because a shorter one may hide behind a question.
"""

import hashlib
from collections.abc import Mapping

from app.core.model.values import Refused
from app.judge.mistake import Mistake, mistake_of
from app.judge.written import Answer, checked


class Answers:
    """Answers by the names of their questions; ``missing`` has the questions without one, in the order in which they
    came up."""

    def __init__(self, known: Mapping[str, object]) -> None:
        self._known = known
        self.missing: dict[str, str] = {}

    def ask(self, question: str) -> Answer:
        """Return the answer to a question. Raises Mistake if it is one, and Refused if there is none yet."""
        name = hashlib.sha256(question.encode()).hexdigest()[:16]
        answer = self._known.get(name)
        if answer is None:
            self.missing[name] = question
            raise Refused("the answer is missing")
        if not isinstance(answer, dict):
            raise Mistake("protocol")
        if "mistake" in answer:
            raise mistake_of(answer)
        return checked(answer)
