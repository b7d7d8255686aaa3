"""A question about a run, and how an answer to it is judged.

A question is a value: what is asked, what can be answered, what is right, why another answer is wrong, and which wrong
answer shows which misconception. Lessons make them out of their files, and ``app.course.quiz`` out of any run; the same
page asks both.

An answer is a text (a number, the name of an option, process, channel or line, an event as ``PROCESS.INDEX``, for a
verdict ``consistent`` or the number of an orphan), or, of a set, an order or what is possible, a tuple of texts.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json
from app.run.run import Run
from app.scenario.format import Words
from app.wire.run_url import Address
from app.words.catalogues import JOIN, word

T = TypeVar("T")

Answer: TypeAlias = str | tuple[str, ...]

NONE = "-"
"""What a form sends where nothing applies: one that nobody has touched says nothing."""

MANY = ("set", "order", "possible")
"""Kinds of which an answer has several parts."""

NAMED = ("process", "channel")
"""The options that have names of their own."""

CONSISTENT = "consistent"
LARGEST = 10**12
"""No number that is answered may be larger."""

MOST = 200
"""So many parts may be answered."""


class Option(Frozen):
    """Something that can be answered, and how it is said. ``parts`` are those of a global state, by name."""

    value: str
    text: Words
    parts: Mapping[str, Json] | None = None


class Line(Frozen):
    """A line of a rule that is shown. ``mark`` says that it is ``new`` since an earlier version, or ``gone``."""

    name: str
    depth: int
    mark: str = ""


@dataclass(frozen=True)
class Question:
    """A question. ``scene`` is what one has to know for it. ``address`` is the run at the step that the visitor sees;
    ``shows`` the step in which the run shows what is right, ``why`` says why. Of wrong answers, ``says`` has what is
    said of those that were foreseen, ``explains`` finds out about all others, and ``tempting`` has the misconception
    behind one; ``accepts`` knows of an order whether it is as right as ``answer``. ``cut`` is drawn in the space-time
    diagram, which ``figure`` says is shown; ``code`` is the rule that is shown beside it; ``decides`` names what
    to look at when the run shows the answer; ``state`` is a global state that is shown with the set-up."""

    id: str
    kind: str
    run: Run = field(repr=False)
    address: Address = field(repr=False)
    asks: Words
    answer: Answer
    options: tuple[Option, ...] = ()
    tempting: Mapping[Answer, str] = field(default_factory=dict)
    shows: int = 0
    why: Words | None = None
    hint: Words | None = None
    ordered: bool = False
    figure: str = "stage"
    cut: Mapping[str, int] | None = None
    accepts: Callable[[Answer], bool] | None = None
    scene: Words | None = None
    says: Mapping[Answer, Words] = field(default_factory=dict)
    explains: Callable[[Answer], Words | None] | None = None
    code: tuple[Line, ...] = ()
    decides: tuple[str, ...] = ()
    state: Option | None = None

    @property
    def many(self) -> bool:
        """Has an answer several parts?"""
        return self.kind in MANY

    @property
    def ticked(self) -> bool:
        """Is it answered by ticking what applies?"""
        return self.kind in ("set", "possible") and not self.ordered

    def none(self, spoken: str) -> str:
        """Return what an answer without any part is called: that nothing applies, or that nothing is there."""
        if not self.ticked:
            return word("asked.empty", spoken)
        return word("asked.none.only" if len(self.options) == 1 else "asked.none", spoken)

    def joint(self, spoken: str) -> str:
        """Return what stands between the parts of an answer in one line."""
        return " → " if self.kind == "order" else JOIN[spoken]

    def saying(self, answer: Answer | None, spoken: str) -> str:
        """Return an answer in one line, in a language."""
        return self.joint(spoken).join(getattr(self.text(one), spoken) for one in parts(answer)) or self.none(spoken)

    @property
    def parts(self) -> str:
        """What its options are: ``message``, ``channel``, ``process``, ``event``, or nothing of that."""
        values, graph = [one.value for one in self.options if one.value != CONSISTENT], self.run.system.topology
        if self.kind not in ("set", "process", "channel", "event", "verdict") or not values:
            return ""
        if all(value.isdigit() for value in values):
            return "message"
        if all(value in graph.channels for value in values):
            return "channel"
        return "process" if all(value in graph.names for value in values) else "event"

    @property
    def lettered(self) -> bool:
        """Have its options letters? Processes and channels have names of their own, and an order has numbers."""
        return bool(self.options) and self.kind not in ("bug", "order") and not self.ordered and self.parts not in NAMED

    def letters(self, values: Collection[str]) -> list[str]:
        """Return the letters of these options, in alphabetical order; none where options have no letters."""
        return [letter(place) for place, one in enumerate(self.options) if self.lettered and one.value in values]

    @property
    def right(self) -> tuple[str, ...]:
        """Everything that is right: the parts of the answer, or, of a verdict, every orphan, each of which will do."""
        if self.kind != "verdict" or self.accepts is None:
            return parts(self.answer)
        return tuple(one.value for one in self.options if one.value == self.answer or self.accepts(one.value))

    @property
    def circled(self) -> tuple[str, ...]:
        """What decides: processes, recorded states as ``copy:PROCESS``, channels, numbers of messages, and events."""
        if self.decides or not self.parts:
            return self.decides
        return tuple(value for value in self.right if value != CONSISTENT)

    def text(self, value: str) -> Words:
        """Return a value, or a part of one, in words."""
        return next((one.text for one in self.options if one.value == value), Words(en=value, zh=value))


class Grade(Frozen):
    """What an answer is worth: ``right`` or not; of a wrong one the ``reason`` why it is wrong, and the
    ``misconception`` that it shows, if it is one of those that tempt. Of an answer with several parts, ``missing`` and
    ``extra`` are the parts that it lacks and that it has too much."""

    given: Answer
    right: bool
    misconception: str | None = None
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    reason: Words | None = None


def grade(question: Question, given: Answer) -> Grade:
    """Judge an answer, which must be one that ``answered`` gives."""
    if same(question, given, question.answer) or (question.accepts is not None and question.accepts(given)):
        return Grade(given, True)
    reason, shown = _foreseen(question, question.says, given), _foreseen(question, question.tempting, given)
    if reason is None and question.explains is not None:
        reason = question.explains(given)
    match question.answer, given:
        case tuple() as right, tuple() as several:
            return Grade(given, False, shown, less(right, several), less(several, right), reason)
    return Grade(given, False, shown, reason=reason)


def _foreseen(question: Question, answers: Mapping[Answer, T], given: Answer) -> T | None:
    """Return what is stored with an answer equal to the given one; None if there is none."""
    return next((found for answer, found in answers.items() if same(question, given, answer)), None)


def same(question: Question, left: Answer, right: Answer) -> bool:
    """Are two answers the same? The parts of a set have no order where it does not count."""
    match left, right:
        case tuple(), tuple() if not question.ordered and question.kind != "order":
            return sorted(left) == sorted(right)
    return left == right


def parts(answer: Answer | None) -> tuple[str, ...]:
    """Return the parts of an answer: one, several, or none."""
    return (answer,) if isinstance(answer, str) else answer or ()


def less(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts of ``left`` without those of ``right``, each as often as it occurs."""
    others, found = list(right), []
    for part in left:
        if part in others:
            others.remove(part)
        else:
            found.append(part)
    return tuple(found)


def sent(question: Question, values: list[str]) -> Answer:
    """Return the answer that a form has sent, as ``values`` of one field. Raises BluecutError if it is not an answer:
    where boxes are ticked, that nothing applies is a box of its own."""
    if question.ticked and not values:
        raise BluecutError("answer: tick what applies, or that nothing does")
    if question.ticked and len(values) > 1 and NONE in values:
        raise BluecutError("answer: tick what applies, or that nothing does; not both")
    return answered(question, [] if question.ticked and values == [NONE] else values)


def answered(question: Question, values: list[str]) -> Answer:
    """Return the answer that consists of ``values``. Raises BluecutError if it is not an answer:
    nothing was chosen, it is not a whole number, or it was not offered."""
    if question.kind == "number":
        return _number(values)
    offered = {one.value for one in question.options}
    for value in values:
        if value not in offered:
            raise BluecutError("answer: {value!r} was not offered", value=value[:40])
    if question.many:
        if len(values) > MOST or len(set(values)) < len(values):
            raise BluecutError("answer: each part only once")
        if question.kind == "order" and len(values) < len(offered):
            raise BluecutError("answer: put all {count} in order", count=len(offered))
        return tuple(values)
    if len(values) != 1:
        raise BluecutError("answer: choose one")
    return values[0]


def _number(values: list[str]) -> str:
    """Return a whole number as it is written. Raises BluecutError if it is not one."""
    text = re.sub("[−－]", "-", values[0]).strip() if len(values) == 1 else ""
    if not re.fullmatch(r"-?[0-9０-９]{1,13}", text) or abs(found := int(text)) > LARGEST:
        raise BluecutError("answer: write a whole number, such as 3")
    return str(found)


def letter(place: int) -> str:
    """Return the letter of a place among options, from 0: A to Z, then AA."""
    before, here = divmod(place, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + here)
