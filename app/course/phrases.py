"""Words in both languages, out of the catalogues or put together."""

from collections.abc import Callable

from app.core.model.values import Json
from app.course.run_facts import Sent
from app.scenario.format import LONGEST_TEXT, Words
from app.words.catalogues import LANGUAGES, word


def words_of(key: str, /, **fields: object) -> Words:
    """Return the words of a key of the catalogues. A field may be a text in both languages, or a list of such texts."""

    def spoken(language: str) -> str:
        return word(key, language, **{name: inner(value, language) for name, value in fields.items()})

    return both(spoken)


def inner(value: object, language: str) -> Json:
    """Return a field in one language."""
    match value:
        case Words():
            return getattr(value, language)
        case Sent():
            return value.payload
        case list() | tuple():
            return [inner(one, language) for one in value]
    return value


def value(text: Json) -> Words:
    """Return a state, or another value, as people read it. A state that has nothing to show is a dash, as on the
    stage."""
    return words_of("quiz.value", value="–" if text == "" else text)


def joined(*parts: Words) -> Words:
    """Join sentences, one after the other."""
    return Words(en=_fitting(" ".join(one.en for one in parts)), zh=_fitting("".join(one.zh for one in parts)))


def both(spoken: Callable[[str], str]) -> Words:
    """Return the texts that ``spoken`` makes in each language."""
    return Words(**{language: _fitting(spoken(language)) for language in LANGUAGES})


def _fitting(text: str) -> str:
    """Return a text, or the beginning of one that is too long: names may be long, and a run may have many."""
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def plain(text: str) -> Words:
    """Return a name, which is the same in every language."""
    return Words(en=text, zh=text)


def arrow(channel: str) -> str:
    """Return a channel as people read it."""
    return channel.replace("->", "→")
