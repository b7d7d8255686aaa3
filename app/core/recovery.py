"""What follows a crash: somebody is down, and comes back.

A system that recovers does so in one of two ways, which its algorithm names. *Rollback*: everybody goes back to one
complete snapshot. Each process gets the state that it recorded, each channel the messages that were recorded in it, and
nothing else is left of what came after; it is the global state that Theorem 1 proves possible, made the present one.
Only a coordinator that writes logs keeps what it has: the logs say where to go on.
*Local*: who has crashed comes back with what it saved by itself, and the others go on.

What has left the system is out of reach of both.

Sources: K. M. Chandy, L. Lamport 1985, section 4 (the recorded state is one that the run could have passed through);
P. Carbone et al., "Lightweight Asynchronous Snapshots for Distributed Dataflows", 2015, section 4.4; T. Akidau et al.,
"MillWheel", PVLDB 6(11), 2013, section 5.
"""

from dataclasses import replace

from immutables import Map

from app.core import recorded
from app.core.enabled import abandons, restorable
from app.core.model import ABORT, Abandon, Defer, Forget, Message, Refused, Restart, Restore
from app.core.notes import Down, Forgotten, Restored
from app.core.turn import Turn


class Recovery(Turn):
    """The steps by which a system loses a process and gets it back."""

    __slots__ = ()

    def fall(self, name: str) -> None:
        """A process goes down; what it had put off goes with it, but for what can wait."""
        self.down = (*self.down, name)
        self.wait_for(name, self.empty(name))
        self.notes.append(Down(name))

    def abandon(self, action: Abandon) -> None:
        """The coordinator gives a snapshot up and lets everybody know."""
        progress = self.snapshots.get(action.snapshot)
        if progress is None or not progress.running or not abandons(self.algorithm):
            raise Refused("snapshot {snapshot} is not under way, or nobody can give it up", snapshot=action.snapshot)
        self.give_up(action.snapshot)
        self.put_off(progress.initiators[0], Defer(f"{ABORT} {action.snapshot}", everywhere=True))

    def forget(self, action: Forget) -> None:
        """What somebody asked for is lost on its way."""
        due = (action.process, action.what)
        if due not in self.wakes or action.what.split()[0] not in self.algorithm.ASKED:
            raise Refused("{process} was not asked for {what}", process=action.process, what=action.what)
        self.strike(due)
        self.notes.append(Forgotten(action.process, action.what))

    def restore(self, action: Restore) -> None:
        """Everything goes back to one snapshot."""
        number, names = action.snapshot, self.system.topology.names
        if not self.down or self.algorithm.RECOVERY != "rollback":
            raise Refused("nothing can be restored now: nobody is down, or the algorithm does not roll back")
        if number not in restorable(self.before):
            raise Refused(
                "the system cannot go back to snapshot {snapshot}; it can to {known} (0 is the beginning)",
                snapshot=number,
                known=restorable(self.before),
            )
        self.keep()
        parts = recorded.parts(self.system, self.world(), number)
        program, topology = self.system.program, self.system.topology
        found = {c: q for c, q in recorded.channels(self.system, parts).items() if q}
        queues: dict[str, tuple[Message, ...]] = {c: found[c] for c in topology.channels if c in found}
        kept = tuple(name for name in names if self.algorithm.LOGS and name == topology.root)
        states = {n: parts[n].state if number else program.start(topology.processes[n]) for n in names}
        states |= {name: self.states[name] for name in kept}
        for one in sorted(self.snapshots):
            if not self.snapshots[one].aborted and (one > number or self.snapshots[one].waiting):
                self.give_up(one)
        self.states = Map(states)
        memories = {name: self.algorithm.start(topology.processes[name]) for name in names}
        self.memories = Map(memories | {name: self.memories[name] for name in kept})
        self.queues = Map(queues)
        self.lanes, self.wakes, self.down = Map(), (), ()
        self.durable = replace(self.durable, lives=self.durable.lives + 1)
        self.notes.append(Restored(number, tuple(states.items()), tuple(queues.items()), kept))
        for name in names:
            self.commit(topology.processes[name], states[name])
            self.urge(name)
        for name in kept:
            process = topology.processes[name]
            self.reply(process, self.algorithm.on_return(process, self.memories[name], states[name], number))

    def keep(self) -> None:
        """What has been recorded is stored apart from the processes, which are about to forget it."""
        kept = self.durable.parts
        for number in sorted(self.snapshots):
            if number not in kept:
                kept = kept.set(number, Map(recorded.parts(self.system, self.before, number)))
        self.durable = replace(self.durable, parts=kept)

    def restart(self, action: Restart) -> None:
        """Who was down comes back with what it saved last."""
        name = action.process
        if name not in self.down or self.algorithm.RECOVERY != "local":
            raise Refused("{process} cannot restart now: it is not down, or does not come back alone", process=name)
        self.down = tuple(one for one in self.down if one != name)
        self.back(name, len(self.durable.saved.get(name, ())))
