"""The result of a snapshot, assembled from the parts of the processes."""

from collections.abc import Mapping

from msgspec.structs import replace

from app.core.model.system import System
from app.core.model.values import Message, Part, Process, Refused, World


def part(system: System, world: World, name: str, number: int) -> Part | None:
    """Return what one process has recorded, or None; messages folded into its recorded state afterwards are applied,
    as far as the program can receive them in that state."""
    if number in world.durable.parts:
        return world.durable.parts[number].get(name)
    process = system.topology.processes[name]
    found = system.algorithm.result(process, world.memories[name], number)
    if found is None or not found.folded:
        return found
    return replace(found, state=applied(system, process, found)[0])


def applied(system: System, process: Process, found: Part) -> tuple[object, bool]:
    """Return the recorded state after the messages folded into it, and whether the program could receive the last."""
    state, received = found.state, True
    for channel, message in found.folded:
        try:
            state, received = system.program.receive(process, state, channel, message.payload), True
        except Refused:
            received = False
    return state, received


def parts(system: System, world: World, number: int) -> dict[str, Part]:
    """Return what each process has recorded, in the scenario's order."""
    found = {name: part(system, world, name, number) for name in system.topology.names}
    return {name: one for name, one in found.items() if one is not None}


def channels(system: System, recorded: Mapping[str, Part]) -> dict[str, tuple[Message, ...]]:
    """Return the recorded messages of each channel of which anything is known, in the scenario's order."""
    logged = {c: messages for one in recorded.values() for c, messages in one.channels}
    found: dict[str, tuple[Message, ...]] = {}
    for name, channel in system.topology.channels.items():
        if name in logged:
            found[name] = logged[name]
        elif channel.source in recorded and channel.target in recorded:
            between = derived(recorded[channel.source], recorded[channel.target], name)
            if between is not None:
                found[name] = between
    return found


def open_channels(recorded: Mapping[str, Part]) -> list[str]:
    """Return the channels that are still being recorded."""
    return [channel for one in recorded.values() for channel in one.open]


def derived(sender: Part, receiver: Part, channel: str) -> tuple[Message, ...] | None:
    """Return what was sent before the sender recorded and not received before the receiver did; None without both
    histories."""
    sent, received = dict(sender.sent).get(channel), dict(receiver.received).get(channel)
    if sent is None or received is None:
        return None
    arrived = {message.identity for message in received}
    return tuple(message for message in sent if message.identity not in arrived)
