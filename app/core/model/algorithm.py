"""The interface of every snapshot algorithm: a module with these names, in this order.

A handler is pure. It sees only what the process can see, and returns the process's new memory and the effects that it
requests: messages to post or tell, steps to defer, notes. It never learns the time, what other processes do, or what a
message's id means. Most algorithms do nothing in most handlers; they take those from
``app.algorithms.shared.defaults``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from app.core.model.notes import Note
from app.core.model.values import (
    Abort,
    Act,
    Advance,
    Ask,
    Begin,
    Defer,
    Fold,
    Message,
    Part,
    Post,
    Process,
    Rollback,
    Save,
    Swallow,
    Take,
    Tell,
    Todo,
)

Effect: TypeAlias = (
    Post | Tell | Defer | Swallow | Fold | Abort | Advance | Ask | Save | Rollback | Act | Take | Begin | Note
)
M = TypeVar("M")
"""The memory of an algorithm's processes: only the algorithm knows what it is."""
Reply: TypeAlias = tuple[M, Iterable[Effect]]
"""A process's new memory, and the effects in the order in which they happen."""


class Kind(Enum):
    """How the processes come to record their states."""

    FLOOD = "flood"
    """One initiator makes exactly those processes record to which a path leads from it."""
    TURN = "turn"
    """Every process has a step of its own for it, whatever reaches it."""
    ALONE = "alone"
    """No process tells the others to record, so that each must start by itself."""
    PRIVATE = "private"
    """A start concerns one process alone, which saves its own state: there are no snapshots."""
    ITEMS = "items"
    """No process ever records for a snapshot: each item of a dataflow is made safe individually."""

    @property
    def alone(self) -> bool:
        """Must each process start by itself?"""
        return self in (Kind.ALONE, Kind.PRIVATE)


@dataclass(frozen=True, slots=True)
class Recovery:
    """What happens after a crash, and what is done against it beforehand."""

    way: str = "none"
    """How a system recovers from a crash: ``rollback`` (all of it, to one snapshot), ``local`` (only the crashed
    process, to what it saved itself), ``retry`` (locally, unless the coordinator has crashed: then by rollback) or
    ``none``."""
    repeats: bool = False
    """Does it resend the program's messages until they are acknowledged, whatever the order? Then what is in flight
    stays there when its sender restarts."""
    timers: tuple[str, ...] = ()
    """The words of deferred steps that are timers: they expire when nothing else is left to do."""
    asked: tuple[str, ...] = ()
    """The words of requests that processes make beside the channels and that may be lost on their way."""
    patient: tuple[str, ...] = ()
    """The words of requests that wait for a process that is down, or rolls back, and are not lost."""


@dataclass(frozen=True, slots=True)
class Flow:
    """How an algorithm runs a dataflow."""

    logs: bool = False
    """Does the coordinator write logs that survive a crash, so that it keeps what it has when others roll back?"""
    batches: bool = False
    """Do items pass in batches, each complete at one operator before the next operator begins? Then sinks write each
    batch at once, under its number."""
    maps: bool = False
    """Does it support only operators that look at one item at a time and keep nothing?"""
    itemwise: bool = False
    """Does the promise cover the values only where the result of an item depends on that item alone?"""


class Algorithm(Protocol[M]):
    """The shape of an algorithm module. The states of programs are mere objects to it: it keeps them and never looks
    into them."""

    NAME: str
    """The name in URLs and files."""
    REQUIRES: str
    """The weakest order of delivery under which it is correct: ``fifo``, ``causal`` or ``any``."""
    GRAPH: str
    """What it needs of the graph: ``any``, ``strong`` (a path leads from each process to every other), ``both-ways``
    (each channel has one in the other direction), ``complete`` (each process has a channel to every other) or
    ``rooted`` (a coordinator: one process without inputs from which a path leads to every other)."""
    LABELLED: bool
    """Is every start a snapshot of its own? If not, overlapping starts belong to one snapshot."""
    SERIAL: bool
    """Does a single process start all snapshots, each after the previous one is complete?"""
    KIND: Kind
    """How its processes come to record."""
    MARKERS: bool
    """Does each snapshot put exactly one marker on each channel?"""
    COST: str
    """How many control messages a snapshot takes, in |E| channels, n processes and any symbols that its page
    explains."""
    COLLECTS: bool
    """Does it collect the parts of a snapshot itself?"""
    MENDS: bool
    """Are its snapshots right on channels that lose and duplicate messages, too?"""
    SETTLED: bool
    """Is it fixed at the start of a snapshot who takes part, so that a process that wants to join waits for its end?"""
    COORDINATED: bool
    """Does a coordinator start all snapshots: a process without inputs from which a path leads to every other?"""
    RECOVERY: Recovery
    """What happens after a crash."""
    PROMISE: str | None
    """How often each item of a dataflow takes effect in its state, whatever crashes: ``exactly-once``,
    ``at-least-once``, ``at-most-once``; None where nothing is promised."""
    DATAFLOW: Flow
    """How it runs a dataflow."""
    PSEUDOCODE: tuple[tuple[str, int], ...]
    """The rule as (name of a line, indentation depth); the words are in the catalogues."""
    WRONG: ClassVar[str | None]
    """For a broken variant, the name of the line that is wrong."""
    PAUSES: bool
    """Does it ever forbid the program to act? It does if its ``allows`` is not the default."""
    BLOCKS: bool
    """Does it ever block an input? It does if its ``accepts`` is not the default."""
    FOLLOWS: bool
    """Does it follow what the program sends? It does if its ``carries`` or its ``on_send`` is not the default."""
    FREE: bool
    """May a process take steps that nobody has deferred? It may if its ``offers`` is not the default."""

    def start(self, process: Process) -> M:
        """Return the memory of a process before anything happened."""

    def on_initiate(self, process: Process, memory: M, state: object, snapshot: int) -> Reply[M]:
        """Start ``snapshot`` at the process itself. Raises Refused where it may not."""

    def carries(self, process: Process, memory: M, channel: str) -> Any:
        """Return what an application message sent now carries (its ``tag``)."""

    def on_send(self, process: Process, memory: M, channel: str, message: Message) -> Reply[M]:
        """Handle the sending of ``message`` on ``channel``; what is posted ``ahead`` goes before it."""

    def on_change(self, process: Process, memory: M, state: object) -> Reply[M]:
        """Handle a change of the program's own state, without a message, to ``state``."""

    def on_receive(self, process: Process, memory: M, state: object, channel: str, message: Message) -> Reply[M]:
        """Handle the arrival of ``message``; ``state`` is the program's state before it."""

    def on_told(
        self, process: Process, memory: M, state: object, source: str, snapshot: int | None, word: Any
    ) -> Reply[M]:
        """Handle ``word``, which another process, ``source``, tells this one."""

    def on_wake(self, process: Process, memory: M, state: object, what: Todo) -> Reply[M]:
        """Take the step deferred as ``what``."""

    def offers(self, process: Process, memory: M, snapshots: tuple[int, ...]) -> tuple[Todo, ...]:
        """Return the steps that the process may take for the ``snapshots`` in progress although nobody has deferred
        them."""

    def on_gone(self, process: Process, memory: M, state: object, gone: str) -> Reply[M]:
        """Handle the crash of a neighbour, from which nothing more comes; ``process`` has no channels with it any
        more."""

    def survives(self, process: Process, lost: M, memory: M) -> M:
        """Return the memory after a restart: what the process had saved, ``memory``, and what it had written down at
        once of the ``lost`` one."""

    def on_return(self, process: Process, memory: M, state: object, saved: int) -> Reply[M]:
        """Handle a return: process and memory are back at the saved state number ``saved``, or the process has kept
        what it had while all others rolled back to snapshot ``saved``."""

    def allows(self, process: Process, memory: M, channel: str | None) -> bool:
        """May the program act now: send on ``channel``, or, if that is None, change its state?"""

    def accepts(self, process: Process, memory: M, channel: str, message: Message) -> bool:
        """May ``message`` be handled now? An aligned barrier blocks an input by saying no."""

    def result(self, process: Process, memory: M, snapshot: int) -> Part | None:
        """Return what the process has recorded for ``snapshot``, or None."""


AnyAlgorithm: TypeAlias = Algorithm[Any]
"""An algorithm of whose memory nothing is known."""
