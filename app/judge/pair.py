"""Two processes that are asked the same: a class that does not answer them alike is not deterministic."""

import json
from typing import Any

from app.judge.mistake import Mistake
from app.judge.sandbox import Sandbox
from app.judge.written import Answer, checked


class Pair:
    """Two sandboxes with the same class, whose hashes differ. Use it as a context."""

    def __init__(self, source: str, file: str) -> None:
        """Start both. Raises Mistake if the source cannot be judged."""
        self._both = (Sandbox(0), Sandbox(1))
        try:
            self.facts, _ = self._answers({"source": source, "file": file})
        except Mistake:
            self.stop()
            raise

    def __enter__(self) -> "Pair":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End both processes."""
        for one in self._both:
            one.stop()

    def ask(self, question: str) -> Answer:
        """Return the checked answer to a question, if both give it. Raises Mistake."""
        answer, other = map(checked, self._answers(json.loads(question)))
        used, again = ([str(use) for use in one["verbs"]] for one in (answer, other))
        if _loosely(answer["state"]) != _loosely(other["state"]) or sorted(used) != sorted(again):
            lines = [use[4] for use in answer["verbs"] if str(use) not in again]
            raise Mistake("undetermined", line=lines[0] if lines else None)
        return answer

    def _answers(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the answers of both, which work at the same time; both are read, whatever the first one is."""
        for one in self._both:
            one.say(request)
        answers, mistakes = list[dict[str, Any]](), list[Mistake]()
        for one in self._both:
            try:
                answers.append(one.answer())
            except Mistake as mistake:
                mistakes.append(mistake)
        if mistakes:
            raise mistakes[0]
        return answers


def _loosely(value: Any) -> Any:
    """Return a value in which the order of collections does not count: it may come from a set."""
    if type(value) is not list:
        return repr(value)
    return sorted((_loosely(item) for item in value), key=repr)
