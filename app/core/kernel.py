"""The kernel: what happens. What can happen is in ``app.core.enabled``.

``step(system, world, action)`` is the only place where a world changes. It touches only the processes and channels that
the action concerns: its cost does not depend on the size of the graph.

Recorded parts travel in a lane beside the queue, so collecting a snapshot never delays a message and never changes what
is recorded. What processes tell each other travels there too.

Members come and go. A newcomer is brought in by its parent, with which it shares its only channels: it takes part in
every snapshot that the parent has not recorded yet, and in none that the parent has recorded; under algorithms that fix
the participants at the start, it waits until no snapshot is in progress. A leaver gives what it has to its first
neighbour, and is gone when nothing from it is in flight and no snapshot waits for it. A crash takes everything along
except what was already sent; a neighbour notices it when nothing more comes from there.

Source: Chandy and Lamport 1985, section 2; the lane is our own addition, for the acknowledgement of textbook accounts.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from app.core import order, recorded
from app.core.enabled import (
    OBSTACLES,
    closed,
    crashable,
    handing_over,
    hindrance,
    leavable,
    obstacle,
    overtakes,
    settled,
    startable,
)
from app.core.model import (
    COMPLETE,
    WORD,
    Abandon,
    Action,
    Collect,
    Crash,
    Cut,
    Defer,
    Deliver,
    Drop,
    Duplicate,
    Forget,
    Join,
    Leave,
    Mend,
    Message,
    Move,
    Overtake,
    Phrase,
    Refused,
    Restart,
    Restore,
    Start,
    Wake,
    World,
)
from app.core.notes import (
    Absent,
    Crashed,
    Doubled,
    Joined,
    Leaving,
    Left,
    Lost,
    Mended,
    Note,
    Overtook,
    Parted,
    Received,
    Unusable,
)
from app.core.recovery import Recovery
from app.core.system import System
from app.core.topology import channel_name

# --- what happens ------------------------------------------------------------------------------------------------


def step(system: System, world: World, action: Action) -> tuple[World, tuple[Note, ...]]:
    """Return the world after ``action``, and what happened. Raises Refused where the action is not possible."""
    turn = _Step(system, world)
    _HANDLERS[type(action)](turn, action)
    if world.gone and isinstance(action, Deliver | Drop | Overtake):
        turn.mourn(system.topology.channels[action.channel].source, action.channel)
    if turn.leaving:
        turn.vanish()
    if system.causal:
        turn.inform()
    return turn.world(), tuple(turn.notes)


class _Step(Recovery):
    """A step: one method for each kind of action."""

    __slots__ = ()

    # the five ordinary actions

    def deliver(self, action: Deliver) -> None:
        channel, position = action.channel, action.position
        message = self.waiting(channel, position)
        if reason := obstacle(self.system, self.before, channel, position):
            raise impossible(channel, position, reason)
        self.arrive(channel, position, message, action.detail)

    def waiting(self, channel: str, position: int) -> Message:
        """Return the message at ``position``. Raises Refused where there is none."""
        queue = self.queues.get(channel, ())
        if not queue:
            raise Refused(
                "nothing is in flight on {channel} at this point; send something first, or remove the line",
                channel=channel,
            )
        if position >= len(queue):
            raise Refused(
                "nothing to deliver at position {position} of {channel}; it holds {count} message(s)",
                position=position,
                channel=channel,
                count=len(queue),
            )
        return queue[position]

    def collect(self, action: Collect) -> None:
        lane = self.lanes.get(action.channel, ())
        if not lane:
            raise Refused("no recorded state is in flight on {channel}", channel=action.channel)
        if reason := closed(self.system, self.before, action.channel):
            raise impossible(action.channel, 0, reason)
        self.lanes = self.lanes.set(action.channel, lane[1:]) if lane[1:] else self.lanes.delete(action.channel)
        message = lane[0]
        target = self.system.topology.channels[action.channel].target
        self.notes.append(Received(target, action.channel, message))
        if self.system.causal:
            self.learn(target, message)
        if message.kind == WORD:
            source, aim, word = message.payload
            self.bring(source, aim, message.snapshot, word, target)
        else:
            assert message.snapshot is not None
            self.hand_over(message.snapshot, message.payload, target)

    def wake(self, action: Wake) -> None:
        due = (action.process, action.what)
        if due not in self.wakes:
            what = action.what or Phrase("a step")
            raise Refused("{process} has not put off {what}", process=action.process, what=what)
        self.strike(due)
        process = self.process(action.process)
        word, _, number = action.what.partition(" ")
        if word == COMPLETE:
            part = recorded.part(self.system, self.before, action.process, int(number))
            if part is not None:
                self.commit(process, part.state)
            return
        memory, state = self.memories[action.process], self.sealed(action.process)
        self.reply(process, self.algorithm.on_wake(process, memory, state, action.what))
        self.urge(action.process)

    def move(self, action: Move) -> None:
        name, channel = action.process, action.channel
        if (self.unborn or self.gone) and not self.before.member(name):
            raise Refused("{process} is not a member now and can do nothing", process=name)
        process = self.process(name)
        if channel is not None and channel not in process.outputs:
            raise Refused(
                "{process} cannot send on {channel}; its outputs: {outputs}",
                process=name,
                channel=channel,
                outputs=process.outputs,
            )
        reason = hindrance(self.system, self.before, action)
        if reason == "paused":
            raise Refused("{process} is held up by the snapshot and cannot act now", process=name)
        if reason is not None:
            raise Refused("{process} cannot act now: {reason}", process=name, reason=OBSTACLES[reason])
        self.act(process, action)
        if self.system.eager:
            self.urge(name)

    def start(self, action: Start) -> None:
        name = action.process
        if not self.algorithm.SNAPSHOTS and not self.algorithm.PRIVATE:
            raise Refused("{algorithm} takes no snapshots, so nobody starts one", algorithm=self.algorithm.NAME)
        if self.algorithm.COORDINATED and name != (root := self.system.topology.root):
            raise Refused("only the coordinator {root} starts checkpoints, not {process}", root=root, process=name)
        if not startable(self.system, self.before, name):
            raise Refused(
                "{process} cannot start a snapshot now: it takes part already, or the run has its {most} snapshots",
                process=name,
                most=self.system.most,
            )
        if self.algorithm.PRIVATE:
            process = self.process(name)
            number = len(self.durable.saved.get(name, ())) + 1
            self.reply(process, self.algorithm.on_initiate(process, self.memories[name], self.states[name], number))
        else:
            self.begin(name)

    # faults, and members that join and leave

    def drop(self, action: Drop) -> None:
        message = self.waiting(action.channel, action.position)
        self.take(action.channel, action.position)
        self.notes.append(Lost(action.channel, message))

    def duplicate(self, action: Duplicate) -> None:
        message = self.waiting(action.channel, action.position)
        copy = replace(message, id=self.sent, origin=None)
        self.sent += 1
        if self.system.causal:  # the network gives the copy a number of its own
            source = self.system.topology.channels[action.channel].source
            known, copy = order.counted(self.known[source], action.channel, copy)
            self.known = self.known.set(source, known)
            copy = replace(copy, past=(copy.past[0], message.past[1]))
        self.queues = self.queues.set(action.channel, (*self.queues[action.channel], copy))
        self.notes.append(Doubled(action.channel, message, copy))

    def overtake(self, action: Overtake) -> None:
        channel, position = action.channel, action.position
        message = self.waiting(channel, position)
        if not overtakes(self.system, self.before, channel, position):
            raise Refused(
                "the message at position {position} of {channel} has nothing to overtake, or cannot be handled now",
                position=position,
                channel=channel,
            )
        self.notes.append(Overtook(channel, message))
        self.arrive(channel, position, message, None)

    def sever(self, action: Cut) -> None:
        if action.channel in self.cut:
            raise Refused("{channel} is already partitioned", channel=action.channel)
        self.cut = (*self.cut, action.channel)
        self.notes.append(Parted(action.channel))

    def mend(self, action: Mend) -> None:
        if action.channel not in self.cut:
            raise Refused("{channel} is not partitioned", channel=action.channel)
        self.cut = tuple(c for c in self.cut if c != action.channel)
        self.notes.append(Mended(action.channel))

    def crash(self, action: Crash) -> None:
        name, topology = action.process, self.system.topology
        if not crashable(self.system, self.before, name):
            raise Refused("{process} cannot crash now: it is not a member, or is the only one", process=name)
        if self.system.recovers:
            self.fall(name)
            return
        self.notes.append(Crashed(name, self.states[name]))
        neighbours = self.process(name)
        for number in sorted(self.snapshots):
            progress = self.snapshots[number]
            if name in progress.absent:  # no process waits for it
                continue
            part = recorded.part(self.system, self.before, name, number)
            if progress.running and (part is None or not part.done):
                self.notes += [Absent(number, name, True)] if part is None else []
                self.notes.append(Unusable(number, name))
                left = replace(progress, unusable=(*progress.unusable, name), waiting=progress.waiting - 1)
                self.snapshots = self.snapshots.set(number, left)
                self.complete(number)
        self.remove(name)
        for channel in topology.processes[name].inputs:  # also from those that have crashed before
            self.notes += [Lost(channel, message) for message in self.queues.get(channel, ())]
            self.queues = self.queues.delete(channel) if channel in self.queues else self.queues
            self.lanes = self.lanes.delete(channel) if channel in self.lanes else self.lanes
        channels = topology.channels
        near = {channels[c].source for c in neighbours.inputs} | {channels[c].target for c in neighbours.outputs}
        for one in (one for one in topology.names if one in near):
            self.bereave(one, name)
            self.urge(one)

    def mourn(self, source: str, channel: str) -> None:
        """Notice that the last message of a crashed process has left the channel."""
        if source in self.gone:
            self.bereave(self.system.topology.channels[channel].target, source)

    def bereave(self, name: str, gone: str) -> None:
        """Let a neighbour notice a crash, unless something is still to arrive from there."""
        if self.before.member(name) and channel_name(gone, name) not in self.queues:
            process = self.process(name)
            self.reply(process, self.algorithm.on_gone(process, self.memories[name], self.states[name], gone))

    def remove(self, name: str) -> None:
        self.gone = (*self.gone, name)
        self.leaving = tuple(one for one in self.leaving if one != name)
        self.wakes = tuple(due for due in self.wakes if due[0] != name)

    def join(self, action: Join) -> None:
        name = action.process
        if name not in self.unborn or not self.before.member(self.system.newcomers[name]):
            raise Refused(
                "{process} cannot join now: it is a member, or was one, or its parent is not one", process=name
            )
        if settled(self.system, self.before):
            raise Refused(
                "{process} cannot join now: a snapshot is in progress, and its members are settled", process=name
            )
        parent = self.system.newcomers[name]
        self.unborn = tuple(one for one in self.unborn if one != name)
        self.notes.append(Joined(name, parent))
        process = self.system.topology.processes[parent]
        for number in sorted(self.snapshots):
            progress = self.snapshots[number]
            if progress.running and self.algorithm.result(process, self.memories[parent], number) is None:
                absent = tuple(one for one in progress.absent if one != name)
                more = replace(progress, waiting=progress.waiting + 1, uncollected=progress.uncollected + 1)
                self.snapshots = self.snapshots.set(number, replace(more, absent=absent))
                for what in progress.turns:
                    if (parent, what) in self.wakes:  # what its parent still has to do, it has to do as well
                        self.put_off(name, Defer(what))
            else:
                if name not in progress.absent:
                    self.snapshots = self.snapshots.set(number, replace(progress, absent=(*progress.absent, name)))
                self.notes.append(Absent(number, name, False))
        if self.system.causal:
            self.known = self.known.set(name, self.known.get(parent, order.NOTHING))

    def leave(self, action: Leave) -> None:
        if not leavable(self.system, self.before, action.process):
            raise Refused("{process} cannot leave now: no process could take over", process=action.process)
        self.leaving = (*self.leaving, action.process)
        self.notes.append(Leaving(action.process))

    def vanish(self) -> None:
        """Remove the leaving processes that have nothing left to do."""
        for name in self.leaving:
            world = self.world()
            process = self.system.process(world, name)
            busy = any(c in self.queues or c in self.lanes for c in (*process.inputs, *process.outputs))
            busy = busy or any(one == name for one, _ in self.wakes)
            busy = busy or handing_over(self.system, world, name) is not None
            if busy or any(self.awaits(number, name) for number in sorted(self.snapshots)):
                continue
            self.remove(name)
            self.notes.append(Left(name))
            for channel in process.inputs:
                self.urge(self.system.topology.channels[channel].source)

    def awaits(self, number: int, name: str) -> bool:
        """Does the snapshot still need something from ``name``?"""
        if not self.snapshots[number].running:
            return False
        part = self.algorithm.result(self.system.topology.processes[name], self.memories[name], number)
        return part is None or not part.done


def impossible(channel: str, position: int, reason: str) -> Refused:
    """Return the mistake of delivering a message that cannot be delivered now."""
    if not position:
        return Refused(
            "the first message on {channel} cannot be delivered now: {reason}",
            channel=channel,
            reason=OBSTACLES[reason],
        )
    return Refused(
        "the message at position {position} of {channel} cannot be delivered now: {reason}",
        position=position,
        channel=channel,
        reason=OBSTACLES[reason],
    )


_HANDLERS: dict[type, Callable[[_Step, Any], None]] = {
    Deliver: _Step.deliver,
    Collect: _Step.collect,
    Wake: _Step.wake,
    Move: _Step.move,
    Start: _Step.start,
    Drop: _Step.drop,
    Duplicate: _Step.duplicate,
    Overtake: _Step.overtake,
    Cut: _Step.sever,
    Mend: _Step.mend,
    Crash: _Step.crash,
    Join: _Step.join,
    Leave: _Step.leave,
    Abandon: _Step.abandon,
    Forget: _Step.forget,
    Restore: _Step.restore,
    Restart: _Step.restart,
}
