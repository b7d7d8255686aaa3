"""Notes: facts about a step, in no language.

Narration, the event log, the oracle, the browser and the tests all read notes and nothing else. A note's ``key`` is
its class name in lower case; its fields, in order, are what travels to the browser.
"""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from app.core.model import Message


class Note:
    """A fact. ``key`` names its kind."""

    __slots__ = ()
    key: ClassVar[str] = "note"

    def __init_subclass__(cls) -> None:
        cls.key = cls.__name__.lower()

    def values(self) -> tuple[Any, ...]:
        """The note's fields, in order."""
        return tuple(getattr(self, f.name) for f in fields(self))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Sent(Note):
    """``message`` entered ``channel``."""

    process: str
    channel: str
    message: Message


@dataclass(frozen=True, slots=True)
class Received(Note):
    """``message`` left ``channel`` and was handled by ``process``."""

    process: str
    channel: str
    message: Message


@dataclass(frozen=True, slots=True)
class Changed(Note):
    """The program state of ``process`` is now ``state``. Every application event ends with one."""

    process: str
    state: Any


@dataclass(frozen=True, slots=True)
class Started(Note):
    """``process`` started ``snapshot`` by itself."""

    snapshot: int
    process: str


@dataclass(frozen=True, slots=True)
class Recorded(Note):
    """``process`` copied its state. ``channel`` is where the first marker came from, None for an initiator."""

    snapshot: int
    process: str
    state: Any
    channel: str | None


@dataclass(frozen=True, slots=True)
class Opened(Note):
    """From now on the messages of ``channel`` are recorded."""

    snapshot: int
    channel: str


@dataclass(frozen=True, slots=True)
class Logged(Note):
    """``message`` was copied into the recorded state of ``channel``; it is processed all the same."""

    snapshot: int
    channel: str
    message: Message


@dataclass(frozen=True, slots=True)
class Closed(Note):
    """The recorded state of ``channel`` is final."""

    snapshot: int
    channel: str


@dataclass(frozen=True, slots=True)
class Done(Note):
    """``process`` has recorded its state and all its input channels."""

    snapshot: int
    process: str


@dataclass(frozen=True, slots=True)
class Completed(Note):
    """All processes are done with ``snapshot``."""

    snapshot: int


@dataclass(frozen=True, slots=True)
class Unreachable(Note):
    """``snapshot`` can never complete: no path leads from an initiator to ``processes``."""

    snapshot: int
    processes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Assembled(Note):
    """``process``, the initiator, now holds every part of ``snapshot``."""

    snapshot: int
    process: str


@dataclass(frozen=True, slots=True)
class Uncollected(Note):
    """The part of ``process`` cannot travel to the initiator: no path leads there."""

    snapshot: int
    process: str


@dataclass(frozen=True, slots=True)
class Deferred(Note):
    """``process`` put off ``what``."""

    process: str
    what: str


@dataclass(frozen=True, slots=True)
class Rule(Note):
    """The lines of the algorithm's pseudocode that were executed, by name."""

    lines: tuple[str, ...]
