"""Why a number is wrong: what of its parts was left out, or counted twice."""

from collections.abc import Sequence
from itertools import combinations

from app.course.phrases import words_of
from app.scenario.format import Words

MOST_PARTS, MOST_OMITTED = 24, 3
"""Of a number with more parts nothing is guessed; so many at most were left out, and only one was counted twice."""

Parts = Sequence[tuple[str, int]]
"""What a number is made of: names and amounts."""


def number(given: int, right: int, parts: Parts = (), hint: Words | None = None) -> Words:
    """Say what was probably counted, if the parts of the right number are known; otherwise only which way it is off,
    and the ``hint`` of the question: its picture need not show what is asked for.

    How much it is off would give the answer away."""
    counted, by = [part for part in parts if part[1]], given - right
    fields = {"given": given, "count": len(counted)}
    if counted and given == 0:
        part, amount = counted[0]
        key = "wrong.number.item" if part == str(amount) else "wrong.number.nothing"  # an item is named by its value
        return words_of(key, part=part, amount=amount)
    if len(counted) > 1 and given == 2 * right:
        return words_of("wrong.number.double", **fields)
    found = _together(counted, abs(by), MOST_OMITTED if by < 0 else 1)
    if found and len({amount for _, amount in counted}) == 1 and len(counted) > 1:
        return words_of("wrong.number.fewer" if by < 0 else "wrong.number.again", **fields)
    if found:
        return words_of("wrong.number.omitted" if by < 0 else "wrong.number.twice", parts=found, **fields)
    look = hint or words_of("wrong.number.look")
    return words_of("wrong.number.less" if by < 0 else "wrong.number.more", look=look, **fields)


def _together(parts: Parts, amount: int, most: int) -> list[str]:
    """Return the fewest parts that make up an amount; none if more than ``most`` are needed."""
    if len(parts) <= MOST_PARTS:
        for count in range(1, most + 1):
            for few in combinations(parts, count):
                if sum(one for _, one in few) == amount:
                    return [name for name, _ in few]
    return []
