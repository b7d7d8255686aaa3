"""Deadlock: which process waits for which in a global state, and which wait forever.

A process *waits* where its program has no step of its own and can continue only by receiving. Some way of receiving may
lead out of that, to a state with a step of its own or to the end of its program: receiving what is in flight to it, as
the order of its channels allows, and what others can still send. A message in flight that leads to more waiting, such
as a request that is only noted down, frees no process.

A *deadlock* is a set of processes each of which waits and can be freed only by others of the set. None of them ever
sends again, so it stays. Other processes may continue: a deadlock can be partial. A process that waits for one that has
finished is stuck, too.

What others can still send is found from their programs alone, whatever their schedules: a process reported as stuck is
stuck in every continuation.

Source: K. M. Chandy, J. Misra, L. M. Haas, "Distributed Deadlock Detection", ACM TOCS 1(2), 1983 (the communication
model: a process can continue as soon as any one of those for which it waits sends something).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from app.core.model.program import Awaiting
from app.core.model.system import System
from app.core.model.values import Message, Process

MOST = 2_000
"""The most states and input contents examined per process; a process with more counts as free."""

_Queues: TypeAlias = Mapping[str, tuple[object, ...]]
"""The payloads in flight by channel, head first; channels with none are left out."""
_Sending: TypeAlias = tuple[str, object]
"""A channel, and a payload that may be sent on it."""
_Sendable: TypeAlias = Mapping[_Sending, None]
"""What can still be sent, in the order in which it was found."""


@dataclass(frozen=True, slots=True)
class Wait:
    """``process`` can continue only by ``messages`` from ``source`` on ``channel``, or by those of other waits.
    ``coming`` is in flight there and ends the waiting."""

    process: str
    source: str
    channel: str
    messages: tuple[object, ...]
    coming: object = None


@dataclass(frozen=True, slots=True)
class Waits:
    """All waits in a global state, and the ``stuck`` processes, which wait forever."""

    waits: tuple[Wait, ...]
    stuck: tuple[str, ...]


def waits(system: System, states: Mapping[str, object], channels: Mapping[str, Sequence[Message]]) -> Waits | None:
    """Find which process waits for which in a global state; None where the program's processes never wait. A process
    without a state is gone: it sends nothing."""
    program = system.program
    if not isinstance(program, Awaiting):
        return None
    queues = {name: tuple(m.payload for m in messages) for name, messages in channels.items() if messages}
    moment = _Moment(system, program, states, queues)
    stuck = _stuck(moment)
    return Waits(tuple(_waits(moment)), tuple(name for name in moment.names if name in stuck))


def deadlocked(system: System, states: Mapping[str, object], channels: Mapping[str, Sequence[Message]]) -> bool:
    """Is any process stuck in a global state?"""
    found = waits(system, states, channels)
    return found is not None and bool(found.stuck)


@dataclass(frozen=True, slots=True)
class _Moment:
    """A global state, and what its programs can do in it."""

    system: System
    program: Awaiting[object, object]
    states: Mapping[str, object]
    queues: _Queues

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in self.system.topology.names if name in self.states)

    def process(self, name: str) -> Process:
        return self.system.topology.processes[name]

    def waiting(self, name: str, state: object) -> bool:
        """Can a process in ``state`` continue only by receiving?"""
        process = self.process(name)
        return not self.program.moves(process, state) and bool(self.program.awaits(process, state))


def _stuck(moment: _Moment) -> dict[str, None]:
    """Return the largest set of processes whose waiting no process outside it can end. The more others can send, the
    fewer are stuck, and the fewer are stuck, the more others can send: so what can be sent is built up step by step
    from nothing."""
    sendable: dict[_Sending, None] = {}
    while True:
        stuck = {name: None for name in moment.names if _way_out(moment, name, sendable) is None}
        free = (name for name in moment.names if name not in stuck)
        more = {sending: None for name in free for sending in _sendings(moment, name, sendable)}
        if len(more) == len(sendable):
            return stuck
        sendable = more


def _way_out(moment: _Moment, name: str, sendable: _Sendable) -> tuple[_Sending, ...] | None:
    """Find the shortest way of receiving that ends the waiting of a process, None where there is none; it is empty
    where the process does not wait. What may be sent later can be received any number of times."""
    process = moment.process(name)
    first = (moment.states[name], tuple(moment.queues.get(channel, ()) for channel in process.inputs))
    ways: dict[tuple[object, tuple[tuple[object, ...], ...]], tuple[_Sending, ...]] = {first: ()}
    for place in (ordered := [first]):  # grows during the loop: breadth first
        state, queues = place
        if not moment.waiting(name, state) or len(ordered) > MOST:
            return ways[place]
        for sending in moment.program.awaits(process, state):
            channel, payload = sending
            if channel not in process.inputs:
                continue
            after = moment.program.receive(process, state, channel, payload)
            for rest in _received(moment, process.inputs.index(channel), channel, payload, queues, sendable):
                if (after, rest) not in ways:
                    ways[after, rest] = (*ways[place], sending)
                    ordered.append((after, rest))
    return None


def _received(
    moment: _Moment,
    at: int,
    channel: str,
    payload: object,
    queues: tuple[tuple[object, ...], ...],
    sendable: _Sendable,
) -> Iterator[tuple[tuple[object, ...], ...]]:
    """Yield what is in flight to a process after it has received ``payload`` on ``channel``, its input number ``at``;
    nothing where it cannot."""
    queue = queues[at]
    in_order = moment.system.ordered(channel)
    if payload in (queue[:1] if in_order else queue):
        place = queue.index(payload)
        yield (*queues[:at], queue[:place] + queue[place + 1 :], *queues[at + 1 :])
    elif (channel, payload) in sendable and not (in_order and queue):
        yield queues


def _sendings(moment: _Moment, name: str, sendable: _Sendable) -> Iterator[_Sending]:
    """Yield what a free process can still send, by its program alone: whatever is in flight to it or can be sent to it
    may arrive, in any order and any number of times."""
    process, program = moment.process(name), moment.program
    states = {moment.states[name]: None}
    for state in (ordered := [moment.states[name]]):  # grows during the loop
        after = []
        for move in program.moves(process, state):
            after.append(program.act(process, state, move))
            if move.channel is not None:
                yield move.channel, move.payload
        for channel, payload in program.awaits(process, state):
            if (channel, payload) in sendable or payload in moment.queues.get(channel, ()):
                after.append(program.receive(process, state, channel, payload))
        fresh = [one for one in dict.fromkeys(after) if one not in states]
        states |= dict.fromkeys(fresh)
        ordered += fresh


def _waits(moment: _Moment) -> Iterator[Wait]:
    """Yield every wait, by process and channel."""
    for name in moment.names:
        state = moment.states[name]
        if not moment.waiting(name, state):
            continue
        wanted: dict[str, list[object]] = {}
        for channel, payload in moment.program.awaits(moment.process(name), state):
            if channel in moment.system.topology.channels:
                wanted.setdefault(channel, []).append(payload)
        way = _way_out(moment, name, {})
        for channel, payloads in wanted.items():
            coming = way[0][1] if way and way[0][0] == channel else None
            source = moment.system.topology.channels[channel].source
            yield Wait(name, source, channel, tuple(dict.fromkeys(payloads)), coming)
