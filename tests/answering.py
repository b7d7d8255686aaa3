"""Answers that tests give to questions of lessons."""

from collections.abc import Iterator
from itertools import islice, permutations

from app.course.question import Answer, Question, grade

MOST_ORDERS = 24
"""So many orders of events are tried."""


def wrong(question: Question) -> Answer:
    """Return an answer that is neither right nor tempting."""
    names = [one.value for one in question.options]
    tried: list[Answer]
    if question.kind == "number":
        tried = [str(number) for number in (97, 98, 99)]
    elif question.kind == "order":
        tried = [*(tuple(names[i:] + names[:i]) for i in range(len(names))), tuple(reversed(names))]
    elif question.many:
        tried = [(), *((name,) for name in names), tuple(names), tuple(names[1:])]
    else:
        tried = [*names]
    bad = [one for one in tried if not grade(question, one).right]
    return next((one for one in bad if grade(question, one).misconception is None), bad[0])


def wrongs(question: Question) -> list[Answer]:
    """Every wrong option; of a set each part too many and each part missing, nothing and everything; of a number its
    neighbours, nothing, twice as much, and what tempts; of an order the first ones."""
    tried = dict.fromkeys((*every(question), *question.tempting, *question.says))
    return [answer for answer in tried if not grade(question, answer).right]


def every(question: Question) -> Iterator[Answer]:
    """Answers to a question, right ones too."""
    names = [one.value for one in question.options]
    if question.kind == "number":
        count = int(str(question.answer))
        yield from (str(number) for number in (count - 1, count + 1, 0, 2 * count))
    elif question.kind == "order":
        yield from islice(permutations(names), MOST_ORDERS)
    elif question.many:
        right = tuple(question.answer)
        yield from ((), tuple(names), *((name,) for name in names))
        yield from (tuple(part for part in right if part != left) for left in right)
        yield from ((*right, name) for name in names if name not in right)
    else:
        yield from names
