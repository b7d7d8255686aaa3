"""Tokens as coins: a letter inside a rim. The same as ``static/js/stage/coin.js``."""

from app.core.model.system import System
from app.core.model.value import Value
from app.pictures.layout.colours import Text
from app.pictures.layout.text_width import measure
from app.programs import token

MOST = 3
"""More than so many are counted."""
RIM, COUNT = 0.74, 1.1
"""In radii of the coin: of its rim, and of the count beside it."""
LETTER, BRIEF = 1.35, 13
"""The most radii that a letter has, and the size that it has on small coins if it can."""
APART = 3
"""Between two coins."""


class Coin(Value):
    """What is on a coin: its rim and its letter. ``piece``: with its own edge; ``empty``: only the place of one."""

    x: float
    y: float
    r: float
    ink: str = "ink"
    piece: bool = False
    empty: bool = False

    @property
    def rim(self) -> float:
        """The radius of the rim."""
        return self.r * RIM

    @property
    def letter(self) -> Text:
        """The letter on the coin."""
        size = max(self.r, min(BRIEF, self.r * LETTER))
        return Text(self.x, self.y + size * 0.36, size, token.TOKEN, "middle", 700, self.ink)


def as_coins(system: System) -> bool:
    """Are the states of this system's processes numbers of tokens? As in the browser, which knows it by the total."""
    return system.program.NAME == token.NAME and not system.newcomers


def wide(count: int, r: float) -> float:
    """Return how wide so many coins are."""
    shown = 1 if count > MOST else max(1, count)
    return (
        shown * (2 * r + APART) - APART + (APART + measure(f"×{count}", max(BRIEF, r * COUNT)) if count > MOST else 0)
    )


def coins(count: int, left: float, y: float, r: float, ink: str = "ink") -> tuple[list[Coin], list[Text]]:
    """Return coins side by side, or the place of a coin if there is none; and the number of too many."""
    shown = 1 if count > MOST else max(1, count)
    found = [Coin(left + r + i * (2 * r + APART), y, r, ink, True, not count) for i in range(shown)]
    size = max(BRIEF, r * COUNT)
    said = [Text(left + 2 * r + APART, y + size * 0.36, size, f"×{count}", weight=600, ink=ink)] if count > MOST else []
    return found, said
