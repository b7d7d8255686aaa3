"""The shapes of a stage: what the template draws."""

from app.core.model.value import Value
from app.pictures.layout.colours import Text
from app.pictures.layout.paths import Point
from app.pictures.layout.plan import Box, Plan, Track
from app.pictures.stage.coins import Coin
from app.pictures.stage.dataflow_foot import Strip


class Sign(Value):
    """A word on the upper edge of a process: it is paused, is leaving, or has left, or its colour. ``bars``: with the
    bars of a pause; ``colour``: white or red."""

    place: Point
    width: float
    said: Text | None
    bars: bool
    colour: str = ""


class Node(Value):
    """A live process; ``filled``: it has recorded, and there is no room for a copy beside it. ``life`` is ``member`` or
    a value of ``app.wire.membership``. ``marks`` are behind what the step has changed, ``coins`` its tokens. ``strip``
    is at the foot of a process of a dataflow, ``high`` is its part of the height, and ``low`` the part of it below the
    box; ``back``: in this step the process rolls ``back`` to a recorded state, or ``anew`` to the beginning."""

    name: str
    box: Box
    round: float
    acts: bool
    filled: bool
    texts: tuple[Text, ...]
    marks: tuple[Box, ...] = ()
    coins: tuple[Coin, ...] = ()
    life: str = "member"
    sign: Sign | None = None
    strip: Strip | None = None
    low: float = 0
    high: float = 0
    back: str = ""


class Card(Value):
    """A recorded state of a process, or its own checkpoint. ``thread`` is the dotted line from the live process:
    its start, and where it ends, across if the copy is ``beside`` it, otherwise down or up. ``standing`` is the status
    of the copy (see ``app.wire.part_status``)."""

    process: str
    box: Box
    round: float
    thread: tuple[float, float, float]
    beside: bool
    camera: tuple[float, float, float] | None
    texts: tuple[Text, ...]
    coins: tuple[Coin, ...] = ()
    standing: str = "whole"


class Pill(Value):
    """A message in its place. ``kind`` is app, marker, control, part or word; ``wrong``: a failed check is about it;
    ``tag``: the place of the ring with its tag, half its height and its width, whether it is red, and its text;
    ``bar``: it is a barrier, drawn as an upright bar; ``back``: it was put back in this step, as recorded; ``coin``: it
    is a token."""

    message: int
    kind: str
    place: Point
    width: float
    height: float
    said: Text | None
    fresh: bool
    wrong: bool
    scale: float
    tag: tuple[float, float, float, bool, Text] | None = None
    bar: bool = False
    back: bool = False
    coin: Coin | None = None


class Copy(Value):
    """A recorded message beside its channel, or the text in the channel. ``open``: still being recorded; ``wrong``: the
    finding of a failed check, or an action of the network; ``bolt``: the channel is partitioned; ``headed``: the first
    of messages that are only counted is a barrier; ``coin``: it is a token; ``leader``: where the line from its middle
    to the tray ends, as seen from there."""

    place: Point
    width: float
    height: float
    said: Text
    open: bool
    wrong: bool = False
    bolt: bool = False
    headed: bool = False
    coin: Coin | None = None
    leader: Point | None = None


class Tube(Value):
    """A channel. ``mode`` is none, recording, recorded, or unwatched if the algorithm does not record it; ``away``: one
    of its ends is not a member; ``paused``: nothing may be sent on it; ``against``: in a dataflow, it leads back.
    ``stop`` is the bar across the end of a blocked input, ``jam`` the bar across the beginning of a full channel;
    ``useless``: its recorded state is unusable; ``tray``: in a row, the tray that holds it."""

    name: str
    track: Track
    mode: str
    pills: tuple[Pill, ...]
    copies: tuple[Copy, ...]
    texts: tuple[Text, ...]
    more: Copy | None
    lane: bool
    partitioned: bool = False
    away: bool = False
    paused: bool = False
    against: bool = False
    stop: tuple[Point, Point] | None = None
    jam: tuple[Point, Point] | None = None
    useless: bool = False
    tray: Box | None = None


class Stage(Value):
    """Everything that the template draws."""

    plan: Plan
    tone: str
    hatch: str
    tint: str
    tubes: tuple[Tube, ...]
    nodes: tuple[Node, ...]
    cards: tuple[Card, ...]

    @property
    def thin(self) -> bool:
        """Are the channels mere lines?"""
        return self.plan.look == "grid"

    @property
    def slim(self) -> bool:
        """Do channels end at their processes, and may they cross?"""
        return self.plan.look == "wires"
