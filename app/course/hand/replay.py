"""The exercises of the lessons, and the moves that are in an address."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from app.core.model.values import BluecutError
from app.course.hand.barriers import Barriers
from app.course.hand.exercise import Refused
from app.course.hand.line import Line
from app.course.hand.markers import Markers
from app.course.yaml_forms import HandForm

MOST = 60
"""So many moves are enough."""
Hand: TypeAlias = Markers | Barriers | Line
RULES: Mapping[str, Callable[[Any], Hand]] = {"markers": Markers, "barriers": Barriers, "line": Line}
"""The exercises by what a lesson calls their rules."""


def replayed(form: HandForm, moves: Sequence[str]) -> tuple[Hand, BluecutError | None]:
    """Return the exercise after these moves, written as ``DOING:WHERE``, and why the last one was refused, if it was. A
    refused move changes nothing. Raises BluecutError if a text is no move."""
    hand, refused = RULES[form.rules](form), None
    if len(moves) > MOST:
        raise BluecutError("m: at most {most} moves", most=MOST)
    for text in moves:
        doing, _, where = text.partition(":")
        if (doing, where) not in [piece for _, pieces in hand.offers() for piece in pieces]:
            raise BluecutError("m: {move!r} is no move", move=text[:40])
        try:
            hand.play((doing, where))
            refused = None
        except Refused as error:
            refused = error
    return hand, refused
