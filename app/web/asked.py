"""A question on a page, and what an answer to it is worth. Lessons ask their questions this way, and the quiz.

How a page asks
---------------
1. Its handler takes ``given: Answers`` (the parts of the query that are an answer) and calls ``asked``.
2. Its template links ``css/asked.css``, the module ``js/asked/asked.js`` and htmx, includes ``_asked_picture.html`` and
   ``_question.html`` where it wants the picture and the question, and sets ``asked``, of which both are made.
3. ``answer_of(request, seen)`` is what htmx gets instead of the page: the question with its result. The address bar
   then shows ``seen.url``, which is the page with the same result: a handler that judges answers both.

Nothing of the answer is on the page before it is judged (``judged=True``), and the right one only after the visitor has
asked for it (``show=1``) or given it.

What ``asked`` takes
--------------------
``question``   see ``app.course.question``
``action``     the path that judges; what else has to be in its query is in ``keeps``, as (name, value). The language
               and ``presenter`` are added
``fresh``      the address of the question before it is answered, for those who try again
``onward``     where to go next, and what that is called, once the question is judged
``judged``     does this request bring an answer? Nothing chosen may be one, too: the empty set
``always``     may the answer be shown before anybody has given one? For whoever teaches with it

The query of an answer: ``answer=…`` once for each part, in order; or, of what is ordered and without scripts,
``place=NUMBER:VALUE``. ``show=1`` shows the right one.

What the browser is told: the section ``#asked`` has ``data-question`` and ``data-kind``, and, once it is judged,
``data-right`` (1 or 0), ``data-given`` (JSON) and ``data-shown``; ``js/asked/asked.js`` sends the event
``asked:judged`` to the document, with those in its ``detail``, when an answer that was given on the page was judged.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated

from fastapi import Depends
from fastapi import Query as Parameter
from markupsafe import Markup
from pydantic import StringConstraints
from starlette.requests import Request
from starlette.responses import Response

from app.compact import compact
from app.core.model import BluecutError, Phrase
from app.course.belief import beliefs
from app.course.expression import valued
from app.course.facts import Facts, names, ran
from app.course.question import MANY, MOST, Answer, Grade, Question, answered, grade
from app.narration.tell import plain
from app.simulator.format import Words
from app.view import picture
from app.view.address import Address, stamp, written_url
from app.view.cutting import Cutting
from app.view.picture.look import Look
from app.web import moment
from app.web.language import language, named
from app.web.page import page

SHORT = 20
"""So many steps of a diagram can be read on a phone."""

Part = Annotated[str, StringConstraints(max_length=400)]


@dataclass(frozen=True, slots=True)
class Given:
    """What a query says of an answer."""

    answer: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    show: bool = False

    def parts(self) -> list[str]:
        """The parts of the answer, in order. Raises BluecutError where two have the same place."""
        placed = [text.partition(":") for text in self.place if text]
        if any(not number.isascii() or not number.isdigit() for number, _, _ in placed):
            raise BluecutError("place: must be NUMBER:VALUE")
        if len({int(number) for number, _, _ in placed}) < len(placed):
            raise BluecutError("answer: two have the same place; give each its own")
        return [*self.answer, *(value for _, _, value in sorted(placed, key=lambda one: int(one[0])))]


def given(
    answer: Annotated[list[Part] | None, Parameter(max_length=MOST, description="the answer, part by part")] = None,
    place: Annotated[list[Part] | None, Parameter(max_length=MOST, description="NUMBER:VALUE, instead")] = None,
    show: Annotated[bool, Parameter(description="show the right answer")] = False,
) -> Given:
    """The answer in a query."""
    return Given(tuple(answer or ()), tuple(place or ()), show)


Answers = Annotated[Given, Depends(given)]


@dataclass(frozen=True, slots=True)
class Offer:
    """An option on the page. ``place`` is that of a part of an ordered answer, from 1; ``depth`` that of a line of a
    rule; ``mark`` says, once the answer is known, whether it is ``right``, or ``wrong`` and chosen."""

    value: str
    text: str
    chosen: bool
    place: int
    depth: int
    mark: str


@dataclass(frozen=True, slots=True)
class Believed:
    """The misconception that an answer shows, what puts it right, and the run in which that is seen."""

    name: str
    belief: str
    remedy: str
    url: str


@dataclass(frozen=True)
class Asked:
    """A question as a page shows it; see the top of the module. ``typed`` is what was sent that is no answer."""

    question: Question
    spoken: str
    action: str
    keeps: tuple[tuple[str, str], ...]
    fresh: str
    onward: tuple[str, str] | None = None
    given: Answer | None = None
    grade: Grade | None = field(default=None)
    refused: Phrase | None = None
    shown: bool = False
    always: bool = False
    lang: str | None = None
    typed: str = ""

    # words

    def words(self, words: Words | None) -> str:
        """Words in the visitor's language."""
        return getattr(words, self.spoken) if words else ""

    @property
    def asks(self) -> str:
        """What is asked."""
        return self.words(self.question.asks)

    @property
    def hint(self) -> str:
        """The hint, where there is one."""
        return self.words(self.question.hint)

    def said(self, answer: Answer | None) -> list[str]:
        """An answer, part by part."""
        parts = (answer,) if isinstance(answer, str) else answer or ()
        return [self.words(self.question.text(one)) for one in parts]

    # what can be answered

    @property
    def ordered(self) -> bool:
        """Does the order of the parts count?"""
        return self.question.kind == "order" or (self.question.kind == "set" and self.question.ordered)

    @property
    def input(self) -> str:
        """How it is answered: ``number``, ``one``, ``some``, or ``places``."""
        if self.question.kind == "number":
            return "number"
        if self.ordered:
            return "places"
        return "some" if self.question.kind in MANY else "one"

    @property
    def picks(self) -> str:
        """What in the picture can be clicked instead: ``process``, ``channel``, ``event``, ``message``, or nothing."""
        kind = self.question.kind
        if kind in ("process", "channel", "event"):
            return kind
        if kind == "verdict":
            return "message"
        graph, values = self.question.run.system.topology, [one.value for one in self.question.options]
        if kind != "set" or not values:
            return ""
        if all(value.isdigit() for value in values):
            return "message"
        if all(value in graph.channels for value in values):
            return "channel"
        return "process" if all(value in graph.names for value in values) else "event"

    @cached_property
    def offers(self) -> list[Offer]:
        """The options. What is to be put in order does not stand in order by itself."""
        question, options = self.question, list(self.question.options)
        if question.kind == "order" and tuple(one.value for one in options) == question.answer:
            options.reverse()
        depths = dict(question.run.system.algorithm.PSEUDOCODE) if question.kind == "bug" else {}
        chosen = (self.given,) if isinstance(self.given, str) else self.given or ()
        right = (question.answer,) if isinstance(question.answer, str) else question.answer
        return [
            Offer(
                one.value,
                self.words(one.text),
                one.value in chosen,
                chosen.index(one.value) + 1 if one.value in chosen else 0,
                depths.get(one.value, 0),
                ("right" if one.value in right else "wrong" if one.value in chosen else "")
                if self.solved and question.kind != "order"
                else "",
            )
            for one in options
        ]

    # judged

    @property
    def right(self) -> bool:
        """Was the right answer given?"""
        return self.grade is not None and self.grade.right

    @property
    def solved(self) -> bool:
        """May the page tell the right answer?"""
        return self.right or self.shown

    @property
    def told(self) -> str:
        """What was given, as JSON."""
        return compact(list(self.given) if isinstance(self.given, tuple) else self.given)

    @property
    def believed(self) -> Believed | None:
        """The misconception that a wrong answer shows."""
        known = beliefs().get(self.grade.misconception or "") if self.grade else None
        if known is None or self.grade is None or self.grade.misconception is None:
            return None
        run = ran(known.run.scenario, known.run.query)
        step = known.at if isinstance(known.at, int) else int(valued(known.at, names(Facts(run))))
        there = Address(known.run.scenario, run.scenario, run.key, lang=self.lang).at(min(step, len(run.steps)))
        return Believed(self.grade.misconception, self.words(known.belief), self.words(known.remedy), there.here)

    # addresses

    @property
    def query(self) -> list[tuple[str, str]]:
        """The query of the answer that was given."""
        parts = (self.given,) if isinstance(self.given, str) else self.given or ()
        return [*self.keeps, *(("answer", one) for one in parts)]

    @property
    def url(self) -> str:
        """The address of this page with this answer."""
        return located(self.action, [*self.query, *([("show", "1")] if self.shown else [])])

    @property
    def reveal(self) -> str:
        """The address of this page with the right answer; nothing where it may not be asked for yet."""
        if self.solved or (self.grade is None and not self.always):
            return ""
        return located(self.action, [*self.query, ("show", "1")])

    @property
    def where(self) -> Address:
        """The run at the step that shows it."""
        return replace(self.question.address, lang=self.lang).at(self.question.shows)

    @property
    def embedded(self) -> str:
        """The same for a frame."""
        here = self.where
        return here.url("embed", step=here.step or None, lang=self.lang, v=stamp(here.scenario))

    # the picture

    @property
    def caption(self) -> str:
        """The sentence of the step that is shown; empty at the beginning."""
        here = self.question.address
        return plain(moment.sentence(self.question.run, here.step, self.spoken)) if here.step else ""

    @cached_property
    def pictures(self) -> list[tuple[str, Markup]]:
        """The stage, the space-time diagram, or both, with the cut that is asked about. What the cut makes of messages
        is drawn when the answer is known."""
        question, step = self.question, self.question.address.step
        found = []
        if question.figure != "time":
            found.append(("stage", Markup(picture.stage(question.run, step, self.spoken, "asked"))))
        if question.figure != "stage":
            look = self.look()
            found.append(("time", Markup(picture.spacetime(question.run, step, self.spoken, look))))
        return found

    @property
    def wide(self) -> bool:
        """Is the diagram too wide for a phone? It is moved under the finger then."""
        return len(self.question.run.steps) > SHORT

    @property
    def bare(self) -> bool:
        """Is the diagram without what was recorded? Among events and their order that would be the answer."""
        question = self.question
        return not self.solved and question.figure != "stage" and (question.kind == "order" or self.picks == "event")

    def look(self) -> Look:
        """How the diagram looks. A cut that somebody drew lies in the whole run, in which nothing was recorded."""
        cutting = Cutting(self.question.run, self.spoken)
        if self.question.cut is None or not cutting.drawn:
            return Look(records=not self.bare, now=bool(self.question.address.step) and not self.bare, narrow=True)
        chosen = replace(cutting.chosen(dict(self.question.cut), None, clocks=False), held=False)
        if not self.solved:
            chosen = replace(chosen, fates={})
        return Look(whole=True, records=False, now=False, narrow=True, chosen=chosen)


def asked(
    request: Request,
    question: Question,
    given: Given,
    *,
    action: str,
    fresh: str,
    judged: bool,
    keeps: Iterable[tuple[str, str]] = (),
    onward: tuple[str, str] | None = None,
    always: bool = False,
) -> Asked:
    """The question of a page, judged where the request brings an answer; ``refused`` says what is wrong with one that
    is none."""
    lang = named(request)
    kept = [*keeps]
    if lang:
        kept.append(("lang", lang))
    if request.query_params.get("presenter") in ("1", "true"):
        kept.append(("presenter", "1"))
    seen = Asked(question, language(request), action, tuple(kept), fresh, onward, always=always, lang=lang)
    if not judged:
        return seen
    if given.show and always and not given.answer and not given.place:
        return replace(seen, shown=True)
    try:
        answer = answered(question, given.parts())
        return replace(seen, given=answer, grade=grade(question, answer), shown=given.show)
    except BluecutError as error:
        return replace(seen, refused=error.phrase, typed=given.answer[0] if given.answer else "")


def answer_of(request: Request, seen: Asked) -> Response | None:
    """The question with its result alone, where htmx asks; otherwise None, and the whole page is wanted."""
    if not request.headers.get("hx-request") or request.headers.get("hx-history-restore-request"):
        return None
    headers = {} if seen.refused else {"hx-push-url": seen.url}
    return page(request, "_judged.html", status=status_of(seen), headers=headers, asked=seen)


def status_of(seen: Asked) -> int:
    """The status of the page: an answer that is none is a bad request."""
    return 400 if seen.refused else 200


def located(path: str, query: Iterable[tuple[str, str]]) -> str:
    """Path and query, in which a name may stand several times."""
    text = "&".join(written_url("", {name: value})[1:] for name, value in query)
    return f"{path}?{text}" if text else path
