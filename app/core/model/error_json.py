"""Phrases as JSON: one operating-system process writes them, another reads them and shows them in a person's
language."""

from typing import Any

from app.core.model.errors import Phrase
from app.core.model.values import Json


def written(phrase: Phrase) -> dict[str, Json]:
    """Return the phrase as ``{template, fields}``; phrases among its values likewise, sequences as lists."""
    return {"template": phrase.template, "fields": {name: _plain(value) for name, value in phrase.fields}}


def _plain(value: Any) -> Json:
    """Return a value of a phrase; what JSON cannot express becomes text."""
    if isinstance(value, Phrase):
        return written(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def read(values: dict[str, Json]) -> Phrase:
    """Return the phrase that ``written`` wrote."""
    template: str = values["template"]
    fields = {name: _value_of(value) for name, value in values["fields"].items()}
    return Phrase(template, **fields)


def _value_of(value: Json) -> Any:
    """Return a value of a phrase, with its phrases and sequences restored."""
    if isinstance(value, list):
        return tuple(_value_of(item) for item in value)
    return read(value) if isinstance(value, dict) else value
