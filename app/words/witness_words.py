"""Why a check fails, as a sentence in the pages' words."""

from app.core.model.values import Json
from app.words.catalogues import word


def witness_sentence(witness: Json, language: str) -> str:
    """Return the sentence of a check's witness. One without a fault compares totals."""
    message = witness.get("message")
    about = message if isinstance(message, dict) else {}  # some witnesses name a message by its id only
    fields = {**about, **witness, "message": about.get("payload")}
    return word(f"player.witness.{witness.get('fault', 'total')}", language, **fields)
