"""One step in the making: the building blocks of every step, and the effects that handlers request.

``reply`` applies what a handler returned: each kind of effect has one function, in the table at the end. An effect that
is not in the table is a note, which only says what happened.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from app.core.kernel.enabled import hindrance, next_snapshot, obstacle
from app.core.kernel.progress import finish
from app.core.kernel.world_draft import Draft
from app.core.model import recorded_state
from app.core.model.algorithm import Kind, Reply
from app.core.model.notes import (
    Absent,
    Acted,
    Asked,
    Discarded,
    Done,
    Folded,
    Merged,
    Note,
    Output,
    Received,
    Recorded,
    Returned,
    Started,
    Stored,
    Told,
    Unreachable,
)
from app.core.model.values import (
    APP,
    END,
    MARKER,
    WORD,
    Abort,
    Act,
    Advance,
    Ask,
    Begin,
    Deed,
    Defer,
    Fold,
    Message,
    Move,
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


def begin(draft: Draft, name: str) -> None:
    """Let ``name`` start a snapshot."""
    topology = draft.system.topology
    number, fresh = next_snapshot(draft.system, draft.world())
    away = (*draft.unborn, *draft.gone)
    members = len(topology.names) - len(away)
    progress = Progress((), members, members, absent=away) if fresh else draft.snapshots[number]
    initiators = (*progress.initiators, name)
    draft.snapshots = draft.snapshots.set(number, replace(progress, initiators=initiators))
    draft.notes.append(Started(number, name))
    if fresh:
        draft.notes += [Absent(number, one, one in draft.gone) for one in away]
    if draft.algorithm.KIND is Kind.FLOOD:
        missing = topology.unreachable(initiators, away)
        # A second initiator may reach what the first could not: that is told, too.
        if missing or (progress.initiators and topology.unreachable(progress.initiators, away)):
            draft.notes.append(Unreachable(number, missing))
    process = draft.process(name)
    reply(draft, process, draft.algorithm.on_initiate(process, draft.memories[name], sealed(draft, name), number))


def arrive(draft: Draft, channel: str, position: int, message: Message, detail: str | None) -> None:
    """Let the process at the end of a channel handle a message."""
    draft.swallowed = False
    draft.take(channel, position)
    target = draft.system.topology.channels[channel].target
    process = draft.process(target)
    state = draft.states[target]
    if draft.system.causal:
        draft.learn(target, message)
    draft.notes.append(Received(target, channel, message))
    recording = message.kind != APP or message.payload is END  # the end of a stream may make a process record, too
    memory, seen = draft.memories[target], sealed(draft, target) if recording else state
    reply(draft, process, draft.algorithm.on_receive(process, memory, seen, channel, message))
    if draft.swallowed:
        draft.notes.append(Discarded(target, channel, message))
    elif message.kind == APP:
        state = draft.states[target]
        draft.become(target, draft.system.program.receive(process, state, channel, message.payload, detail))
    if draft.system.eager:
        urge(draft, target)


def urge(draft: Draft, name: str) -> None:
    """Let an eager program act as long as it can: what it does next follows in the same step. Messages to a process
    that is gone go nowhere."""
    program = draft.system.eager
    if program is None or name in draft.down or name in draft.gone:
        return
    process = draft.process(name)
    while move := program.urge(process, draft.states[name]):
        if move.channel is not None and move.channel not in process.outputs:
            move = replace(move, detail=Deed.VOID)
            draft.notes.append(Acted(name, move))
            draft.become(name, program.act(process, draft.states[name], move))
            continue
        if hindrance(draft.system, draft.world(), move):
            return
        _by_itself(draft, process, move)


def act(draft: Draft, process: Process, move: Move) -> None:
    """Let the program make a move that it can make."""
    state = draft.system.program.act(process, draft.states[process.name], move)
    if move.channel is not None:
        _send(draft, process.name, move, state)
        return
    draft.become(process.name, state)
    reply(draft, process, draft.algorithm.on_change(process, draft.memories[process.name], state))
    if move.detail in (Deed.OUT, Deed.EXPIRE) and (program := draft.system.eager):
        before = draft.durable.outside.get(process.name)
        outside = program.publish(process, before, move.payload)
        draft.durable = replace(draft.durable, outside=draft.durable.outside.set(process.name, outside))
        if move.detail == Deed.OUT and outside is not before:  # what has left the system does not leave again
            draft.notes.append(Output(process.name, move.payload, outside))


def _by_itself(draft: Draft, process: Process, move: Move) -> None:
    draft.notes.append(Acted(process.name, move))
    act(draft, process, move)


def _send(draft: Draft, name: str, move: Move, state: object) -> None:
    assert move.channel is not None
    process, algorithm, memory = draft.process(name), draft.algorithm, draft.memories[name]
    message = Message(draft.sent, APP, move.payload, None, algorithm.carries(process, memory, move.channel))
    draft.sent += 1
    memory, effects = algorithm.on_send(process, memory, move.channel, message)
    effects = tuple(effects)
    ahead = [effect for effect in effects if isinstance(effect, Post) and effect.ahead]
    for post in ahead:
        _post(draft, process, post)
    draft.enqueue(name, move.channel, message)
    draft.become(name, state)
    reply(draft, process, (memory, [effect for effect in effects if effect not in ahead]))


def sealed(draft: Draft, name: str) -> object:
    """Return the state of the program as it would be recorded now."""
    state = draft.states[name]
    eager = draft.system.eager
    return eager.seal(draft.process(name), state, draft.durable.lives) if eager else state


def commit(draft: Draft, process: Process, state: object) -> None:
    """Make visible what was prepared by the time the process had ``state``: the snapshot with it is complete."""
    program = draft.system.eager
    now = draft.states[process.name]
    if program and program.commit(process, now, state) is not now:
        _by_itself(draft, process, Move(process.name, None, state, Deed.COMMIT))
        urge(draft, process.name)


def back(draft: Draft, name: str, number: int) -> None:
    """Roll a process back to what it saved as ``number``; what it sent since is taken out of the channels, unless
    it will be resent under the same id."""
    process = draft.process(name)
    mine = draft.durable.saved.get(name, ())[:number]
    start = Saved(draft.system.program.start(process), draft.algorithm.start(process), 0)
    saved = mine[-1] if mine else start
    draft.durable = replace(draft.durable, saved=draft.durable.saved.set(name, mine), lives=draft.durable.lives + 1)
    asked = (*draft.durable.asked.get(name, ()), *draft.empty(name))
    if name in draft.durable.asked:
        draft.durable = replace(draft.durable, asked=draft.durable.asked.delete(name))
    memory = draft.algorithm.survives(process, draft.memories[name], saved.memory)
    draft.states = draft.states.set(name, saved.state)
    draft.memories = draft.memories.set(name, memory)
    retracted: list[tuple[str, Message]] = []
    for channel in process.outputs if not draft.algorithm.RECOVERY.repeats else ():
        queue = draft.queues.get(channel, ())
        kept = tuple(m for m in queue if m.identity < saved.sent)
        retracted += [(channel, m) for m in queue if m.identity >= saved.sent]
        if queue:
            draft.queues = draft.queues.set(channel, kept) if kept else draft.queues.delete(channel)
    draft.notes.append(Returned(name, len(mine), saved.state, tuple(retracted)))
    for what in asked:
        draft.put_off(name, Defer(what))
    reply(draft, process, draft.algorithm.on_return(process, memory, saved.state, len(mine)))
    urge(draft, name)


def bring(draft: Draft, source: str, aim: str, snapshot: int | None, word: object, here: str) -> None:
    """Bring what ``source`` tells ``aim`` one channel nearer, or let it be heard."""
    if here == aim:
        draft.notes.append(Told(aim, source, snapshot, word))
        process = draft.process(aim)
        answer = draft.algorithm.on_told(process, draft.memories[aim], draft.states[aim], source, snapshot, word)
        reply(draft, process, answer)
    elif (channel := draft.towards(here, aim)) is not None:
        draft.into_lane(here, channel, WORD, (source, aim, word), snapshot)


def reply(draft: Draft, process: Process, answer: Reply[Any]) -> None:
    """Apply what a handler answered: the process's new memory, then the effects in their order."""
    memory, effects = answer
    if memory is not draft.memories[process.name]:
        draft.memories = draft.memories.set(process.name, memory)
    for effect in effects:
        _EFFECTS.get(type(effect), _note)(draft, process, effect)


# --- the effects -------------------------------------------------------------------------------------------------


def _note(draft: Draft, process: Process, note: Note) -> None:
    draft.notes.append(note)


def _post(draft: Draft, process: Process, post: Post) -> None:
    if post.copy is None:
        message = Message(draft.sent, post.kind, post.payload, post.snapshot)
    else:
        message = replace(post.copy, id=draft.sent, origin=post.copy.identity)
    draft.sent += 1
    draft.enqueue(process.name, post.channel, message)
    if post.first:
        draft.hurry(post.channel, len(draft.queues[post.channel]) - 1)


def _tell(draft: Draft, process: Process, tell: Tell) -> None:
    bring(draft, process.name, tell.target, tell.snapshot, tell.word, process.name)


def _defer(draft: Draft, process: Process, defer: Defer) -> None:
    draft.put_off(process.name, defer)


def _swallow(draft: Draft, process: Process, swallow: Swallow) -> None:
    draft.swallowed = True


def _fold(draft: Draft, process: Process, fold: Fold) -> None:
    part = draft.algorithm.result(process, draft.memories[process.name], fold.snapshot)
    state, received = recorded_state.applied(draft.system, process, part) if part else (None, True)
    if received:
        draft.notes.append(Folded(fold.snapshot, process.name, state))


def _abort(draft: Draft, process: Process, abort: Abort) -> None:
    if not draft.snapshots[abort.snapshot].running:
        return
    draft.give_up(abort.snapshot, process.name)
    if abort.again:
        _begin(draft, process, Begin())


def _advance(draft: Draft, process: Process, advance: Advance) -> None:
    for position, message in enumerate(draft.queues.get(advance.channel, ())):
        if message.kind == MARKER and message.snapshot == advance.snapshot:
            if message.payload is None:  # otherwise it has overtaken already
                draft.hurry(advance.channel, position)
            return


def _ask(draft: Draft, process: Process, ask: Ask) -> None:
    target, what = ask.target, ask.what
    if target in draft.unborn or target in draft.gone:
        return
    if target not in draft.down:
        draft.notes.append(Asked(process.name, target, what))
        draft.put_off(target, Defer(what))
    elif draft.patient(what):  # any other request is lost
        draft.notes.append(Asked(process.name, target, what))
        draft.wait_for(target, (what,))


def _save(draft: Draft, process: Process, save: Save) -> None:
    name = process.name
    saved = (*draft.durable.saved.get(name, ()), Saved(draft.states[name], draft.memories[name], draft.sent))
    draft.durable = replace(draft.durable, saved=draft.durable.saved.set(name, saved))
    draft.notes.append(Stored(name, len(saved), draft.states[name]))


def _roll_back(draft: Draft, process: Process, rollback: Rollback) -> None:
    back(draft, process.name, rollback.saved)


def _act(draft: Draft, process: Process, act: Act) -> None:
    _by_itself(draft, process, Move(process.name, None, act.payload, act.detail))
    urge(draft, process.name)


def _take(draft: Draft, process: Process, take: Take) -> None:
    while take.channel in draft.queues and obstacle(draft.system, draft.world(), take.channel) is None:
        arrive(draft, take.channel, 0, draft.queues[take.channel][0], None)


def _begin(draft: Draft, process: Process, effect: Begin) -> None:
    if len(draft.snapshots) < draft.system.most:
        begin(draft, process.name)


def _record(draft: Draft, process: Process, note: Recorded) -> None:
    if draft.system.eager and sealed(draft, process.name) is not draft.states[process.name]:
        _by_itself(draft, process, Move(process.name, None, draft.durable.lives, Deed.SEAL))
    draft.notes.append(note)


def _done(draft: Draft, process: Process, note: Done) -> None:
    draft.notes.append(note)
    finish(draft, note)


def _merge(draft: Draft, process: Process, note: Merged) -> None:
    draft.notes.append(note)
    progress = draft.snapshots[note.snapshot]
    absent = tuple(one for one in progress.absent if one != note.process)
    draft.snapshots = draft.snapshots.set(note.snapshot, replace(progress, absent=absent))


_EFFECTS: dict[type, Callable[[Draft, Process, Any], None]] = {
    Post: _post,
    Tell: _tell,
    Defer: _defer,
    Swallow: _swallow,
    Fold: _fold,
    Abort: _abort,
    Advance: _advance,
    Ask: _ask,
    Save: _save,
    Rollback: _roll_back,
    Act: _act,
    Take: _take,
    Begin: _begin,
    Recorded: _record,
    Done: _done,
    Merged: _merge,
}
REQUESTS = frozenset(_EFFECTS)
"""The kinds of effects that do more than say what happened."""
