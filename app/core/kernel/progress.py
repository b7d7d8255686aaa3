"""The progress of snapshots: which processes have done their part, what is complete, and where its parts are."""

from msgspec.structs import replace

from app.core.kernel.world_draft import Draft
from app.core.model import recorded_state
from app.core.model.notes import Assembled, Completed, Derived, Done, Uncollected
from app.core.model.values import COMPLETE, PART, Defer, Part, Todo


def finish(draft: Draft, done: Done) -> None:
    """Note that a process has done its part of a snapshot; a second time counts for nothing."""
    progress = draft.snapshots.get(done.snapshot)
    if progress is None or progress.aborted:
        return
    if done.process in progress.done or done.process in progress.unusable or done.process in progress.absent:
        return
    progress = replace(progress, waiting=progress.waiting - 1, done=progress.done.set(done.process, True))
    draft.snapshots = draft.snapshots.set(done.snapshot, progress)
    _derive(draft, done)
    complete(draft, done.snapshot)
    if draft.system.collect and not draft.algorithm.COLLECTS:
        bring_part(draft, done.snapshot, done.process, done.process)


def complete(draft: Draft, number: int) -> None:
    """Complete a snapshot once no process is waited for."""
    progress = draft.snapshots[number]
    if not progress.waiting and not progress.aborted:
        draft.notes.append(Completed(number))
        _subsume(draft, number)
        _announce(draft, number)


def _subsume(draft: Draft, number: int) -> None:
    """Abort the snapshots before a complete one, where a coordinator keeps only the latest."""
    if draft.algorithm.COORDINATED:
        for earlier in sorted(draft.snapshots):
            if earlier < number and draft.snapshots[earlier].running:
                draft.give_up(earlier)


def _announce(draft: Draft, number: int) -> None:
    """Announce that a snapshot is complete to the processes that have prepared something for it."""
    program = draft.system.eager
    if program is None:
        return
    for name, part in recorded_state.parts(draft.system, draft.world(), number).items():
        state, due = draft.states[name], Todo(COMPLETE, (number,))
        if program.commit(draft.process(name), state, part.state) is state:
            continue
        if name not in draft.down:
            draft.put_off(name, Defer(due))
        elif draft.patient(due):
            draft.wait_for(name, (due,))


def _derive(draft: Draft, done: Done) -> None:
    """Derive what was in flight where both ends of a channel keep histories and have recorded."""
    process = draft.process(done.process)
    mine = draft.algorithm.result(process, draft.memories[done.process], done.snapshot)
    if mine is None or not (mine.sent or mine.received):
        return
    parts: dict[str, Part | None] = {}
    for name in (*process.inputs, *process.outputs):
        channel = draft.system.topology.channels[name]
        other = channel.source if channel.target == done.process else channel.target
        if other not in parts:
            parts[other] = draft.algorithm.result(draft.process(other), draft.memories[other], done.snapshot)
        theirs = parts[other]
        if theirs is not None:
            sender, receiver = (theirs, mine) if channel.target == done.process else (mine, theirs)
            if (messages := recorded_state.derived(sender, receiver, name)) is not None:
                draft.notes.append(Derived(done.snapshot, name, messages))


def bring_part(draft: Draft, number: int, part_of: str, here: str) -> None:
    """Bring the part of ``part_of`` one channel nearer to the initiator, or count it as arrived."""
    progress = draft.snapshots[number]
    initiator = progress.initiators[0]
    if here == initiator:
        left = progress.uncollected - 1
        draft.snapshots = draft.snapshots.set(number, replace(progress, uncollected=left))
        if not left:
            draft.notes.append(Assembled(number, initiator))
        return
    channel = draft.towards(here, initiator)
    if channel is None:
        draft.notes.append(Uncollected(number, part_of))
    else:
        draft.into_lane(here, channel, PART, part_of, number)
