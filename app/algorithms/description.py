"""What pages say about an algorithm: the YAML file beside its module.

Every text is in both languages. A text that is missing breaks no page, which then shows its key; a test asks for it.
"""

from importlib.resources import files
from types import ModuleType
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from app.core.model.values import Phrase
from app.forms.explain import formed
from app.forms.fields import STRICT

BYTES = 65_536
"""The most that a file may have."""

Row = Literal["starts", "graph", "travels", "records", "meanwhile", "channels", "ends", "restart"]
"""A row of the table from Chandy–Lamport to barriers."""
Role = Literal[
    "rollback", "local", "rerun", "at-most-once", "at-least-once", "exactly-once", "exactly-once-in-loops",
    "uncoordinated-states", "mistake",
]  # fmt: skip
"""What pages need one example of: a way to recover from a crash (``rerun``: of a whole batch), a guarantee, states that
are recorded without coordination, a broken variant."""
Text = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]


class Words(BaseModel):
    """A text in both languages."""

    model_config = STRICT
    en: Text | None = None
    zh: Text | None = None


class Description(BaseModel):
    """A description of an algorithm. Where it continues another one, that one's is not inherited."""

    model_config = STRICT
    order: Annotated[int, Field(ge=0, strict=True)] = 1_000_000
    """Its place among all algorithms, as a sort key; equal places are ordered by name."""
    listed: bool = True
    """Is it offered wherever algorithms are? One that is not is used where a page or a command needs it."""
    name: Words = Words()
    tag: Words = Words()
    """How the gallery names the scenarios with its tag."""
    about: Words = Words()
    stores: Words = Words()
    invariant: Words = Words()
    """Why it is right."""
    wrong: Words = Words()
    """What is wrong with a broken variant."""
    rules: dict[str, Words] = {}
    """The lines of its pseudocode that it shares only with algorithms that continue it."""
    wakes: dict[str, Words] = {}
    """What a deferred step does, by the first word of the step."""
    succession: dict[Row, Words] = {}
    """Its column in the table from Chandy–Lamport to barriers; empty if it has none."""
    shown_by: str | None = None
    """The library's scenario that shows the fault of a broken variant, or the fault of a right one on channels without
    order."""
    breaks: Literal["first", "recorded", "labels", "whole", "after"] | None = None
    """The promise that a broken variant breaks, as a switch beside a run."""
    simultaneous: Literal["merged", "labelled", "regions"] | None = None
    """The meaning of simultaneous starts that it stands for."""
    stands_for: tuple[Role, ...] = ()
    doubt: str | None = None
    """The misconception of those who take its snapshots for inconsistent."""
    colours: bool = False
    """Do its messages carry a colour: the number of the last snapshot that the sender had recorded?"""

    def words(self, algorithm: str, language: str) -> dict[str, str]:
        """Return the texts in a language, by their keys in the catalogues."""
        key = f"algorithm.{algorithm}"
        found = {
            key: self.name,
            **{f"{key}.{part}": getattr(self, part) for part in ("about", "stores", "invariant", "wrong")},
            f"tag.{algorithm}": self.tag,
            **{f"rule.{line}": words for line, words in self.rules.items()},
            **{f"action.wake.{word}": words for word, words in self.wakes.items()},
            **{f"succession.{row}.{algorithm}": words for row, words in self.succession.items()},
        }
        return {key: text for key, words in found.items() if (text := getattr(words, language)) is not None}


def described(module: ModuleType) -> Description:
    """Return the description beside an algorithm's module; an empty one if there is no file. Raises SourceError."""
    name = f"{module.__name__.rpartition('.')[2]}.yaml"
    file = files(module.__package__ or "") / name
    return read(file.read_text("utf-8"), name) if file.is_file() else Description()


def read(text: str, name: str) -> Description:
    """Return the description in the text of a file. Raises SourceError, which names file, line and field."""
    empty = Phrase("empty; a description has at least a name")
    wrong = Phrase("a description is a mapping with name, about, stores and more")
    return formed(text, name, Description, limit=BYTES, empty=empty, wrong=wrong)[1]
