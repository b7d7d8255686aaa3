"""The gallery: all scenarios, what each will surprise you with, search and tags."""

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.simulator.library import LIBRARY
from app.simulator.scenario import Scenario
from app.view import picture
from app.web.errors import answers
from app.web.language import language
from app.web.page import page

router = APIRouter(responses=answers(400))


@dataclass(frozen=True, slots=True)
class Card:
    """A scenario in the gallery."""

    name: str
    title: str
    surprise: str
    tags: tuple[str, ...]
    thumbnail: Markup


@router.get("/scenarios", response_class=HTMLResponse)
def gallery(
    request: Request,
    q: Annotated[str, Parameter(max_length=200, description="words to look for")] = "",
    tag: Annotated[str, Parameter(max_length=30, description="only scenarios with this tag")] = "",
) -> Response:
    """The gallery, or, for htmx, only its list."""
    spoken, library = language(request), LIBRARY.scenarios()
    common = usual(library)
    found = [card(s, spoken, common) for s in library if (not tag or tag in s.form.tags) and mentions(s, q)]
    template = "_cards.html" if request.headers.get("hx-request") else "gallery.html"
    return page(request, template, cards=found, q=q, tag=tag, tags=tags(library, tag), total=len(library))


def card(scenario: Scenario, spoken: str, common: frozenset[str]) -> Card:
    """What the gallery shows of a scenario; tags that are ``common`` say nothing about it."""
    form = scenario.form
    return Card(
        scenario.name,
        getattr(form.title, spoken),
        getattr(form.surprise, spoken, ""),
        tuple(tag for tag in form.tags if tag not in common),
        Markup(picture.thumbnail(scenario, spoken)),
    )


def mentions(scenario: Scenario, words: str) -> bool:
    """Does the scenario speak of every one of ``words``, in any language?"""
    form = scenario.form
    texts = [scenario.name, *form.tags, form.algorithm]
    for told in (form.title, form.surprise, form.story):
        texts += [told.en, told.zh] if told else []
    whole = " ".join(texts).casefold()
    return all(word in whole for word in words.casefold().split())


def usual(library: tuple[Scenario, ...]) -> frozenset[str]:
    """The tags that most scenarios have."""
    counts = Counter(tag for scenario in library for tag in scenario.form.tags)
    return frozenset(tag for tag, count in counts.items() if count > len(library) / 2)


def tags(library: tuple[Scenario, ...], chosen: str) -> list[str]:
    """The tags that divide the library: those of several scenarios, but not of most. Most frequent first.

    The ``chosen`` one is always among them.
    """
    counts = Counter(tag for scenario in library for tag in scenario.form.tags)
    common = usual(library)
    dividing = [tag for tag, count in counts.most_common() if count > 1 and tag not in common]
    return dividing if chosen in ("", *dividing) else [chosen, *dividing]
