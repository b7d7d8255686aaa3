"""Lessons: files in ``scenarios/lessons``, one each; the file's stem is the lesson's name.

A file is read, compared with its form, and its names are looked up, when it is loaded. Its answers are asked of the
runs: at the first look at its questions, and by ``bluecut lesson`` beforehand. Whatever is wrong is told with the file,
the line and the field.

Source of the form of a lesson (set-up, prediction, run, why the tempting answer fails, one thing to change):
M. D. Byrne, R. Catrambone, J. T. Stasko, "Evaluating animations as student aids in learning computer algorithms",
Computers & Education 33, 1999.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, TypeVar

from app.core.model.topology import Topology
from app.core.model.values import BluecutError, Json, Phrase
from app.course.expression import Unanswerable, described, few, valued
from app.course.misconception import beliefs
from app.course.options import offered
from app.course.phrases import both, inner
from app.course.question import MANY, Answer, Line, Question, answered
from app.course.reasons.number import Parts
from app.course.reasons.reason import usual
from app.course.run_facts import Facts, Sent, names, ran
from app.course.yaml_forms import LessonForm, Moment, QuestionForm, RunForm
from app.forms.explain import formed, no_scenario
from app.forms.json_shape import whole
from app.forms.yaml_source import Path, Source, SourceError
from app.run.run import Run
from app.scenario.format import Words
from app.scenario.library import LIBRARY
from app.wire.run_url import Address
from app.words.catalogues import readable

T = TypeVar("T")

BYTES = 65_536
"""Of a lesson's file."""

HOLE = re.compile(r"\{\{(.+?)\}\}")
"""An expression inside a text."""


@dataclass(frozen=True)
class Lesson:
    """A lesson that has been read; ``own``: a teacher has added it to those that come along."""

    name: str
    source: Source = field(repr=False)
    form: LessonForm
    own: bool = False

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Its questions, with the answers of their runs. Raises SourceError where a run has none."""
        return tuple(_question(self, number) for number in range(len(self.form.questions)))

    @cached_property
    def begin(self) -> Address:
        """The run that is shown first, at its step."""
        return _run_at(self.source, (), self.form.run, self.form.at)

    @cached_property
    def cuts(self) -> tuple[Mapping[str, int] | None, ...]:
        """The cuts that are drawn beside the beats of its set-up."""
        return tuple(
            _cut_of(self.source, ("beats", i, "cut"), scene.scenario.system(scene.key).topology, beat.cut)
            for i, (beat, scene) in enumerate(zip(self.form.beats, self.scenes, strict=True))
        )

    @cached_property
    def scenes(self) -> tuple[Address, ...]:
        """The runs that are shown beside the beats of its set-up, each at its step."""
        return tuple(
            _run_at(
                self.source, ("beats", i), beat.run or self.form.run, self.begin.step if beat.at is None else beat.at
            )
            for i, beat in enumerate(self.form.beats)
        )

    @cached_property
    def doors(self) -> tuple[str, ...]:
        """Where its knobs lead."""
        return tuple(
            knob.page or _run_at(self.source, ("knobs", i), knob.run or self.form.run, knob.at).here
            for i, knob in enumerate(self.form.knobs)
        )


def load(text: str, name: str) -> Lesson:
    """Read the lesson that ``text`` describes. ``name`` is that of its file. Raises SourceError."""
    source, form = formed(
        text,
        name,
        LessonForm,
        limit=BYTES,
        empty=Phrase("empty; a lesson has place, title, run, beats, questions, …"),
        wrong=Phrase("a lesson is a mapping with place, title, run, beats, questions, …"),
    )
    _check(source, form)
    return Lesson(name.rpartition("/")[2].removesuffix(".yaml"), source, form)


def _check(source: Source, form: LessonForm) -> None:
    """Check what the form cannot express. Raises SourceError."""
    known = tuple(one.id for one in form.questions)
    for i, asked in enumerate(form.questions):
        path: Path = ("questions", i)
        if asked.id in known[:i]:
            raise source.error((*path, "id"), "{name} is the id of another question, too", name=asked.id)
        for needed, kind in (("options", "choice"), ("states", "possible"), ("offers", "order")):
            if asked.kind == kind and getattr(asked, needed) is None:
                raise source.error((*path, needed), "missing; a question of kind {kind} needs it", kind=kind)
        for needless, kinds in (
            ("options", ("choice",)),
            ("states", ("possible",)),
            ("accepts", ("order",)),
            ("parts", ("number",)),
        ):
            if asked.kind not in kinds and getattr(asked, needless) is not None:
                raise source.error((*path, needless), "only for questions of kind {kinds}", kinds=kinds)
        for j, tempt in enumerate(asked.tempting):
            if tempt.says is None and tempt.misconception is None:
                raise source.error((*path, "tempting", j), "give says, misconception or both")
            if tempt.misconception is not None and tempt.misconception not in beliefs():
                names = tuple(beliefs())
                where = (*path, "tempting", j, "misconception")
                raise source.error(where, "no such misconception; one of {known}", known=names)
    for i, knob in enumerate(form.knobs):
        if (knob.run is None) == (knob.page is None):
            raise source.error(("knobs", i), "give either run or page")
    scenarios = LIBRARY.names()
    for path, run in _runs(form):
        if run.scenario not in scenarios:
            raise source.error((*path, "scenario"), "{reason}", reason=no_scenario(run.scenario, scenarios))


def _runs(form: LessonForm) -> Iterator[tuple[Path, RunForm]]:
    """Yield all runs that are named, and where."""
    yield ("run",), form.run
    yield from ((("beats", i, "run"), one.run) for i, one in enumerate(form.beats) if one.run)
    yield from ((("questions", i, "run"), one.run) for i, one in enumerate(form.questions) if one.run)
    yield from ((("questions", i, "since"), one.since) for i, one in enumerate(form.questions) if one.since)
    yield from ((("knobs", i, "run"), one.run) for i, one in enumerate(form.knobs) if one.run)


# --- a question out of its file -----------------------------------------------------------------------------------


def _question(lesson: Lesson, number: int) -> Question:
    """Return a question with the answer of its run. Raises SourceError if the run gives no answer, or one of another
    kind."""
    source, form = lesson.source, lesson.form.questions[number]
    path: Path = ("questions", number)
    wanted = form.run or lesson.form.run
    run = _run_of(source, _named(source, path), wanted)
    facts = Facts(run)
    listed = {name: one.model_dump() for name, one in (form.states or {}).items()}
    known = names(facts) | {"cut": form.cut, "listed": listed}

    def value(text: str, *at: str | int, **more: object) -> Any:
        return _checked_answer(source, (*path, *at), lambda: valued(text, known | more))

    here = _run_at(source, path, wanted, form.at)
    items = value(form.offers, "offers") if form.offers is not None else None
    if items is not None and not isinstance(items, list | tuple):
        raise source.error((*path, "offers"), "gives {got}, but must give a list", got=described(items))
    options = _checked_answer(source, path, lambda: offered(form, run, here.step, items))
    bare = Question(form.id, form.kind, run, here, form.asks, "", options, ordered=form.ordered)

    def given(text: str, *at: str | int) -> Answer:
        found = value(text, *at)
        try:
            return answered(bare, _texts(found))
        except BluecutError:
            raise source.error((*path, *at), "{reason}", reason=_misfit(bare, found)) from None

    answer = given(form.answer, "answer")
    accepts = form.accepts
    if accepts is not None:
        value(accepts, "accepts", given=answer)  # a mistake in it is told now, not to a visitor who answers
    tempting: dict[Answer, str] = {}
    says: dict[Answer, Words] = {}
    for i, tempt in enumerate(form.tempting):
        wrong = given(tempt.value, "tempting", i, "value")
        if wrong == answer:
            raise source.error(("questions", number, "tempting", i, "value"), "is the right answer in this run")
        if tempt.misconception is not None:
            tempting[wrong] = tempt.misconception
        if tempt.says is not None:
            says[wrong] = _filled(tempt.says, lambda text, i=i: value(text, "tempting", i, "says"))  # type: ignore[misc]
    asked = replace(
        bare,
        answer=answer,
        tempting=tempting,
        says=says,
        shows=_step_of(source, (*path, "shows"), run, form.shows) if form.shows is not None else len(run.steps),
        why=form.why,
        hint=form.hint,
        figure=form.figure,
        cut=_cut_of(source, (*path, "cut"), run.system.topology, form.cut),
        accepts=_orphans(form, facts) if accepts is None else lambda one: bool(value(accepts, "accepts", given=one)),
        scene=form.scene,
        decides=_deciding(source, (*path, "decides"), run.system.topology, form.decides),
        code=_listing(run, _run_of(source, (*path, "since"), form.since) if form.since else None) if form.code else (),
    )
    parts = _amounts(source, (*path, "parts"), value(form.parts, "parts"), answer) if form.parts is not None else ()
    return replace(asked, explains=usual(asked, form.snapshot, parts, listed, _reachable(facts, form, here.step)))


def _deciding(source: Source, path: Path, graph: Topology, names: list[str]) -> tuple[str, ...]:
    """Return what is circled. Raises SourceError if the run has no such process or channel."""
    for i, name in enumerate(names):
        if name.removeprefix("copy:") not in graph.names and name not in graph.channels:
            raise source.error((*path, i), "this run has no process and no channel {name!r}", name=name[:40])
    return tuple(names)


def _orphans(form: QuestionForm, facts: Facts) -> Callable[[Answer], bool] | None:
    """Return a test that accepts every orphan of the cut as the answer; None unless the question asks for a verdict."""
    if form.kind != "verdict" or form.cut is None:
        return None
    every = _texts(facts.orphans(form.cut))
    return lambda one: one in every


def _filled(words: Words, ask: Callable[[str], object]) -> Words:
    """Return the words with the value of every expression in them."""

    def spoken(language: str) -> str:
        return HOLE.sub(lambda m: readable(inner(ask(m[1].strip()), language), language), getattr(words, language))

    return both(spoken)


def _reachable(facts: Facts, form: QuestionForm, step: int) -> list[Json]:
    """Return all states that can still be recorded after a step, if the question asks for them and the explorer finds
    them."""
    if form.kind != "possible":
        return []
    with suppress(Unanswerable):
        return facts.outcomes(step)
    return []


def _listing(run: Run, before: Run | None) -> tuple[Line, ...]:
    """Return the lines of the rule. If it differs from the rule of ``before``, lines are marked as new or gone."""
    now = run.system.algorithm.PSEUDOCODE
    if before is None:
        return tuple(Line(name, depth) for name, depth in now)
    then = before.system.algorithm.PSEUDOCODE
    found: list[Line] = []
    for what, i, j, k, m in SequenceMatcher(None, then, now, autojunk=False).get_opcodes():
        found += [Line(name, depth, "gone") for name, depth in then[i:j] if what != "equal"]
        found += [Line(name, depth, "" if what == "equal" else "new") for name, depth in now[k:m]]
    return tuple(found)


def _amounts(source: Source, path: Path, found: object, answer: Answer) -> Parts:
    """Return the parts of a number. Raises SourceError if they do not add up to the answer."""
    match found:
        case Mapping():
            parts = [(str(name), one) for name, one in found.items()]
        case list() | tuple():
            parts = [(str(one), one.payload if isinstance(one, Sent) else one) for one in found]
        case _:
            raise source.error(path, "gives {got}, but must give a list or a mapping", got=described(found))
    if not all(whole(one) for _, one in parts):
        raise source.error(path, "gives {got}, of which not all parts are whole numbers", got=described(found))
    if str(total := sum(one for _, one in parts)) != answer:
        raise source.error(path, "adds up to {total}, but the answer is {answer}", total=total, answer=str(answer))
    return parts


def _checked_answer(source: Source, path: Path, ask: Callable[[], T]) -> T:
    """Return the result of ``ask``. If it refuses, raises SourceError at ``path``."""
    try:
        return ask()
    except SourceError:  # it says where already
        raise
    except BluecutError as error:
        raise source.error(path, "{reason}", reason=error.phrase) from None


def _texts(value: Json) -> list[str]:
    """Return the parts of an answer as texts, as a form would send them."""
    return [_part_of(one) for one in (value if isinstance(value, list | tuple) else [value])]


def _run_of(source: Source, path: Path, form: RunForm) -> Run:
    """Return the run that a file names."""
    return _checked_answer(source, (*path, "query"), lambda: ran(form.scenario, form.query))


def _run_at(source: Source, path: Path, form: RunForm, at: Moment) -> Address:
    """Return the run of a part of the file, at a step. The part names its run itself or has that of the lesson."""
    run = _run_of(source, _named(source, path), form)
    return Address(form.scenario, run.scenario, run.key, _step_of(source, (*path, "at"), run, at))


def _named(source: Source, path: Path) -> Path:
    """Return the place that names the run of a part of the file: the part itself, or the lesson."""
    here = source.values
    for key in path:
        here = here[key]
    return (*path, "run") if "run" in here else ("run",)


def _step_of(source: Source, path: Path, run: Run, at: Moment) -> int:
    """Return a step of a run, given as a number or as an expression. Raises SourceError if the run has no such step."""
    found = at if isinstance(at, int) else _checked_answer(source, path, lambda: valued(at, names(Facts(run))))
    if not whole(found) or not 0 <= found <= len(run.steps):
        raise source.error(
            path, "must be a step of the run, 0 to {steps}, not {found}", steps=len(run.steps), found=described(found)
        )
    return found


def _cut_of(source: Source, path: Path, graph: Topology, cut: Mapping[str, int] | None) -> Mapping[str, int] | None:
    """Return a cut if it names every process. Raises SourceError otherwise."""
    if cut is not None and sorted(cut) != sorted(graph.names):
        raise source.error(path, "must name each process once: {names}", names=tuple(graph.names))
    return cut


def _misfit(question: Question, value: object) -> Phrase:
    """Explain why ``value``, which ``app.course.question.answered`` refuses, is not an answer."""
    got, kind = described(value), question.kind
    if kind == "number":
        return Phrase("gives {got}, but a question of kind number needs a whole number", got=got)
    parts = list(value) if isinstance(value, list | tuple) else [value]
    values = [_part_of(one) for one in parts]
    known = [one.value for one in question.options]
    if kind not in MANY and isinstance(value, list | tuple):
        return Phrase(
            "gives {got}, but a question of kind {kind} needs one of {known}", got=got, kind=kind, known=few(known)
        )
    for one, text in zip(parts, values, strict=True):
        if text not in known:
            return Phrase(
                "gives {got}, but a question of kind {kind} knows only {known}",
                got=_quoted_part(one),
                kind=kind,
                known=few(known),
            )
    for one, text in zip(parts, values, strict=True):
        if values.count(text) > 1:
            return Phrase(
                "gives {got} several times, but a question of kind {kind} needs it once",
                got=_quoted_part(one),
                kind=kind,
            )
    if kind == "order":
        left = tuple(text for text in known if text not in values)
        return Phrase("gives {got}, but a question of kind order needs all; without {left}", got=got, left=few(left))
    return Phrase("gives {got}, but a question of kind {kind} needs something else", got=got, kind=kind)


def _part_of(value: object) -> str:
    """Return a part of an answer as a form would send it. A message is sent by its number."""
    return str(value.id) if isinstance(value, Sent) else str(value)


def _quoted_part(value: object) -> Phrase | str:
    """Return a part of an answer as it appears in a sentence."""
    if isinstance(value, Sent):
        return Phrase("message {number} ({payload})", number=value.id, payload=str(value.payload))
    return described(value)
