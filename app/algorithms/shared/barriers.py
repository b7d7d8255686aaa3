"""What barrier algorithms have in common: what a process knows, how it records, and how a snapshot is aborted.

A process deals with one snapshot at a time, the ``latest`` of which it has seen anything. Earlier ones no longer matter
here. Recording is a copy; storing it is another, deferred step, while items are processed.

Sources: Apache Flink, SingleCheckpointBarrierHandler (which barrier counts, subsumption, cancellation, end of
partition); P. Carbone et al., "Lightweight Asynchronous Snapshots for Distributed Dataflows", 2015, section 4.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias, TypeVar

from immutables import Map
from msgspec.structs import replace

from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Blocked, Closed, Logged, Opened, Recorded, Rule, Unblocked
from app.core.model.value import Value
from app.core.model.values import CONTROL, END, MARKER, Abort, Defer, Message, Post, Process, Todo

CANCEL = "cancel"
UPLOAD = "upload"


class Taken(Value):
    """What a process has recorded for one snapshot: its state, what was logged by input, and the inputs that are still
    being recorded."""

    state: object
    logs: "Map[str, tuple[Message, ...]]" = Map()
    open: tuple[str, ...] = ()


class Memory(Value):
    """What a process knows. ``latest`` is the last snapshot of which it has seen anything; it waits for the barriers of
    that one unless it is ``over``. ``arrived`` are the inputs on which its barrier has come, ``blocked`` those from
    which nothing is taken. ``ended`` are the inputs that have ended, ``taken`` is what was recorded, ``cancelled`` are
    the snapshots that the coordinator aborted before anything of them came here."""

    latest: int = -1
    over: int = -1
    arrived: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    taken: "Map[int, Taken]" = Map()
    cancelled: tuple[int, ...] = ()

    @property
    def waiting(self) -> bool:
        """Are barriers of the latest snapshot still to come here?"""
        return self.latest != self.over

    @property
    def logging(self) -> bool:
        """Has the latest snapshot been recorded, but not yet all that was in flight?"""
        return self.waiting and self.latest in self.taken

    def late(self, snapshot: int) -> bool:
        """Is the snapshot over here, so that it no longer matters?"""
        return snapshot < self.latest or (snapshot == self.latest and not self.waiting)


M = TypeVar("M", bound=Memory)
"""What a process knows, and possibly more."""

Caught: TypeAlias = tuple[str, Message]
"""An input, and a message that is arriving on it."""


# --- barriers arrive -----------------------------------------------------------------------------------------------


def renew(process: Process, memory: M, snapshot: int) -> Reply[M]:
    """Begin a new snapshot, which subsumes the one whose barriers are still to come."""
    if snapshot == memory.latest:
        return memory, ()
    memory, effects = give_up(process, memory) if memory.waiting else (memory, ())
    return replace(memory, latest=snapshot, arrived=()), effects


def missing(process: Process, memory: M) -> tuple[str, ...]:
    """Return the inputs on which the barrier is still to come."""
    return tuple(c for c in process.inputs if c not in memory.arrived and c not in memory.ended)


def block(process: Process, memory: M, channel: str, rule: tuple[str, ...]) -> Reply[M]:
    """Take nothing more from an input."""
    effects: tuple[Effect, ...] = (Blocked(memory.latest, process.name, channel), Rule(rule))
    return replace(memory, blocked=(*memory.blocked, channel)), effects


def _released(process: Process, memory: M) -> Iterator[Effect]:
    """Release whatever was blocked."""
    return (Unblocked(memory.latest, process.name, channel) for channel in memory.blocked)


def _over(memory: M) -> M:
    """Stop waiting for barriers."""
    return replace(memory, over=memory.latest, arrived=(), blocked=())


# --- recording -----------------------------------------------------------------------------------------------------


def record(
    process: Process,
    memory: M,
    state: object,
    last: str | None,
    posts: Iterable[Effect],
    opened: tuple[str, ...] = (),
    rule: tuple[str, ...] = (),
    end: "Caught | None" = None,
    *,
    hold: bool = False,
) -> Reply[M]:
    """Record the state for the latest snapshot, do ``posts``, and take from all inputs again; with ``hold``, from those
    that are blocked only after the last barrier. ``last`` is the input whose barrier made the process record; the
    inputs that are ``opened`` are recorded from now on. The ``end`` of an input that made it record is still in flight:
    the state is the one before."""
    snapshot = memory.latest
    logs = Map() if end is None else Map({end[0]: (end[1],)})
    effects: tuple[Effect, ...] = (
        Recorded(snapshot, process.name, state, last),
        *(Logged(snapshot, *each) for each in (end,) if each),
        *(Closed(snapshot, c) for c in process.inputs if c not in opened),
        *posts,
        *(() if hold else _released(process, memory)),
        *(Opened(snapshot, c) for c in opened if c != last),
        Rule(rule),
    )
    blocked = memory.blocked if hold else ()
    memory = replace(memory, taken=memory.taken.set(snapshot, Taken(state, logs, opened)), blocked=blocked)
    memory, more = _finished(process, memory)
    return memory, (*effects, *more)


def barriers(process: Process, snapshot: int, *, first: bool = False) -> Iterator[Effect]:
    """Put a barrier on every output; with ``first``, ahead of all that waits there."""
    return (Post(channel, MARKER, snapshot, first=first) for channel in process.outputs)


def _finished(process: Process, memory: M) -> Reply[M]:
    """Take from all inputs again and prepare the part to be stored, once no input is being recorded any more."""
    if memory.taken[memory.latest].open:
        return memory, ()
    return _over(memory), (*_released(process, memory), Defer(Todo(UPLOAD, (memory.latest,))))


def log(memory: M, channel: str, message: Message) -> Reply[M]:
    """Log an item as in flight if the process has recorded and the barrier is still to come on that input."""
    if not memory.logging or channel not in memory.taken[memory.latest].open:
        return memory, ()
    memory, effects = _logged(memory, channel, (message,))
    return memory, (*effects, Rule(("on-record", "copy-record")))


def _logged(memory: M, channel: str, messages: tuple[Message, ...]) -> Reply[M]:
    """Copy messages into what is recorded of an input."""
    taken = memory.taken[memory.latest]
    logs = taken.logs.set(channel, (*taken.logs.get(channel, ()), *messages)) if messages else taken.logs
    memory = replace(memory, taken=memory.taken.set(memory.latest, replace(taken, logs=logs)))
    return memory, tuple(Logged(memory.latest, channel, message) for message in messages)


def close(process: Process, memory: M, channel: str, overtaken: tuple[Message, ...] = ()) -> Reply[M]:
    """Close an input: its barrier is here, and the messages that it has ``overtaken`` were the last before it. After
    the last input the part is ready."""
    if channel not in memory.taken[memory.latest].open:
        return memory, ()
    memory, effects = _logged(memory, channel, overtaken)
    taken = memory.taken[memory.latest]
    taken = replace(taken, open=tuple(c for c in taken.open if c != channel))
    memory = replace(memory, arrived=(*memory.arrived, channel), taken=memory.taken.set(memory.latest, taken))
    rule = ("on-barrier", "log-overtaken") if overtaken else ("on-barrier",)
    effects = (*effects, Closed(memory.latest, channel), Rule(rule))
    memory, more = _finished(process, memory)
    return memory, (*effects, *more)


def log_end(process: Process, memory: M, channel: str, message: Message) -> Reply[M]:
    """Log the end of an input that is being recorded: it is the last that is in flight there."""
    memory, effects = log(memory, channel, message)
    if not effects:
        return memory, ()
    memory, more = close(process, memory, channel)
    return memory, (*effects, *more)


# --- a snapshot that is aborted ------------------------------------------------------------------------------------


def give_up(process: Process, memory: M) -> Reply[M]:
    """Abort the latest snapshot, which will never be complete: send a cancellation in place of its barrier."""
    return _dropped(memory), (*_released(process, memory), Abort(memory.latest), *cancelling(process, memory.latest))


def _dropped(memory: M) -> M:
    """Discard what has been recorded of the latest snapshot if its barriers are still to come."""
    return _over(replace(memory, taken=memory.taken.delete(memory.latest)) if memory.logging else memory)


def cancelling(process: Process, snapshot: int) -> Iterator[Effect]:
    """Put a cancellation on every output."""
    return (Post(channel, CONTROL, snapshot, CANCEL) for channel in process.outputs)


def cancelled(process: Process, memory: M, snapshot: int) -> Reply[M]:
    """Handle a cancellation in place of the barrier: no process downstream waits for it either."""
    if memory.late(snapshot):
        return memory, ()
    effects = (*_released(process, memory), Abort(snapshot), *cancelling(process, snapshot))
    return _over(replace(_dropped(memory), latest=snapshot)), effects


def refuse(process: Process, memory: M, snapshot: int) -> Reply[M]:
    """Pass on a cancellation: the coordinator has aborted the snapshot of this barrier."""
    memory, effects = renew(process, memory, snapshot)
    return _over(memory), (*effects, *cancelling(process, snapshot))


def forgo(process: Process, memory: M, snapshot: int) -> Reply[M]:
    """Abort ``snapshot`` as the coordinator has done: nothing is blocked for it any more, and a cancellation answers
    its barrier."""
    if snapshot > memory.latest:
        return replace(memory, cancelled=(*memory.cancelled, snapshot)), ()
    if memory.late(snapshot):
        return memory, ()
    return _dropped(memory), tuple(_released(process, memory))


def ending(memory: M, channel: str, message: Message) -> M:
    """Return the memory after a message of the program, which may have ended an input."""
    return replace(memory, ended=(*memory.ended, channel)) if message.payload is END else memory
