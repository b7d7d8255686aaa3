"""JSON as it is measured, sent and stored."""

import json

from app.core.model.values import Json


def compact(value: Json) -> str:
    """Return a value as JSON without white space; letters of all languages are not escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
