"""Why a check fails, as a sentence in the pages' words."""

from app.core.model.values import Json
from app.words.catalogues import word

FIELDS = ("channel", "sent", "received", "process", "step", "count", "total", "recorded")


def witness_sentence(witness: Json, language: str) -> str:
    """Return the sentence of a check's witness. One without a fault compares totals."""
    message = witness.get("message")
    about = message if isinstance(message, dict) else {}  # some witnesses name a message by its id only
    fields = {name: witness.get(name, about.get(name)) for name in FIELDS}
    return word(f"player.witness.{witness.get('fault', 'total')}", language, message=about.get("payload"), **fields)
