"""A question on a page, and the verdict on an answer. Lessons and the quiz ask questions this way.

How a page asks
---------------
1. Its handler takes ``given: Answers`` (see ``given_answer``) and calls ``question_view``.
2. Its template links ``css/asked.css``, ``css/drawn.css``, the module ``js/asked/asked.js`` and htmx, includes
   ``_asked_picture.html`` and ``_question.html`` for the picture and the question, and sets ``asked``, which both use.
3. ``answer_of(request, seen)`` is htmx's answer instead of the page: the question with its result. The address bar
   then shows ``seen.url``, which is the page with the same result: a handler that judges answers both.

The page reveals nothing of the answer before the visitor has given it or asked for it (``show=1``): until then the
picture stays at the step of the question, and what an answer names wrongly is circled there. Then the run plays.

What ``question_view`` takes
----------------------------
``question``   see ``app.course.question``
``action``     the path that judges; ``keeps`` has the other fields of its query, as (name, value). The language
               and ``presenter`` are added
``fresh``      the address of the question before it is answered, for those who try again
``onward``     where to go next, and its name, once the question is judged
``judged``     does this request contain an answer? An empty choice may be one: the empty set
``always``     may the answer be shown before one is given? For teachers; in a lecture hall it may

What the browser gets: the section ``#asked`` has ``data-question`` and ``data-kind``, and, once it is judged,
``data-right`` (1 or 0), ``data-given`` (JSON) and ``data-shown``; ``js/asked/asked.js`` sends the event
``asked:judged`` to the document, with those in its ``detail``, when an answer given on the page was judged.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from markupsafe import Markup
from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response

from app.compact_json import compact
from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Phrase
from app.course.expression import valued
from app.course.misconception import beliefs
from app.course.question import CONSISTENT, NONE, Answer, Grade, Line, Option, Question, grade, parts, sent
from app.course.run_facts import Facts, names, ran
from app.pictures import render
from app.pictures.chosen_cut import Cutting, written
from app.pictures.in_words import Described
from app.pictures.legible import screen_and_phone
from app.pictures.small_state import small_states
from app.pictures.spacetime.options import Look
from app.run.run import Run
from app.scenario.format import Words
from app.web.base.htmx import part_only
from app.web.base.language import language, language_pair, named
from app.web.base.templates import page
from app.web.shared import step_view
from app.web.shared.given_answer import Given
from app.wire.run_url import Address, stamp, written_url
from app.words.catalogues import plain, word

SCREEN = ((698, 460, 480), (800, 480, 560), (960, 440, 440))
_NARROW = ((382, 176, 460), (382, 460, 620))
LECTURE = ((382, 176, 340), (440, 300, 340), (382, 400, 460))
"""The room for the stage on a screen, on a phone and beside a question in a lecture hall, in px; another where messages
would have to be left out or letters would be too small."""

FEW = 20
"""So many steps are played at most, so that nobody waits for the answer."""

SHORT = 20
"""The most steps of a diagram that are readable on a phone."""


class ShownOption(Frozen):
    """An option on the page. ``picture`` is that of a global state; ``place`` that of a part of an ordered
    answer, from 1; ``mark`` says, once the answer is known, whether it is ``right``, or ``wrong`` and chosen. Of a line
    of a rule, ``depth`` and ``change`` (``new`` or ``gone``, which cannot be chosen)."""

    value: str
    text: str
    picture: Markup | None
    chosen: bool
    place: int
    mark: str
    depth: int = 0
    change: str = ""


class Believed(Frozen):
    """The misconception that an answer shows, its correction, and the run that shows it."""

    name: str
    belief: str
    remedy: str
    url: str


@dataclass(frozen=True)
class Asked:
    """A question as a page shows it; see the top of the module. ``typed`` is what was sent and is no answer.
    ``voting``: a class votes on it, ``open`` or ``closed``; answers are posted, and nothing is judged here. ``mark`` is
    part of the names in its form and pictures, in case a page has several questions. ``hall``: for a lecture hall?"""

    question: Question
    spoken: str
    action: str = ""
    keeps: tuple[tuple[str, str], ...] = ()
    fresh: str = ""
    onward: tuple[str, str] | None = None
    given: Answer | None = None
    grade: Grade | None = None
    refused: Phrase | None = None
    shown: bool = False
    always: bool = False
    lang: str | None = None
    typed: tuple[str, ...] = ()
    voting: str = ""
    mark: str = ""
    hall: bool = False

    # words

    def words(self, words: Words | None) -> str:
        """Return words in the visitor's language."""
        return getattr(words, self.spoken) if words else ""

    @property
    def asks(self) -> str:
        """The text of the question."""
        return self.words(self.question.asks)

    @property
    def scene(self) -> str:
        """The set-up of the question."""
        return self.words(self.question.scene)

    @property
    def reason(self) -> str:
        """Why the given answer is wrong, if that is known."""
        return self.words(self.grade.reason) if self.grade else ""

    @property
    def hint(self) -> str:
        """The hint, if there is one."""
        return self.words(self.question.hint)

    def said(self, answer: Answer | None) -> list[str]:
        """Return an answer, part by part."""
        return [self.words(self.question.text(one)) for one in parts(answer)]

    def saying(self, answer: Answer | None) -> str:
        """Return an answer in one line."""
        return self.question.saying(answer, self.spoken)

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
        return "places" if self.ordered else "some" if self.question.ticked else "one"

    @property
    def how(self) -> str:
        """The key of the words that say how it is answered."""
        if self.ordered:
            return "order" if self.question.kind == "order" else "ordered"
        return "only" if self.input == "some" and len(self.offers) == 1 else self.input

    @property
    def picks(self) -> str:
        """What in the picture can be clicked instead: ``process``, ``channel``, ``event``, ``message``, or nothing."""
        return self.question.parts

    @cached_property
    def offers(self) -> list[ShownOption]:
        """The options. Those to be put in order are not listed in that order until it is shown."""
        question, options = self.question, list(self.question.options)
        if question.kind == "order" and tuple(one.value for one in options) == question.answer:
            options.reverse()
        chosen = parts(question.answer if self.shown and question.kind == "order" else self.given)
        found = [
            ShownOption(
                one.value,
                self.words(one.text),
                picture,
                one.value in (chosen or self.typed),
                chosen.index(one.value) + 1 if one.value in chosen else 0,
                self._mark(right=one.value in question.right, chosen=one.value in chosen),
            )
            for one, picture in zip(options, self.states(options), strict=True)
        ]
        return found if question.kind != "bug" else self.lined({one.value: one for one in found})

    def _mark(self, *, right: bool, chosen: bool) -> str:
        """Return the mark of an option."""
        if not self.solved or self.question.kind == "order":
            return ""
        return "right" if right else "wrong" if chosen else ""

    @property
    def boxes(self) -> list[ShownOption]:
        """The options as they are chosen from: where they are ticked, that nothing applies is the last one."""
        if self.input != "some":
            return self.offers
        said = self.question.none(self.spoken)
        mark = self._mark(right=self.question.answer == (), chosen=self.given == ())
        return [*self.offers, ShownOption(NONE, said, None, self.given == () or NONE in self.typed, 0, mark)]

    def states(self, options: Sequence[Option]) -> list[Markup | None]:
        """Return the pictures of global states; None for other options, and where one of the states has no room."""
        told = [(one.parts, self.words(one.text)) for one in options if one.parts is not None]
        if len(told) < len(options):
            return [None] * len(options)
        drawn = small_states(self.question.run.system, told, self.spoken)
        return [Markup(one) for one in drawn] or [None] * len(options)

    @cached_property
    def about(self) -> Markup | str:
        """The global state that the question is about: its picture, or else in words; empty if there is none."""
        option = self.question.state
        return "" if option is None else self.states([option])[0] or self.words(option.text)

    def lined(self, offers: Mapping[str, ShownOption]) -> list[ShownOption]:
        """Return the lines of a rule as options, with the lines between them that are gone."""
        blank = ShownOption("", "", None, False, 0, "")
        known = self.question.code or [Line(*line) for line in self.question.run.system.algorithm.PSEUDOCODE]
        return [
            structs.replace(
                blank if line.mark == "gone" else offers[line.name],
                text=word(f"rule.{line.name}", self.spoken),
                depth=line.depth,
                change=line.mark,
            )
            for line in known
        ]

    @property
    def code(self) -> list[tuple[str, int, str]]:
        """The rule that is shown beside the question: text, depth and change of each line."""
        if self.question.kind == "bug":
            return []  # its lines are the options
        return [(word(f"rule.{line.name}", self.spoken), line.depth, line.mark) for line in self.question.code]

    @property
    def changed(self) -> bool:
        """Is it shown what has changed in the rule?"""
        return any(line.mark for line in self.question.code)

    # judged

    @property
    def right(self) -> bool:
        """Was the right answer given?"""
        return self.grade is not None and self.grade.right

    @property
    def judged(self) -> bool:
        """Has an answer been given, or shown?"""
        return self.grade is not None or self.shown

    @property
    def solved(self) -> bool:
        """May the page reveal the right answer?"""
        return self.right or self.shown

    @property
    def circled(self) -> tuple[str, ...]:
        """What is circled in the picture: what decides, or, while another try is possible, what was named wrongly."""
        if self.solved:
            return self.question.circled
        if self.grade is None or not self.question.parts:
            return ()
        wrong = self.grade.extra if self.question.many else parts(self.given)
        return tuple(one for one in wrong if one != CONSISTENT)

    @property
    def given_json(self) -> str:
        """The given answer, as JSON."""
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
        """The query of the given answer."""
        given = [NONE] if self.question.ticked and self.given == () else parts(self.given)
        return [*self.keeps, *(("answer", one) for one in given)]

    @property
    def url(self) -> str:
        """The address of this page with this answer."""
        return written_url(self.action, [*self.query, *([("show", "1")] if self.shown else [])])

    @property
    def reveal(self) -> str:
        """The address of this page with the right answer; empty if it may not be asked for yet."""
        if self.solved or (self.grade is None and not self.always):
            return ""
        return written_url(self.action, [*self.query, ("show", "1")])

    @property
    def where(self) -> Address:
        """The run at the step that shows it."""
        return structs.replace(self.question.address, lang=self.lang).at(self.question.shows)

    @property
    def cutting(self) -> str:
        """The page on which the cut that is asked about can be moved; nothing where none is drawn."""
        run, cut = self.question.run, self.question.cut
        if cut is None or not Cutting(run, self.spoken).drawn:
            return ""
        here = structs.replace(self.question.address, lang=self.lang)
        return here.link_to("cuts", cut=written(run.system.topology.names, dict(cut)))

    @cached_property
    def plays(self) -> bool:
        """Can the run itself show the answer? Not where the whole run is shown, or a cut that is none of its states."""
        cut_drawn = self.question.cut is not None and Cutting(self.question.run, self.spoken).drawn
        return self.question.figure != "events" and not cut_drawn

    @property
    def revealing(self) -> str:
        """The address of a frame in which the run plays from the step of the question to the one that shows the answer,
        where what decides is circled. Of a long way only the end is played."""
        question, here, to = self.question, self.where, self.question.shows
        begin = max(question.address.step, to - FEW) if question.address.step < to else max(0, to - 1)
        path = here.path("embed")
        query = here.query(step=begin or None, lang=self.lang, v=stamp(here.scenario))
        view = {"view": question.figure} if question.figure in ("time", "both") else {}
        more = [("to", str(to)), *view.items(), *(("circle", one) for one in question.circled)]
        return written_url(path, [*((name, str(value)) for name, value in query.items() if value is not None), *more])

    # the picture

    @property
    def step(self) -> int:
        """The step shown: that of the question, or, once it is solved, that which shows the answer."""
        return self.question.shows if self.solved and self.plays else self.question.address.step

    def caption(self, step: int) -> str:
        """Return the sentence of a step; empty at the beginning."""
        return plain(step_view.sentence(self.question.run, step, self.spoken)) if step else ""

    def pictures(self, step: int) -> list[tuple[str, list[Markup], tuple[Described, ...]]]:
        """Return the stage, for a screen and for a phone, the space-time diagram, or both, with the cut in question,
        each with what it shows in words. The effects of the cut on messages are drawn once it is solved."""
        question, found = self.question, []
        if question.figure in ("stage", "both"):
            ring = self.solved and step != question.address.step
            rooms = LECTURE if self.hall else SCREEN
            drawn = stages(question.run, step, self.spoken, f"asked{self.mark}", ring=ring, rooms=rooms)
            found.append(("stage", drawn, render.stage_in_words(question.run, step, self.spoken)))
        if question.figure != "stage":
            look = structs.replace(self.look(), tall=self.hall and question.figure != "both")
            diagram = Markup(render.spacetime(question.run, step, self.spoken, look, f"time{self.mark}"))
            found.append(("time", [diagram], render.spacetime_in_words(question.run, step, self.spoken, look)))
        return found

    @property
    def wide(self) -> bool:
        """Is the diagram too wide for a phone, so that it scrolls?"""
        return len(self.question.run.steps) > SHORT

    @property
    def bare(self) -> bool:
        """Does the diagram hide what was recorded? In questions about events and their order that would be the
        answer."""
        question = self.question
        return not self.solved and question.figure != "stage" and (question.kind == "order" or self.picks == "event")

    def look(self) -> Look:
        """Return the look of the diagram. A drawn cut lies in the whole run, in which nothing was recorded."""
        question, step = self.question, self.question.address.step
        if not self.plays:
            return of_events(question.run, self.spoken, question.cut, fates=self.solved)
        return Look(records=not self.bare, now=bool(step) and not self.bare, ring=self.solved, narrow=True)


def of_events(run: Run, spoken: str, cut: Mapping[str, int] | None, *, fates: bool) -> Look:
    """Return the look of a diagram of the program's events alone, with a cut through them if there is one; ``fates``:
    with the effects of the cut on messages."""
    bare = Look(whole=True, records=False, now=False, controls=False, narrow=True)
    if cut is None:
        return bare
    chosen = structs.replace(Cutting(run, spoken).chosen(dict(cut), None, clocks=False), held=False)
    return structs.replace(bare, chosen=chosen if fates else structs.replace(chosen, fates={}))


def presenting(request: Request) -> bool:
    """Is the page shown in a lecture hall? What counts as yes is what counts in the address of a run."""
    return request.query_params.get("presenter", "").lower() in ("1", "true", "t", "yes", "y", "on")


def question_view(
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
    voting: str = "",
) -> Asked:
    """Return the question of a page, judged if the request contains an answer; ``refused`` says what is wrong with an
    invalid one."""
    lang, hall = named(request), presenting(request)
    kept = (*keeps, *language_pair(request), *([("presenter", "1")] if hall else ()))
    always |= hall
    seen = Asked(
        question, language(request), action, kept, fresh, onward, always=always, lang=lang, voting=voting, hall=hall
    )
    if not judged:
        return seen
    if given.show and always and not given.answer and not given.place:
        return replace(seen, shown=True)
    try:
        answer = sent(question, given.parts())
        return replace(seen, given=answer, grade=grade(question, answer), shown=given.show)
    except BluecutError as error:
        return replace(seen, refused=error.phrase, typed=given.answer)


def stages(
    run: Run,
    step: int,
    spoken: str,
    mark: str,
    *,
    ring: bool = False,
    rooms: Sequence[render.Room] = SCREEN,
    narrow: Sequence[render.Room] = _NARROW,
    unclosed: Collection[str] = (),
    said: str = "",
) -> list[Markup]:
    """Return the stage for a screen and for a phone. ``mark`` begins the ids in it; ``rooms`` and ``narrow`` are the
    places that it may have there, without any that of the run's pictures; ``unclosed`` channels are still recorded;
    ``said``: what it shows, in words, if that is not the sentence of the step."""

    def drawn(name: str, places: Sequence[render.Room]) -> str:
        return render.stage(run, step, spoken, name, ring=ring, rooms=places, unclosed=unclosed, said=said)

    return screen_and_phone(run.system.topology, mark, rooms, narrow, drawn)


def answer_of(request: Request, seen: Asked) -> Response | None:
    """Return the question with its result alone if htmx asks; otherwise None, and the whole page is wanted."""
    if not part_only(request):
        return None
    headers = {} if seen.refused else {"hx-push-url": seen.url}
    return page(request, "_judged.html", status=status_of(seen), headers=headers, asked=seen)


def status_of(seen: Asked) -> int:
    """Return the status of the page: an invalid answer is a bad request."""
    return 400 if seen.refused else 200
