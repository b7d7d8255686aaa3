"""What can happen next, for the browser: the moves of the programs, and the obstacles to messages."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from app.algorithms import usual
from app.core import enabled, order
from app.core.model import Json, Move, Wake, World
from app.core.notes import (
    Blocked,
    Changed,
    Crashed,
    Doubled,
    Down,
    Hurried,
    Joined,
    Leaving,
    Left,
    Lost,
    Mended,
    Parted,
    Paused,
    Received,
    Recorded,
    Restored,
    Resumed,
    Returned,
    Sent,
    Told,
    Unblocked,
)
from app.core.system import System
from app.simulator.run import Run, Step
from app.view.action import text

Moves: TypeAlias = tuple[tuple[Move, str | None], ...]
"""The moves of a program, each with the reason why it is impossible now, or None."""


def can(run: Run, moves: Moves) -> list[Json]:
    """Return the moves of a process as the wire has them."""
    show = run.system.program.show
    found: list[Json] = []
    for move, reason in moves:
        more: list[Json] = [reason]
        if move.channel is not None and isinstance(move.detail, str):
            more += [show(move.payload), move.detail]
        told = text(move, show)
        found.append(told if more == [None] else [told, *more])
    return found


def moves(run: Run, name: str, world: World) -> Moves:
    """Return the moves of a process's program, each with the reason why it is impossible now, or None."""
    offered = enabled.moves(run.system, world, name)
    return tuple((move, enabled.hindrance(run.system, world, move)) for move in offered)


WELCOMING = ("bank", "scripted", "token")
"""Programs that accept every message in every state."""

MEMBERSHIP = (Joined, Leaving, Left, Crashed, Down, Restored, Returned)
"""After these, the moves of other processes may change."""


def changes(run: Run, step: Step, offered: dict[str, Moves], held: dict[str, dict[int, str]]) -> Iterator[list[Any]]:
    """Yield the step's changes to what can happen next that the queues alone do not show."""
    system, world = run.system, step.world
    touched: dict[str, None] = {}
    channels: dict[str, None] = {}
    if any(isinstance(note, Restored) for note in step.notes):
        held.clear()  # everything may have changed
    if any(isinstance(note, MEMBERSHIP) for note in step.notes):
        touched.update(dict.fromkeys(system.topology.names))
        channels.update(dict.fromkeys(system.topology.channels))
    if isinstance(step.action, Wake):  # the postponed step may have delayed something
        touched[step.action.process] = None
        channels.update(dict.fromkeys(system.topology.processes[step.action.process].inputs))
    for note in step.notes:
        if isinstance(note, Paused | Resumed) or (
            system.algorithm.PAUSES and isinstance(note, Sent | Received | Told | Recorded)
        ):
            touched[note.process] = None
        if isinstance(note, Told | Paused | Resumed):
            channels.update(dict.fromkeys(system.topology.processes[note.process].inputs))
        if isinstance(note, Lost | Doubled | Parted | Mended):
            target = system.topology.channels[note.channel].target
            channels.update(dict.fromkeys(system.topology.processes[target].inputs))
        if isinstance(note, Changed):
            touched[note.process] = None
        if isinstance(note, Changed | Sent | Received):
            channels.update(dict.fromkeys(system.topology.processes[note.process].inputs))
        if isinstance(note, Sent):
            channels[note.channel] = None
        if isinstance(note, Received | Lost | Doubled) and note.channel in system.capacity:
            touched[system.topology.channels[note.channel].source] = None
        if isinstance(note, Blocked | Unblocked | Hurried):
            channels[note.channel] = None
    for name in touched:
        possible = moves(run, name, world)
        if possible != offered[name]:
            offered[name] = possible
            yield ["can", name, can(run, possible)]
    for channel in channels:
        was, now = held.pop(channel, {}), obstacles(run, world, channel)
        if now:
            held[channel] = now
        waiting = {message.id for message in world.queues.get(channel, ())}
        yield from (["held", channel, id, None] for id in was if id not in now and id in waiting)
        yield from (["held", channel, id, reason] for id, reason in now.items() if reason != was.get(id))


def obstacles(run: Run, world: World, channel: str) -> dict[int, str]:
    """Return why messages of a channel cannot be handled, by their ids."""
    system = run.system
    queue = world.queues.get(channel, ())
    kept = system.order(channel)
    # In a long queue whose messages are all welcome, only check the head; a process that is down accepts nothing.
    welcome = system.program.NAME in WELCOMING and takes_all(system) and not world.down
    asked = queue[:1] if kept == "fifo" and welcome else queue
    found = {}
    for message in asked:
        reasons = [] if kept != "causal" or not order.early(system, world, channel, message) else ["early"]
        if unwelcome := enabled.unwelcome(system, world, channel, message):
            reasons.append(unwelcome)
        if reasons:
            found[message.id] = " ".join(reasons)
    return found


def takes_all(system: System) -> bool:
    """Does the algorithm never hold a message back?"""
    return system.algorithm.accepts is usual.accepts
