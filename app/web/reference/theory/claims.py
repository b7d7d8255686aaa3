"""Common claims about snapshots, checked: the claim, whether it is true, the correct statement, and the evidence.

``/claims?topic=TOPIC&holds=whole|part|wrong|none&know=1&note=NAME&q=WORDS&page=N&lang=``. A page has PER_PAGE claims,
the essential ones first, then by topic. Each has its id as an anchor, ``#A7``; for claims on another page the anchor is
in the list of sources below, with a link to them.

What ``claims.html`` gets
-------------------------
``query`` (see Query) ``claims`` (of this page) ``counted`` (how many there are, by verdict, in a sentence) ``found``
``topics`` and ``pages`` (see Door) ``notes``, the sources, ``places`` {id: the address of a claim} and ``course``
{place: lesson}; ``called``: a function, the name of a link
For htmx, ``_claims_answer.html`` gets the same; it is the part that changes: the claims, and their number in words.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated, get_args
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi import Query as Parameter
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.model.value import Frozen
from app.course.claim import NOTES, OF_RUNS, TOPICS, ClaimForm, Holds, LinkForm, Note
from app.scenario.library import LIBRARY
from app.web.base.errors import answers
from app.web.base.htmx import part_only
from app.web.base.language import language
from app.web.base.templates import Context, page
from app.web.shared.lessons_of import shelf
from app.words.catalogues import JOIN, word

PER_PAGE = 20
HOLDS: tuple[Holds, ...] = get_args(Holds)
Word = Annotated[str, StringConstraints(max_length=40)]
router = APIRouter(responses=answers(400))


class Query(BaseModel):
    """What is asked of the claims. An empty text asks nothing; an unknown value leaves nothing."""

    model_config = ConfigDict(frozen=True)

    topic: Annotated[Word, Field(description=f"only claims about this: {', '.join(TOPICS)}")] = ""
    note: Annotated[Word, Field(description="only claims of this source: 000 to 004")] = ""
    holds: Annotated[Word, Field(description=f"only claims that hold so: {', '.join(HOLDS)}")] = ""
    know: Annotated[bool, Field(description="only the essential ones")] = False
    q: Annotated[str, Field(max_length=200, description="words to look for"), AfterValidator(str.strip)] = ""
    page: Annotated[int, Field(ge=1, le=99, description="which page of them")] = 1

    @property
    def empty(self) -> bool:
        """Is everything shown, page by page?"""
        return self.model_copy(update={"page": 1}) == Query()

    @property
    def address(self) -> str:
        """Return the address of the page for this query."""
        asked = self.model_dump(exclude_defaults=True) | ({"know": 1} if self.know else {})
        return "/claims" + ("?" + urlencode(asked) if asked else "")

    def fits(self, note: str, claim: ClaimForm) -> bool:
        """Is the claim one of those asked for?"""
        return (
            self.topic in ("", claim.topic)
            and self.note in ("", note)
            and self.holds in ("", claim.holds)
            and (claim.know or not self.know)
            and _mentions(claim, self.q)
        )


class Door(Frozen):
    """A link to other claims of the same query: a topic with its number of claims, or a page of them by its number.
    ``here``: is it the one shown?"""

    url: str
    name: str
    count: int
    here: bool


@router.get("/claims", response_class=HTMLResponse)
def claims(request: Request, query: Annotated[Query, Parameter()]) -> Response:
    """Return the claims, or, for htmx, only those that are left."""
    spoken, notes = language(request), NOTES.notes()
    every = _arranged(notes)
    left = [row for name, row in every if query.fits(name, row)]
    if query.page > _pages(left):
        last = request.url.include_query_params(page=_pages(left))
        return RedirectResponse(f"{last.path}?{last.query}", 303)
    here = left[(query.page - 1) * PER_PAGE : query.page * PER_PAGE]
    context: Context = {
        "query": query,
        "claims": here,
        "called": partial(_called, spoken=spoken),
        "course": shelf(request).places(),
        "counted": _counted(query, left, len(every), spoken),
        "found": len(left),
        "topics": _topics(query, every, spoken),
        "pages": [
            Door(query.model_copy(update={"page": n}).address, str(n), PER_PAGE, n == query.page)
            for n in range(1, _pages(left) + 1)
        ],
        "notes": notes,
        "places": _places([row.id for _, row in every], [row.id for row in here]),
        "verdicts": HOLDS,
    }
    if part_only(request):
        return page(request, "_claims_answer.html", headers={"hx-push-url": query.address}, **context)
    return page(request, "claims.html", **context)


def _arranged(notes: Iterable[Note]) -> list[tuple[str, ClaimForm]]:
    """Return all claims with the names of their notes, the essential ones first, then by topic."""
    every = [(note.name, row) for note in notes for row in note.form.rows]
    return sorted(every, key=lambda each: (not each[1].know, TOPICS.index(each[1].topic)))


def _pages(rows: Sequence[ClaimForm]) -> int:
    """Return how many pages there are: at least one, even if nothing is left."""
    return max(1, -(-len(rows) // PER_PAGE))


def _counted(query: Query, rows: Sequence[ClaimForm], total: int, spoken: str) -> str:
    """Return how many claims are left, and how many of them are true."""
    if not rows:
        return word("claims.count.nothing", spoken, total=total)
    verdicts = Counter(row.holds for row in rows)
    told = [word(f"claims.count.{holds}", spoken, count=verdicts[holds]) for holds in HOLDS if verdicts[holds]]
    key = "claims.count.every" if query.empty else "claims.count"
    return word(key, spoken, found=len(rows), total=total, verdicts=JOIN[spoken].join(told))


def _topics(query: Query, every: Iterable[tuple[str, ClaimForm]], spoken: str) -> list[Door]:
    """Return what else the same filters could show: all topics, and each that has a claim left."""
    open_to_all = query.model_copy(update={"topic": "", "page": 1})
    found = Counter(row.topic for name, row in every if open_to_all.fits(name, row))
    doors = [Door(open_to_all.address, word("claims.topic.every", spoken), found.total(), not query.topic)]
    for name in TOPICS:
        if found[name] or name == query.topic:
            url, title = open_to_all.model_copy(update={"topic": name}).address, word(f"claims.topic.{name}", spoken)
            doors.append(Door(url, title, found[name], name == query.topic))
    return doors


def _places(order: Sequence[str], here: Sequence[str]) -> dict[str, str]:
    """Return where each claim is: on this page, or on its own when everything is shown."""
    return {
        name: f"{'' if name in here else Query(page=i // PER_PAGE + 1).address}#{name}" for i, name in enumerate(order)
    }


def _called(link: LinkForm, spoken: str) -> str:
    """Return the name of a page: that of a run after its scenario, with the algorithm if it is not the author's and the
    step at which it opens."""
    if link.place in OF_RUNS:
        title = getattr(LIBRARY.scenario(link.of).form.title, spoken) if link.of in LIBRARY.names() else link.of
        if other := link.query.get("algorithm"):
            title = word("claims.to.under", spoken, title=title, algorithm=word(f"algorithm.{other}", spoken))
        if link.place == "run" and (step := link.query.get("step")):
            return word("claims.to.step", spoken, title=title, step=step)
        return word(f"claims.to.{link.place}", spoken, title=title)
    if link.place == "algorithms" and link.of:
        return word("claims.to.rules", spoken, algorithm=word(f"algorithm.{link.of}", spoken))
    return word(f"claims.to.{link.place}", spoken)


def _mentions(row: ClaimForm, words: str) -> bool:
    """Does the claim contain every one of ``words``, in any language, or is one of them its id?"""
    texts = [row.id, *(told for each in (row.says, row.correction) if each for told in (each.en, each.zh))]
    whole = " ".join(texts).casefold()
    return all(each in whole for each in words.casefold().split())
