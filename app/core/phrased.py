"""Phrases as JSON: what one process wants to tell people, and another one tells them, in their language."""

from typing import Any

from app.core.mistake import Phrase
from app.core.model import Json


def written(phrase: Phrase) -> dict[str, Json]:
    """The phrase as ``{template, fields}``; phrases among its values likewise, tuples as lists."""
    return {"template": phrase.template, "fields": {name: plain(value) for name, value in phrase.fields}}


def plain(value: Any) -> Json:
    """A value of a phrase; what JSON does not know, as text."""
    if isinstance(value, Phrase):
        return written(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def read(values: dict[str, Json]) -> Phrase:
    """The phrase that ``written`` wrote."""
    template: str = values["template"]
    fields = {name: value_of(value) for name, value in values["fields"].items()}
    return Phrase(template, **fields)


def value_of(value: Json) -> Any:
    """A value of a phrase: phrases and tuples again."""
    if isinstance(value, list):
        return tuple(value_of(item) for item in value)
    return read(value) if isinstance(value, dict) else value
