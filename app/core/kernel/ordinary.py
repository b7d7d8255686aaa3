"""The two steps that most of a run consists of, each in one go: the program sends a message, and one arrives.

What they do is defined by ``app.core.kernel.effects``; this module does the same without a draft, and returns None
where the case is not ordinary: members that come and go, faults, dataflows, causal channels, markers, and whatever an
algorithm requests beyond notes.
"""

from collections.abc import Iterable
from typing import cast

from app.core.kernel.effects import REQUESTS
from app.core.model.notes import Changed, Note, Received, Sent
from app.core.model.system import System
from app.core.model.values import APP, Action, Deliver, Message, Move, World

Stepped = tuple[World, tuple[Note, ...]]

_new = tuple.__new__
"""Makes a world of its fields without a call of Python's own."""


def ordinary(system: System, world: World, action: Action) -> Stepped | None:
    """Return the world after ``action``, and what happened; None where the case is not ordinary. Raises Refused where
    the program does."""
    if not system.plain or world.partitioned or world.down or world.unborn or world.gone or world.leaving:
        return None
    if type(action) is Deliver:
        return _arrival(system, world, action)
    return _sending(system, world, action) if type(action) is Move else None


def _arrival(system: System, world: World, action: Deliver) -> Stepped | None:
    channel = action.channel
    queue = world.queues.get(channel)
    if not queue or action.position:
        return None
    message = queue[0]
    if message.kind != APP:
        return None
    topology, program, algorithm = system.topology, system.program, system.algorithm
    name = topology.channels[channel].target
    process, before, memory = topology.processes[name], world.states[name], world.memories[name]
    if not system.open and not (
        algorithm.accepts(process, memory, channel, message)
        and not program.refuses(process, before, channel, message.payload)
    ):
        return None
    after, effects = algorithm.on_receive(process, memory, before, channel, message)
    said = _only_notes(effects)
    if said is None:
        return None
    state = program.receive(process, before, channel, message.payload, action.detail)
    states, memories, queues, *others = world
    left = queue[1:]
    return (
        _new(
            World,
            (
                states.set(name, state),
                memories if after is memory else memories.set(name, after),
                queues.set(channel, left) if left else queues.delete(channel),
                *others,
            ),
        ),
        (Received(name, channel, message), *said, Changed(name, state)),
    )


def _sending(system: System, world: World, action: Move) -> Stepped | None:
    name, channel = action.process, action.channel
    process, program, algorithm = system.topology.processes[name], system.program, system.algorithm
    if channel is None or channel not in process.outputs or system.capacity:
        return None
    memory = world.memories[name]
    if algorithm.PAUSES and not algorithm.allows(process, memory, channel):
        return None
    state = program.act(process, world.states[name], action)
    states, memories, queues, lanes, wakes, snapshots, sent, *others = world
    message = Message(sent, APP, action.payload, None, algorithm.carries(process, memory, channel))
    after, effects = algorithm.on_send(process, memory, channel, message)
    said = _only_notes(effects)
    if said is None:
        return None
    queue = queues.get(channel)
    return (
        _new(
            World,
            (
                states.set(name, state),
                memories if after is memory else memories.set(name, after),
                queues.set(channel, (*queue, message) if queue else (message,)),
                lanes,
                wakes,
                snapshots,
                sent + 1,
                *others,
            ),
        ),
        (Sent(name, channel, message), Changed(name, state), *said),
    )


def _only_notes(effects: Iterable[object]) -> tuple[Note, ...] | None:
    """Return the effects if none of them requests anything; otherwise None."""
    if not effects:
        return ()
    notes = tuple(effects)
    return None if any(type(note) in REQUESTS for note in notes) else cast(tuple[Note, ...], notes)
