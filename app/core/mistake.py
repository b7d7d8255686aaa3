"""Mistakes: what is told to whoever gives bad input, in words that another language can replace."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, init=False)
class Phrase:
    """Words with values: an English text with ``{fields}``, and what is put into them.

    The English text is also the key under which ``app.narration`` finds the same words in another language, because
    a mistake must be readable where it is raised, and must be told in a language that only the page knows. So it is
    always written out in the source, never put together. A value may be a phrase itself; a tuple becomes a list.
    """

    template: str
    fields: tuple[tuple[str, Any], ...]

    def __init__(self, template: str, /, **fields: Any) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "fields", tuple(fields.items()))

    def said(self, words: Callable[[str], str], join: str) -> str:
        """The text. ``words`` gives the template in a language; ``join`` stands between the items of a list."""

        def plain(value: Any) -> Any:
            if isinstance(value, Phrase):
                return value.said(words, join)
            if isinstance(value, tuple):
                return join.join(str(plain(item)) for item in value) or NONE.said(words, join)
            return value

        return words(self.template).format(**{name: plain(value) for name, value in self.fields})

    def __str__(self) -> str:
        return self.said(str, ", ")


NONE = Phrase("none")
"""What stands for an empty list."""


class BluecutError(Exception):
    """Bad input, told in one sentence that says what would be right. Its text may be shown to a visitor.

    ``template`` and ``fields`` are those of a Phrase: ``str(error)`` is the English sentence, ``error.phrase`` what
    other languages are made of.
    """

    def __init__(self, template: str, /, **fields: Any) -> None:
        self.phrase = Phrase(template, **fields)
        super().__init__(str(self.phrase))


class Refused(BluecutError):
    """An action that cannot happen here; the text says why."""
