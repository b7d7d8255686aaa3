"""The kernel: what happens. What can happen is in ``app.core.kernel.enabled``.

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
from typing import Any

from msgspec.structs import replace

from app.core.kernel import causal_delivery
from app.core.kernel.effects import act, arrive, begin, bring, commit, reply, sealed, urge
from app.core.kernel.enabled import (
    REASONS,
    handing_over,
    hindrance,
    lane_obstacle,
    leavable,
    obstacle,
    offers,
    overtakes,
    settled,
    spared,
    unready,
)
from app.core.kernel.ordinary import ordinary
from app.core.kernel.progress import bring_part, complete
from app.core.kernel.recovery_steps import abandon, fall, forget, restart, restore
from app.core.kernel.world_draft import Draft
from app.core.model import recorded_state
from app.core.model.algorithm import Kind
from app.core.model.notes import (
    Absent,
    Crashed,
    Doubled,
    Healed,
    Joined,
    Leaving,
    Left,
    Lost,
    Note,
    Overtook,
    Partitioned,
    Received,
    Unusable,
)
from app.core.model.system import System
from app.core.model.topology import channel_name
from app.core.model.values import (
    COMPLETE,
    WORD,
    Abandon,
    Action,
    Collect,
    Crash,
    Defer,
    Deliver,
    Drop,
    Duplicate,
    Forget,
    Heal,
    Join,
    Leave,
    Message,
    Move,
    Overtake,
    Partition,
    Past,
    Phrase,
    Refused,
    Restart,
    Restore,
    Start,
    Wake,
    World,
)

# --- what happens ------------------------------------------------------------------------------------------------


def step(system: System, world: World, action: Action) -> tuple[World, tuple[Note, ...]]:
    """Return the world after ``action``, and what happened. Raises Refused where the action is not possible."""
    return ordinary(system, world, action) or whole_step(system, world, action)


def whole_step(system: System, world: World, action: Action) -> tuple[World, tuple[Note, ...]]:
    """Return the same as ``step``, of which this is the definition: it knows every case."""
    draft = Draft(system, world)
    _ACTIONS[type(action)](draft, action)
    if world.gone and isinstance(action, Deliver | Drop | Overtake):
        _notice_emptied(draft, system.topology.channels[action.channel].source, action.channel)
    if draft.leaving:
        _vanish(draft)
    if system.causal:
        draft.inform()
    return draft.world(), tuple(draft.notes)


# the five ordinary actions


def _deliver(draft: Draft, action: Deliver) -> None:
    channel, position = action.channel, action.position
    message = _waiting(draft, channel, position)
    if reason := obstacle(draft.system, draft.before, channel, position):
        raise _impossible(channel, position, reason)
    arrive(draft, channel, position, message, action.detail)


def _waiting(draft: Draft, channel: str, position: int) -> Message:
    """Return the message at ``position``. Raises Refused where there is none."""
    queue = draft.queues.get(channel, ())
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


def _collect(draft: Draft, action: Collect) -> None:
    lane = draft.lanes.get(action.channel, ())
    if not lane:
        raise Refused("no recorded state is in flight on {channel}", channel=action.channel)
    if reason := lane_obstacle(draft.system, draft.before, action.channel):
        raise _impossible(action.channel, 0, reason)
    draft.lanes = draft.lanes.set(action.channel, lane[1:]) if lane[1:] else draft.lanes.delete(action.channel)
    message = lane[0]
    target = draft.system.topology.channels[action.channel].target
    draft.notes.append(Received(target, action.channel, message))
    if draft.system.causal:
        draft.learn(target, message)
    if message.kind == WORD:
        source, aim, word = message.payload
        bring(draft, source, aim, message.snapshot, word, target)
    else:
        assert message.snapshot is not None
        bring_part(draft, message.snapshot, message.payload, target)


def _wake(draft: Draft, action: Wake) -> None:
    due = (action.process, action.what)
    if due in draft.wakes:
        draft.strike(due)
    elif action.what not in offers(draft.system, draft.before, action.process):
        what = str(action.what) or Phrase("a step")
        raise Refused("{process} has not put off {what}", process=action.process, what=what)
    process = draft.process(action.process)
    if action.what.word == COMPLETE:
        part = recorded_state.part(draft.system, draft.before, action.process, action.what.number)
        if part is not None:
            commit(draft, process, part.state)
        return
    memory, state = draft.memories[action.process], sealed(draft, action.process)
    reply(draft, process, draft.algorithm.on_wake(process, memory, state, action.what))
    urge(draft, action.process)


def _move(draft: Draft, action: Move) -> None:
    name, channel = action.process, action.channel
    if (draft.unborn or draft.gone) and not draft.before.member(name):
        raise Refused("{process} is not a member now and can do nothing", process=name)
    process = draft.process(name)
    if channel is not None and channel not in process.outputs:
        raise Refused(
            "{process} cannot send on {channel}; its outputs: {outputs}",
            process=name,
            channel=channel,
            outputs=process.outputs,
        )
    if reason := hindrance(draft.system, draft.before, action):
        raise Refused("{process} cannot act now: {reason}", process=name, reason=REASONS[reason])
    act(draft, process, action)
    if draft.system.eager:
        urge(draft, name)


def _start(draft: Draft, action: Start) -> None:
    name = action.process
    if draft.algorithm.KIND is Kind.ITEMS:
        raise Refused("{algorithm} takes no snapshots, so nobody starts one", algorithm=draft.algorithm.NAME)
    if draft.algorithm.COORDINATED and name != (root := draft.system.topology.root):
        raise Refused("only the coordinator {root} starts checkpoints, not {process}", root=root, process=name)
    if key := unready(draft.system, draft.before, name):
        enough = Phrase("there are {most}, the most that a run takes", most=draft.system.most)
        reason = enough if key == "enough" else REASONS[key]
        raise Refused("{process} cannot start a snapshot now: {reason}", process=name, reason=reason)
    if draft.algorithm.KIND is Kind.PRIVATE:
        process = draft.process(name)
        number = len(draft.durable.saved.get(name, ())) + 1
        reply(draft, process, draft.algorithm.on_initiate(process, draft.memories[name], draft.states[name], number))
    else:
        begin(draft, name)


# faults, and members that join and leave


def _drop(draft: Draft, action: Drop) -> None:
    message = _waiting(draft, action.channel, action.position)
    draft.take(action.channel, action.position)
    draft.notes.append(Lost(action.channel, message))


def _duplicate(draft: Draft, action: Duplicate) -> None:
    message = _waiting(draft, action.channel, action.position)
    copy = replace(message, id=draft.sent, origin=None)
    draft.sent += 1
    if draft.system.causal:  # the network gives the copy a number of its own
        source = draft.system.topology.channels[action.channel].source
        known, copy = causal_delivery.counted(draft.known[source], action.channel, copy)
        draft.known = draft.known.set(source, known)
        copy = replace(copy, past=Past(copy.past.number, message.past.known))
    draft.queues = draft.queues.set(action.channel, (*draft.queues[action.channel], copy))
    draft.notes.append(Doubled(action.channel, message, copy))


def _overtake(draft: Draft, action: Overtake) -> None:
    channel, position = action.channel, action.position
    message = _waiting(draft, channel, position)
    if not overtakes(draft.system, draft.before, channel, position):
        raise Refused(
            "the message at position {position} of {channel} has nothing to overtake, or cannot be handled now",
            position=position,
            channel=channel,
        )
    draft.notes.append(Overtook(channel, message))
    arrive(draft, channel, position, message, None)


def _partition(draft: Draft, action: Partition) -> None:
    if action.channel in draft.partitioned:
        raise Refused("{channel} is already partitioned", channel=action.channel)
    draft.partitioned = (*draft.partitioned, action.channel)
    draft.notes.append(Partitioned(action.channel))


def _heal(draft: Draft, action: Heal) -> None:
    if action.channel not in draft.partitioned:
        raise Refused("{channel} is not partitioned", channel=action.channel)
    draft.partitioned = tuple(c for c in draft.partitioned if c != action.channel)
    draft.notes.append(Healed(action.channel))


def _crash(draft: Draft, action: Crash) -> None:
    name, topology = action.process, draft.system.topology
    if reason := spared(draft.system, draft.before, name):
        raise Refused("{process} cannot crash now: {reason}", process=name, reason=REASONS[reason])
    if draft.system.recovers:
        fall(draft, name)
        return
    draft.notes.append(Crashed(name, draft.states[name]))
    crashed = draft.process(name)
    _go_on_without(draft, name)
    _remove(draft, name)
    _lose_inputs(draft, name)
    channels = topology.channels
    near = {channels[c].source for c in crashed.inputs} | {channels[c].target for c in crashed.outputs}
    for one in (one for one in topology.names if one in near):
        _notice_gone(draft, one, name)
        urge(draft, one)


def _go_on_without(draft: Draft, name: str) -> None:
    """Let the snapshots that still need something from a process wait for it no longer: they are of no use."""
    for number in sorted(draft.snapshots):
        progress = draft.snapshots[number]
        if name in progress.absent:  # no process waits for it
            continue
        part = recorded_state.part(draft.system, draft.before, name, number)
        if progress.running and (part is None or not part.done):
            draft.notes += [Absent(number, name, True)] if part is None else []
            draft.notes.append(Unusable(number, name))
            left = replace(progress, unusable=(*progress.unusable, name), waiting=progress.waiting - 1)
            draft.snapshots = draft.snapshots.set(number, left)
            complete(draft, number)


def _lose_inputs(draft: Draft, name: str) -> None:
    """Lose what was on its way to a process, also from those that have crashed before."""
    for channel in draft.system.topology.processes[name].inputs:
        draft.notes += [Lost(channel, message) for message in draft.queues.get(channel, ())]
        draft.queues = draft.queues.delete(channel) if channel in draft.queues else draft.queues
        draft.lanes = draft.lanes.delete(channel) if channel in draft.lanes else draft.lanes


def _notice_emptied(draft: Draft, source: str, channel: str) -> None:
    """Notice that the last message of a crashed process has left the channel."""
    if source in draft.gone:
        _notice_gone(draft, draft.system.topology.channels[channel].target, source)


def _notice_gone(draft: Draft, name: str, gone: str) -> None:
    """Let a neighbour notice a crash, unless something is still to arrive from there."""
    if draft.before.member(name) and channel_name(gone, name) not in draft.queues:
        process = draft.process(name)
        reply(draft, process, draft.algorithm.on_gone(process, draft.memories[name], draft.states[name], gone))


def _remove(draft: Draft, name: str) -> None:
    draft.gone = (*draft.gone, name)
    draft.leaving = tuple(one for one in draft.leaving if one != name)
    draft.wakes = tuple(due for due in draft.wakes if due[0] != name)


def _join(draft: Draft, action: Join) -> None:
    name = action.process
    if name not in draft.unborn or not draft.before.member(draft.system.newcomers[name]):
        raise Refused("{process} cannot join now: it is a member, or was one, or its parent is not one", process=name)
    if settled(draft.system, draft.before):
        raise Refused("{process} cannot join now: a snapshot is in progress, and its members are settled", process=name)
    parent = draft.system.newcomers[name]
    draft.unborn = tuple(one for one in draft.unborn if one != name)
    draft.notes.append(Joined(name, parent))
    process = draft.system.topology.processes[parent]
    for number in sorted(draft.snapshots):
        progress = draft.snapshots[number]
        if progress.running and draft.algorithm.result(process, draft.memories[parent], number) is None:
            absent = tuple(one for one in progress.absent if one != name)
            more = replace(progress, waiting=progress.waiting + 1, uncollected=progress.uncollected + 1)
            draft.snapshots = draft.snapshots.set(number, replace(more, absent=absent))
            for what in progress.turns:
                if (parent, what) in draft.wakes:  # what its parent still has to do, it has to do as well
                    draft.put_off(name, Defer(what))
        else:
            if name not in progress.absent:
                draft.snapshots = draft.snapshots.set(number, replace(progress, absent=(*progress.absent, name)))
            draft.notes.append(Absent(number, name, False))
    if draft.system.causal:
        draft.known = draft.known.set(name, draft.known.get(parent, causal_delivery.NOTHING))


def _leave(draft: Draft, action: Leave) -> None:
    if not leavable(draft.system, draft.before, action.process):
        raise Refused("{process} cannot leave now: no process could take over", process=action.process)
    draft.leaving = (*draft.leaving, action.process)
    draft.notes.append(Leaving(action.process))


def _vanish(draft: Draft) -> None:
    """Remove the leaving processes that have nothing left to do."""
    for name in draft.leaving:
        process = draft.process(name)
        busy = any(c in draft.queues or c in draft.lanes for c in (*process.inputs, *process.outputs))
        busy = busy or any(one == name for one, _ in draft.wakes)
        busy = busy or handing_over(draft.system, draft.world(), name) is not None
        if busy or any(_awaits(draft, number, name) for number in sorted(draft.snapshots)):
            continue
        _remove(draft, name)
        draft.notes.append(Left(name))
        for channel in process.inputs:
            urge(draft, draft.system.topology.channels[channel].source)


def _awaits(draft: Draft, number: int, name: str) -> bool:
    """Does the snapshot still need something from ``name``?"""
    if not draft.snapshots[number].running:
        return False
    part = draft.algorithm.result(draft.system.topology.processes[name], draft.memories[name], number)
    return part is None or not part.done


def _impossible(channel: str, position: int, reason: str) -> Refused:
    """Return the mistake of delivering a message that cannot be delivered now."""
    if not position:
        return Refused(
            "the first message on {channel} cannot be delivered now: {reason}",
            channel=channel,
            reason=REASONS[reason],
        )
    return Refused(
        "the message at position {position} of {channel} cannot be delivered now: {reason}",
        position=position,
        channel=channel,
        reason=REASONS[reason],
    )


_ACTIONS: dict[type, Callable[[Draft, Any], None]] = {
    Deliver: _deliver,
    Collect: _collect,
    Wake: _wake,
    Move: _move,
    Start: _start,
    Drop: _drop,
    Duplicate: _duplicate,
    Overtake: _overtake,
    Partition: _partition,
    Heal: _heal,
    Crash: _crash,
    Join: _join,
    Leave: _leave,
    Abandon: abandon,
    Forget: forget,
    Restore: restore,
    Restart: restart,
}
