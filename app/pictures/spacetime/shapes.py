"""The shapes of a space-time diagram: what the template draws."""

from app.core.model.value import Value
from app.pictures.layout.colours import Text
from app.pictures.layout.paths import Point
from app.pictures.spacetime.options import PLAYER, Dot, Look


class Arrow(Value):
    """A message; ``identity`` is shared by its copies. ``fate`` is the cut's effect on it; ``rest`` the part of the
    path still ahead, ``mark`` the place of a marker's diamond or an orphan's cross. ``undone``: it was not lost but
    taken back. ``faded``: it is not in focus."""

    message: int
    kind: str
    fate: str
    tone: str
    body: str
    head: str
    rest: str
    mark: Point
    said: Text | None
    snapshot: int | None
    lost: bool = False
    undone: bool = False
    faded: bool = False
    identity: int = 0


class Line(Value):
    """The line of a process, from ``x`` to ``until``; None if it does not exist yet. ``begins`` and ``ends`` say
    whether to mark these ends, ``crashed`` how."""

    y: float
    x: float | None
    until: float
    begins: bool
    ends: bool
    crashed: bool


class Event(Value):
    """An event on a line: ``send``, ``receive`` or ``change``; ``name`` is its process and its index, as ``P:2``."""

    step: int
    kind: str
    place: Point
    dot: Dot | None = None
    name: str = ""
    clock: Text | None = None


class Record(Value):
    """A point where a process records its state."""

    process: str
    place: Point
    tone: str


class Cut(Value):
    """The curve of a snapshot: firm where processes have recorded, loose where they have not. ``ruined``: the snapshot
    can never be used."""

    snapshot: int
    tone: str
    firm: str
    loose: str
    chosen: bool
    ruined: bool = False


class Scissors(Value):
    """A channel was partitioned, or ``healed``: a line between its processes, with a sign in the middle and words."""

    channel: str
    middle: Point
    top: float
    bottom: float
    healed: bool
    said: Text


class Undone(Value):
    """Events taken back: an area, the line at which all processes, or one, rolled back, and its words, which may be
    ``turned`` along that line."""

    area: str
    line: tuple[float, float, float]
    said: Text
    recorded: bool
    turned: bool = False


class Band(Value):
    """A phase of the snapshot in the ribbon: its beginning and end, its name if that fits, and its description,
    ``said``; ``torn``: it does not reach its end."""

    phase: str
    left: float
    right: float
    text: Text
    said: str
    torn: bool


class Timeline(Value):
    """Everything that the template draws. The line of ``now`` begins ``above`` px above ``top``, beside its word."""

    width: float
    height: float
    left: float
    room: float
    lines: tuple[Line, ...]
    thickness: float
    now: float
    above: float
    top: float
    bottom: float
    dot: float
    square: float
    names: tuple[Text, ...]
    ticks: tuple[Text, ...]
    arrows: tuple[Arrow, ...]
    events: tuple[Event, ...]
    records: tuple[Record, ...]
    cuts: tuple[Cut, ...]
    past: str
    tint: str
    texts: tuple[Text, ...]
    acted: Point | None
    undone: tuple[Undone, ...] = ()
    bars: bool = False
    recovery: str = ""
    checkpoints: tuple[Text, ...] = ()
    look: Look = PLAYER
    handles: tuple[Point, ...] = ()
    unit: float = 0
    least: float = 0
    most: float = 0
    ribbon: tuple[Band, ...] = ()
    faults: tuple[Scissors, ...] = ()
    ways: tuple[tuple[Point, Point], ...] = ()
    """The whole ways of all messages, from which a cut that is moved keeps away."""
