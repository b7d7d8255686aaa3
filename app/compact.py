"""JSON as it is weighed, sent and kept."""

import json

from app.core.model import Json


def compact(value: Json) -> str:
    """A value as JSON without white space; letters of all languages stay as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
