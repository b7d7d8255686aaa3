"""The index of the search: what can be found, by its title and its text in both languages."""

import inspect
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from app.algorithms.registry import ALGORITHMS, MODULES
from app.core.model.value import Frozen
from app.course.claim import NOTES
from app.course.glossary import GLOSSARY
from app.course.history import history
from app.course.lesson import Lesson
from app.forms.explain import meant as near
from app.scenario.format import Words
from app.scenario.library import LIBRARY
from app.web.base.site import SITE
from app.web.places.cards import COMPARED, LECTURE, TEACH
from app.words.catalogues import LANGUAGES, word

KINDS = ("page", "lesson", "scenario", "algorithm", "term", "claim", "milestone")
"""What can be found, in the order in which groups of equal rank are shown."""

ALSO = ("assign", "blank", "costs", "editor", "follow", "present", "vote")
"""The pages that people look for by other words than their own."""

IDLE = re.compile("(a|an|and|are|do|does|how|i|in|is|it|my|of|on|the|to|what|when|where|which|who|why|with)")
"""Words that are not looked for where there are others."""
QUESTION = re.compile("为什么|怎么|怎样|如何|什么是|是什么|的")
"""The same in Chinese, which has no spaces."""

SYSTEMS = re.compile("Apache Flink|Apache Spark|Structured Streaming|MillWheel")
"""Systems among the references of an algorithm: it and its runs are found by them, too."""

MOST_WORDS = 6
"""So many words are looked at for a mistake."""

Both = tuple[str, ...]
"""A text in each language."""


class Entry(Frozen):
    """Something that can be found. ``titles`` and ``lines`` are in the order of LANGUAGES; ``title`` and ``text`` are
    the same, folded, to look in."""

    kind: str
    address: str
    titles: Both
    lines: Both
    title: Both
    text: str


class Group(Frozen):
    """What was found of a kind, the best first."""

    kind: str
    found: tuple[Entry, ...]


def folded(text: str) -> str:
    """Return a text as it is looked for: without upper case, accents and several spaces; a hyphen is a space."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(re.sub(r"[-‐-―_/]", " ", "".join(c for c in plain if not unicodedata.combining(c))).split())


def entry(kind: str, address: str, titles: Both, lines: Both, *more: str) -> Entry:
    """Return an entry; ``more`` are further texts in which it is found."""
    title = tuple(folded(one) for one in titles)
    return Entry(kind, address, titles, lines, title, folded(" ".join((*titles, *lines, *more))))


def search(words: str, extra: Iterable[Lesson] = ()) -> list[Group]:
    """Return what has all of these words, by kind. The better a group's best result, the earlier the group comes."""
    asked = folded(words)
    if not asked:
        return []
    wanted = [word for word in QUESTION.sub(" ", asked).split() if not IDLE.fullmatch(word)] or asked.split()
    ranked: dict[str, list[tuple[int, Entry]]] = {}
    for one in (*entries(), *_lessons(extra)):
        rank = _rank(one, (asked, " ".join(wanted)), wanted)
        if rank is not None:
            ranked.setdefault(one.kind, []).append((rank, one))
    for found in ranked.values():
        found.sort(key=lambda pair: pair[0])
    order = sorted(ranked, key=lambda kind: (ranked[kind][0][0], KINDS.index(kind)))
    return [Group(kind, tuple(one for _, one in ranked[kind])) for kind in order]


def meant(words: str, extra: Sequence[Lesson] = ()) -> str | None:
    """Return words that are nearly these and with which something is found; None where there are none."""
    known = (*_words(), *_words_of(_lessons(extra)))
    asked = folded(words).split()[:MOST_WORDS]
    better = " ".join(one if one in known else next(iter(near(one, known)), one) for one in asked)
    return better if better != folded(words) and search(better, extra) else None


@lru_cache(maxsize=1)
def _words() -> tuple[str, ...]:
    """Return the words of all titles that are always there."""
    return _words_of(entries())


def _words_of(some: Iterable[Entry]) -> tuple[str, ...]:
    """Return the words of titles that are long enough to be misspelt."""
    found = (word.strip(".,:;!?()’“”") for one in some for title in one.title for word in title.split())
    return tuple(dict.fromkeys(word for word in found if len(word) > 3 and word.isascii()))


def _rank(one: Entry, asked: tuple[str, str], words: list[str]) -> int | None:
    """Return how well an entry fits, 0 is best: its title is what was asked for; begins with it; has its words, or
    words that begin so; has them somewhere inside. Then the same of its text. None: it does not fit."""
    if any(each in one.title for each in asked):
        return 0
    if any(title.startswith(asked) for title in one.title):
        return 1
    titles = " \n".join(one.title)
    for rank, (where, fits) in enumerate(((titles, _begins), (titles, _within), (one.text, _begins)), 2):
        if all(fits(word, where) for word in words):
            return rank
    return 5 if all(_within(word, one.text) for word in words) else None


def _begins(word: str, text: str) -> bool:
    """Does a word of the text begin so? Chinese has no spaces: there, every place is a beginning."""
    at = text.find(word)
    while at >= 0:
        if at == 0 or not (text[at - 1].isalnum() and text[at - 1].isascii()):
            return True
        at = text.find(word, at + 1)
    return False


def _within(word: str, text: str) -> bool:
    """Is it there at all? Short words of Latin letters would be everywhere."""
    return word in text and (len(word) > 2 or not word.isascii())


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Return all that is always there; it is made once. The lessons come from the server's own shelf."""
    return (*_pages(), *_cards(), *_scenarios(), *_algorithms(), *_terms(), *_claims(), *_milestones())


def _both(words: Words) -> Both:
    """Return a text of a file in each language."""
    return tuple(getattr(words, language) for language in LANGUAGES)


def _said(key: str) -> Both:
    """Return a text of the catalogues in each language."""
    return tuple(word(key, language) for language in LANGUAGES)


def pages() -> tuple[Entry, ...]:
    """Return the pages, place by place: what there is to find before a word is typed."""
    return tuple(_pages())


def _pages() -> Iterator[Entry]:
    for place in SITE:
        yield entry("page", place.address, _said(f"page.{place.name}"), _said(f"place.{place.name}"))
        for name, address in place.pages.items():
            yield entry("page", address, _said(f"page.{name}"), _said(f"page.{place.name}"), *_called(name))


def _cards() -> Iterator[Entry]:
    """Yield a room, a comparison, how a lecture is held, and what the cards for teachers lead to; for what is found
    anyway, the card itself."""
    yield entry("page", COMPARED, _said("tab.compare"), _said("card.compare.about"))
    yield entry("page", "/r", _said("room.enter"), _said("room.enter.about"))
    known = {one.address for one in (*_pages(), *_scenarios())}
    for name, _ in LECTURE:
        yield entry(
            "page", f"/teach#lecture-{name}", _said(f"lecture.{name}"), _said(f"lecture.{name}.about"), *_called(name)
        )
    for cards in TEACH.values():
        for name, address in cards.items():
            there = f"/teach#card-{name}" if address in known else address
            yield entry("page", there, _said(f"card.{name}"), _said(f"card.{name}.about"), *_called(name))


def _called(name: str) -> Both:
    """Return what else people call a page, where that is not in its words."""
    return _said(f"search.also.{name}") if name in ALSO else ()


def _scenarios() -> Iterator[Entry]:
    for scenario in LIBRARY.scenarios():
        form = scenario.form
        lines = _both(form.surprise) if form.surprise else ("",) * len(LANGUAGES)
        more = (scenario.name, form.algorithm, *form.tags, *_systems(form.algorithm))
        yield entry("scenario", f"/run/{scenario.name}", _both(form.title), lines, *more)


def _algorithms() -> Iterator[Entry]:
    for name in ALGORITHMS:
        key = f"algorithm.{name}"
        yield entry("algorithm", f"/algorithms/{name}", _said(key), _said(f"{key}.about"), name, *_systems(name))


def _systems(algorithm: str) -> list[str]:
    """Return the systems that an algorithm is from."""
    return SYSTEMS.findall(inspect.getdoc(MODULES[algorithm]) or "")


def _terms() -> Iterator[Entry]:
    for name, form in GLOSSARY.glossary().forms.items():
        also = (*form.also.en, *form.also.zh)
        yield entry("term", f"/glossary#{name}", _both(form.term), _both(form.means), *also)


def _claims() -> Iterator[Entry]:
    for note in NOTES.notes():
        for row in note.form.rows:
            correction = _both(row.correction) if row.correction else ()
            titles = tuple(f"{row.id}: {says}" for says in _both(row.says))
            yield entry("claim", f"/claims#{row.id}", titles, correction or ("",) * len(LANGUAGES), row.id)


def _milestones() -> Iterator[Entry]:
    for one in history():
        titles = (f"{one.year}: {one.work}",) * len(LANGUAGES)
        yield entry("milestone", f"/history#{one.name}", titles, _both(one.gives), one.who, one.where)


def _lessons(known: Iterable[Lesson]) -> Iterator[Entry]:
    for lesson in known:
        yield entry("lesson", f"/lessons/{lesson.name}", _both(lesson.form.title), _both(lesson.form.goal))
