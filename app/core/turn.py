"""One step in the making: the building blocks of every step, and the effects that handlers request."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from app.core import recorded
from app.core.algorithm import Effect
from app.core.draft import Draft
from app.core.enabled import hindrance, next_snapshot, obstacle
from app.core.model import (
    APP,
    COMPLETE,
    END,
    MARKER,
    PART,
    WORD,
    Abort,
    Act,
    Advance,
    Ask,
    Begin,
    Defer,
    Fold,
    Message,
    Move,
    Part,
    Post,
    Process,
    Progress,
    Rollback,
    Save,
    Saved,
    Swallow,
    Take,
    Tell,
)
from app.core.notes import (
    Aborted,
    Absent,
    Acted,
    Asked,
    Assembled,
    Completed,
    Deferred,
    Derived,
    Discarded,
    Done,
    Folded,
    Merged,
    Output,
    Received,
    Recorded,
    Returned,
    Started,
    Stored,
    Told,
    Uncollected,
    Unreachable,
)
from app.core.program import COMMIT, EXPIRE, OUT, SEAL, VOID


class Turn(Draft):
    """One step in the making, composed of the building blocks of every step."""

    __slots__ = ()

    def begin(self, name: str) -> None:
        """Let ``name`` start a snapshot."""
        topology = self.system.topology
        number, fresh = next_snapshot(self.system, self.world())
        away = (*self.unborn, *self.gone)
        members = len(topology.names) - len(away)
        progress = Progress((), members, members, absent=away) if fresh else self.snapshots[number]
        initiators = (*progress.initiators, name)
        self.snapshots = self.snapshots.set(number, replace(progress, initiators=initiators))
        self.notes.append(Started(number, name))
        if fresh:
            self.notes += [Absent(number, one, one in self.gone) for one in away]
        if self.algorithm.FLOODS:
            missing = topology.unreachable(initiators, away)
            if missing or (progress.initiators and topology.unreachable(progress.initiators, away)):
                self.notes.append(Unreachable(number, missing))
        process = self.process(name)
        self.reply(process, self.algorithm.on_initiate(process, self.memories[name], self.sealed(name), number))

    def arrive(self, channel: str, position: int, message: Message, detail: Any) -> None:
        """Let the process at the end of a channel handle a message."""
        self.swallowed = False
        self.take(channel, position)
        target = self.system.topology.channels[channel].target
        process = self.process(target)
        state = self.states[target]
        if self.system.causal:
            self.learn(target, message)
        self.notes.append(Received(target, channel, message))
        recording = message.kind != APP or message.payload is END  # the end of a stream may make a process record, too
        memory, seen = self.memories[target], self.sealed(target) if recording else state
        self.reply(process, self.algorithm.on_receive(process, memory, seen, channel, message))
        if self.swallowed:
            self.notes.append(Discarded(target, channel, message))
        elif message.kind == APP:
            state = self.states[target]
            self.become(target, self.system.program.receive(process, state, channel, message.payload, detail))
        if self.system.eager:
            self.urge(target)

    def post(self, name: str, post: Post) -> None:
        """Put a control message, or a copy of an application message, on an output."""
        if post.copy is None:
            message = Message(self.sent, post.kind, post.payload, post.snapshot)
        else:
            message = replace(post.copy, id=self.sent, origin=post.copy.identity)
        self.sent += 1
        self.enqueue(name, post.channel, message)
        if post.first:
            self.hurry(post.channel, len(self.queues[post.channel]) - 1)

    def send(self, name: str, move: Move, state: Any) -> None:
        """Let the program send: its message goes to the end of the queue, and ``state`` is its state then."""
        assert move.channel is not None
        process, algorithm, memory = self.process(name), self.algorithm, self.memories[name]
        message = Message(self.sent, APP, move.payload, None, algorithm.carries(process, memory, move.channel))
        self.sent += 1
        memory, effects = algorithm.on_send(process, memory, move.channel, message)
        effects = tuple(effects)
        ahead = [effect for effect in effects if isinstance(effect, Post) and effect.ahead] if effects else ()
        for post in ahead:
            self.post(name, post)
        self.enqueue(name, move.channel, message)
        self.become(name, state)
        if effects or memory is not self.memories[name]:
            self.reply(process, (memory, [effect for effect in effects if effect not in ahead]))

    def urge(self, name: str) -> None:
        """Let an eager program act as long as it can: what it does next follows in the same step. Messages to a process
        that is gone go nowhere."""
        program = self.system.eager
        if program is None or name in self.down or name in self.gone:
            return
        process = self.process(name)
        while move := program.urge(process, self.states[name]):
            if move.channel is not None and move.channel not in process.outputs:
                move = replace(move, detail=VOID)
                self.notes.append(Acted(name, move))
                self.become(name, program.act(process, self.states[name], move))
                continue
            if hindrance(self.system, self.world(), move):
                return
            self.by_itself(process, move)

    def by_itself(self, process: Process, move: Move) -> None:
        """Let the program make a move in the same step as the cause of that move."""
        self.notes.append(Acted(process.name, move))
        self.act(process, move)

    def act(self, process: Process, move: Move) -> None:
        """Let the program make a move that it can make."""
        state = self.system.program.act(process, self.states[process.name], move)
        if move.channel is not None:
            self.send(process.name, move, state)
            return
        self.become(process.name, state)
        memory, effects = self.algorithm.on_change(process, self.memories[process.name], state)
        if effects or memory is not self.memories[process.name]:
            self.reply(process, (memory, effects))
        if move.detail in (OUT, EXPIRE) and (program := self.system.eager):
            before = self.durable.outside.get(process.name)
            outside = program.publish(process, before, move.payload)
            self.durable = replace(self.durable, outside=self.durable.outside.set(process.name, outside))
            if move.detail == OUT and outside is not before:  # what has left the system does not leave again
                self.notes.append(Output(process.name, move.payload, outside))

    def sealed(self, name: str) -> Any:
        """Return the state of the program as it would be recorded now."""
        state = self.states[name]
        eager = self.system.eager
        return eager.seal(self.process(name), state, self.durable.lives) if eager else state

    def reply(self, process: Process, reply: tuple[Any, Iterable[Effect]]) -> None:
        """Apply what a handler requested."""
        memory, effects = reply
        name = process.name
        if memory is not self.memories[name]:
            self.memories = self.memories.set(name, memory)
        for effect in effects:
            if isinstance(effect, Recorded) and self.system.eager:
                self.seal(process)
            if isinstance(effect, Post):
                self.post(name, effect)
            elif isinstance(effect, Tell):
                self.bring(name, effect.target, effect.snapshot, effect.word, name)
            elif isinstance(effect, Defer):
                self.put_off(name, effect)
            elif isinstance(effect, Swallow):
                self.swallowed = True
            elif isinstance(effect, Fold):
                found = self.system.algorithm.result(process, self.memories[name], effect.snapshot)
                state, received = recorded.applied(self.system, process, found) if found else (None, True)
                if received:
                    self.notes.append(Folded(effect.snapshot, name, state))
            elif isinstance(effect, Abort):
                self.abort(name, effect)
            elif isinstance(effect, Advance):
                self.advance(effect)
            elif isinstance(effect, Ask):
                self.ask(name, effect)
            elif isinstance(effect, Save):
                self.save(name)
            elif isinstance(effect, Rollback):
                self.back(name, effect.saved)
            elif isinstance(effect, Act):
                self.perform(process, effect)
            elif isinstance(effect, Take):
                self.take_all(effect.channel)
            elif isinstance(effect, Begin):
                if len(self.snapshots) < self.system.most:
                    self.begin(name)
            else:
                self.notes.append(effect)
                if isinstance(effect, Done):
                    self.finish(effect)
                elif isinstance(effect, Merged):
                    progress = self.snapshots[effect.snapshot]
                    absent = tuple(one for one in progress.absent if one != effect.process)
                    self.snapshots = self.snapshots.set(effect.snapshot, replace(progress, absent=absent))

    def seal(self, process: Process) -> None:
        """Let the program prepare its output, before a process records."""
        if self.sealed(process.name) is not self.states[process.name]:
            self.by_itself(process, Move(process.name, None, self.durable.lives, SEAL))

    def perform(self, process: Process, effect: Act) -> None:
        """Let the program make a move because the algorithm says so, and continue as far as it can."""
        self.by_itself(process, Move(process.name, None, effect.payload, effect.detail))
        self.urge(process.name)

    def take_all(self, channel: str) -> None:
        """Let a process take what waits in one of its inputs, as long as it can: always the first message, whatever the
        order of delivery."""
        while channel in self.queues and obstacle(self.system, self.world(), channel) is None:
            self.arrive(channel, 0, self.queues[channel][0], None)

    def commit(self, process: Process, state: Any) -> None:
        """Make visible what was prepared by the time the process had ``state``: the snapshot with it is complete."""
        program = self.system.eager
        now = self.states[process.name]
        if program and program.commit(process, now, state) is not now:
            self.by_itself(process, Move(process.name, None, state, COMMIT))
            self.urge(process.name)

    def advance(self, effect: Advance) -> None:
        """Let a marker that waits in an input overtake what stands before it, unless it already has."""
        queue = self.queues.get(effect.channel, ())
        for position, message in enumerate(queue):
            if message.kind == MARKER and message.snapshot == effect.snapshot:
                if message.payload is None:
                    self.hurry(effect.channel, position)
                return

    def ask(self, name: str, effect: Ask) -> None:
        """Ask another process for something; while it is down, the request is lost unless it can wait."""
        target, what = effect.target, effect.what
        if target in (*self.unborn, *self.gone):
            return
        if target not in self.down:
            self.notes.append(Asked(name, target, what))
            self.put_off(target, Defer(what))
        elif self.patient(what):
            self.notes.append(Asked(name, target, what))
            self.wait_for(target, (what,))

    def patient(self, what: str) -> bool:
        """Does a request wait until the process that it goes to is back?"""
        return what.partition(" ")[0] in self.algorithm.PATIENT

    def wait_for(self, name: str, asked: tuple[str, ...]) -> None:
        """Keep the requests to a process until it is back."""
        if asked:
            waiting = self.durable.asked.get(name, ())
            self.durable = replace(self.durable, asked=self.durable.asked.set(name, (*waiting, *asked)))

    def empty(self, name: str) -> tuple[str, ...]:
        """Remove all deferred steps of a process, and return those that can wait."""
        mine = tuple(what for one, what in self.wakes if one == name and self.patient(what))
        self.wakes = tuple(due for due in self.wakes if due[0] != name)
        return mine

    def save(self, name: str) -> None:
        """Save what a process has."""
        mine = self.durable.saved.get(name, ())
        mine = (*mine, Saved(self.states[name], self.memories[name], self.sent))
        self.durable = replace(self.durable, saved=self.durable.saved.set(name, mine))
        self.notes.append(Stored(name, len(mine), self.states[name]))

    def back(self, name: str, number: int) -> None:
        """Roll a process back to what it saved as ``number``; what it sent since is taken out of the channels, unless
        it will be resent under the same id."""
        process = self.process(name)
        mine = self.durable.saved.get(name, ())[:number]
        start = Saved(self.system.program.start(process), self.algorithm.start(process), 0)
        saved = mine[-1] if mine else start
        self.durable = replace(self.durable, saved=self.durable.saved.set(name, mine), lives=self.durable.lives + 1)
        asked = (*self.durable.asked.get(name, ()), *self.empty(name))
        if name in self.durable.asked:
            self.durable = replace(self.durable, asked=self.durable.asked.delete(name))
        memory = self.algorithm.survives(process, self.memories[name], saved.memory)
        self.states = self.states.set(name, saved.state)
        self.memories = self.memories.set(name, memory)
        retracted: list[tuple[str, Message]] = []
        for channel in process.outputs if not self.algorithm.REPEATS else ():
            queue = self.queues.get(channel, ())
            kept = tuple(m for m in queue if m.identity < saved.sent)
            retracted += [(channel, m) for m in queue if m.identity >= saved.sent]
            if queue:
                self.queues = self.queues.set(channel, kept) if kept else self.queues.delete(channel)
        self.notes.append(Returned(name, len(mine), saved.state, tuple(retracted)))
        for what in asked:
            self.put_off(name, Defer(what))
        self.reply(process, self.algorithm.on_return(process, memory, saved.state, len(mine)))
        self.urge(name)

    def put_off(self, name: str, defer: Defer) -> None:
        """Make the deferred step an action of its own, of this process or of every member."""
        names = self.system.topology.names if defer.everywhere else (name,)
        if defer.everywhere:
            number = int(defer.what.rpartition(" ")[2])
            progress = self.snapshots[number]
            self.snapshots = self.snapshots.set(number, replace(progress, turns=(*progress.turns, defer.what)))
        for one in names:
            if (one, defer.what) in self.wakes:
                continue  # taken once, however many processes ask for it
            if one == name or not (one in self.unborn or one in self.gone or one in self.down):
                self.wakes = (*self.wakes, (one, defer.what))
                self.notes.append(Deferred(one, defer.what))

    def abort(self, name: str, abort: Abort) -> None:
        """Abort a snapshot; where requested, start another one."""
        if not self.snapshots[abort.snapshot].running:
            return
        self.give_up(abort.snapshot, name)
        if abort.again and len(self.snapshots) < self.system.most:
            self.begin(name)

    def give_up(self, number: int, name: str | None = None) -> None:
        """Mark a snapshot as never to be used: ``name``, or the process that started it, says so."""
        progress = self.snapshots[number]
        self.snapshots = self.snapshots.set(number, replace(progress, aborted=True))
        self.notes.append(Aborted(number, name or progress.initiators[0]))

    def finish(self, done: Done) -> None:
        """Note that a process has done its part of a snapshot; a second time counts for nothing."""
        progress = self.snapshots.get(done.snapshot)
        if progress is None or progress.aborted:
            return
        if done.process in (*progress.unusable, *progress.absent, *progress.done):
            return
        finished = tuple(sorted((*progress.done, done.process)))  # the same, in whatever order they finish
        progress = replace(progress, waiting=progress.waiting - 1, done=finished)
        self.snapshots = self.snapshots.set(done.snapshot, progress)
        self.derive(done)
        self.complete(done.snapshot)
        if self.system.collect and not self.algorithm.COLLECTS:
            self.hand_over(done.snapshot, done.process, done.process)

    def complete(self, number: int) -> None:
        """Complete a snapshot once no process is waited for."""
        progress = self.snapshots[number]
        if not progress.waiting and not progress.aborted:
            self.notes.append(Completed(number))
            self.subsume(number)
            self.announce(number)

    def subsume(self, number: int) -> None:
        """Abort the snapshots before a complete one, where a coordinator keeps only the latest."""
        if self.algorithm.COORDINATED:
            for earlier in sorted(self.snapshots):
                if earlier < number and self.snapshots[earlier].running:
                    self.give_up(earlier)

    def announce(self, number: int) -> None:
        """Announce that a snapshot is complete to the processes that have prepared something for it."""
        program = self.system.eager
        if program is None:
            return
        for name, part in recorded.parts(self.system, self.world(), number).items():
            state, due = self.states[name], f"{COMPLETE} {number}"
            if program.commit(self.process(name), state, part.state) is state:
                continue
            if name not in self.down:
                self.put_off(name, Defer(due))
            elif self.patient(due):
                self.wait_for(name, (due,))

    def derive(self, done: Done) -> None:
        """Derive what was in flight where both ends of a channel keep histories and have recorded."""
        process = self.process(done.process)
        mine = self.algorithm.result(process, self.memories[done.process], done.snapshot)
        if mine is None or not (mine.sent or mine.received):
            return
        parts: dict[str, Part | None] = {}
        for name in (*process.inputs, *process.outputs):
            channel = self.system.topology.channels[name]
            other = channel.source if channel.target == done.process else channel.target
            if other not in parts:
                parts[other] = self.algorithm.result(self.process(other), self.memories[other], done.snapshot)
            theirs = parts[other]
            if theirs is not None:
                sender, receiver = (theirs, mine) if channel.target == done.process else (mine, theirs)
                if (messages := recorded.derived(sender, receiver, name)) is not None:
                    self.notes.append(Derived(done.snapshot, name, messages))

    def hand_over(self, number: int, part_of: str, here: str) -> None:
        """Bring the part of ``part_of`` one channel nearer to the initiator, or count it as arrived."""
        progress = self.snapshots[number]
        initiator = progress.initiators[0]
        if here == initiator:
            left = progress.uncollected - 1
            self.snapshots = self.snapshots.set(number, replace(progress, uncollected=left))
            if not left:
                self.notes.append(Assembled(number, initiator))
            return
        channel = self.towards(here, initiator)
        if channel is None:
            self.notes.append(Uncollected(number, part_of))
        else:
            self.into_lane(here, channel, PART, part_of, number)

    def bring(self, source: str, aim: str, snapshot: int | None, word: Any, here: str) -> None:
        """Bring what ``source`` tells ``aim`` one channel nearer, or let it be heard."""
        if here == aim:
            self.notes.append(Told(aim, source, snapshot, word))
            process = self.process(aim)
            reply = self.algorithm.on_told(process, self.memories[aim], self.states[aim], source, snapshot, word)
            self.reply(process, reply)
        elif (channel := self.towards(here, aim)) is not None:
            self.into_lane(here, channel, WORD, (source, aim, word), snapshot)

    def towards(self, here: str, aim: str) -> str | None:
        """Return the first channel of a shortest path between members, or None."""
        return self.system.topology.next_channel(here, aim, (*self.unborn, *self.gone))
