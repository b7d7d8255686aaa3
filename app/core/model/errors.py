"""Mistakes: what a user who gives bad input reads, in words that another language can replace."""

import re
from collections.abc import Callable
from dataclasses import dataclass

LONGEST = 200
"""The most characters of a value that a sentence quotes whole."""


_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def _in_a_line(text: str) -> str:
    """Return a text in which line breaks and other control characters are written out, as in Python: a quoted name must
    neither begin a line of a log nor move the cursor of a terminal."""
    return _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text)


def shortened(text: str, most: int = LONGEST) -> str:
    """Return the beginning and the end of a text that has more than ``most`` characters: in a path both say
    something."""
    return text if len(text) <= most else f"{text[: most // 2]}…{text[most // 2 - most + 1 :]}"


@dataclass(frozen=True, slots=True, init=False)
class Phrase:
    """Words with values: an English text with ``{fields}``, and the values of those fields.

    The English text is also the key under which ``app.words`` finds the text in another language: a mistake must be
    readable where it is raised, but only the page knows its language. So the text is always written out in the source,
    never assembled. A value may itself be a phrase; a sequence becomes a list.
    """

    template: str
    fields: tuple[tuple[str, object], ...]

    def __init__(self, template: str, /, **fields: object) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "fields", tuple(fields.items()))

    def said(self, words: Callable[[str], str], join: str) -> str:
        """Return the text. ``words`` gives the template in a language; ``join`` stands between the elements of a
        list."""

        def plain(value: object) -> object:
            if isinstance(value, Phrase):
                return value.said(words, join)
            if isinstance(value, tuple):
                return join.join(str(plain(item)) for item in value) or NONE.said(words, join)
            return shortened(str(value)) if isinstance(value, str) or hasattr(value, "__fspath__") else value

        return _in_a_line(words(self.template).format(**{name: plain(value) for name, value in self.fields}))

    def __str__(self) -> str:
        return self.said(str, ", ")


NONE = Phrase("none")
"""Stands for an empty list."""


class BluecutError(Exception):
    """Bad input, described in one sentence that says what would be right. Its text may be shown to a visitor.

    ``template`` and ``fields`` are those of a Phrase: ``str(error)`` is the English sentence, ``error.phrase`` the
    source of the sentence in other languages.
    """

    def __init__(self, template: str, /, **fields: object) -> None:
        self.phrase = Phrase(template, **fields)
        super().__init__(str(self.phrase))


class Refused(BluecutError):
    """An action that cannot happen here; the text says why."""
