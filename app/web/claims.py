"""Every claim of five lecture notes on snapshots: what it says, whether it holds, the correction, and what shows it.

``/claims?note=NAME&holds=whole|part|wrong|none&know=1&q=WORDS&lang=``; each claim has its id as an anchor, ``#A7``.

What ``claims.html`` gets
-------------------------
``query`` (see Query) ``notes`` (see Chapter: those that have a claim left) ``names`` [(name, title)] of all notes
``counts`` {how a claim holds: how many of those shown} ``found`` and ``total``
For htmx, ``_claims_answer.html`` gets the same and is what changes: the claims, and what is said of their number.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi import Query as Parameter
from pydantic import StringConstraints
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.course.claim import NOTES, OF_RUNS, ClaimForm, Holds, LinkForm
from app.course.lesson import Lesson
from app.narration.tell import word
from app.simulator.format import Words
from app.simulator.library import LIBRARY
from app.web.errors import answers
from app.web.language import language
from app.web.page import page

HOLDS: tuple[Holds, ...] = get_args(Holds)
Word = Annotated[str, StringConstraints(max_length=40)]
router = APIRouter(responses=answers(400))


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked of the claims. An empty text asks nothing; a value that nothing has leaves nothing."""

    note: str = ""
    holds: str = ""
    know: bool = False
    q: str = ""

    @property
    def empty(self) -> bool:
        """Is everything shown?"""
        return self == Query()

    @property
    def address(self) -> str:
        """Where the page answers this."""
        asked = {"note": self.note, "holds": self.holds, "know": "1" if self.know else "", "q": self.q}
        return "/claims" + ("?" + urlencode(given) if (given := {k: v for k, v in asked.items() if v}) else "")

    def fits(self, note: str, claim: ClaimForm) -> bool:
        """Is the claim one of those that are asked for?"""
        return (
            self.note in ("", note)
            and self.holds in ("", claim.holds)
            and (claim.know or not self.know)
            and mentions(claim, self.q)
        )


@dataclass(frozen=True, slots=True)
class Link:
    """A page that shows a claim: where it is, what it is called, and what to look at there (or nothing)."""

    url: str
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim in the visitor's language."""

    id: str
    says: str
    holds: Holds
    correction: str
    know: bool
    links: tuple[Link, ...]
    lessons: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A note: its claims that are shown."""

    name: str
    title: str
    about: str
    claims: tuple[Claim, ...]


@router.get("/claims", response_class=HTMLResponse)
def claims(
    request: Request,
    note: Annotated[Word, Parameter(description="only claims of this note: 000 to 004")] = "",
    holds: Annotated[Word, Parameter(description=f"only claims that hold so: {', '.join(HOLDS)}")] = "",
    know: Annotated[bool, Parameter(description="only those that everybody should know who teaches from them")] = False,
    q: Annotated[str, Parameter(max_length=200, description="words to look for")] = "",
) -> Response:
    """The claims, or, for htmx, only those that are left."""
    spoken, notes = language(request), NOTES.notes()
    query = Query(note, holds, know, q.strip())
    course = {lesson.form.place: lesson for lesson in reversed(request.app.state.lessons.shelf().lessons)}
    titles = {scenario.name: said(scenario.form.title, spoken) for scenario in LIBRARY.scenarios()}
    left = [(one, [row for row in one.form.rows if query.fits(one.name, row)]) for one in notes]
    counts = Counter(row.holds for _, rows in left for row in rows)
    context: dict[str, Any] = {
        "query": query,
        "notes": tuple(
            Chapter(
                one.name,
                said(one.form.title, spoken),
                said(one.form.about, spoken),
                tuple(claim(row, titles, course, spoken) for row in rows),
            )
            for one, rows in left
            if rows
        ),
        "names": [(one.name, said(one.form.title, spoken)) for one in notes],
        "counts": {each: counts[each] for each in HOLDS},
        "found": counts.total(),
        "total": sum(len(one.form.rows) for one in notes),
    }
    # Going back in the browser's history asks for the whole page.
    if request.headers.get("hx-request") and not request.headers.get("hx-history-restore-request"):
        return page(request, "_claims_answer.html", headers={"hx-push-url": query.address}, **context)
    return page(request, "claims.html", **context)


def said(words: Words | None, spoken: str) -> str:
    """A text in the visitor's language; nothing where there is none."""
    return getattr(words, spoken, "")


def claim(row: ClaimForm, titles: Mapping[str, str], course: Mapping[int, Lesson], spoken: str) -> Claim:
    """A claim as the visitor reads it, where scenarios have such ``titles`` and the lessons are those of ``course``."""
    return Claim(
        row.id,
        said(row.says, spoken),
        row.holds,
        said(row.correction, spoken),
        row.know,
        tuple(Link(link.to, called(link, titles, spoken), said(link.label, spoken)) for link in row.shows),
        tuple(taught(course[number], spoken) for number in row.lessons if number in course),
    )


def taught(lesson: Lesson, spoken: str) -> Link:
    """A lesson in which a claim comes up."""
    title = said(lesson.form.title, spoken)
    return Link(f"/lessons/{lesson.name}", word("claims.to.lesson", spoken, number=lesson.form.place, title=title), "")


def called(link: LinkForm, titles: Mapping[str, str], spoken: str) -> str:
    """What a page is called: that of a run after its scenario, with the algorithm where it is not the author's and the
    step at which it opens."""
    if link.place in OF_RUNS:
        title = titles.get(link.of, link.of)
        if other := link.query.get("algorithm"):
            title = word("claims.to.under", spoken, title=title, algorithm=word(f"algorithm.{other}", spoken))
        if link.place == "run" and (step := link.query.get("step")):
            return word("claims.to.step", spoken, title=title, step=step)
        return word(f"claims.to.{link.place}", spoken, title=title)
    if link.place == "algorithms" and link.of:
        return word("claims.to.rules", spoken, algorithm=word(f"algorithm.{link.of}", spoken))
    return word(f"claims.to.{link.place}", spoken)


def mentions(row: ClaimForm, words: str) -> bool:
    """Does the claim speak of every one of ``words``, in any language, or is one of them its id?"""
    texts = [row.id, *(told for each in (row.says, row.correction) if each for told in (each.en, each.zh))]
    whole = " ".join(texts).casefold()
    return all(each in whole for each in words.casefold().split())
