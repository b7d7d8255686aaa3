"""The words of the field: what they mean in both languages, and where they occur in a text.

They are in ``scenarios/course/glossary.yaml``, whose head says what a term has.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from app.core.model.value import Frozen
from app.core.model.values import Phrase
from app.course.claim import LinkForm, check_link
from app.course.yaml_forms import Form, Slug
from app.forms.explain import formed, no_term
from app.forms.yaml_source import Source
from app.paths import SCENARIOS
from app.scenario.format import FILE_BYTES, Words
from app.scenario.library import LIBRARY

FILE = SCENARIOS / "course" / "glossary.yaml"

Mark = Literal[
    "process", "channel", "message", "marker", "barrier", "copy", "recording", "cut", "orphan", "blocked", "back-edge",
    "white-red",
]  # fmt: skip
"""The signs of the pictures."""

Wording = Annotated[str, StringConstraints(min_length=1, max_length=60, strict=True)]
Address = Annotated[str, StringConstraints(pattern=r"^/[a-z]", max_length=400, strict=True)]
Piece = tuple[str, str | None]
"""Some words, and the name of the term that they are; None where they are none."""
_SMALL = re.compile(r"(?:the|an?|this|its|which|each|every|all|two|other) ", re.IGNORECASE)


class FormsForm(Form):
    """Other forms of a term to look for."""

    en: list[Wording] = Field(default=[], max_length=16)
    zh: list[Wording] = Field(default=[], max_length=16)


class TermForm(Form):
    """A term; see the head of the file."""

    term: Words
    pinyin: Annotated[str, StringConstraints(pattern=r"^[A-Za-z*][A-Za-z0-9* ]{0,59}$", strict=True)]
    also: FormsForm = FormsForm()
    common: list[Literal["en", "zh"]] = Field(default=[])
    means: Words
    see: list[Slug] = Field(default=[], max_length=8)
    mark: Mark | None = None
    shows: Address | None = None
    source: Annotated[str, StringConstraints(min_length=1, max_length=200, strict=True)] | None = None


class GlossaryForm(Form):
    """All terms by name."""

    terms: Annotated[dict[Slug, TermForm], Field(min_length=1)]


class Term(Frozen):
    """A term in one language. ``sorts`` is what it is sorted by, ``letter`` where it stands in the alphabet."""

    name: str
    word: str
    other: str
    means: str
    sorts: str
    form: TermForm

    @property
    def letter(self) -> str:
        """The letter that it stands under."""
        return self.sorts[0].upper()


@dataclass(frozen=True, eq=False)
class Glossary:
    """The terms, and how to find them."""

    forms: dict[str, TermForm]

    def terms(self, language: str) -> tuple[Term, ...]:
        """Return all terms in the order of the language: by letter in English, by pinyin in Chinese."""
        return tuple(sorted((self.term(name, language) for name in self.forms), key=lambda t: (t.sorts, t.name)))

    def term(self, name: str, language: str) -> Term:
        """Return the term called ``name``. Raises KeyError if there is none."""
        form = self.forms[name]
        word = getattr(form.term, language)
        sorts = form.pinyin if language == "zh" else word
        other = form.term.en if language == "zh" else form.term.zh
        return Term(name, word, other, getattr(form.means, language), sorts.casefold(), form)

    def search(self, words: str, language: str) -> tuple[Term, ...]:
        """Return the terms with all ``words`` in their names, forms and meanings, in either language. Terms with all of
        them in their names come first."""
        wanted = words.casefold().split()
        found = [term for term in self.terms(language) if all(one in _term_texts(term.form) for one in wanted)]
        return tuple(sorted(found, key=lambda term: not all(one in _named(term.form) for one in wanted)))

    def pieces(self, text: str, language: str) -> tuple[Piece, ...]:
        """Split a text into pieces, so that each term's first occurrence is one piece. The longest form that fits
        counts; the small words that it begins with, which only tell it from a verb, are no part of the piece."""
        if not self.forms:
            return ((text, None),) if text else ()
        pattern, names = self._patterns[language]
        found: list[Piece] = []
        seen: set[str] = set()
        done = 0
        for match in pattern.finditer(text):
            name = names.get(match[0].casefold())  # a dotless ı is found where an i is looked for, and is none
            if name is not None and name not in seen:
                seen.add(name)
                begin = match.start() + len(small[0] if (small := _SMALL.match(match[0])) else "")
                found += [(text[done:begin], None), (text[begin : match.end()], name)]
                done = match.end()
        return tuple(piece for piece in (*found, (text[done:], None)) if piece[0])

    @cached_property
    def _patterns(self) -> dict[str, tuple[re.Pattern[str], dict[str, str]]]:
        return {language: self._pattern(language) for language in ("en", "zh")}

    def _pattern(self, language: str) -> tuple[re.Pattern[str], dict[str, str]]:
        """Return a pattern for all forms in a text of the language, and the term of each form. Chinese words have no
        boundaries: a form of one character would also be found inside others, so it is not looked for."""
        names: dict[str, str] = {}
        for name, form in self.forms.items():
            own = () if language in form.common else (getattr(form.term, language),)
            for each in (*own, *getattr(form.also, language)):
                if language == "en":
                    names.setdefault(each.casefold(), name)
                    names.setdefault(f"{each.casefold()}s", name)
                elif len(each) > 1:
                    names.setdefault(each.casefold(), name)
        longest = sorted(names, key=len, reverse=True)
        inside = "|".join(map(re.escape, longest))
        bounds = r"(?<![\w*-])(?:{})(?![\w*-])" if language == "en" else "(?:{})"
        return re.compile(bounds.format(inside), re.IGNORECASE), names


def _named(form: TermForm) -> str:
    """Return what a term is called, in both languages."""
    pinyin = form.pinyin.replace(" ", "")
    return " ".join((form.term.en, form.term.zh, pinyin, *form.also.en, *form.also.zh)).casefold()


def _term_texts(form: TermForm) -> str:
    """Return what the glossary says about a term, in both languages."""
    return f"{_named(form)} {form.means.en} {form.means.zh} {form.source or ''}".casefold()


def load_glossary(text: str, name: str) -> Glossary:
    """Read the glossary that ``text`` describes. Raises SourceError, which names file, line and field and says what
    would be right."""
    source, form = formed(
        text,
        name,
        GlossaryForm,
        limit=FILE_BYTES,
        empty=Phrase("empty; a glossary is a mapping with terms"),
        wrong=Phrase("a glossary is a mapping with terms"),
    )
    scenarios = LIBRARY.names()
    for each, term in form.terms.items():
        _check(source, each, term, tuple(form.terms), scenarios)
    return Glossary(dict(form.terms))


def _check(source: Source, name: str, term: TermForm, known: Iterable[str], scenarios: tuple[str, ...]) -> None:
    """Check what the form cannot express about a term, where ``known`` are the terms. Raises SourceError."""
    for i, other in enumerate(term.see):
        path = ("terms", name, "see", i)
        if other == name:
            raise source.error(path, "{name} is the term itself; name another one", name=name)
        if other not in known:
            raise source.error(path, "{reason}", reason=no_term(other, tuple(known)))
    if term.shows is not None:
        check_link(source, ("terms", name, "shows"), LinkForm(to=term.shows), scenarios)


class Read:
    """The glossary of a file; it is read when it is first asked for, and again after it has changed."""

    def __init__(self, file: Path = FILE) -> None:
        self.file = file
        self._read: tuple[int, Glossary] | None = None

    def glossary(self) -> Glossary:
        """Return the glossary. Raises SourceError if the file is wrong."""
        changed = self.file.stat().st_mtime_ns
        known = self._read
        if known is None or known[0] != changed:
            known = (changed, load_glossary(self.file.read_text(encoding="utf-8"), self.file.name))
            self._read = known
        return known[1]


GLOSSARY = Read()
