"""Why what an expression gives is no answer to a question of its kind, told to the author of the lesson."""

from app.core.model.values import Phrase
from app.course.expression import described, few
from app.course.question import MANY, Question
from app.course.run_facts import Sent


def misfit(question: Question, value: object) -> Phrase:
    """Explain why ``value``, which ``app.course.question.answered`` refuses, is not an answer."""
    got, kind = described(value), question.kind
    if kind == "number":
        return Phrase("gives {got}, but a question of kind number needs a whole number", got=got)
    parts = list(value) if isinstance(value, list | tuple) else [value]
    values = [part_of(one) for one in parts]
    known = [one.value for one in question.options]
    if kind not in MANY and isinstance(value, list | tuple):
        return Phrase(
            "gives {got}, but a question of kind {kind} needs one of {known}", got=got, kind=kind, known=few(known)
        )
    for one, text in zip(parts, values, strict=True):
        if text not in known:
            return Phrase(
                "gives {got}, but a question of kind {kind} knows only {known}",
                got=_quoted_part(one),
                kind=kind,
                known=few(known),
            )
    for one, text in zip(parts, values, strict=True):
        if values.count(text) > 1:
            return Phrase(
                "gives {got} several times, but a question of kind {kind} needs it once",
                got=_quoted_part(one),
                kind=kind,
            )
    if kind == "order":
        left = tuple(text for text in known if text not in values)
        return Phrase("gives {got}, but a question of kind order needs all; without {left}", got=got, left=few(left))
    return Phrase("gives {got}, but a question of kind {kind} needs something else", got=got, kind=kind)


def part_of(value: object) -> str:
    """Return a part of an answer as a form would send it. A message is sent by its number."""
    return str(value.id) if isinstance(value, Sent) else str(value)


def _quoted_part(value: object) -> Phrase | str:
    """Return a part of an answer as it appears in a sentence."""
    if isinstance(value, Sent):
        return Phrase("message {number} ({payload})", number=value.id, payload=str(value.payload))
    return described(value)
