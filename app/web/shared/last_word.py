"""The end card on a page without JavaScript. The player's is ``static/js/panels/last.js``."""

from app.core.model.value import Frozen
from app.wire.end_card import EndCard
from app.words.catalogues import pieces, plain, tell


class LastWord(Frozen):
    """The card in words: the ``headline`` of the verdict, and ``why``; ``recorded`` is empty if nothing was,
    and all are where there is nothing to say."""

    tone: str
    headline: str
    why: str
    sums: tuple[tuple[str, bool], ...]
    recorded: str


def told(card: EndCard, language: str) -> LastWord:
    """Return the card in a language."""
    parts = pieces(tell(card.said, language)) or [(True, "")]  # without a snapshot, an engine of streams says nothing
    first = next(i for i, (matters, _) in enumerate(parts) if matters)
    why = "".join(words for i, (_, words) in enumerate(parts) if i != first).strip()
    recorded = plain(tell([card.recorded], language)) if card.recorded else ""
    return LastWord(card.tone, parts[first][1].strip(), why, card.sums, recorded)
