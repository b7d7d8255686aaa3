"""Questions about any run: ``/quiz`` (about which scenario?), ``/quiz/REF?…&n=K`` and its judged answers,
``/quiz/REF/answer?…``.

The query is that of the run; ``n`` is the number of the question, from 1, and ``kinds`` (several) restricts the kinds
of questions. The server stores nothing; only the browser's tab knows the score of a sitting, see ``static/js/quiz.js``.

What ``quizzes.html`` gets
--------------------------
``scenarios``  [(title, address)] of the library, in the order of teaching: those of ``lesson``, with ``q`` in the title
``lessons``    [(name, address, chosen)]; ``kinds`` [(name, address)]

What ``quiz.html`` gets
-----------------------
``title``      of the scenario, in the visitor's language
``address``    the Address of the run; ``player`` its address in the player; ``stale`` as for pages about runs
``asked``      see ``app.web.shared.question_view``; None if there is no question
``here_again`` the address of the question before an answer, and ``sitting`` that of the first one of these kinds
``names``      {kind: its name}
``number``     that of the question; ``back`` and ``next`` are the addresses of its neighbours, or None
``later``      the address of the first question of the next round
``elsewhere``  where to practise when the round is over: another run with these kinds, or the page that lists runs
``round``      [the number of its round, its place in it, how many questions it has]
``kinds``      [(name, how many questions, is it asked?)]; ``count`` all questions; ``path`` the form's target, with the
               fields ``keeps``; ``all`` the address of all kinds, or None
"""

from functools import cache
from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from pydantic import StringConstraints
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.course.quiz import KINDS, ROUND, chosen, deck, round_size
from app.course.quiz import quiz as question_of
from app.course.run_facts import ran
from app.scenario.library import LIBRARY
from app.web.base.errors import answers
from app.web.base.language import language, named
from app.web.base.templates import Context, page
from app.web.shared.given_answer import Answers, Given
from app.web.shared.lessons_of import shelf
from app.web.shared.question_view import Asked, answer_of, question_view, status_of
from app.web.shared.run_head import run_head
from app.web.shared.visit import Visit, VisitedRun
from app.wire.run_url import stamp, written_url
from app.words.catalogues import word

router = APIRouter(responses=answers(400, 404))

MANY_KINDS = ("three-banks", "marker-by-marker", "two-starters", "which-cut", "three-guarantees", "rollback-of-seven")
"""Runs with questions of all kinds between them."""

Number = Annotated[int, Parameter(ge=1, le=1_000_000, description="the number of the question")]
Kinds = Annotated[
    list[Annotated[str, StringConstraints(max_length=40)]] | None,
    Parameter(max_length=40, description="only questions of these kinds"),
]


@router.get("/quiz", response_class=HTMLResponse)
def quizzes(
    request: Request,
    q: Annotated[str, Parameter(max_length=80, description="only runs whose title contains this")] = "",
    lesson: Annotated[int, Parameter(ge=0, le=99, description="only runs of this lesson")] = 0,
) -> Response:
    """Return the page on which to choose what to practise: by kind, by lesson, or a run."""
    spoken, lang = language(request), named(request)
    kept = {"lang": lang} if lang else {}
    rows, taught = [], set()
    for name in LIBRARY.names():
        form = LIBRARY.scenario(name).form
        taught.update(form.lessons)
        title = getattr(form.title, spoken)
        if q.strip().lower() in f"{form.title.en} {form.title.zh}".lower() and (not lesson or lesson in form.lessons):
            rows.append((title, written_url(f"/quiz/{name}", kept)))
    lessons = [
        (
            word("claims.to.lesson", spoken, number=place, title=getattr(one.form.title, spoken)),
            written_url("/quiz", {"lesson": str(place), **kept}) + "#by-run",
            place == lesson,
        )
        for place, one in sorted(shelf(request).places().items())
        if place in taught
    ]
    kinds = [(name, written_url(f"/quiz/{ref}", {"kinds": name, **kept})) for name, ref in _of_kinds().items()]
    return page(request, "quizzes.html", scenarios=rows, q=q, lesson=lesson, lessons=lessons, kinds=kinds)


def _of_kinds() -> dict[str, str]:
    """Return for each kind of question the run that has the most."""
    decks = {name: deck(ran(name)) for name in MANY_KINDS}
    return {kind: max(decks, key=lambda name: len(decks[name].get(kind, ()))) for kind in KINDS}


@router.get("/quiz/{ref}", response_class=HTMLResponse)
def quiz(shown: VisitedRun, n: Number = 1, kinds: Kinds = None) -> Response:
    """Return a question before its answer."""
    kept = _known(shown, kinds)
    return _quiz_page(shown, n, kept, _asking(shown, n, kept, Given(), judged=False))


@router.get("/quiz/{ref}/answer", response_class=HTMLResponse)
def judged(shown: VisitedRun, given: Answers, n: Number = 1, kinds: Kinds = None) -> Response:
    """Return the same page with the verdict on an answer; for htmx, the question alone. If the link is stale, the
    answer is not judged: the question may be different."""
    kept = _known(shown, kinds)
    seen = _asking(shown, n, kept, given, judged=not shown.stale)
    return (answer_of(shown.request, seen) if seen else None) or _quiz_page(shown, n, kept, seen)


def _known(shown: Visit, kinds: list[str] | None) -> tuple[str, ...]:
    """Return those of the kinds that the run has questions of; nothing if all are meant."""
    there = deck(shown.run)
    kept = tuple(name for name in there if name in (kinds or ()))
    return () if len(kept) == len(there) else kept


def _keeps(shown: Visit, kinds: tuple[str, ...], **more: object) -> list[tuple[str, str]]:
    """Return the fields of a query that name the run and the kinds, with ``more``."""
    query = shown.address.query(**more, v=stamp(shown.scenario))
    return [*query.items(), *(("kinds", name) for name in kinds)]


def _seen(shown: Visit) -> list[tuple[str, str]]:
    """Return the fields of a query that say how pages are shown."""
    return [(name, str(value)) for name, value in shown.address.seen.items() if value is not None]


def _to(shown: Visit, number: int, kinds: tuple[str, ...]) -> str:
    """Return the address of a question."""
    more = {"n": number} if number > 1 else {}
    return written_url(shown.address.path("quiz"), [*_keeps(shown, kinds, **more), *_seen(shown)])


@cache
def _kinds_of(name: str) -> frozenset[str]:
    """Return the kinds of questions that a run of the library has: pages look for some of them in all runs."""
    return frozenset(deck(ran(name)))


def _elsewhere(shown: Visit, kinds: tuple[str, ...]) -> str:
    """Return the address of the next run of the library that has questions of these kinds; where they are all, or none
    is found, that of the page to choose."""
    names = LIBRARY.names()
    after = names.index(shown.scenario.name) + 1 if shown.scenario.name in names else 0
    for name in (*names[after:], *names[:after]) if kinds else ():
        if name != shown.scenario.name and not _kinds_of(name).isdisjoint(kinds):
            return written_url(f"/quiz/{name}", [*(("kinds", kind) for kind in kinds), *_seen(shown)])
    return written_url("/quiz", _seen(shown))


def _asking(shown: Visit, number: int, kinds: tuple[str, ...], given: Given, *, judged: bool) -> Asked | None:
    """Return the question; None if there is none."""
    found = question_of(shown.run, shown.address, number - 1, kinds)
    if found is None:
        return None
    return question_view(
        shown.request,
        found,
        given,
        action=shown.address.path("quiz", "answer"),
        keeps=_keeps(shown, kinds, n=number),
        fresh=_to(shown, number, kinds),
        onward=(_to(shown, number + 1, kinds), word("quiz.next", shown.language)),
        judged=judged,
    )


def _quiz_page(shown: Visit, number: int, kinds: tuple[str, ...], seen: Asked | None) -> Response:
    there = deck(shown.run)
    here = shown.address
    size = round_size(chosen(shown.run, kinds)) or ROUND
    context: Context = run_head(shown, "quiz") | {
        "player": here.at(0).here,
        "asked": seen,
        "number": number,
        "round": [(number - 1) // size + 1, (number - 1) % size + 1, size],
        "here_again": _to(shown, number, kinds),
        "sitting": _to(shown, 1, kinds),
        "names": {name: word(f"quiz.kind.{name}", shown.language) for name in there},
        "back": _to(shown, number - 1, kinds) if number > 1 else None,
        "next": _to(shown, number + 1, kinds),
        "later": _to(shown, number - (number - 1) % size + size, kinds),
        "elsewhere": _elsewhere(shown, kinds),
        "kinds": [(name, len(subjects), not kinds or name in kinds) for name, subjects in there.items()],
        "count": sum(map(len, there.values())),
        "path": here.path("quiz"),
        "keeps": [*_keeps(shown, ()), *_seen(shown)],
        "all": _to(shown, 1, ()) if kinds else None,
    }
    return page(shown.request, "quiz.html", status=status_of(seen) if seen else 200, **context)
