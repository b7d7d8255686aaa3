"""The two steps that most of a run consists of, each in one go: the program sends a message, and one arrives.

What they do is defined by ``app.core.kernel.effects``; this module does the same without a draft, and returns None
where the case is not ordinary: members that come and go, faults, dataflows, causal channels, and whatever an algorithm
requests beyond notes.
"""

from collections.abc import Iterable
from typing import Final, cast

from msgspec.structs import replace

from app.core.kernel.effects import REQUESTS
from app.core.model.conditions import USUAL
from app.core.model.notes import Changed, Note, Received, Sent
from app.core.model.system import System
from app.core.model.values import APP, Action, Deliver, Message, Move, World

Stepped = tuple[World, tuple[Note, ...]]

# Compiled code looks up what it imports, whenever it is used; what is Final here it has at hand.
_USUAL: Final = USUAL
_DELIVER: Final = Deliver
_MOVE: Final = Move
_MESSAGE: Final = Message
_CHANGED: Final = Changed
_RECEIVED: Final = Received
_SENT: Final = Sent
_replace: Final = replace


def ordinary(system: System, world: World, action: Action) -> Stepped | None:
    """Return the world after ``action``, and what happened; None where the case is not ordinary. Raises Refused where
    the program does."""
    if system.plain:
        if type(action) is _DELIVER:
            return _arrival(system, world, action)
        if type(action) is _MOVE:
            return _sending(system, world, action)
    return None


def _arrival(system: System, world: World, action: Deliver) -> Stepped | None:
    queues, channel = world.queues, action.channel
    if channel not in queues or action.position or world.conditions is not _USUAL:
        return None
    queue = queues[channel]
    message, left = queue[0], queue[1:]
    program, algorithm = system.program, system.algorithm
    process = system.topology.receivers[channel]
    name, ours = process.name, message.kind == APP
    states, memories = world.states, world.memories
    state, memory = states[name], memories[name]
    if not system.open:
        if not algorithm.accepts(process, memory, channel, message):
            return None
        if ours and program.refuses(process, state, channel, message.payload):
            return None
    after, effects = algorithm.on_receive(process, memory, state, channel, message)
    said = _only_notes(effects) if effects else ()
    if said is None:
        return None
    notes: tuple[Note, ...]
    received = _RECEIVED(name, channel, message)
    if ours:
        state = program.receive(process, state, channel, message.payload, action.detail)
        states, changed = states.set(name, state), _CHANGED(name, state)
        notes = (received, *said, changed) if said else (received, changed)
    else:
        notes = (received, *said)
    if after is not memory:
        world = _replace(world, memories=memories.set(name, after))
    queues = queues.set(channel, left) if left else queues.delete(channel)
    return _replace(world, states=states, queues=queues), notes


def _sending(system: System, world: World, action: Move) -> Stepped | None:
    name, channel = action.process, action.channel
    if channel is None or world.conditions is not _USUAL:
        return None
    process = system.topology.senders.get(channel)
    if process is None or process.name != name:
        return None
    states, queues, number, sending_matters, tag = world.states, world.queues, world.sent, system.sending_matters, None
    if sending_matters:
        algorithm, memory = system.algorithm, world.memories[name]
        if system.capacity or not algorithm.allows(process, memory, channel):
            return None
        tag = algorithm.carries(process, memory, channel)
    state = system.program.act(process, states[name], action)
    message = _MESSAGE(number, APP, action.payload, None, tag)
    notes: tuple[Note, ...] = (_SENT(name, channel, message), _CHANGED(name, state))
    if sending_matters:
        after, effects = algorithm.on_send(process, memory, channel, message)
        said = _only_notes(effects)
        if said is None:
            return None
        notes += said
        if after is not memory:
            world = _replace(world, memories=world.memories.set(name, after))
    queue = (*queues[channel], message) if channel in queues else (message,)
    states, queues = states.set(name, state), queues.set(channel, queue)
    return _replace(world, states=states, queues=queues, sent=number + 1), notes


def _only_notes(effects: Iterable[object]) -> tuple[Note, ...] | None:
    """Return the effects if none of them requests anything; otherwise None."""
    notes = []
    for effect in effects:
        if type(effect) in REQUESTS:
            return None
        notes.append(effect)
    return cast(tuple[Note, ...], tuple(notes))
