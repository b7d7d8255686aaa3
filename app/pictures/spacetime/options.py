"""Looks of a space-time diagram other than the player's: a whole run, a cut chosen by a visitor, a blank diagram."""

from collections.abc import Mapping

from app.core.model.value import Frozen
from app.core.model.values import APP, LANES

FINE = 13
"""The size of the smallest letters: on a phone a diagram is drawn a little smaller."""


class Dot(Frozen):
    """An application event: the ``index``-th (from 1) of ``process``. ``at`` is its place in steps; events of one step
    lie beside each other; ``clock`` is its vector clock as text; ``faded``: it is not in focus."""

    process: str
    index: int
    step: int
    at: float
    kind: str
    clock: str = ""
    faded: bool = False

    @property
    def name(self) -> str:
        """Its name in an address."""
        return f"{self.process}:{self.index}"


class Chosen(Frozen):
    """A cut chosen by a visitor. ``places`` are where it meets the lines, in steps, by process, and ``counts`` how many
    events of each are inside; ``fates`` are its effects on messages, by identity (see
    ``app.pictures.spacetime.window``); ``faded`` are the messages that are not in focus; ``clocks``: vector clocks
    stand beside the events; ``held``: the cut has handles for dragging; ``pale``: everything that is not the program's
    is faded."""

    places: tuple[float, ...]
    counts: tuple[int, ...]
    fates: Mapping[int, str]
    dots: tuple[Dot, ...]
    faded: tuple[int, ...] = ()
    clocks: bool = False
    held: bool = True
    pale: bool = True


class Look(Frozen):
    """``whole``: as wide as the run needs, instead of a window of it; ``records``: with record points and cuts;
    ``only``: those of one snapshot; ``now``: with the line of now, and what travels beside the channels;
    ``ring``: with a ring around what acted last; ``controls``: with markers, and whatever else is not the program's;
    ``sober``: for paper; ``narrow``: no wider than the steps need, so that its letters are large beside a text and on a
    phone; ``hall``: low, so that its letters are large where it is half as high as a screen; ``tall``: few lines are as
    far apart as many; ``brief``: a window as narrow as a phone; ``small``: a whole run in little space, without
    words."""

    whole: bool = False
    records: bool = True
    only: int | None = None
    now: bool = True
    ring: bool = True
    controls: bool = True
    sober: bool = False
    narrow: bool = False
    hall: bool = False
    tall: bool = False
    brief: bool = False
    small: bool = False
    chosen: Chosen | None = None

    def draws(self, kind: str) -> bool:
        """Are messages of this kind drawn?"""
        return kind == APP or (self.controls and (self.now or kind not in LANES))

    @property
    def places(self) -> tuple[float, ...]:
        """Where the chosen cut meets the lines."""
        return self.chosen.places if self.chosen else ()


PLAYER = Look()
"""The player's look."""
