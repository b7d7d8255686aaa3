"""The answer to a question in the query of an address.

``answer=…`` once for each part, in order; or, without scripts and for an ordered answer, ``place=NUMBER:VALUE``.
``show=1`` shows the right one.
"""

from typing import Annotated

from fastapi import Depends
from fastapi import Query as Parameter
from pydantic import StringConstraints

from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.course.question import MOST
from app.forms.whole_number import whole_number

Part = Annotated[str, StringConstraints(max_length=400)]


class Given(Frozen):
    """The answer in a query."""

    answer: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    show: bool = False

    def parts(self) -> list[str]:
        """Return the parts of the answer, in order. Raises BluecutError if two have the same place."""
        values: dict[int, str] = {}
        for text in filter(None, self.place):
            number, _, value = text.partition(":")
            place = whole_number(number)
            if place is None:
                raise BluecutError("place: must be NUMBER:VALUE")
            if place in values:
                raise BluecutError("answer: two have the same place; give each its own")
            values[place] = value
        return [*self.answer, *(values[place] for place in sorted(values))]


def _given(
    answer: Annotated[list[Part] | None, Parameter(max_length=MOST, description="the answer, part by part")] = None,
    place: Annotated[list[Part] | None, Parameter(max_length=MOST, description="NUMBER:VALUE, instead")] = None,
    show: Annotated[bool, Parameter(description="show the right answer")] = False,
) -> Given:
    return Given(tuple(answer or ()), tuple(place or ()), show)


Answers = Annotated[Given, Depends(_given)]
