"""The values that all other modules use: processes, channels, messages, actions, effects, the world.

All of them are frozen. A world shares its structure with the world before it, so keeping every world of a run costs
only what changed.

Source: K. M. Chandy, L. Lamport, "Distributed Snapshots", ACM TOCS 3(1), 1985, section 2 (the model of a distributed
system: a finite set of processes, a finite set of channels, a global state made of both).
"""

from typing import Any, ClassVar, Final, TypeAlias

from immutables import Map

from app.core.model.conditions import USUAL, Conditions
from app.core.model.deeds import Deed as Deed
from app.core.model.deeds import Detail as Detail
from app.core.model.deeds import Into as Into
from app.core.model.deeds import Sets as Sets
from app.core.model.deeds import Todo as Todo
from app.core.model.errors import BluecutError as BluecutError
from app.core.model.errors import Phrase as Phrase
from app.core.model.errors import Refused as Refused
from app.core.model.value import Value

Json: TypeAlias = Any
"""What JSON can express. The state of a process and the payload of a message are shown as such values."""

APP: Final = "app"
MARKER: Final = "marker"
CONTROL: Final = "control"
PART: Final = "part"
WORD: Final = "word"
COMPLETE, ABORT = "complete", "abort"
"""The words that report the end of a snapshot to all processes."""
LANES = (PART, WORD)
"""What travels in the control lanes, beside the queues."""


class End:
    """The last payload of a stream: nothing more comes on this channel. There is one such value, ``END``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "end"

    def __reduce__(self) -> str:
        return "END"


END = End()


class Channel(Value):
    """A one-way channel. ``name`` is always ``source->target``."""

    name: str
    source: str
    target: str


class Process(Value):
    """What a process knows of the graph: its own name, the names of its channels in the scenario's order, the members,
    and which of its inputs lead ``back``: without those of all processes the graph has no cycle."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    members: tuple[str, ...] = ()
    back: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[str, ...]:
        """Return the members other than this one."""
        return tuple(name for name in self.members if name != self.name)


class Past(Value):
    """What a causal channel must know of a message: its number on its channel, and how many messages its sender knew
    to have been sent, by channel. Any two are equal, for a message is what it is whatever its sender knew."""

    number: int = 0
    known: "Map[str, int]" = Map()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Past)

    def __hash__(self) -> int:
        return 0


NO_PAST = Past()


class Message(Value):
    """One message in a channel.

    ``id`` is unique in a run and belongs to the observer: no process acts on it. ``kind`` is ``app`` (what the program
    sends), ``marker``, ``control`` (anything else that an algorithm puts on a channel), ``part`` (a recorded part on
    its way to the initiator) or ``word`` (what a process tells another); the last two travel in the control lane beside
    the queue. ``snapshot`` is the id that control traffic carries, ``tag`` what the algorithm attached to an
    application message. ``origin`` is the id of the original of a copy. ``past`` is what a causal channel must know of
    it (see ``app.core.kernel.causal_delivery``).
    """

    id: int
    kind: str
    payload: Any
    snapshot: int | None = None
    tag: Any = None
    origin: int | None = None
    past: Past = NO_PAST

    def __repr__(self) -> str:
        told = ((name, getattr(self, name)) for name in self.__struct_fields__ if name != "past")
        return f"Message({', '.join(f'{name}={value!r}' for name, value in told)})"

    @property
    def identity(self) -> int:
        """Return the id that a message shares with its copies."""
        return self.id if self.origin is None else self.origin

    @property
    def control(self) -> bool:
        """Does the message belong to the algorithm, neither to the program nor to the collection of parts? A program
        message that the algorithm resends does, too."""
        return self.kind != PART and (self.kind != APP or self.origin is not None)


# --- actions: what can happen next -------------------------------------------------------------------------------


class Action(Value):
    """What can happen next. ``key`` names its kind in files, links, frames and digests, and must never change."""

    key: ClassVar[str] = "action"

    def __init_subclass__(cls) -> None:
        if "key" not in cls.__dict__:
            cls.key = cls.__name__.lower()

    @property
    def reads(self) -> bool:
        """Does a source of a dataflow read an item?"""
        return False

    @property
    def written(self) -> str:
        """Return the text that the digest of a run is made of."""
        return repr(self).replace(type(self).__name__, self.key.capitalize(), 1)


class Fault(Action):
    """What can go wrong, who joins and leaves, and how a system recovers."""


class OnChannel(Action):
    """What happens on a channel."""

    channel: str


class OnMessage(OnChannel):
    """What happens to the message at ``position`` of a channel's queue."""

    position: int = 0


class OfProcess(Action):
    """What a process does, or what happens to it."""

    process: str


class OfSnapshot(Action):
    """What happens to the whole system, with a snapshot."""

    snapshot: int


class Deliver(OnMessage):
    """The message arrives. FIFO channels know only position 0. ``detail`` is what a script passes to the program: the
    text of its next state."""

    detail: str | None = None

    @property
    def written(self) -> str:
        """Return the text that the digest of a run is made of; it must never change."""
        return f"Deliver(channel={self.channel!r}, position={self.position!r})"


class Collect(OnChannel):
    """The first entry of the channel's control lane arrives: a recorded part, or what one process tells another."""


class Wake(OfProcess):
    """A process takes a step of the snapshot algorithm that it had deferred."""

    what: Todo


class Move(OfProcess):
    """The program of a process does something of its own: it sends ``payload`` on ``channel``, or, if that is None,
    changes its state. ``detail`` says which of the things that the program can do that way."""

    channel: str | None = None
    payload: Any = None
    detail: Detail | None = None

    @property
    def reads(self) -> bool:
        """Does a source of a dataflow read an item?"""
        return self.detail == Deed.READ


class Start(OfProcess):
    """A process starts a snapshot itself."""


class Drop(OnMessage, Fault):
    """A fault: the message is lost."""


class Duplicate(OnMessage, Fault):
    """A fault: the network duplicates the message; the copy is the last of the queue."""


class Overtake(OnMessage, Fault):
    """A fault: the message arrives although the order of the channel forbids it."""


class Partition(OnChannel, Fault):
    """A fault: the channel is partitioned: nothing arrives on it until it heals."""


class Heal(OnChannel, Fault):
    """A partitioned channel heals; the messages in it are still there."""


class Crash(OfProcess, Fault):
    """A fault: the process is gone, with its state and without notice."""


class Join(OfProcess, Fault):
    """A newcomer becomes a member, brought in by its parent."""


class Leave(OfProcess, Fault):
    """A member begins to leave: it hands over what it has, and is gone once nothing is left."""


class Abandon(OfSnapshot, Fault):
    """The coordinator aborts a snapshot, as when it has taken too long."""


class Forget(OfProcess, Fault):
    """A fault: what another process asked of this one, ``what``, is lost on its way."""

    what: Todo


class Restore(OfSnapshot, Fault):
    """The whole system rolls back to what ``snapshot`` recorded; 0 is the very beginning."""


class Restart(OfProcess, Fault):
    """A process that is down restarts with what it saved last; the others continue."""


# --- effects: what a handler requests ----------------------------------------------------------------------------


class Post(Value):
    """Put a control message on one of the process's output channels.

    With ``ahead`` it goes before the application message that is being sent in this step. With ``first`` it overtakes
    all that waits in the channel and goes to its head, behind what overtook before; its payload becomes the
    application messages that it overtook. Where ``copy`` is given, a copy of that message is put there instead.
    """

    channel: str
    kind: str
    snapshot: int | None
    payload: Any = None
    ahead: bool = False
    copy: Message | None = None
    first: bool = False


class Advance(Value):
    """The marker of ``snapshot`` that waits in an input overtakes what stands before it, as if posted ``first``."""

    channel: str
    snapshot: int


class Ask(Value):
    """Ask another process for something, beside the channels: ``what`` becomes a deferred step of that process. Unlike
    what is told, it needs no path."""

    target: str
    what: Todo


class Save(Value):
    """Save the state and memory that the process has now to its own durable store, after what it saved before."""


class Rollback(Value):
    """Roll the process back to what it saved as number ``saved`` (0: its beginning); what it sent since is taken out of
    the channels."""

    saved: int


class Act(Value):
    """Let the program of the process make a move of its own in this step: ``detail`` says which, as in a Move."""

    detail: Deed
    payload: Any = None


class Take(Value):
    """Let the process take in this step all that waits in an input, in the order of the queue, as if it arrived message
    by message; what cannot arrive now stays."""

    channel: str


class Begin(Value):
    """Let the process start another snapshot in this step."""


class Tell(Value):
    """Tell another process something, beside the channels: it travels in the control lanes along a shortest path."""

    target: str
    snapshot: int | None
    word: Any


class Defer(Value):
    """Do ``what`` later: it becomes an action of its own. ``everywhere``: every member does it, each in its own time,
    and so do newcomers that take part."""

    what: Todo
    everywhere: bool = False


class Swallow(Value):
    """Withhold from the program the application message that has just arrived."""


class Fold(Value):
    """Apply the program's handling of ``message`` to the recorded state too, as if it had arrived before."""

    snapshot: int
    channel: str
    message: Message


class Abort(Value):
    """Abort ``snapshot``; with ``again`` the process starts another one at once."""

    snapshot: int
    again: bool = False


# --- the world ---------------------------------------------------------------------------------------------------


class Progress(Value):
    """The progress of a snapshot: who started it, how many processes have not finished their part, and how many parts
    have not reached the initiator. ``unusable`` names the members that left without leaving their part, ``absent``
    those that take no part because they came too late, or had left before. ``turns`` are the steps that every member
    had to defer for it, ``done`` has the processes that have finished."""

    initiators: tuple[str, ...]
    waiting: int
    uncollected: int
    unusable: tuple[str, ...] = ()
    aborted: bool = False
    absent: tuple[str, ...] = ()
    turns: tuple[Todo, ...] = ()
    done: "Map[str, bool]" = Map()

    @property
    def running(self) -> bool:
        """Is it still in progress?"""
        return self.waiting > 0 and not self.aborted


class Saved(Value):
    """What a process saved itself: its program's state, its algorithm's memory, and how many messages the run had had
    by then."""

    state: object
    memory: object
    sent: int


class Durable(Value):
    """What survives every crash. ``parts`` are those of the snapshots taken before the last restore of the system, by
    snapshot and process; ``saved`` is what processes saved themselves, oldest first; ``outside`` what has left the
    system, by process. ``lives`` counts how often the system, or a process, was restored; ``asked`` are the requests
    that wait for processes that are down."""

    parts: "Map[int, Map[str, Part]]" = Map()
    saved: "Map[str, tuple[Saved, ...]]" = Map()
    outside: "Map[str, Any]" = Map()
    lives: int = 0
    asked: "Map[str, tuple[Todo, ...]]" = Map()


NOTHING = Durable()


class World(Value):
    """Everything at one step. Each step makes a new one.

    ``states`` (program) and ``memories`` (snapshot algorithm) have one entry per process. ``queues`` and ``lanes``
    (recorded parts, and what processes tell each other) hold only channels that are not empty, head first. ``wakes``
    are the deferred steps, oldest first. ``sent`` counts all messages so far and gives the next one its id. ``durable``
    is what survives every crash. ``conditions`` are as ``usual`` returns them.
    """

    states: "Map[str, Any]"
    memories: "Map[str, Any]"
    queues: "Map[str, tuple[Message, ...]]" = Map()
    lanes: "Map[str, tuple[Message, ...]]" = Map()
    wakes: tuple[tuple[str, Todo], ...] = ()
    snapshots: "Map[int, Progress]" = Map()
    sent: int = 0
    durable: Durable = NOTHING
    conditions: Conditions = USUAL

    @property
    def unborn(self) -> tuple[str, ...]:
        """The processes that are not members yet."""
        return self.conditions.unborn

    @property
    def leaving(self) -> tuple[str, ...]:
        """The members that are about to go."""
        return self.conditions.leaving

    @property
    def gone(self) -> tuple[str, ...]:
        """The processes that were members once."""
        return self.conditions.gone

    @property
    def partitioned(self) -> tuple[str, ...]:
        """The channels on which nothing arrives."""
        return self.conditions.partitioned

    @property
    def down(self) -> tuple[str, ...]:
        """The members that have crashed and will restart."""
        return self.conditions.down

    def member(self, name: str) -> bool:
        """Is the process a member now?"""
        conditions = self.conditions
        return conditions is USUAL or (name not in conditions.unborn and name not in conditions.gone)

    def in_flight(self) -> "dict[str, tuple[Message, ...]]":
        """Return the application messages in flight by channel, head first; channels with none are left out."""
        carried = {c: tuple(m for m in queue if m.kind == APP) for c, queue in self.queues.items()}
        return {c: messages for c, messages in carried.items() if messages}


class Part(Value):
    """What one process recorded for one snapshot.

    ``channels`` maps each input channel that the process speaks for to the messages recorded in it, in order; ``open``
    names those still being recorded. Algorithms that keep histories instead give ``sent`` by output and ``received`` by
    input channel: what is in ``sent`` and not in ``received`` was in flight. ``shipped`` counts the messages that must
    travel with the part where whole histories do. ``folded`` are messages that a wrong algorithm lets change the
    recorded state afterwards.
    """

    process: str
    state: Any
    channels: tuple[tuple[str, tuple[Message, ...]], ...]
    open: tuple[str, ...]
    sent: tuple[tuple[str, tuple[Message, ...]], ...] = ()
    received: tuple[tuple[str, tuple[Message, ...]], ...] = ()
    shipped: int = 0
    folded: tuple[tuple[str, Message], ...] = ()

    @property
    def done(self) -> bool:
        """Has the process finished: recorded, and no channel open?"""
        return not self.open
