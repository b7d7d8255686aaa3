"""How a space-time diagram is to look where it is not the player's: a whole run, a cut that somebody chose, a blank."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Dot:
    """An application event: the ``index``-th (from 1) of ``process``. ``at`` is its place in steps, where several of
    one step lie beside each other; ``clock`` is its vector clock as text; ``faded``: it is not what one looks at."""

    process: str
    index: int
    step: int
    at: float
    kind: str
    clock: str = ""
    faded: bool = False

    @property
    def name(self) -> str:
        """What it is called in an address."""
        return f"{self.process}:{self.index}"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A cut that somebody chose. ``places`` are where it meets the lines, in steps, by process; ``fates`` what it makes
    of messages, by identity (see ``app.view.picture.timeline``); ``faded`` the messages that one does not look at;
    ``clocks``: vector clocks stand beside the events; ``held``: there is something to drag the cut by."""

    places: tuple[float, ...]
    fates: Mapping[int, str]
    dots: tuple[Dot, ...]
    faded: tuple[int, ...] = ()
    clocks: bool = False
    held: bool = True


@dataclass(frozen=True, slots=True)
class Look:
    """``whole``: as wide as the run needs, instead of a window of it; ``records``: with record points and cuts;
    ``only``: those of one snapshot; ``now``: with the line of now, what acted last, and what travels beside the
    channels; ``sober``: for paper; ``narrow``:
    no wider than the steps need, so that its letters are large beside a text and on a phone."""

    whole: bool = False
    records: bool = True
    only: int | None = None
    now: bool = True
    sober: bool = False
    narrow: bool = False
    chosen: Chosen | None = field(default=None)

    @property
    def places(self) -> tuple[float, ...]:
        """Where the chosen cut meets the lines."""
        return self.chosen.places if self.chosen else ()


PLAYER = Look()
"""As the player shows it."""
