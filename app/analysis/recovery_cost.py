"""The cost for a dataflow of being safe, and of recovering from a crash, counted from the run itself.

Nothing here trusts an algorithm: writes are the states that were stored, resent messages those that entered a channel
under an id that it had carried before, duplicates those that a process discarded. What a crash undid, and how often an
item was taken, is the ledger's (see ``app.analysis.ledger``).

A crash is over when all processes are back and all that had been read and had arrived before it has been once more.
"""

from collections import Counter

from msgspec import json

from app.analysis.checkpoint_sizes import stores
from app.analysis.failure_free import identified
from app.analysis.ledger import ledger
from app.core.model.notes import Acked, Asked, Catalogued, Discarded, Done, Note, Restored, Returned, Sent, Stored, only
from app.core.model.recorded_state import part
from app.core.model.value import Frozen
from app.core.model.values import APP, Crash, Deed, Json, Message, Wake
from app.core.oracle.history import RECEIVE, Event, History
from app.programs.dataflow import COORDINATOR, SOURCE, Dataflow, State
from app.run.run import Run, Step
from app.scenario import state_text


class RecoveryCost(Frozen):
    """What a run paid, before any crash and after.

    ``records`` were read, each counted once; ``operators`` are all processes except the coordinator. ``checkpoints``
    were completed; ``writes`` is how often the state of one process was stored, ``size`` how much that was in bytes, as
    files in full would have them (see ``app.analysis.checkpoint_sizes``); ``words`` are barriers, acknowledgements and
    other messages for the sake of safety. ``ids`` is how many ids of messages were kept at once at most, ``kept`` how
    many in the end, ``collected`` how many were dropped.

    ``crashes``; ``restarts``: how often a process rolled back, ``returned``: which ones did; ``replayed`` are the items
    that sources read once more, ``redone`` those that operators took once more; ``resent`` messages were sent again
    under the same id, ``dropped`` discarded as known. ``whole`` is how many steps it took after each crash until the
    result was whole again, None where that never happened.
    """

    records: int
    operators: int
    checkpoints: int
    writes: int
    size: int
    words: int
    ids: int
    kept: int
    collected: int
    crashes: int
    restarts: int
    returned: tuple[str, ...]
    replayed: int
    redone: int
    resent: int
    dropped: int
    whole: tuple[int | None, ...]


def recovery_cost(run: Run) -> RecoveryCost | None:
    """Return what the run paid; None where the program is no dataflow."""
    book = ledger(run)
    program = run.system.program
    if book is None or not isinstance(program, Dataflow):
        return None
    notes = [note for step in run.steps for note in step.notes]
    roles = {name: program.operator(process).role for name, process in run.system.topology.processes.items()}
    written = [size for step in run.steps for size in stored(run, step)]
    most, kept = _catalogues(notes)
    back = _returned(notes)
    return RecoveryCost(
        records=sum(one.counted for one in book.work if one.role == SOURCE),
        operators=sum(role != COORDINATOR for role in roles.values()),
        checkpoints=sum(seen.completed is not None for seen in run.history.recordings.values()),
        writes=len(written),
        size=sum(written),
        words=sum(map(_words, run.steps)),
        ids=most,
        kept=kept,
        collected=sum(note.collected for note in only(Catalogued, notes)),
        crashes=sum(1 for _ in run.steps_of(Crash)),
        restarts=book.restarts,
        returned=tuple(name for name in run.system.topology.names if name in back and roles[name] != COORDINATOR),
        replayed=book.reread,
        redone=book.again - book.reread,
        resent=resent(run),
        dropped=sum(1 for _ in only(Discarded, notes)),
        whole=_whole(run),
    )


def _words(step: Step) -> int:
    """Return how many messages of a step served safety alone. An acknowledgement that is requested as a word counts as
    one."""
    asked = [note.process for note in only(Asked, step.notes)]
    acked = sum(note.process not in asked for note in only(Acked, step.notes))
    sent = sum(note.control and note.message.kind != APP for note in only(Sent, step.notes))  # without resent items
    return len(asked) + acked + sent


def stored(run: Run, step: Step) -> list[int]:
    """Return the size of each state that was stored in a step, with all that was stored in the same write: the messages
    recorded in channels, or the id of the message that was saved with it. A coordinator that has nothing stores
    nothing."""
    together = run.system.algorithm.RECOVERY.way != "local"
    acked = [note.process for note in only(Acked, step.notes)]
    found = []
    for note in step.notes:
        if isinstance(note, Stored) and not together:
            saved = step.action.what.about if isinstance(step.action, Wake) else ""
            found.append(_weight(note.state) + len(saved.encode()))
        elif isinstance(note, Done) and (together or note.process in acked):
            mine = part(run.system, run.world(step.number), note.process, note.snapshot)
            if mine is not None and (note.process in acked or mine.state != state_text.NOTHING):
                logged = [messages for _, messages in mine.channels if messages]
                found.append(_weight(mine.state) + sum(len(state_text.written_flight(messages)) for messages in logged))
    return found


def _weight(state: State) -> int:
    """Return the bytes of a state, written whole; none where there is nothing to write."""
    return (
        0 if state == state_text.NOTHING else len(state_text.written(state_text.keyed(state), state_text.rest(state)))
    )


def _catalogues(notes: list[Note]) -> tuple[int, int]:
    """Return how many ids all processes together kept at most, and in the end."""
    kept: Counter[str] = Counter()
    most = 0
    for note in only(Catalogued, notes):
        kept[note.process] = note.kept
        most = max(most, kept.total())
    return most, kept.total()


def _returned(notes: list[Note]) -> set[str]:
    """Return the processes that rolled back."""
    alone = {note.process for note in only(Returned, notes)}
    return alone | {name for note in only(Restored, notes) for name, _ in note.states}


def resent(run: Run, upto: int | None = None) -> int:
    """Return how many messages entered a channel as copies of another, or under an id that it had carried before; by
    step ``upto``, where one is given."""
    seen: set[tuple[str, str]] = set()
    count = 0
    for step in run.steps[:upto]:
        for note in only(Sent, step.notes):
            if note.message.kind == APP:
                ident = _named(run, note.channel, note.message)
                count += note.message.origin is not None or ident in seen
                seen |= {ident} if ident else set()
    return count


def _named(run: Run, channel: str, message: Message) -> tuple[str, str] | None:
    """Return the id that a message carries, with its channel; None where messages carry none."""
    return (channel, str(message.tag[0])) if run.system.algorithm.RECOVERY.repeats else None


# --- until the result is whole ------------------------------------------------------------------------------------


def _whole(run: Run) -> tuple[int | None, ...]:
    """Return, for each crash, the steps from it until the result was as far as before; None where it never was."""
    history = History(run.system.topology.names)
    ends: dict[int, int | None] = {}
    before: dict[int, Counter[object]] = {}
    lacking: dict[int, Counter[object]] = {}
    seen, lives = 0, 0
    for step in run.steps:
        if isinstance(step.action, Crash):
            before[step.number], ends[step.number] = _done(history.events), None
        history.watch(step.action, step.notes)
        if len(history.lives) != lives:
            lives, now = len(history.lives), _done(history.events)
            lacking = {crash: before[crash] - now for crash, end in ends.items() if end is None}
        else:
            fresh = _done(history.events[seen:])
            lacking = {crash: left - fresh for crash, left in lacking.items()}
        seen = len(history.events)
        for crash, left in list(lacking.items()):
            if not left and not run.world(step.number).down:
                ends[crash] = step.number - crash
                del lacking[crash]
    return tuple(ends.values())


def _done(events: list[Event]) -> Counter[object]:
    """Return what was read, and what arrived, however often."""
    found: Counter[object] = Counter()
    for event in events:
        if event.kind == RECEIVE and event.message is not None:
            found[event.channel, identified(event.message.payload)] += 1
        elif event.action.reads:
            found[Deed.READ, event.process, event.state.offset] += event.channel is None
    return +found


# --- in JSON ------------------------------------------------------------------------------------------------------


def summary(paid: RecoveryCost) -> Json:
    """Return what ``bluecut run --json`` prints about recovery."""
    return json.decode(json.encode(paid))  # lists, not tuples: expectations compare them with lists


def _items(run: Run) -> int:
    return sum(step.action.reads for step in run.steps)


def states_per_item(run: Run) -> float:
    """Return how many states of processes were stored per item."""
    return sum(len(stored(run, step)) for step in run.steps) / _items(run)


def keys_written(run: Run, way: str) -> float:
    """Return how many keys checkpoints wrote per item in one ``way``."""
    return sum(file.keys for one in stores(run) or () if one.way == way for file in one.written) / _items(run)


def keys_changed(run: Run) -> float:
    """Return how many keys per item differed, in all states that were stored for single items, from what their process
    had stored before."""
    before: dict[str, state_text.Keyed] = {}
    count = 0
    for note in (note for step in run.steps for note in only(Stored, step.notes)):
        now = state_text.keyed(note.state)
        count += sum(before.get(note.process, {}).get(key) != value for key, value in now.items())
        before[note.process] = now
    return count / _items(run)
