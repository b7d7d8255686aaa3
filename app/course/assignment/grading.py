"""Many strings read at once: what each person's answers are worth, and what does not look right.

Copying is found by the seeds. Where two people have different right answers, one who is wrong and has said exactly what
is right for the other has probably copied; how surprising that is, is counted in bits. It is told from a surprise on
that chance does not reach in a class of this size, and only told: people decide.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from math import log2
from typing import TypeAlias

from msgspec.structs import replace

from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.course.assignment.assignment import SHUFFLED, Assignment, Lessons, person, sheet
from app.course.assignment.handed_in import HandedIn, check, claimed, opened, strings
from app.course.question import Answer, Grade, Question, answered, grade, parts

MOST = 600
"""The most strings that are read at once."""

NUMBER_BITS, MOST_BITS = 4.0, 5.0
"""How surprising it is to give a certain number, and any answer, at most."""

_Said: TypeAlias = tuple[str, ...]

SURE = 9.0
"""So many bits are reported between two people; more for larger classes."""


class Copied(Frozen):
    """``fitting`` of ``differing`` answers are right for ``other``, and wrong for the person who gave them."""

    other: str
    fitting: int
    differing: int


class Sheet(Frozen):
    """A person's answers, judged; None for a question that was left open. ``times``: so often were they handed in, and
    these are the last; ``copied``: whose sheet they fit."""

    handed: HandedIn
    asked: tuple[Question, ...]
    grades: tuple[Grade | None, ...]
    times: int = 1
    copied: Copied | None = None

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(one is not None and one.right for one in self.grades)


class Unjudged(Frozen):
    """A string that was not judged: ``changed`` (its signature does not fit), of ``another`` assignment, or made for an
    ``earlier`` version of the questions. ``name`` is what it says, which need not be true."""

    name: str
    why: str
    begin: str


class Read(Frozen):
    """What was found in a text: the sheets by name, and what was refused."""

    sheets: tuple[Sheet, ...]
    refused: tuple[Unjudged, ...]


def read(key: bytes, given: Assignment, text: str, lessons: Lessons, tired: Callable[[], bool] = lambda: False) -> Read:
    """Judge all strings in a text. Raises BluecutError if there are too many, or it is ``tired`` of them."""
    found, refused = strings(text), []
    if len(found) > MOST:
        raise BluecutError("{count} answers at once; at most {most}", count=len(found), most=MOST)
    last: dict[str, HandedIn] = {}
    times = Counter[str]()
    for one in found:
        handed = opened(key, one)
        if handed is None or handed.assignment != given.digest:
            why = "changed" if handed is None else "another"
            refused.append(Unjudged(handed.name if handed else claimed(one), why, one[:24]))
            continue
        who = person(handed.name)
        times[who] += 1
        if who not in last or _later(handed, last[who]):
            last[who] = handed
    sheets: list[Sheet] = []
    for who, handed in sorted(last.items()):
        if tired():
            raise BluecutError("these answers take too long to judge at once; read half of them, then the others")
        asked = tuple(sheet(given, handed.name, lessons))
        if check(key, handed.name, asked) != handed.check:
            refused.append(Unjudged(handed.name, "earlier", ""))
            continue
        grades = tuple(  # what was signed has been checked before
            None if answer is None else grade(one, answered(one, list(parts(answer))))
            for one, answer in zip(asked, handed.given, strict=True)
        )
        sheets.append(Sheet(handed, asked, grades, times[who]))
    return Read(tuple(_compared(sheets)), tuple(refused))


def _later(one: HandedIn, other: HandedIn) -> bool:
    """Was it handed in later? Strings of earlier versions have only minutes."""
    if one.order and other.order:
        return one.order > other.order
    return one.minute >= other.minute


class _Mark(Frozen):
    """An answer as one would copy it, and the right one: as text, and as letters where the options have some. ``right``
    is None where the question was left open; ``bits`` is how surprising it is to give the right one by chance."""

    right: bool | None
    given: tuple[_Said, ...]
    key: tuple[_Said, ...]
    bits: float


def _marks(sheet: Sheet) -> list[_Mark]:
    return [
        _Mark(
            one.right if one else None, _said(asked, one.given) if one else (), _said(asked, asked.answer), _bits(asked)
        )
        for asked, one in zip(sheet.asked, sheet.grades, strict=True)
    ]


def _said(asked: Question, answer: Answer) -> tuple[_Said, ...]:
    """Return the ways in which one would copy an answer. Numbers of messages differ between runs, their texts need
    not."""
    letters = {one.value: str(at) for at, one in enumerate(asked.options)} if asked.kind in SHUFFLED else {}
    ways = [[asked.text(one).en for one in parts(answer)], [letters.get(one, "") for one in parts(answer)]]
    return tuple(tuple(one if asked.kind == "order" or asked.ordered else sorted(one)) for one in ways)


def _bits(asked: Question) -> float:
    """Return how surprising it is to give exactly the right answer of a question by chance."""
    if asked.kind == "number":
        return NUMBER_BITS
    count = len(asked.options)
    return min(MOST_BITS, float(count) if asked.many else log2(max(1, count)))


def _compared(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return the sheets, with whose they seem to be copied from."""
    sure = SURE + log2(max(2, len(sheets)))
    marks = [_marks(one) for one in sheets]
    found = []
    for at, one in enumerate(sheets):
        wrong = [mark for mark in marks[at] if mark.right is False]
        copied = None
        if len(sheets) > 1 and len(wrong) * MOST_BITS >= sure:  # else no other sheet can be surprising enough
            best, other = max((_surprise(marks[at], marks[to]), -to) for to in range(len(sheets)) if to != at)
            if best[0] >= sure:
                copied = Copied(sheets[-other].handed.name, best[1], best[2])
        found.append(replace(one, copied=copied))
    return found


def _surprise(mine: Sequence[_Mark], theirs: Sequence[_Mark]) -> tuple[float, int, int]:
    """Return how surprising it is that answers fit another sheet, how many do, and how many could tell. An answer that
    is not theirs counts against it."""
    bits, fitting, differing = 0.0, 0, 0
    for one, other in zip(mine, theirs, strict=True):
        if one.right is None or _alike(one.key, other.key):
            continue
        differing += 1
        if not one.right and _alike(one.given, other.key):
            fitting += 1
            bits += other.bits
        else:
            bits -= 1.0
    return (bits, fitting, differing) if fitting > 1 else (0.0, fitting, differing)


def _alike(left: tuple[_Said, ...], right: tuple[_Said, ...]) -> bool:
    """Are two answers the same, as texts or as letters?"""
    return left[0] == right[0] or (any(left[1]) and left[1] == right[1])
