"""Recovery: a process goes down, and comes back.

A system recovers in one of two ways, and its algorithm names which. *Rollback*: all processes roll back to one complete
snapshot. Each process gets the state that it recorded, each channel the messages that were recorded in it, and nothing
else is left of what came after: the global state that Theorem 1 proves possible becomes the present one. Only a
coordinator that writes logs keeps what it has: the logs say where to continue. *Local*: the process that has crashed
comes back with what it saved itself, and the others continue. A system that *retries* tasks does that for each of them,
and rolls back when the coordinator has crashed. What its processes have saved of the undone batches is removed as well.

Neither reaches what has left the system.

Sources: K. M. Chandy, L. Lamport 1985, section 4 (the recorded state is one that the run could have passed through); P.
Carbone et al., "Lightweight Asynchronous Snapshots for Distributed Dataflows", 2015, section 4.4; T. Akidau et al.,
"MillWheel", PVLDB 6(11), 2013, section 6.
"""

from immutables import Map
from msgspec.structs import replace

from app.core.kernel import causal_delivery
from app.core.kernel.effects import back, commit, reply, urge
from app.core.kernel.enabled import abandons, restorable, together
from app.core.kernel.world_draft import Draft
from app.core.model import recorded_state
from app.core.model.notes import Down, Forgotten, Restored
from app.core.model.values import ABORT, NO_PAST, Abandon, Defer, Forget, Message, Refused, Restart, Restore, Todo


def fall(draft: Draft, name: str) -> None:
    """Take a process down, with its deferred steps except those that can wait."""
    draft.down = (*draft.down, name)
    draft.wait_for(name, draft.empty(name))
    draft.notes.append(Down(name))


def abandon(draft: Draft, action: Abandon) -> None:
    """Let the coordinator abort a snapshot and tell all processes."""
    progress = draft.snapshots.get(action.snapshot)
    if progress is None or not progress.running or not abandons(draft.algorithm):
        raise Refused("snapshot {snapshot} is not in progress, or cannot be aborted", snapshot=action.snapshot)
    draft.give_up(action.snapshot)
    draft.put_off(progress.initiators[0], Defer(Todo(ABORT, (action.snapshot,)), everywhere=True))


def forget(draft: Draft, action: Forget) -> None:
    """Lose a request on its way."""
    due = (action.process, action.what)
    if due not in draft.wakes or action.what.word not in draft.algorithm.RECOVERY.asked:
        raise Refused("{process} was not asked for {what}", process=action.process, what=str(action.what))
    draft.strike(due)
    draft.notes.append(Forgotten(action.process, action.what))


def restore(draft: Draft, action: Restore) -> None:
    """Roll the whole system back to one snapshot."""
    number, names = action.snapshot, draft.system.topology.names
    if not together(draft.system, draft.before):
        raise Refused("nothing can be restored now: no process is down, or the crashed ones restart alone")
    if number not in restorable(draft.before):
        raise Refused(
            "the system cannot roll back to snapshot {snapshot}; it can to {known} (0 is the beginning)",
            snapshot=number,
            known=restorable(draft.before),
        )
    _keep(draft)
    parts = recorded_state.parts(draft.system, draft.world(), number)
    program, topology = draft.system.program, draft.system.topology
    found = {c: q for c, q in recorded_state.channels(draft.system, parts).items() if q}
    kept = tuple(name for name in names if draft.algorithm.DATAFLOW.logs and name == topology.root)
    states = {n: parts[n].state if number else program.start(topology.processes[n]) for n in names}
    states |= {name: draft.states[name] for name in kept}
    for one in sorted(draft.snapshots):
        if not draft.snapshots[one].aborted and (one > number or draft.snapshots[one].waiting):
            draft.give_up(one)
    draft.states = Map(states)
    memories = {name: draft.algorithm.start(topology.processes[name]) for name in names}
    memories |= {name: _remembered(draft, name, memories[name]) for name in kept}
    queues = {c: _put_back(draft, memories, c, found[c]) for c in topology.channels if c in found}
    draft.memories = Map(memories)
    draft.queues = Map(queues)
    draft.lanes, draft.wakes, draft.down = Map(), (), ()
    count = sum(0 < one <= number for one in restorable(draft.before))
    saved = {name: mine[:count] for name, mine in draft.durable.saved.items() if count}
    draft.durable = replace(draft.durable, lives=draft.durable.lives + 1, saved=Map(saved), asked=Map())
    draft.notes.append(Restored(number, tuple(states.items()), tuple(queues.items()), kept))
    for name in names:
        commit(draft, topology.processes[name], states[name])
        urge(draft, name)
    for name in kept:
        process = topology.processes[name]
        reply(draft, process, draft.algorithm.on_return(process, draft.memories[name], states[name], number))


def _remembered(draft: Draft, name: str, fresh: object) -> object:
    """Return the memory of a process that has written down what it has: all of it, unless it has crashed."""
    if name not in draft.before.down:
        return draft.memories[name]
    return draft.algorithm.survives(draft.system.topology.processes[name], draft.memories[name], fresh)


def _put_back(
    draft: Draft, memories: dict[str, object], channel: str, messages: tuple[Message, ...]
) -> tuple[Message, ...]:
    """Return the recorded messages of a channel as if their sender had just sent them: its memory knows of them,
    and they carry what it gives them now."""
    source = draft.system.topology.channels[channel].source
    process, algorithm = draft.system.topology.processes[source], draft.algorithm
    queue: list[Message] = []
    for message in messages:
        if draft.system.causal and message.past is NO_PAST:  # from a history of what was sent
            known, message = causal_delivery.counted(draft.known.get(source, causal_delivery.NOTHING), channel, message)
            draft.known = draft.known.set(source, known)
        queue.append(replace(message, tag=algorithm.carries(process, memories[source], channel)))
        memories[source], _ = algorithm.on_send(process, memories[source], channel, queue[-1])
    return tuple(queue)


def _keep(draft: Draft) -> None:
    """Store what has been recorded apart from the processes, which are about to forget it."""
    kept = draft.durable.parts
    for number in sorted(draft.snapshots):
        if number not in kept:
            kept = kept.set(number, Map(recorded_state.parts(draft.system, draft.before, number)))
    draft.durable = replace(draft.durable, parts=kept)


def restart(draft: Draft, action: Restart) -> None:
    """Bring a process back with what it saved last."""
    name = action.process
    if name not in draft.down or together(draft.system, draft.before):
        raise Refused("{process} cannot restart now: it is not down, or cannot restart alone", process=name)
    draft.down = tuple(one for one in draft.down if one != name)
    back(draft, name, len(draft.durable.saved.get(name, ())))
