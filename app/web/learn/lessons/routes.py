"""The lessons: ``/lessons``, a lesson's pages ``/lessons/NAME``, and its judged answers ``/lessons/NAME/QUESTION``.

A lesson has one page per question, and two more: the set-up at the beginning (no query), and the knobs to turn at the
end (``end=1``); ``q=ID`` is the page of a question. ``presenter=1`` shows any of them in large type, with the answer
behind a key. Nothing is stored here: only the visitor's browser knows the answers, see ``static/js/lessons``.

What ``lessons.html`` gets
--------------------------
``units``     [(name, the lessons in the list, see Card)]
``mistakes``  what is wrong with invalid lesson files
``count``     how many lessons there are in all tracks
``tracks``    [(name, address, chosen, how many lessons, minutes)]

What ``lesson.html`` gets
-------------------------
``lesson`` ``title`` ``goal`` ``remember``   its words in the visitor's language
``beats``     [(words, pictures)]; a picture is a Drawn; only the first page has some
``track``     the name of the track, with the place of the lesson in it, from 1, and the number of its lessons; or None
``all``       the address of the list
``told``      on the last page: {question: [what it asks, its address, {answer: words}, the right answer in a sentence,
              what stands between the parts of an answer]}; ``old``: (what it asks, its address, the number of the
              lesson) of an earlier lesson's question, or None
``view``      ``begin``, ``question``, ``hand`` or ``end``
``pages``     its pages, see Leaf; ``place`` the number of the current one, from 0
``back`` ``next``   the pages before and after it, or None; in a lecture the next lesson comes after the last page
``asked``     on the page of a question, see ``app.web.shared.question_view``; otherwise None
``hand``      on its page, see ``by_hand``; ``finish`` the address of the last page
``drawings``  on the last page, a picture of the first run
``knobs``     [(words, address)]; ``play`` and ``embed`` the addresses of the run, ``doors`` [(key, address)] what else
              there is about it; ``onward`` the next lesson, or None
``print``     the address of the whole lesson to print
``presenter`` large type? ``present`` the address of this page in the other size
What ``lesson_print.html`` gets
-------------------------------
``lesson`` its address, and ``title`` ``goal`` ``remember`` ``beats`` as above; ``questions`` as ``asked`` above
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Path as Place
from fastapi import Query as Parameter
from markupsafe import Markup
from msgspec.structs import replace
from pydantic import StringConstraints
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.core.model.value import Frozen
from app.course.hand.replay import MOST
from app.course.lesson import Lesson
from app.course.lesson_list import TRACKS, Shelf, by_unit
from app.forms.explain import no_lesson
from app.pictures import render
from app.pictures.in_words import Described
from app.pictures.spacetime.options import Look
from app.run.run import Run
from app.web.base.errors import NoSuchStep, answers
from app.web.base.htmx import part_only
from app.web.base.language import language, named
from app.web.base.root import at
from app.web.base.templates import Context, page
from app.web.learn.lessons import by_hand
from app.web.shared import step_view
from app.web.shared.given_answer import Answers, Given
from app.web.shared.lessons_of import shelf
from app.web.shared.question_view import (
    LECTURE,
    SCREEN,
    Asked,
    answer_of,
    of_events,
    presenting,
    question_view,
    stages,
    status_of,
)
from app.wire.run_url import written_url
from app.words.catalogues import plain, word

DOORS = {"cuts": "tool.cuts", "blank": "tab.blank", "quiz": "tab.quiz"}
"""Other pages about the run of a lesson, and what they are called."""

HALL = ((382, 150, 200), (680, 240, 300), (867, 240, 330), (960, 300, 380))
"""The room for the stage above the words of a lecture, in px, as in ``app.web.shared.question_view``."""

Drawn = tuple[str, list[Markup], tuple[Described, ...], str, int | None]
"""A picture: ``stage`` or ``time``, its drawings, what they show in words, what it is, and the step."""

router = APIRouter(responses=answers(400, 404))

Name = Annotated[str, Place(max_length=80, description="the name of a lesson")]
Move = Annotated[str, StringConstraints(max_length=120)]


class Leaf(Frozen):
    """A page of a lesson; ``question`` is the id of its question."""

    url: str
    label: str
    question: str = ""


@router.get("/lessons", response_class=HTMLResponse)
def lessons(
    request: Request, track: Annotated[str, Parameter(max_length=20, description="only those of a track")] = ""
) -> Response:
    """Return all lessons in order."""
    found = shelf(request)
    context: Context = {
        "units": by_unit(found.of_track(track)),
        "kept": written_url("", _seen(request)),
        "mistakes": [error.phrase for error in found.mistakes],
        "count": len(found.lessons),
        "tracks": _tracks(request, found, track),
    }
    return page(request, "lessons.html", **context)


def _tracks(request: Request, found: Shelf, track: str) -> list[tuple[str, str, bool, int, int]]:
    rows = []
    for name in ("", *TRACKS):
        mine = [one.form for one in found.of_track(name)]
        kept = [pair for pair in _seen(request) if pair[0] != "track"]
        address = written_url("/lessons", [*([("track", name)] if name else []), *kept])
        current = name == (track if track in TRACKS else "")
        rows.append((name or "all", address, current, len(mine), sum(form.minutes for form in mine)))
    return rows


@router.get("/lessons/{name}", response_class=HTMLResponse)
def lesson(
    request: Request,
    name: Name,
    q: Annotated[str, Parameter(max_length=40, description="the id of a question")] = "",
    end: Annotated[bool, Parameter(description="the knobs at the end")] = False,
) -> Response:
    """Return a page of a lesson, before an answer."""
    found = _lesson_of(request, name)
    if end:
        return _leaf(request, found, "end", None)
    if not q:
        return _leaf(request, found, "begin", None)
    return _leaf(request, found, "question", _question_of(request, found, q, Given(), judged=False))


@router.get("/lessons/{name}/by-hand", response_class=HTMLResponse)
def hand(
    request: Request,
    name: Name,
    m: Annotated[list[Move] | None, Parameter(max_length=MOST, description="DOING:WHERE, move by move")] = None,
) -> Response:
    """Return the page on which a snapshot is carried out by hand; for htmx, the exercise alone."""
    found = _lesson_of(request, name)
    if found.form.hand is None:
        raise NoSuchStep("this lesson has nothing to carry out by hand")
    path = f"/lessons/{found.name}/by-hand"
    seen = by_hand.shown(found.form.hand, path, _seen(request), m or (), language(request), hall=presenting(request))
    if part_only(request):
        url = written_url(path, [*_seen(request), *(("m", move) for move in seen.kept)])
        return page(
            request, "_hand.html", headers={"hx-push-url": url}, hand=seen, finish=_leaves(request, found)[-1].url
        )
    return _leaf(request, found, "hand", None, seen)


@router.get("/lessons/{name}/print", response_class=HTMLResponse)
def printed(request: Request, name: Name) -> Response:
    """Return all of a lesson on a page to print, with the answers apart."""
    found, spoken = _lesson_of(request, name), language(request)
    context: Context = {
        "lesson": written_url(f"/lessons/{found.name}", _seen(request)),
        "title": getattr(found.form.title, spoken),
        "goal": getattr(found.form.goal, spoken),
        "remember": getattr(found.form.remember, spoken) if found.form.remember else "",
        "beats": _beats(request, found, True),
        "questions": [
            Asked(one, spoken, voting="open", mark=f"-{at}", lang=named(request))
            for at, one in enumerate(found.questions, 1)
        ],
    }
    return page(request, "lesson_print.html", **context)


@router.get("/lessons/{name}/{question}", response_class=HTMLResponse)
def judged(
    request: Request,
    name: Name,
    question: Annotated[str, Place(max_length=40, description="the id of a question")],
    given: Answers,
) -> Response:
    """Return the page of a question with the verdict on an answer; for htmx, the question alone."""
    found = _lesson_of(request, name)
    shown = _question_of(request, found, question, given, judged=True)
    return answer_of(request, shown) or _leaf(request, found, "question", shown)


def _lesson_of(request: Request, name: str) -> Lesson:
    """Return the lesson of this name. Raises NoSuchStep."""
    found = shelf(request)
    lesson = found.lesson(name)
    if lesson is None:
        known = tuple(one.name for one in found.lessons)
        raise NoSuchStep("{reason}", reason=no_lesson(name[:40], known))
    return lesson


def _question_of(request: Request, lesson: Lesson, name: str, given: Given, *, judged: bool) -> Asked:
    """Return a question of a lesson, judged or not. Raises NoSuchStep."""
    found = next((one for one in lesson.questions if one.id == name), None)
    if found is None:
        known = tuple(one.id for one in lesson.questions)
        raise NoSuchStep("this lesson has no question {name!r}; it has {known}", name=name[:40], known=known)
    pages = _leaves(request, lesson)
    beyond = pages[[one.question for one in pages].index(name) + 1]
    last = "lessons.to-hand" if lesson.form.hand else "lessons.to-knobs"
    onward = "lessons.next-question" if beyond.question else last
    return question_view(
        request,
        found,
        given,
        action=f"/lessons/{lesson.name}/{name}",
        fresh=next(one.url for one in pages if one.question == name),
        onward=(beyond.url, word(onward, language(request))),
        judged=judged,
        keeps=[("track", track)] if (track := _track(request)) else [],
    )


def _leaves(request: Request, lesson: Lesson) -> list[Leaf]:
    spoken, path = language(request), f"/lessons/{lesson.name}"
    kept = _seen(request)
    return [
        Leaf(written_url(path, kept), word("lessons.leaf.begin", spoken)),
        *(
            Leaf(written_url(path, [("q", one.id), *kept]), word("lessons.leaf.question", spoken, number=i), one.id)
            for i, one in enumerate(lesson.form.questions, 1)
        ),
        *([Leaf(written_url(f"{path}/by-hand", kept), word("lessons.leaf.hand", spoken))] if lesson.form.hand else []),
        Leaf(written_url(path, [("end", "1"), *kept]), word("lessons.leaf.end", spoken)),
    ]


def _first(request: Request, lesson: Lesson) -> Leaf:
    """Return the first page of the next lesson, which follows the last page of this one in a lecture."""
    return Leaf(written_url(f"/lessons/{lesson.name}", _seen(request)), word("lessons.onward", language(request)))


def _seen(request: Request) -> list[tuple[str, str]]:
    """Return how the visitor looks at it: the track and the language, if the address names them, and the size."""
    named_ones = {"track": _track(request), "lang": named(request), "presenter": "1" if presenting(request) else None}
    return [(name, value) for name, value in named_ones.items() if value]


def _track(request: Request) -> str:
    """Return the track that the address names; nothing if it names none."""
    given = request.query_params.get("track", "")
    return given if given in TRACKS else ""


def _of_track(request: Request) -> tuple[Lesson, ...]:
    """Return the lessons of the track that the address names; all if it names none."""
    return shelf(request).of_track(_track(request))


def _stage(run: Run, step: int, spoken: str, mark: str, rooms: Sequence[render.Room]) -> Drawn:
    """Return the run of a set-up at a step, for one of these places on a screen."""
    caption = plain(step_view.sentence(run, step, spoken)) if step else word("picture.begin", spoken)
    drawn = stages(run, step, spoken, mark, rooms=rooms)
    return ("stage", drawn, render.stage_in_words(run, step, spoken), caption, step or None)


def _diagram(run: Run, step: int, spoken: str, look: Look, mark: str, caption: str, shown: int | None) -> Drawn:
    """Return the space-time diagram of a set-up, with its caption and the step that this names."""
    drawn = Markup(render.spacetime(run, step, spoken, look, mark))
    return ("time", [drawn], render.spacetime_in_words(run, step, spoken, look), caption, shown)


def _drawings(
    lesson: Lesson, run: Run, spoken: str, step: int, cut: Mapping[str, int] | None, mark: str, hall: bool
) -> list[Drawn]:
    """Return the pictures of a part of a set-up: the run at a step, its events, or a cut through them."""
    figure, found = lesson.form.figure, []
    if cut is not None or figure == "events":
        look = of_events(run, spoken, cut, fates=True)
        caption = word("asked.cut" if cut is not None else "asked.events", spoken)
        return [_diagram(run, len(run.steps), spoken, look, mark, caption, None)]
    if figure in ("stage", "both"):
        found.append(_stage(run, step, spoken, mark, HALL if hall else SCREEN))
    if figure in ("time", "both"):
        look, caption = Look(ring=False, narrow=True), found[0][3] if found else ""
        found.append(_diagram(run, step, spoken, look, f"{mark}-time", caption, None if found else step or None))
    return found


def _beats(request: Request, lesson: Lesson, drawn: bool) -> list[tuple[str, list[Drawn]]]:
    """Return the parts of the set-up, and their pictures if these are wanted."""
    spoken = language(request)
    said = [getattr(beat, spoken) for beat in lesson.form.beats]
    if not drawn:
        return [(words, []) for words in said]
    runs = [request.app.state.runs.recorded(scene.scenario, scene.key).run for scene in lesson.scenes]
    rows, hall = enumerate(zip(said, runs, lesson.scenes, lesson.cuts, strict=True), 1), presenting(request)
    return [
        (words, _drawings(lesson, run, spoken, scene.step, cut, f"beat{i}", hall))
        for i, (words, run, scene, cut) in rows
    ]


def _told(lesson: Lesson, pages: list[Leaf], spoken: str) -> dict[str, list[Any]]:
    """Return what the last page says of each question: see the top of the module."""
    links = {one.question: one.url for one in pages}
    found: dict[str, list[Any]] = {}
    for one in lesson.questions:
        texts = {option.value: getattr(option.text, spoken) for option in one.options}
        said = one.saying(one.answer, spoken)
        named = word("lessons.end.order" if one.kind == "order" else "lessons.end.answer", spoken)
        found[one.id] = [getattr(one.asks, spoken), at(links[one.id]), texts, f"{named} {said}", one.joint(spoken)]
    return found


def _old(request: Request, lesson: Lesson, spoken: str) -> tuple[str, str, int] | None:
    """Return a question of an earlier lesson of the track: what it asks, its address, and the number of the lesson."""
    mine = _of_track(request)
    earlier = mine[: mine.index(lesson)] if lesson in mine else []
    if not earlier:
        return None
    other = earlier[(lesson.form.place * 3) % len(earlier)]
    asked = other.form.questions[lesson.form.place % len(other.form.questions)]
    url = written_url(f"/lessons/{other.name}", [("q", asked.id), *_seen(request)])
    return getattr(asked.asks, spoken), url, other.form.place


def _leaf(
    request: Request,
    lesson: Lesson,
    view: str,
    shown: Asked | None,
    exercise: by_hand.Shown | None = None,
) -> Response:
    spoken, form = language(request), lesson.form
    pages = _leaves(request, lesson)
    place = {"begin": 0, "hand": len(pages) - 2}.get(view, len(pages) - 1)
    if shown is not None:
        place = [one.question for one in pages].index(shown.question.id)
    begin = replace(lesson.begin, lang=named(request))
    run = request.app.state.runs.recorded(begin.scenario, begin.key).run
    everyone, track = _of_track(request), _track(request)
    here = everyone.index(lesson) if lesson in everyone else None
    after = next((one for one in everyone if one.form.place > lesson.form.place), None)
    presenter = presenting(request)
    rooms = LECTURE if presenter else SCREEN
    kept = [(name, value) for name, value in request.query_params.multi_items() if name != "presenter"]
    context: Context = {
        "lesson": lesson,
        "title": getattr(form.title, spoken),
        "goal": getattr(form.goal, spoken),
        "remember": getattr(form.remember, spoken) if form.remember else "",
        "beats": _beats(request, lesson, view == "begin"),
        "track": (track, here + 1, len(everyone)) if track and here is not None else None,
        "all": written_url("/lessons", _seen(request)),
        "told": _told(lesson, pages, spoken) if view == "end" else {},
        "old": _old(request, lesson, spoken) if view == "end" else None,
        "view": view,
        "pages": pages,
        "place": place,
        "back": pages[place - 1] if place else None,
        "next": pages[place + 1] if place + 1 < len(pages) else _first(request, after) if presenter and after else None,
        "asked": shown,
        "drawings": [_stage(run, len(run.steps), spoken, "end", rooms)] if view == "end" else [],
        "knobs": [(getattr(k.says, spoken), url) for k, url in zip(form.knobs, lesson.doors, strict=True)]
        if view == "end"
        else [],
        "play": begin.of_step(begin.step),
        "embed": begin.of_step(begin.step, "embed"),
        "doors": [(name, begin.link_to(tool)) for tool, name in DOORS.items()],
        "onward": after if view == "end" else None,
        "kept": written_url("", _seen(request)),
        "hand": exercise,
        "finish": pages[-1].url,
        "print": written_url(f"/lessons/{lesson.name}/print", _seen(request)),
        "presenter": presenter,
        "present": written_url(request.url.path, kept if presenter else [*kept, ("presenter", "1")]),
    }
    return page(request, "lesson.html", status=status_of(shown) if shown else 200, **context)
