"""The kernel: what can happen, and what happens.

``enabled(system, world)`` lists the actions that are possible, always in this order, so that a person's choice can
be written down as an index:

1. deliveries, by channel in the scenario's order, then by position in the queue;
2. arrivals of recorded parts in the control lanes, by channel;
3. steps put off, oldest first;
4. moves of the programs, by process, each in its program's order;
5. starts of a snapshot, by process.

``step(system, world, action)`` is the only place where a world changes. It touches the processes and channels that
the action concerns and nothing else: its cost does not depend on the size of the graph.

Under ``fifo`` only the head of a queue can be delivered; under ``any`` every message can. Recorded parts travel in
a lane beside the queue, so collecting a snapshot never delays a message and never changes what is recorded.

Source: Chandy and Lamport 1985, section 2; the lane is our own, for the acknowledgement of textbook accounts.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from immutables import Map

from app.core.algorithm import Algorithm, Effect
from app.core.model import (
    APP,
    PART,
    Action,
    Collect,
    Defer,
    Deliver,
    Message,
    Move,
    Phrase,
    Post,
    Process,
    Progress,
    Refused,
    Start,
    Wake,
    World,
)
from app.core.notes import (
    Assembled,
    Changed,
    Completed,
    Deferred,
    Done,
    Note,
    Received,
    Sent,
    Started,
    Uncollected,
    Unreachable,
)
from app.core.program import Program
from app.core.topology import Topology

DISCIPLINES = ("fifo", "any")


@dataclass(frozen=True, slots=True)
class System:
    """What stays the same during a run.

    ``first`` is the id of the first snapshot, ``most`` how many a run may have.
    """

    topology: Topology
    program: Program
    algorithm: Algorithm
    discipline: str = "fifo"
    collect: bool = True
    first: int = 1
    most: int = 16
    fifo: bool = field(init=False, default=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "fifo", self.discipline == "fifo")

    def begin(self) -> World:
        """The world before anything happened."""
        processes = self.topology.processes
        return World(
            states=Map({name: self.program.start(p) for name, p in processes.items()}),
            memories=Map({name: self.algorithm.start(p) for name, p in processes.items()}),
        )


# --- what can happen ---------------------------------------------------------------------------------------------


def enabled(system: System, world: World) -> list[Action]:
    """The possible actions, in the order that the module's docstring gives."""
    return [action for action, reason in options(system, world) if reason is None]


def options(system: System, world: World) -> Iterator[tuple[Action, str | None]]:
    """All actions that suggest themselves, each with None or the key of the reason why it cannot happen now.

    Reasons: ``behind`` (a FIFO channel delivers its head first), ``blocked`` (the algorithm holds the input back),
    ``refused`` (the program cannot receive it in its present state).
    """
    topology = system.topology
    for channel in sorted(world.queues, key=topology.channel_order.__getitem__):
        for position in range(len(world.queues[channel])):
            yield Deliver(channel, position), obstacle(system, world, channel, position)
    for channel in sorted(world.lanes, key=topology.channel_order.__getitem__):
        yield Collect(channel), None
    for process, what in world.wakes:
        yield Wake(process, what), None
    for name, process_ in topology.processes.items():
        for move in system.program.moves(process_, world.states[name]):
            yield move, None
    for name in topology.names:
        if startable(system, world, name):
            yield Start(name), None


def obstacle(system: System, world: World, channel: str, position: int = 0) -> str | None:
    """Why the message at ``position`` cannot be delivered now, or None."""
    if position and system.fifo:
        return "behind"
    target = system.topology.channels[channel].target
    process = system.topology.processes[target]
    message = world.queues[channel][position]
    if not system.algorithm.accepts(process, world.memories[target], channel, message):
        return "blocked"
    if message.kind == APP and system.program.refuses(process, world.states[target], channel, message.payload):
        return "refused"
    return None


OBSTACLES = {"behind": Phrase("behind"), "blocked": Phrase("blocked"), "refused": Phrase("refused")}
"""The reasons as words of a mistake."""


def startable(system: System, world: World, name: str) -> bool:
    """May the process start a snapshot now?"""
    number, fresh = next_snapshot(system, world)
    if fresh:
        return len(world.snapshots) < system.most
    process = system.topology.processes[name]
    return system.algorithm.result(process, world.memories[name], number) is None


def next_snapshot(system: System, world: World) -> tuple[int, bool]:
    """The id that the next start would have, and whether it would be a snapshot of its own."""
    latest = system.first + len(world.snapshots) - 1
    if not system.algorithm.LABELLED and world.snapshots and world.snapshots[latest].waiting:
        return latest, False
    return latest + 1, True


# --- what happens ------------------------------------------------------------------------------------------------


def step(system: System, world: World, action: Action) -> tuple[World, tuple[Note, ...]]:
    """The world after ``action``, and what happened. Raises Refused where the action is not possible."""
    turn = _Turn(system, world)
    _HANDLERS[type(action)](turn, action)
    return turn.world(), tuple(turn.notes)


class _Turn:
    """One step being made: the parts of the world that change, gathered until they are a world again."""

    __slots__ = (
        "algorithm", "before", "lanes", "memories", "notes", "queues", "sent", "snapshots", "states", "system", "wakes",
    )  # fmt: skip

    def __init__(self, system: System, world: World) -> None:
        self.system = system
        self.algorithm = system.algorithm
        self.before = world
        self.states = world.states
        self.memories = world.memories
        self.queues = world.queues
        self.lanes = world.lanes
        self.wakes = world.wakes
        self.snapshots = world.snapshots
        self.sent = world.sent
        self.notes: list[Note] = []

    def world(self) -> World:
        return World(self.states, self.memories, self.queues, self.lanes, self.wakes, self.snapshots, self.sent)

    # the five actions

    def deliver(self, action: Deliver) -> None:
        channel, position = action.channel, action.position
        queue = self.queues.get(channel, ())
        if not queue:
            raise Refused(
                "nothing is on its way on {channel} at this point; send something first, or remove the line",
                channel=channel,
            )
        if position >= len(queue):
            raise Refused(
                "nothing to deliver at position {position} of {channel}; it holds {count} message(s)",
                position=position,
                channel=channel,
                count=len(queue),
            )
        reason = obstacle(self.system, self.before, channel, position)
        if reason and not position:
            raise Refused(
                "the first message on {channel} cannot be delivered now: {reason}",
                channel=channel,
                reason=OBSTACLES[reason],
            )
        if reason:
            raise Refused(
                "the message at position {position} of {channel} cannot be delivered now: {reason}",
                position=position,
                channel=channel,
                reason=OBSTACLES[reason],
            )
        message = queue[position]
        rest = queue[1:] if position == 0 else queue[:position] + queue[position + 1 :]
        self.queues = self.queues.set(channel, rest) if rest else self.queues.delete(channel)
        target = self.system.topology.channels[channel].target
        process = self.system.topology.processes[target]
        state = self.states[target]
        self.notes.append(Received(target, channel, message))
        self.reply(process, self.algorithm.on_receive(process, self.memories[target], state, channel, message))
        if message.kind == APP:
            after = self.system.program.receive(process, state, channel, message.payload, action.detail)
            self.become(target, after)

    def collect(self, action: Collect) -> None:
        lane = self.lanes.get(action.channel, ())
        if not lane:
            raise Refused("no recorded part travels along {channel}", channel=action.channel)
        self.lanes = self.lanes.set(action.channel, lane[1:]) if lane[1:] else self.lanes.delete(action.channel)
        message = lane[0]
        assert message.snapshot is not None
        target = self.system.topology.channels[action.channel].target
        self.notes.append(Received(target, action.channel, message))
        self.hand_over(message.snapshot, message.payload, target)

    def wake(self, action: Wake) -> None:
        due = (action.process, action.what)
        if due not in self.wakes:
            what = action.what or Phrase("a step")
            raise Refused("{process} has not put off {what}", process=action.process, what=what)
        at = self.wakes.index(due)
        self.wakes = self.wakes[:at] + self.wakes[at + 1 :]
        process = self.system.topology.processes[action.process]
        memory, state = self.memories[action.process], self.states[action.process]
        self.reply(process, self.algorithm.on_wake(process, memory, state, action.what))

    def move(self, action: Move) -> None:
        name = action.process
        process = self.system.topology.processes[name]
        state = self.system.program.act(process, self.states[name], action)
        if action.channel is None:
            self.become(name, state)
            return
        if action.channel not in process.outputs:
            raise Refused(
                "{process} cannot send on {channel}; its outputs: {outputs}",
                process=name,
                channel=action.channel,
                outputs=process.outputs,
            )
        self.put(name, action.channel, APP, action.payload, None)
        self.become(name, state)
        self.reply(process, self.algorithm.on_send(process, self.memories[name], action.channel))

    def start(self, action: Start) -> None:
        name = action.process
        if not startable(self.system, self.before, name):
            raise Refused(
                "{process} cannot start a snapshot now: it takes part already, or the run has its {most} snapshots",
                process=name,
                most=self.system.most,
            )
        topology = self.system.topology
        number, fresh = next_snapshot(self.system, self.before)
        progress = Progress((), len(topology.names), len(topology.names)) if fresh else self.snapshots[number]
        initiators = (*progress.initiators, name)
        self.snapshots = self.snapshots.set(number, Progress(initiators, progress.waiting, progress.uncollected))
        self.notes.append(Started(number, name))
        if self.algorithm.FLOODS and (missing := topology.unreachable(initiators)):
            self.notes.append(Unreachable(number, missing))
        process = topology.processes[name]
        self.reply(process, self.algorithm.on_initiate(process, self.memories[name], self.states[name], number))

    # what they are made of

    def become(self, name: str, state: Any) -> None:
        self.states = self.states.set(name, state)
        self.notes.append(Changed(name, state))

    def put(self, name: str, channel: str, kind: str, payload: Any, snapshot: int | None) -> None:
        message = Message(self.sent, kind, payload, snapshot)
        self.sent += 1
        if kind == PART:
            self.lanes = self.lanes.set(channel, (*self.lanes.get(channel, ()), message))
        else:
            self.queues = self.queues.set(channel, (*self.queues.get(channel, ()), message))
        self.notes.append(Sent(name, channel, message))

    def reply(self, process: Process, reply: tuple[Any, Iterable[Effect]]) -> None:
        memory, effects = reply
        name = process.name
        if memory is not self.memories[name]:
            self.memories = self.memories.set(name, memory)
        for effect in effects:
            if isinstance(effect, Post):
                self.put(name, effect.channel, effect.kind, effect.payload, effect.snapshot)
            elif isinstance(effect, Defer):
                self.wakes = (*self.wakes, (name, effect.what))
                self.notes.append(Deferred(name, effect.what))
            else:
                self.notes.append(effect)
                if isinstance(effect, Done):
                    self.finish(effect)

    def finish(self, done: Done) -> None:
        """A process has done its part of a snapshot."""
        progress = self.snapshots.get(done.snapshot)
        if progress is None:
            return
        self.snapshots = self.snapshots.set(
            done.snapshot, Progress(progress.initiators, progress.waiting - 1, progress.uncollected)
        )
        if progress.waiting == 1:
            self.notes.append(Completed(done.snapshot))
        if self.system.collect:
            self.hand_over(done.snapshot, done.process, done.process)

    def hand_over(self, number: int, part_of: str, here: str) -> None:
        """Bring the part of ``part_of`` one channel nearer to the initiator, or count it as arrived."""
        progress = self.snapshots[number]
        initiator = progress.initiators[0]
        if here == initiator:
            left = progress.uncollected - 1
            self.snapshots = self.snapshots.set(number, Progress(progress.initiators, progress.waiting, left))
            if not left:
                self.notes.append(Assembled(number, initiator))
            return
        channel = self.system.topology.next_channel(here, initiator)
        if channel is None:
            self.notes.append(Uncollected(number, part_of))
        else:
            self.put(here, channel, PART, part_of, number)


_HANDLERS: dict[type, Callable[[_Turn, Any], None]] = {
    Deliver: _Turn.deliver,
    Collect: _Turn.collect,
    Wake: _Turn.wake,
    Move: _Turn.move,
    Start: _Turn.start,
}
