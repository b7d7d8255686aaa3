"""What can happen: the actions that are possible in a world, and the reasons why others are not.

``enabled(system, world)`` lists the actions that are possible, always in this order, so that a person's choice can be
written down as an index:

1. deliveries, by channel in the scenario's order, then by position in the queue;
2. arrivals in the control lanes (recorded parts, and what processes tell each other), by channel;
3. deferred steps, oldest first; then those that an algorithm offers without having deferred them, by process;
4. moves of the programs, by process, each in its program's order;
5. starts of a snapshot, by process;
6. faults: drop, duplicate, overtake (by channel and position), partition or heal (by channel), crash, join, leave (by
   process); abandon (by snapshot), forget (oldest first), restore (by snapshot, the beginning first), restart (by
   process).

Under ``fifo`` only the head of a queue can be delivered; under ``causal`` every message that need not wait for another
(see ``app.core.kernel.causal_delivery``); under ``any`` every message.

Source: Chandy and Lamport 1985, section 2 (channels); the faults are those that their model excludes.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from app.core.kernel import causal_delivery
from app.core.model.algorithm import AnyAlgorithm, Kind
from app.core.model.conditions import USUAL
from app.core.model.system import System
from app.core.model.values import (
    APP,
    Abandon,
    Action,
    Collect,
    Crash,
    Deliver,
    Drop,
    Duplicate,
    Fault,
    Forget,
    Heal,
    Join,
    Leave,
    Message,
    Move,
    Overtake,
    Partition,
    Phrase,
    Progress,
    Restart,
    Restore,
    Start,
    Todo,
    Wake,
    World,
)


def enabled(system: System, world: World) -> list[Action]:
    """Return the possible actions, in the order that the module's docstring gives."""
    return [*(action for action, reason in options(system, world) if reason is None), *faults(system, world)]


def options(system: System, world: World) -> Iterator[tuple[Action, str | None]]:
    """Yield the candidate actions except faults, each with None or the key of the reason why it cannot happen now: see
    REASONS."""
    yield from arrivals(system, world)
    for name in system.topology.names:
        for move in moves(system, world, name):
            yield move, hindrance(system, world, move)
    for name in system.topology.names:
        if startable(system, world, name):
            yield Start(name), None


def arrivals(system: System, world: World) -> Iterator[tuple[Action, str | None]]:
    """Yield those of the candidates that are neither moves nor starts: what waits to arrive, and what is deferred."""
    topology = system.topology
    for channel in sorted(world.queues, key=topology.channel_order.__getitem__):
        for position in range(len(world.queues[channel])):
            yield Deliver(channel, position), obstacle(system, world, channel, position)
    for channel in sorted(world.lanes, key=topology.channel_order.__getitem__):
        yield Collect(channel), lane_obstacle(system, world, channel)
    for process, what in world.wakes:
        yield Wake(process, what), None
    if system.algorithm.FREE:
        for process in topology.names:
            for what in offers(system, world, process):
                yield Wake(process, what), None


def offers(system: System, world: World, name: str) -> tuple[Todo, ...]:
    """Return the steps that a process may take although nobody has deferred them."""
    if not world.member(name) or name in world.down:
        return ()
    running = tuple(number for number in sorted(world.snapshots) if world.snapshots[number].running)
    return system.algorithm.offers(system.process(world, name), world.memories[name], running)


def lane_obstacle(system: System, world: World, channel: str) -> str | None:
    """Return the reason why nothing arrives in the control lane of ``channel`` now, or None."""
    if channel in world.partitioned:
        return "partitioned"
    return "down" if world.down and system.topology.channels[channel].target in world.down else None


def moves(system: System, world: World, name: str) -> tuple[Move, ...]:
    """Return the moves of a process's program; a process that is leaving only hands over what it has."""
    if world.conditions is USUAL:
        return system.program.moves(system.topology.processes[name], world.states[name])
    if name in world.leaving:
        handed = handing_over(system, world, name)
        return (handed,) if handed else ()
    if not world.member(name) or name in world.down:
        return ()
    offered = system.program.moves(system.process(world, name), world.states[name])
    if not world.leaving:
        return offered
    channels = system.topology.channels
    return tuple(m for m in offered if m.channel is None or channels[m.channel].target not in world.leaving)


def handing_over(system: System, world: World, name: str) -> Move | None:
    """Return the next thing that a leaver gives to its first neighbour that stays."""
    process = system.process(world, name)
    stays = tuple(c for c in process.outputs if system.topology.channels[c].target not in world.leaving)
    return system.program.hand_over(replace(process, outputs=stays), world.states[name]) if stays else None


def obstacle(system: System, world: World, channel: str, position: int = 0) -> str | None:
    """Return the reason why the message at ``position`` cannot be delivered now, or None."""
    if world.partitioned and channel in world.partitioned:
        return "partitioned"
    message = world.queues[channel][position]
    if not system.fifo or position:
        kept = system.order(channel)
        if position and kept == "fifo":
            return "behind"
        if kept == "causal" and causal_delivery.early(system, world, channel, message):
            return "early"
    return None if system.open and not world.down else _unwelcome(system, world, channel, message)


def _unwelcome(system: System, world: World, channel: str, message: Message) -> str | None:
    """Return the reason why the process at the end of ``channel`` cannot handle ``message`` now, or None."""
    topology = system.topology
    target = topology.channels[channel].target
    process = system.process(world, target) if world.unborn or world.gone else topology.processes[target]
    if world.down and target in world.down:
        return "down"
    if system.eager and system.eager.urge(process, world.states[target]):
        return "busy"
    if not system.algorithm.accepts(process, world.memories[target], channel, message):
        return "blocked"
    if message.kind == APP and system.program.refuses(process, world.states[target], channel, message.payload):
        return "refused"
    return None


def hindrance(system: System, world: World, move: Move) -> str | None:
    """Return the reason why the program may not make ``move`` now, or None."""
    algorithm = system.algorithm
    if move.process in world.down:
        return "down"
    if move.channel and move.channel in system.capacity and _full(system, world, move.channel):
        return "full"
    if algorithm.PAUSES:
        process = system.process(world, move.process)
        if not algorithm.allows(process, world.memories[move.process], move.channel):
            return "paused"
    return None


def _full(system: System, world: World, channel: str) -> bool:
    """Does the channel hold as many program messages as it can?"""
    return sum(m.kind == APP for m in world.queues.get(channel, ())) >= system.capacity[channel]


REASONS = {
    "behind": Phrase("a FIFO channel delivers its first message first"),
    "early": Phrase("a message before it in the causal order is still in flight"),
    "partitioned": Phrase("the channel is partitioned"),
    "blocked": Phrase("the algorithm blocks the channel"),
    "refused": Phrase("the program cannot receive it in its present state"),
    "paused": Phrase("the algorithm pauses the program"),
    "down": Phrase("the process has crashed"),
    "busy": Phrase("the process has not finished with what it took before"),
    "full": Phrase("the channel is full"),
    "absent": Phrase("it is not a member"),
    "leaving": Phrase("it is leaving"),
    "others": Phrase("another process has crashed"),
    "serial": Phrase("only the first initiator starts another"),
    "running": Phrase("the previous snapshot is not complete"),
    "recorded": Phrase("it has recorded its state already"),
    "outside": Phrase("it takes no part in the running snapshot"),
    "crashed": Phrase("it has crashed already"),
    "coordinator": Phrase("the coordinator is assumed never to fail"),
    "last": Phrase("it is the last member"),
}
"""Why nothing arrives, moves, starts a snapshot or crashes, as words of a mistake, by key."""


def startable(system: System, world: World, name: str) -> bool:
    """May the process start a snapshot now, or save its own state?"""
    return unready(system, world, name) is None


def unready(system: System, world: World, name: str) -> str | None:
    """Return the reason why the process cannot start a snapshot now, or save its own state, or None."""
    algorithm = system.algorithm
    if not world.member(name):
        return "absent"
    if name in world.leaving:
        return "leaving"
    if algorithm.KIND is Kind.ITEMS:
        return "items"
    if name in world.down:
        return "down"
    if algorithm.KIND is Kind.PRIVATE:
        return None if len(world.durable.saved.get(name, ())) < system.most else "enough"
    if world.down:
        return "others"
    if algorithm.COORDINATED and name != system.topology.root:
        return "coordinated"
    number, fresh = next_snapshot(system, world)
    return _late(system, world, name) if fresh else _concurrent(system, world, name, number)


def _late(system: System, world: World, name: str) -> str | None:
    """Return the reason why the process cannot start a snapshot of its own, or None."""
    if system.algorithm.SERIAL and world.snapshots:
        latest = world.snapshots[system.first + len(world.snapshots) - 1]
        if world.snapshots[system.first].initiators[0] != name:
            return "serial"
        if latest.running:
            return "running"
    return None if len(world.snapshots) < system.most else "enough"


def _concurrent(system: System, world: World, name: str, number: int) -> str | None:
    """Return the reason why the process cannot start the running snapshot, too, or None."""
    running = world.snapshots[number]
    if name in running.initiators:
        return "recorded"
    if name in running.absent:
        return "outside"
    own = system.algorithm.result(system.topology.processes[name], world.memories[name], number)
    return None if own is None else "recorded"


def next_snapshot(system: System, world: World) -> tuple[int, bool]:
    """Return the id that the next start would have, and whether it would be a snapshot of its own."""
    latest = system.first + len(world.snapshots) - 1
    if not system.algorithm.LABELLED and world.snapshots and world.snapshots[latest].running:
        return latest, False
    return latest + 1, True


def faults(system: System, world: World) -> Iterator[Fault]:
    """Yield the faults that can happen now, and the processes that may join or leave, in the order that the module's
    docstring gives."""
    topology = system.topology
    waiting = sorted(world.queues, key=topology.channel_order.__getitem__)
    for fault in (Drop, Duplicate):
        for channel in waiting:
            yield from (fault(channel, position) for position in range(len(world.queues[channel])))
    for channel in waiting:
        for position in range(1, len(world.queues[channel])):
            if overtakes(system, world, channel, position):
                yield Overtake(channel, position)
    for channel, ends in topology.channels.items():
        if world.member(ends.source) and world.member(ends.target):
            yield Heal(channel) if channel in world.partitioned else Partition(channel)
    members = [name for name in topology.names if world.member(name)]
    yield from (Crash(name) for name in members if crashable(system, world, name))
    if not settled(system, world):
        yield from (Join(name) for name in world.unborn if world.member(system.newcomers[name]))
    yield from (Leave(name) for name in members if leavable(system, world, name))
    if abandons(system.algorithm):
        yield from (Abandon(number) for number in sorted(world.snapshots) if world.snapshots[number].running)
    yield from (Forget(name, what) for name, what in world.wakes if what.word in system.algorithm.RECOVERY.asked)
    if together(system, world):
        yield from (Restore(number) for number in restorable(world))
    elif world.down:
        yield from (Restart(name) for name in topology.names if name in world.down)


def crashable(system: System, world: World, name: str) -> bool:
    """Can the process crash now?"""
    return spared(system, world, name) is None


def spared(system: System, world: World, name: str) -> str | None:
    """Return the reason why the process cannot crash now, or None. Without recovery, one process must remain; most
    coordinators never crash."""
    if not world.member(name):
        return "absent"
    if name in world.down:
        return "crashed"
    if system.recovers:
        coordinates = system.algorithm.COORDINATED and name == system.topology.root
        return "coordinator" if coordinates and not restartable(system.algorithm) else None
    return None if len(world.gone) + len(world.unborn) + 1 < len(system.topology.names) else "last"


def restartable(algorithm: AnyAlgorithm) -> bool:
    """Can a coordinator crash? If it can, its logs say where all processes continue."""
    return algorithm.DATAFLOW.logs and algorithm.RECOVERY.way in ("rollback", "retry")


def together(system: System, world: World) -> bool:
    """Is a process down that comes back only when the whole system rolls back to one snapshot? Where tasks are retried,
    only the coordinator is such a process."""
    if system.algorithm.RECOVERY.way == "retry":
        return system.topology.root in world.down
    return system.algorithm.RECOVERY.way == "rollback" and bool(world.down)


def abandons(algorithm: AnyAlgorithm) -> bool:
    """Can a coordinator abort a snapshot? What is in a log gets done, however long it takes."""
    return algorithm.COORDINATED and not algorithm.DATAFLOW.logs


def restorable(world: World) -> tuple[int, ...]:
    """Return the snapshots to which the system can roll back; 0 is its beginning."""
    usable = (n for n in sorted(world.snapshots) if _is_finished(world.snapshots[n]))
    return (0, *usable)


def _is_finished(progress: Progress) -> bool:
    """Can a system restart from the snapshot?"""
    return not progress.waiting and not progress.aborted and not progress.unusable


def overtakes(system: System, world: World, channel: str, position: int) -> bool:
    """Is the order of the channel all that keeps the message back?"""
    if obstacle(system, world, channel, position) not in ("behind", "early"):
        return False
    return _unwelcome(system, world, channel, world.queues[channel][position]) is None


def settled(system: System, world: World) -> bool:
    """Must newcomers wait for the end of a snapshot because its participants are fixed?"""
    return system.algorithm.SETTLED and any(world.snapshots[n].running for n in sorted(world.snapshots))


def leavable(system: System, world: World, name: str) -> bool:
    """Is there a neighbour that stays and can take over? No process leaves a system that recovers: a rollback would
    bring it back."""
    if system.recovers:
        return False
    channels = system.topology.channels
    heirs = (channels[c].target for c in system.process(world, name).outputs)
    return world.member(name) and name not in world.leaving and any(heir not in world.leaving for heir in heirs)
