"""The schedule that leaves everything to a person."""

from collections.abc import Iterable

from app.core.model.notes import Note
from app.core.model.values import Action, World


class Manual:
    """Does nothing by itself: every step is a person's choice."""

    entry: int | None = None

    def next(self, world: World) -> Action | None:
        """Return None."""
        return None

    def saw(self, action: Action, world: World, notes: Iterable[Note]) -> None:
        """Do nothing: there is nothing to remember."""
