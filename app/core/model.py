"""The values that everything else speaks about: processes, channels, messages, actions, effects, the world.

All of them are frozen. A world shares its structure with the world before it, so keeping every world of a run
costs no more than keeping what changed.

Source: K. M. Chandy, L. Lamport, "Distributed Snapshots", ACM TOCS 3(1), 1985, section 2 (the model of a
distributed system: a finite set of processes, a finite set of channels, a global state made of both).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from immutables import Map

Json: TypeAlias = Any
"""What JSON can say. The state of a process and the payload of a message are shown as such values."""

APP = "app"
MARKER = "marker"
PART = "part"


@dataclass(frozen=True, slots=True)
class Channel:
    """A one-way channel. ``name`` is always ``source->target``."""

    name: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Process:
    """What a process knows of the graph: its own name, and the names of its channels in the scenario's order."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """One message in a channel.

    ``id`` is unique in a run and belongs to the observer: no process acts on it. ``kind`` is ``app`` (what the
    program sends), ``marker`` (control, in the same queue) or ``part`` (a recorded piece on its way to the
    initiator, in the control lane beside the queue). ``snapshot`` is the id that control traffic carries.
    """

    id: int
    kind: str
    payload: Any
    snapshot: int | None = None


# --- actions: what can happen next -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deliver:
    """The message at ``position`` of the channel's queue arrives. FIFO channels know only position 0. ``detail`` is
    what a script tells the program about it."""

    channel: str
    position: int = 0
    detail: Any = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Collect:
    """The first recorded part in the channel's control lane arrives."""

    channel: str


@dataclass(frozen=True, slots=True)
class Wake:
    """A process takes a step of the snapshot algorithm that it had put off."""

    process: str
    what: str


@dataclass(frozen=True, slots=True)
class Move:
    """The program of a process does something of its own: it sends ``payload`` on ``channel``, or, where
    ``channel`` is None, changes its state. ``detail`` is what the program needs to know about it."""

    process: str
    channel: str | None = None
    payload: Any = None
    detail: Any = None


@dataclass(frozen=True, slots=True)
class Start:
    """A process starts a snapshot by itself."""

    process: str


Action: TypeAlias = Deliver | Collect | Wake | Move | Start


# --- effects: what a handler asks for ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Post:
    """Put a control message on one of the process's output channels."""

    channel: str
    kind: str
    snapshot: int | None
    payload: Any = None


@dataclass(frozen=True, slots=True)
class Defer:
    """Do ``what`` later: it becomes an action of its own."""

    what: str


# --- the world ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a snapshot has come: who started it, how many processes have not finished their part, and how many
    parts have not reached the initiator."""

    initiators: tuple[str, ...]
    waiting: int
    uncollected: int


@dataclass(frozen=True, slots=True)
class World:
    """Everything there is at one step.

    ``states`` (program) and ``memories`` (snapshot algorithm) have one entry a process. ``queues`` and ``lanes``
    (recorded parts) hold only channels that are not empty, head first. ``wakes`` are the steps put off, oldest
    first. ``sent`` counts all messages so far and gives the next its id.
    """

    states: "Map[str, Any]"
    memories: "Map[str, Any]"
    queues: "Map[str, tuple[Message, ...]]" = field(default_factory=Map)
    lanes: "Map[str, tuple[Message, ...]]" = field(default_factory=Map)
    wakes: tuple[tuple[str, str], ...] = ()
    snapshots: "Map[int, Progress]" = field(default_factory=Map)
    sent: int = 0

    def in_flight(self) -> "dict[str, tuple[Message, ...]]":
        """By channel, the application messages on their way, head first; channels with none are left out."""
        carried = {c: tuple(m for m in queue if m.kind == APP) for c, queue in self.queues.items()}
        return {c: messages for c, messages in carried.items() if messages}


@dataclass(frozen=True, slots=True)
class Part:
    """What one process recorded for one snapshot.

    ``channels`` maps each input channel that the process speaks for to the messages recorded in it, in order;
    ``open`` names those still being recorded.
    """

    process: str
    state: Any
    channels: tuple[tuple[str, tuple[Message, ...]], ...]
    open: tuple[str, ...]

    @property
    def done(self) -> bool:
        """Has the process finished: recorded, and no channel open?"""
        return not self.open


# --- mistakes ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, init=False)
class Phrase:
    """Words with values: an English text with ``{fields}``, and what is put into them.

    The English text is also the key under which ``app.narration`` finds the same words in another language, because
    a mistake must be readable where it is raised, and must be told in a language that only the page knows. So it is
    always written out in the source, never put together. A value may be a phrase itself; a tuple becomes a list.
    """

    template: str
    fields: tuple[tuple[str, Any], ...]

    def __init__(self, template: str, /, **fields: Any) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "fields", tuple(fields.items()))

    def said(self, words: Callable[[str], str], join: str) -> str:
        """The text. ``words`` gives the template in a language; ``join`` stands between the items of a list."""

        def plain(value: Any) -> Any:
            if isinstance(value, Phrase):
                return value.said(words, join)
            if isinstance(value, tuple):
                return join.join(str(plain(item)) for item in value) or NONE.said(words, join)
            return value

        return words(self.template).format(**{name: plain(value) for name, value in self.fields})

    def __str__(self) -> str:
        return self.said(str, ", ")


NONE = Phrase("none")
"""What stands for an empty list."""


class BluecutError(Exception):
    """Bad input, told in one sentence that says what would be right. Its text may be shown to a visitor.

    ``template`` and ``fields`` are those of a Phrase: ``str(error)`` is the English sentence, ``error.phrase`` what
    other languages are made of.
    """

    def __init__(self, template: str, /, **fields: Any) -> None:
        self.phrase = Phrase(template, **fields)
        super().__init__(str(self.phrase))


class Refused(BluecutError):
    """An action that cannot happen here; the text says why."""
