"""What every snapshot algorithm is: a module with these names, in this order.

A handler is pure. It is given what the process can see and nothing more, and returns the process's new memory and
the effects it asks for: messages to post, steps to put off, notes. It never learns what time it is, what other
processes do, or what a message's id is for.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, Protocol, TypeAlias

from app.core.model import Defer, Message, Part, Post, Process
from app.core.notes import Note

Effect: TypeAlias = Post | Defer | Note
Reply: TypeAlias = tuple[Any, Iterable[Effect]]
"""A process's new memory, and the effects in the order in which they happen."""


class Algorithm(Protocol):
    """The shape of an algorithm module."""

    NAME: str
    """The name in URLs and files."""
    REQUIRES: str
    """The weakest order of delivery under which it is right: ``fifo``, ``causal`` or ``any``."""
    LABELLED: bool
    """Is every start a snapshot of its own? If not, starts that overlap belong to one."""
    FLOODS: bool
    """Does one initiator make every process that it can reach record?"""
    MARKERS: bool
    """Does each snapshot put exactly one marker on each channel?"""
    PSEUDOCODE: tuple[tuple[str, int], ...]
    """The rule as (name of a line, depth of indentation); the words are in the catalogues."""
    WRONG: ClassVar[str | None]
    """For a broken variant, the name of the line that is wrong."""

    def start(self, process: Process) -> Any:
        """The memory of a process before anything happened."""

    def on_initiate(self, process: Process, memory: Any, state: Any, snapshot: int) -> Reply:
        """The process starts ``snapshot`` by itself. Raises Refused where it may not."""

    def on_send(self, process: Process, memory: Any, channel: str) -> Reply:
        """The program has just sent a message on ``channel``."""

    def on_receive(self, process: Process, memory: Any, state: Any, channel: str, message: Message) -> Reply:
        """``message`` arrives; ``state`` is the program's state before it."""

    def on_wake(self, process: Process, memory: Any, state: Any, what: str) -> Reply:
        """The step put off as ``what`` is taken."""

    def accepts(self, process: Process, memory: Any, channel: str, message: Message) -> bool:
        """May ``message`` be handled now? An aligned barrier blocks an input by saying no."""

    def result(self, process: Process, memory: Any, snapshot: int) -> Part | None:
        """What the process has recorded for ``snapshot``, or None."""
