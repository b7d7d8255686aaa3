"""What every snapshot algorithm is: a module with these names, in this order.

A handler is pure. It is given what the process can see and nothing more, and returns the process's new memory and
the effects it asks for: messages to post or tell, steps to put off, notes. It never learns what time it is, what other
processes do, or what a message's id is for. Most algorithms have nothing to do in most handlers; they take those from
``app.algorithms.usual``.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, Protocol, TypeAlias

from app.core.model import (
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
)
from app.core.notes import Note

Effect: TypeAlias = (
    Post | Tell | Defer | Swallow | Fold | Abort | Advance | Ask | Save | Rollback | Act | Take | Begin | Note
)
Reply: TypeAlias = tuple[Any, Iterable[Effect]]
"""A process's new memory, and the effects in the order in which they happen."""


class Algorithm(Protocol):
    """The shape of an algorithm module."""

    NAME: str
    """The name in URLs and files."""
    REQUIRES: str
    """The weakest order of delivery under which it is right: ``fifo``, ``causal`` or ``any``."""
    GRAPH: str
    """What it needs of the graph: ``any``, ``strong`` (a path leads from each process to every other), ``both-ways``
    (each channel has one in the other direction), ``complete`` (each process has a channel to every other) or
    ``rooted`` (a coordinator: one process without inputs from which a path leads to every other)."""
    LABELLED: bool
    """Is every start a snapshot of its own? If not, starts that overlap belong to one."""
    SERIAL: bool
    """Does one and the same process start all snapshots, each after the one before is complete?"""
    FLOODS: bool
    """Does one initiator make just those processes record to which a path leads from it?"""
    ALONE: bool
    """Does nobody tell the others to record, so that each must start by itself?"""
    MARKERS: bool
    """Does each snapshot put exactly one marker on each channel?"""
    COST: str
    """How many control messages a snapshot takes, in |E| channels, n processes and what else its page explains."""
    PAUSES: bool
    """Does it ever forbid the program to act?"""
    COLLECTS: bool
    """Does it bring the parts together by itself?"""
    SETTLED: bool
    """Is it settled at the start of a snapshot who takes part, so that whoever wants to join waits for its end?"""
    COORDINATED: bool
    """Does a coordinator start all snapshots: a process without inputs from which a path leads to every other?"""
    RECOVERY: str
    """How a system comes back after a crash: ``rollback`` (all of it, to one snapshot), ``local`` (who has crashed, to
    what it saved by itself) or ``none``."""
    ASKED: tuple[str, ...]
    """The words of what processes ask each other beside the channels, which may be lost on their way."""
    LOGS: bool
    """Does the coordinator write logs that no crash takes away, so that it keeps what it has when others go back?"""
    BATCHES: bool
    """Do records pass in batches, each of them whole at one operator before the next operator begins? Then sinks write
    each batch at once, under its number."""
    MAPS: bool
    """Does it know only operators that look at one record at a time and keep nothing?"""
    SNAPSHOTS: bool
    """Does it take snapshots at all? One that does not makes every record of a dataflow safe by itself."""
    REPEATS: bool
    """Does it send the program's messages again until they are acknowledged, whatever the order? Then what is on its
    way stays there when its sender comes back."""
    TIMERS: tuple[str, ...]
    """The words of steps put off that are timers: they run out when nothing else is left to do."""
    PATIENT: tuple[str, ...]
    """The words of what processes ask each other that waits for whoever is down, or goes back, and is not lost."""
    PRIVATE: bool
    """Does a start concern one process alone, which saves what it has? Then there are no snapshots."""
    PSEUDOCODE: tuple[tuple[str, int], ...]
    """The rule as (name of a line, depth of indentation); the words are in the catalogues."""
    WRONG: ClassVar[str | None]
    """For a broken variant, the name of the line that is wrong."""

    def start(self, process: Process) -> Any:
        """The memory of a process before anything happened."""

    def on_initiate(self, process: Process, memory: Any, state: Any, snapshot: int) -> Reply:
        """The process starts ``snapshot`` by itself. Raises Refused where it may not."""

    def carries(self, process: Process, memory: Any, channel: str) -> Any:
        """What an application message that is sent now takes along (its ``tag``)."""

    def on_send(self, process: Process, memory: Any, channel: str, message: Message) -> Reply:
        """The program sends ``message`` on ``channel``; what is posted ``ahead`` goes before it."""

    def on_receive(self, process: Process, memory: Any, state: Any, channel: str, message: Message) -> Reply:
        """``message`` arrives; ``state`` is the program's state before it."""

    def on_told(self, process: Process, memory: Any, state: Any, source: str, snapshot: int | None, word: Any) -> Reply:
        """Another process, ``source``, tells this one ``word``."""

    def on_wake(self, process: Process, memory: Any, state: Any, what: str) -> Reply:
        """The step put off as ``what`` is taken."""

    def on_gone(self, process: Process, memory: Any, state: Any, gone: str) -> Reply:
        """A neighbour has crashed, and nothing more comes from it; ``process`` has no channels with it any more."""

    def survives(self, process: Process, lost: Any, memory: Any) -> Any:
        """The memory with which the process comes back: what it had saved, ``memory``, and what of the ``lost`` one it
        had written down at once."""

    def on_return(self, process: Process, memory: Any, state: Any, saved: int) -> Reply:
        """The process is back at what it saved as number ``saved``, and so is its memory; or it has kept what it had
        while everybody else went back to snapshot ``saved``."""

    def allows(self, process: Process, memory: Any, channel: str | None) -> bool:
        """May the program act now: send on ``channel``, or, where that is None, change its state?"""

    def accepts(self, process: Process, memory: Any, channel: str, message: Message) -> bool:
        """May ``message`` be handled now? An aligned barrier blocks an input by saying no."""

    def result(self, process: Process, memory: Any, snapshot: int) -> Part | None:
        """What the process has recorded for ``snapshot``, or None."""
