"""Why a check fails, as a sentence in the pages' words."""

from app.core.model import Json
from app.narration.tell import word

FIELDS = ("channel", "sent", "received", "process", "step", "count")


def told(check: str, witness: Json, language: str) -> str:
    """Return the sentence of a check's witness."""
    if check == "conserved":
        return word("player.witness.total", language, total=witness["total"], recorded=witness["recorded"])
    message = witness.get("message")
    about = message if isinstance(message, dict) else {}  # some witnesses name a message by its id only
    fields = {name: witness.get(name, about.get(name)) for name in FIELDS}
    return word(f"player.witness.{witness['fault']}", language, message=about.get("payload"), **fields)
