"""The query of the gallery: words, an algorithm, an assumption and a lesson, in any combination.

Every filter says how many scenarios each of its values would leave, given the words and the other filters.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, get_args
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field

from app.algorithms.registry import ALGORITHMS
from app.core.model.value import Frozen
from app.scenario.format import Words
from app.scenario.scenario import Scenario
from app.words.catalogues import LANGUAGES, catalogue, word

Named = Literal["algorithm", "assumption", "lesson"]
FILTERS: tuple[Named, ...] = get_args(Named)
Course = Mapping[str, Words]
"""The titles of the lessons that come along, by place."""
GROUPS: dict[str, tuple[str, ...]] = {
    "order": ("fifo", "causal", "any-order"),
    "delivery": ("no-loss", "loss", "duplication"),
    "graph": ("reachable", "unreachable", "acyclic", "loops"),
    "markers": ("marker-first", "marker-late", "labels", "no-labels", "uncoordinated"),
    "record": ("recording", "no-recording"),
    "processes": ("membership", "crash", "replay", "clocks"),
}
"""The assumptions, grouped by subject; each is in one group."""


class Query(BaseModel):
    """What is asked of the gallery. An empty text asks nothing; an unknown value leaves nothing."""

    model_config = ConfigDict(frozen=True)

    q: Annotated[str, Field(max_length=200, description="words to look for")] = ""
    algorithm: Annotated[str, Field(description="only scenarios with this algorithm")] = ""
    assumption: Annotated[str, Field(description="only scenarios that assume this")] = ""
    lesson: Annotated[str, Field(description="only scenarios of this lesson")] = ""

    @property
    def empty(self) -> bool:
        """Is everything shown?"""
        return self == Query()

    @property
    def active(self) -> tuple[Named, ...]:
        """The filters that have a value."""
        return tuple(name for name in FILTERS if getattr(self, name))

    @property
    def address(self) -> str:
        """Return the address of the gallery for this query."""
        asked = self.model_dump(exclude_defaults=True)
        return "/scenarios" + ("?" + urlencode(asked) if asked else "")

    def without(self, name: Named) -> "Query":
        """Return the same query without this filter."""
        return self.model_copy(update={name: ""})

    def fits(self, scenario: Scenario) -> bool:
        """Does the scenario match all filters? The words are another question."""
        return all(getattr(self, name) in values(scenario, name) for name in self.active)


class Option(Frozen):
    """A value of a filter; ``count`` scenarios would be left."""

    value: str
    name: str
    count: int
    chosen: bool


class Group(Frozen):
    """Options under a heading, or under none."""

    title: str
    options: tuple[Option, ...]


class Filter(Frozen):
    """One filter as the form shows it; without a value it leaves ``every`` scenario."""

    name: Named
    every: int
    groups: tuple[Group, ...]
    chosen: str
    """The name of its value; empty without one."""


def filters(library: tuple[Scenario, ...], query: Query, course: Course, language: str) -> tuple[Filter, ...]:
    """Return all filters for the scenarios of ``library`` that contain the words of ``query``."""
    speaking = [scenario for scenario in library if mentions(scenario, query.q, course)]
    return tuple(_made(name, library, speaking, query, course, language) for name in FILTERS)


def _made(
    name: Named,
    library: tuple[Scenario, ...],
    speaking: list[Scenario],
    query: Query,
    course: Course,
    language: str,
) -> Filter:
    """Return one filter. Algorithms and assumptions without scenarios are not offered; lessons are, to show the
    course."""
    others = query.without(name)
    left = [scenario for scenario in speaking if others.fits(scenario)]
    counts = Counter(value for scenario in left for value in values(scenario, name))
    used = {value for scenario in library for value in values(scenario, name)}
    chosen = getattr(query, name)

    def options(offered: Iterable[str]) -> tuple[Option, ...]:
        names = {value: called(name, value, course, language) for value in offered}
        return tuple(Option(value, told, counts[value], value == chosen) for value, told in names.items())

    if name == "assumption":
        groups = [
            Group(word(f"gallery.group.{about}", language), options(value for value in together if value in used))
            for about, together in GROUPS.items()
        ]
    else:
        groups = [Group("", options(course if name == "lesson" else [each for each in ALGORITHMS if each in used]))]
    if chosen and not any(option.chosen for group in groups for option in group.options):
        groups.append(Group("", options([chosen])))
    return Filter(name, len(left), tuple(g for g in groups if g.options), called(name, chosen, course, language))


def values(scenario: Scenario, name: Named) -> tuple[str, ...]:
    """Return what the scenario has for this filter, each once."""
    form = scenario.form
    if name == "algorithm":
        return (form.algorithm,)
    if name == "assumption":
        return tuple(dict.fromkeys(form.assumptions))
    return tuple(dict.fromkeys(str(number) for number in form.lessons))


def called(name: Named, value: str, course: Course, language: str) -> str:
    """Return a value of a filter in words; an unknown one stays as it is."""
    if name == "lesson" and value in course:
        return word("gallery.lesson", language, number=value, title=getattr(course[value], language))
    return catalogue(language).get(f"{name}.{value}", value)


def mentions(scenario: Scenario, words: str, course: Course) -> bool:
    """Does the scenario contain every one of ``words``, in any language?"""
    asked = words.casefold().split()
    if not asked:
        return True
    form = scenario.form
    texts = [scenario.name, *form.tags]
    lessons = (course.get(place) for place in values(scenario, "lesson"))
    for told in (form.title, form.surprise, form.story, *lessons):
        texts += [told.en, told.zh] if told else []
    keys = [f"tag.{tag}" for tag in form.tags] + [f"{name}.{v}" for name in FILTERS for v in values(scenario, name)]
    texts += [known[key] for known in map(catalogue, LANGUAGES) for key in keys if key in known]
    whole = " ".join(texts).casefold()
    return all(each in whole for each in asked)
