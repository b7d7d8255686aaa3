"""Common claims about snapshots, checked: the files of ``scenarios/claims``, one for each of five study notes.

A file has ``title``, ``about`` and ``rows``; a row is a claim::

    - id: A7
      topic: completion
      says: {en: …, zh: …}
      holds: part
      correction: {en: …, zh: …}
      know: true
      shows:
        - to: /run/chain-from-b?step=4
          label: {en: …, zh: …}
          expects: "step == steps and not snapshot(1).complete"

``topic``
    what it is about, see TOPICS
``holds``
    ``whole``, ``part`` or ``wrong``, or ``none`` for what is no claim; all but the first say why in ``correction``
``know``
    is it essential: one that everybody who teaches snapshots should know?
``lessons``
    the numbers of the lessons in which it comes up
``shows``
    the pages that show it, the best one first. An address begins with the page's name: ``/run/SCENARIO?step=…``,
    ``/compare/SCENARIO?with=…``, ``/costs`` and so on, see PLACES; ``label`` says what to look at there.
    ``expects`` is an expression that must be true of the run for the label to be right, see ``app.course.run_facts``;
    ``step`` is the step at which the link opens the run. Every link to a run has one
"""

from pathlib import Path as File
from typing import Annotated, Literal, get_args
from urllib.parse import parse_qsl, urlsplit

from pydantic import Field, StrictBool, StringConstraints

from app.core.model.values import Phrase
from app.course.expression import Unanswerable, expression
from app.course.yaml_forms import Form, Text
from app.forms.explain import formed, no_scenario
from app.forms.yaml_source import Path, Source
from app.paths import SCENARIOS
from app.scenario.format import FILE_BYTES, Lesson, Words
from app.scenario.library import LIBRARY

FOLDER = SCENARIOS / "claims"

OF_RUNS = (
    *("run", "compare", "cuts", "swap", "theorem", "states", "diagram", "monitor", "picker", "stable"),
    *("blank", "quiz"),
)
"""Pages of a run: the name of its scenario follows."""

Holds = Literal["whole", "part", "wrong", "none"]
Topic = Literal["snapshot", "model", "rules", "completion", "stable", "program", "streams", "recovery", "practice"]

TOPICS: tuple[Topic, ...] = get_args(Topic)
"""What claims are about, in the order in which to read them."""

PLACES = (
    *OF_RUNS,
    *("algorithms", "challenge", "editor", "family", "glossary", "history", "lab", "lessons", "recovery", "scenarios"),
    *("spark", "costs"),
)
"""The pages that a claim may lead to."""


class LinkForm(Form):
    """A page that shows a claim: its address, and what to look at there."""

    to: Annotated[str, StringConstraints(pattern=r"^/[a-z]", max_length=400, strict=True)]
    label: Words | None = None
    expects: Text | None = None

    @property
    def place(self) -> str:
        """The page's name: the first word of the address."""
        return urlsplit(self.to).path.split("/")[1]

    @property
    def of(self) -> str:
        """What of: the second word, such as the name of a scenario; empty where there is none."""
        return "".join(urlsplit(self.to).path.split("/")[2:3])

    @property
    def query(self) -> dict[str, str]:
        """What stands behind the question mark; of what is given several times, the last."""
        return dict(parse_qsl(urlsplit(self.to).query))


class ClaimForm(Form):
    """One claim of a note."""

    id: Annotated[str, StringConstraints(pattern=r"^[A-E][1-9][0-9]?$", strict=True)]
    topic: Topic
    says: Words
    holds: Holds
    correction: Words | None = None
    know: StrictBool = False
    lessons: list[Lesson] = Field(default=[], max_length=4)
    shows: list[LinkForm] = Field(default=[], max_length=6)


class NoteForm(Form):
    """A note: what it is about, and what it says, in its own order."""

    title: Words
    about: Words
    rows: Annotated[list[ClaimForm], Field(min_length=1, max_length=99)]


class Note(Form):
    """A note that has been read and found right; ``name`` is its file's, without what it ends with."""

    name: str
    form: NoteForm


def load_note(text: str, name: str) -> Note:
    """Read the note that ``text`` describes. Raises SourceError, which names file, line and field and says what would
    be right."""
    source, form = formed(
        text,
        name,
        NoteForm,
        limit=FILE_BYTES,
        empty=Phrase("empty; a note has title, about and rows"),
        wrong=Phrase("a note is a mapping with title, about and rows"),
    )
    scenarios = LIBRARY.names()
    for i, row in enumerate(form.rows):
        _check(source, ("rows", i), row, [other.id for other in form.rows[:i]], scenarios)
    return Note(name=File(name).stem, form=form)


def _check(source: Source, path: Path, row: ClaimForm, before: list[str], scenarios: tuple[str, ...]) -> None:
    """Check what the form cannot express about a claim, given the names of the ``scenarios``. Raises SourceError."""
    if row.id in before:
        raise source.error((*path, "id"), "{id} is given twice; keep one", id=row.id)
    if row.correction is None and row.holds != "whole":
        raise source.error((*path, "correction"), "missing; a claim that is not wholly true needs a correction")
    if not row.shows and row.holds != "none":
        raise source.error((*path, "shows"), "missing; a claim is shown by at least one page")
    for i, link in enumerate(row.shows):
        check_link(source, (*path, "shows", i, "to"), link, scenarios)
        if link.place == "run" and link.expects is None:
            raise source.error((*path, "shows", i, "expects"), "missing; say what must be true of the run at this step")


def check_link(source: Source, path: Path, link: LinkForm, scenarios: tuple[str, ...]) -> None:
    """Is there such a page, is such a one among the ``scenarios``, and is what the run must be an expression? Raises
    SourceError."""
    if link.place not in PLACES:
        raise source.error(path, "no page is called {place!r}; known here: {known}", place=link.place, known=PLACES)
    if link.expects is not None:
        try:
            expression(link.expects)
        except Unanswerable as error:
            raise source.error((*path[:-1], "expects"), "{reason}", reason=error.phrase) from None
    if link.place not in OF_RUNS or link.of in scenarios:
        return
    raise source.error(path, "{reason}", reason=no_scenario(link.of, scenarios))


class Notes:
    """The notes of one folder, in the order of their names. They are read when they are first asked for, and again
    after one of them, or the library, has changed."""

    def __init__(self, folder: File = FOLDER) -> None:
        self.folder = folder
        self._read: tuple[object, tuple[Note, ...]] | None = None

    def notes(self) -> tuple[Note, ...]:
        """Return all notes. Raises SourceError if a file is wrong."""
        files = sorted(self.folder.glob("*.yaml"))
        state = (tuple((path, path.stat().st_mtime_ns) for path in files), LIBRARY.names())
        known = self._read
        if known is None or known[0] != state:
            known = (state, tuple(load_note(path.read_text(encoding="utf-8"), path.name) for path in files))
            self._read = known
        return known[1]


NOTES = Notes()
