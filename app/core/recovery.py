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
"MillWheel", PVLDB 6(11), 2013, section 5.
"""

from dataclasses import replace
from typing import Any

from immutables import Map

from app.core import order, recorded
from app.core.enabled import abandons, restorable, together
from app.core.model import ABORT, Abandon, Defer, Forget, Message, Refused, Restart, Restore
from app.core.notes import Down, Forgotten, Restored
from app.core.turn import Turn


class Recovery(Turn):
    """The steps by which a system loses a process and gets it back."""

    __slots__ = ()

    def fall(self, name: str) -> None:
        """Take a process down, with its deferred steps except those that can wait."""
        self.down = (*self.down, name)
        self.wait_for(name, self.empty(name))
        self.notes.append(Down(name))

    def abandon(self, action: Abandon) -> None:
        """Let the coordinator abort a snapshot and tell all processes."""
        progress = self.snapshots.get(action.snapshot)
        if progress is None or not progress.running or not abandons(self.algorithm):
            raise Refused("snapshot {snapshot} is not in progress, or cannot be aborted", snapshot=action.snapshot)
        self.give_up(action.snapshot)
        self.put_off(progress.initiators[0], Defer(f"{ABORT} {action.snapshot}", everywhere=True))

    def forget(self, action: Forget) -> None:
        """Lose a request on its way."""
        due = (action.process, action.what)
        if due not in self.wakes or action.what.split()[0] not in self.algorithm.ASKED:
            raise Refused("{process} was not asked for {what}", process=action.process, what=action.what)
        self.strike(due)
        self.notes.append(Forgotten(action.process, action.what))

    def restore(self, action: Restore) -> None:
        """Roll the whole system back to one snapshot."""
        number, names = action.snapshot, self.system.topology.names
        if not together(self.system, self.before):
            raise Refused("nothing can be restored now: no process is down, or the crashed ones restart alone")
        if number not in restorable(self.before):
            raise Refused(
                "the system cannot roll back to snapshot {snapshot}; it can to {known} (0 is the beginning)",
                snapshot=number,
                known=restorable(self.before),
            )
        self.keep()
        parts = recorded.parts(self.system, self.world(), number)
        program, topology = self.system.program, self.system.topology
        found = {c: q for c, q in recorded.channels(self.system, parts).items() if q}
        kept = tuple(name for name in names if self.algorithm.LOGS and name == topology.root)
        states = {n: parts[n].state if number else program.start(topology.processes[n]) for n in names}
        states |= {name: self.states[name] for name in kept}
        for one in sorted(self.snapshots):
            if not self.snapshots[one].aborted and (one > number or self.snapshots[one].waiting):
                self.give_up(one)
        self.states = Map(states)
        memories = {name: self.algorithm.start(topology.processes[name]) for name in names}
        memories |= {name: self.remembered(name, memories[name]) for name in kept}
        queues = {c: self.put_back(memories, c, found[c]) for c in topology.channels if c in found}
        self.memories = Map(memories)
        self.queues = Map(queues)
        self.lanes, self.wakes, self.down = Map(), (), ()
        count = sum(0 < one <= number for one in restorable(self.before))
        saved = {name: mine[:count] for name, mine in self.durable.saved.items() if count}
        self.durable = replace(self.durable, lives=self.durable.lives + 1, saved=Map(saved), asked=Map())
        self.notes.append(Restored(number, tuple(states.items()), tuple(queues.items()), kept))
        for name in names:
            self.commit(topology.processes[name], states[name])
            self.urge(name)
        for name in kept:
            process = topology.processes[name]
            self.reply(process, self.algorithm.on_return(process, self.memories[name], states[name], number))

    def remembered(self, name: str, fresh: Any) -> Any:
        """Return the memory of a process that has written down what it has: all of it, unless it has crashed."""
        if name not in self.before.down:
            return self.memories[name]
        return self.algorithm.survives(self.system.topology.processes[name], self.memories[name], fresh)

    def put_back(self, memories: dict[str, Any], channel: str, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """Return the recorded messages of a channel as if their sender had just sent them: its memory knows of them,
        and they carry what it gives them now."""
        source = self.system.topology.channels[channel].source
        process, algorithm = self.system.topology.processes[source], self.algorithm
        queue: list[Message] = []
        for message in messages:
            if self.system.causal and message.past is None:  # from a history of what was sent
                known, message = order.counted(self.known.get(source, order.NOTHING), channel, message)
                self.known = self.known.set(source, known)
            queue.append(replace(message, tag=algorithm.carries(process, memories[source], channel)))
            memories[source], _ = algorithm.on_send(process, memories[source], channel, queue[-1])
        return tuple(queue)

    def keep(self) -> None:
        """Store what has been recorded apart from the processes, which are about to forget it."""
        kept = self.durable.parts
        for number in sorted(self.snapshots):
            if number not in kept:
                kept = kept.set(number, Map(recorded.parts(self.system, self.before, number)))
        self.durable = replace(self.durable, parts=kept)

    def restart(self, action: Restart) -> None:
        """Bring a process back with what it saved last."""
        name = action.process
        if name not in self.down or together(self.system, self.before):
            raise Refused("{process} cannot restart now: it is not down, or cannot restart alone", process=name)
        self.down = tuple(one for one in self.down if one != name)
        self.back(name, len(self.durable.saved.get(name, ())))
