"""Two processes that are asked the same: a class that does not answer them alike is not deterministic.

One of them is asked everything a second time, the last question first: a class that remembers something elsewhere than
in its processes, in a default argument, say, answers by what it was asked before.
"""

import json
from typing import Any

from app.judge.mistake import Mistake
from app.judge.sandbox import Sandbox
from app.judge.written import Answer, checked

OVER = ("ended", "hangs", "protocol", "too-large")
"""The mistakes after which a process is asked nothing more."""


class Pair:
    """Two sandboxes with the same class, whose hashes differ. Use it as a context."""

    def __init__(self, source: str, file: str) -> None:
        """Start both. Raises Mistake if the source cannot be judged."""
        self._both = (Sandbox(0), Sandbox(1))
        self._asked: list[tuple[dict[str, Any], Answer]] = []
        self._over: Mistake | None = None
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
        request = json.loads(question)
        answer, other = self._answers(request)
        try:
            checked(answer), checked(other)
        except Mistake as mistake:
            self._over = mistake
            raise
        _compare(answer, other, "undetermined")
        self._asked.append((request, answer))
        return answer

    def ask_backwards(self) -> None:
        """Ask what was asked since the last time again, in the other order. Raises Mistake where an answer differs."""
        asked, self._asked = self._asked, []
        if self._over is not None:
            return
        for request, answer in reversed(asked):
            _compare(answer, checked(self._both[1].ask(request)), "remembers")

    def _answers(self, request: dict[str, object]) -> list[dict[str, Any]]:
        """Return the answers of both, which work at the same time; both are read, unless one is to be asked no more."""
        if self._over is not None:
            raise self._over
        for one in self._both:
            one.say(request)
        answers, mistakes = list[dict[str, Any]](), list[Mistake]()
        for one in self._both:
            try:
                answers.append(one.answer())
            except Mistake as mistake:
                mistakes.append(mistake)
                if mistake.kind in OVER:
                    self._over = mistake
                    break
        if mistakes:
            raise mistakes[0]
        return answers


def _compare(answer: Answer, other: Answer, mistake: str) -> None:
    """Raise a Mistake unless both answers are the same."""
    used, again = ([str(use) for use in one["verbs"]] for one in (answer, other))
    if _loosely(answer["state"]) != _loosely(other["state"]) or sorted(used) != sorted(again):
        lines = [use[4] for use in answer["verbs"] if str(use) not in again]
        raise Mistake(mistake, line=lines[0] if lines else None)


def _loosely(value: object) -> Any:
    """Return a value in which the order of collections does not count: it may come from a set."""
    if type(value) is not list:
        return repr(value)
    return sorted((_loosely(item) for item in value), key=repr)
