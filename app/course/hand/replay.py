"""The exercises of the lessons, and the moves that are in an address."""

from collections.abc import Sequence

from app.core.model.values import BluecutError
from app.course.hand.barriers import Barriers
from app.course.hand.exercise import Exercise, Refused
from app.course.hand.line import Line
from app.course.hand.markers import Markers
from app.course.yaml_forms import BarriersForm, HandForm, LineForm

MOST = 60
"""So many moves are enough."""


def _begun(form: HandForm) -> Exercise:
    match form:
        case BarriersForm():
            return Barriers(form.scenario, form.process, form.opening)
        case LineForm():
            return Line(form.scenario, form.at)
    return Markers(form.scenario, form.initiator, form.sent)


def replayed(form: HandForm, moves: Sequence[str]) -> tuple[Exercise, BluecutError | None]:
    """Return the exercise after these moves, written as ``DOING:WHERE``, and why the last one was refused, if it was. A
    refused move changes nothing. Raises BluecutError if a text is no move."""
    hand, refused = _begun(form), None
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
