"""Notes: facts about a step, in no language.

The sentences, the event log, the oracle, the browser and the tests all read notes and nothing else. A note's ``key`` is
its class name in lower case, if it has no other; the browser receives its fields in order, or those that ``shown``
names.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, ClassVar, TypeVar

from msgspec.structs import astuple

from app.core.model.value import Value
from app.core.model.values import WORD, Action, Message, Move, Todo


class Note(Value):
    """A fact. ``key`` names its kind in frames and digests, and must never change."""

    key: ClassVar[str] = "note"
    shown: ClassVar[tuple[str, ...] | None] = None
    kinds: ClassVar[dict[str, type["Note"]]] = {}

    def __init_subclass__(cls) -> None:
        if "key" not in cls.__dict__:
            cls.key = cls.__name__.lower()
        cls.kinds[cls.key] = cls

    def values(self) -> tuple[Any, ...]:
        """Return the note's fields, in order."""
        told: tuple[Any, ...] = astuple(self)
        return told

    @classmethod
    @cache
    def names(cls) -> tuple[str, ...]:
        """Return the names of what the browser receives."""
        return cls.__struct_fields__ if cls.shown is None else cls.shown


N = TypeVar("N", bound=Note)


def only(kind: type[N], notes: Iterable[Note]) -> Iterator[N]:
    """Yield the notes of one kind."""
    return (note for note in notes if isinstance(note, kind))


def readers(action: Action, notes: Iterable[Note]) -> list[str]:
    """Return the sources that read in a step, one name for each item."""
    made = (action, *(note.move for note in only(Acted, notes)))
    return [move.process for move in made if isinstance(move, Move) and move.reads]


class Sent(Note):
    """``message`` entered ``channel``."""

    shown: ClassVar[tuple[str, ...] | None] = ("channel", "id", "kind", "payload", "snapshot", "tag", "origin")
    process: str
    channel: str
    message: Message

    @property
    def control(self) -> bool:
        """Did a control message set out? A message beside the channels sets out once, however far it travels."""
        message = self.message
        return message.control and (message.kind != WORD or message.payload[0] == self.process)


class Received(Note):
    """``message`` left ``channel`` and was handled by ``process``."""

    shown: ClassVar[tuple[str, ...] | None] = ("channel", "message")
    process: str
    channel: str
    message: Message


class Changed(Note):
    """The program state of ``process`` is now ``state``. Every application event ends with one."""

    process: str
    state: Any


class Started(Note):
    """``process`` started ``snapshot`` itself."""

    snapshot: int
    process: str


class Recorded(Note):
    """``process`` copied its state. ``channel`` is where the first marker came from, None for an initiator."""

    shown: ClassVar[tuple[str, ...] | None] = ("snapshot", "process", "channel")
    snapshot: int
    process: str
    state: object
    channel: str | None


class Opened(Note):
    """From now on the messages of ``channel`` are recorded."""

    snapshot: int
    channel: str


class Logged(Note):
    """``message`` was copied into the recorded state of ``channel``; it is processed all the same."""

    snapshot: int
    channel: str
    message: Message


class Copied(Note):
    """``messages`` that had arrived in earlier steps were copied into the recorded state of ``channel``."""

    snapshot: int
    channel: str
    messages: tuple[Message, ...]


class Closed(Note):
    """The recorded state of ``channel`` is final."""

    snapshot: int
    channel: str


class Done(Note):
    """``process`` has recorded its state and all its input channels."""

    snapshot: int
    process: str


class Completed(Note):
    """All processes are done with ``snapshot``."""

    snapshot: int


class Unreachable(Note):
    """``snapshot`` can never complete: no path leads from an initiator to ``processes``. Without any, the note
    retracts that: another process has started the same snapshot."""

    snapshot: int
    processes: tuple[str, ...]


class Assembled(Note):
    """``process``, the initiator, now holds every part of ``snapshot``."""

    snapshot: int
    process: str


class Uncollected(Note):
    """The part of ``process`` cannot travel to the initiator: no path leads there."""

    snapshot: int
    process: str


class Derived(Note):
    """From what both ends of ``channel`` recorded it follows that ``messages`` were in flight; its recorded state is
    final."""

    snapshot: int
    channel: str
    messages: tuple[Message, ...]


class Folded(Note):
    """A message that came after recording was applied to the recorded state of ``process``, which is now ``state``."""

    snapshot: int
    process: str
    state: object


class Absent(Note):
    """``process`` takes no part in ``snapshot``. ``inside``: all that it ever did belongs to the past of the cut."""

    snapshot: int
    process: str
    inside: bool


class Merged(Note):
    """``process``, which took no part in ``snapshot``, is added to it afterwards. That is wrong, and judged so."""

    snapshot: int
    process: str


class Unusable(Note):
    """``process`` left without its part of ``snapshot``: the system cannot restart from it."""

    snapshot: int
    process: str


class Aborted(Note):
    """``process`` aborted ``snapshot``."""

    snapshot: int
    process: str


class Told(Note):
    """``process`` learned ``word`` from ``source``, beside the channels."""

    process: str
    source: str
    snapshot: int | None
    word: Any


class Paused(Note):
    """The program of ``process`` may do nothing until it is resumed; with ``channel``, it may not send there."""

    process: str
    channel: str | None = None


class Resumed(Note):
    """The program of ``process`` may continue."""

    process: str
    channel: str | None = None


class Region(Note):
    """``process`` belongs to the region of ``master``; ``border`` are the masters of its neighbours' regions."""

    snapshot: int
    process: str
    master: str
    border: tuple[str, ...]


class Round(Note):
    """``process`` ended a round of exchange: it knows the parts of ``known`` processes."""

    snapshot: int
    process: str
    known: int


class Counted(Note):
    """``process`` now counts on ``missing`` messages in flight of which it has no copy."""

    snapshot: int
    process: str
    missing: int


class Discarded(Note):
    """``process`` discarded ``message``; its program never sees it."""

    shown: ClassVar[tuple[str, ...] | None] = ("channel", "message")
    process: str
    channel: str
    message: Message


class Lost(Note):
    """A fault: ``message`` was lost from ``channel``."""

    channel: str
    message: Message


class Doubled(Note):
    """A fault: ``channel`` made ``copy`` of ``message``."""

    channel: str
    message: Message
    copy: Message


class Overtook(Note):
    """A fault: ``message`` arrived although the order of ``channel`` forbids it."""

    channel: str
    message: Message


class Partitioned(Note):
    """A fault: ``channel`` is partitioned."""

    channel: str


class Healed(Note):
    """``channel`` has healed."""

    channel: str


class Crashed(Note):
    """A fault: ``process`` is gone, with ``state``."""

    shown: ClassVar[tuple[str, ...] | None] = ("process",)
    process: str
    state: object


class Joined(Note):
    """``process`` is a member now, brought in by ``parent``."""

    process: str
    parent: str


class Leaving(Note):
    """``process`` hands over what it has and will go."""

    process: str


class Left(Note):
    """``process`` has gone and leaves nothing behind."""

    process: str


class Deferred(Note):
    """``process`` deferred ``what``."""

    process: str
    what: Todo


class Acted(Note):
    """The program of ``process`` makes ``move`` in the same step as the cause of that move."""

    shown: ClassVar[tuple[str, ...] | None] = ()
    process: str
    move: Move


class Output(Note):
    """``payload`` has left the system at ``process``; ``outside`` is all output so far, as the program keeps it."""

    shown: ClassVar[tuple[str, ...] | None] = ("process", "outside")
    process: str
    payload: Any
    outside: Any


class Hurried(Note):
    """``message`` overtook what stood before it in ``channel`` and is now at ``position`` of the queue."""

    channel: str
    message: Message
    position: int


class Blocked(Note):
    """``process`` takes nothing more from ``channel`` until ``snapshot`` lets it."""

    snapshot: int
    process: str
    channel: str


class Unblocked(Note):
    """``process`` takes from ``channel`` again."""

    snapshot: int
    process: str
    channel: str


class Acked(Note):
    """``process`` told the coordinator that its part of ``snapshot`` is stored."""

    snapshot: int
    process: str


class Asked(Note):
    """``process`` asked ``target`` for ``what``, beside the channels."""

    process: str
    target: str
    what: Todo


class Forgotten(Note):
    """A fault: ``what``, which ``process`` was asked for, was lost on its way."""

    process: str
    what: Todo


class Stored(Note):
    """``process`` saved its state as its number ``saved``, from 1."""

    process: str
    saved: int
    state: Any


class Catalogued(Note):
    """``process`` now keeps the ids of ``kept`` messages; it has just dropped those of ``collected`` others."""

    process: str
    kept: int
    collected: int


class Down(Note):
    """A fault: ``process`` has crashed; what it had is gone until it is restored."""

    process: str


class Restored(Note):
    """The whole system is as ``snapshot`` recorded it (0: as at the beginning): ``states`` by process, ``queues`` by
    channel; all other channels are empty, and no step is deferred. ``kept`` are the processes that have written down
    what they have and do not roll back."""

    shown: ClassVar[tuple[str, ...] | None] = ("snapshot", "states", "queues")
    snapshot: int
    states: tuple[tuple[str, Any], ...]
    queues: tuple[tuple[str, tuple[Message, ...]], ...]
    kept: tuple[str, ...] = ()


class Returned(Note):
    """``process`` is back at what it saved as number ``saved`` (0: its beginning), with ``state``; ``retracted`` is
    what it had sent since and no process had received yet, as (channel, message)."""

    process: str
    saved: int
    state: Any
    retracted: tuple[tuple[str, Message], ...]


class Rule(Note):
    """The lines of the algorithm's pseudocode that were executed, by name."""

    lines: tuple[str, ...]
