"""Many strings read at once: what each person's answers are worth, and what does not look right.

Copying is found by the seeds. Where two people have different right answers, one who is wrong and has said exactly what
is right for the other has probably copied; how surprising that is, is counted in bits. It is told from a surprise on
that chance does not reach in a class of this size, and only told: people decide.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from app.core.model.values import BluecutError
from app.course.assignment.assignment import Assignment, Lessons, person, sheet
from app.course.assignment.handed_in import HandedIn, check, claimed, opened, strings
from app.course.question import Answer, Grade, Question, answered, grade, parts

MOST = 600
"""The most strings that are read at once."""

NUMBER_BITS, MOST_BITS = 4.0, 5.0
"""How surprising it is to give a certain number, and any answer, at most."""

LETTERED = ("choice", "possible")
"""The kinds of questions whose options have letters."""

SURE = 9.0
"""So many bits are reported between two people; more for larger classes."""


@dataclass(frozen=True, slots=True)
class Copied:
    """``fitting`` of ``differing`` answers are right for ``other``, and wrong for the person who gave them."""

    other: str
    fitting: int
    differing: int


@dataclass(frozen=True)
class Sheet:
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


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A string that was not judged: ``changed`` (its signature does not fit), of ``another`` assignment, or made for an
    ``earlier`` version of the questions. ``name`` is what it says, which need not be true."""

    name: str
    why: str
    begin: str


@dataclass(frozen=True)
class Read:
    """What was found in a text: the sheets by name, and what was refused."""

    sheets: tuple[Sheet, ...]
    refused: tuple[Unjudged, ...]


def read(key: bytes, given: Assignment, text: str, lessons: Lessons) -> Read:
    """Judge all strings in a text. Raises BluecutError if there are too many."""
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
        if who not in last or handed.minute >= last[who].minute:
            last[who] = handed
    sheets: list[Sheet] = []
    for who, handed in sorted(last.items()):
        asked = tuple(sheet(given, handed.name, lessons))
        if check(key, handed.name, asked) != handed.check:
            refused.append(Unjudged(handed.name, "earlier", ""))
            continue
        grades = tuple(_judged(one, answer) for one, answer in zip(asked, handed.given, strict=True))
        sheets.append(Sheet(handed, asked, grades, times[who]))
    return Read(tuple(_compared(sheets)), tuple(refused))


def _judged(asked: Question, answer: Answer | None) -> Grade | None:
    """Return what an answer is worth. What was signed has been checked before."""
    return None if answer is None else grade(asked, answered(asked, list(parts(answer))))


def _compared(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return the sheets, with whose they seem to be copied from."""
    sure = SURE + log2(max(2, len(sheets)))
    found = []
    for one in sheets:
        others = ((_surprise(one, other), other) for other in sheets if other is not one)
        best = max(others, key=lambda pair: pair[0][0], default=None)
        if best is not None and best[0][0] >= sure:
            (_, fitting, differing), other = best
            found.append(
                Sheet(one.handed, one.asked, one.grades, one.times, Copied(other.handed.name, fitting, differing))
            )
        else:
            found.append(one)
    return found


def _surprise(one: Sheet, other: Sheet) -> tuple[float, int, int]:
    """Return how surprising it is that answers fit another sheet, how many do, and how many could tell. An answer that
    differs from both counts against it."""
    bits, fitting, differing = 0.0, 0, 0
    for mine, asked, theirs in zip(one.grades, one.asked, other.asked, strict=True):
        if mine is None or _alike(asked, asked.answer, theirs):
            continue
        differing += 1
        if not mine.right and _alike(asked, mine.given, theirs):
            fitting += 1
            bits += _bits(theirs)
        else:
            bits -= 1.0
    return (bits, fitting, differing) if fitting > 1 else (0.0, fitting, differing)


def _alike(asked: Question, answer: Answer, theirs: Question) -> bool:
    """Would one who copies the right answer of another question give this one? Texts are copied, or letters; numbers of
    messages differ between runs."""
    return any(_copied(asked, answer, way) == _copied(theirs, theirs.answer, way) for way in ("text", "letter"))


def _copied(asked: Question, answer: Answer, way: str) -> list[str]:
    """Return an answer as one would copy it."""
    letters = {one.value: str(at) for at, one in enumerate(asked.options)}
    lettered = way == "letter" and asked.kind in LETTERED
    said = [letters[one] if lettered else asked.text(one).en for one in parts(answer)]
    return said if asked.kind == "order" or asked.ordered else sorted(said)


def _bits(asked: Question) -> float:
    """Return how surprising it is to give exactly the right answer of a question by chance."""
    if asked.kind == "number":
        return NUMBER_BITS
    count = len(asked.options)
    return min(MOST_BITS, float(count) if asked.many else log2(max(1, count)))
