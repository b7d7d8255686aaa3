"""The run that shows what a class did: the same steps by hand, each verb a step of its own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from msgspec import structs

from app.algorithms.shared.verbs import CLOSE, DONE, EMPTY, RECORD, SEND_MARKER, STEPS
from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.system import System
from app.core.model.value import Frozen
from app.core.model.values import APP, Action, Deliver, Refused, Todo, Wake, World
from app.judge.mistake import Mistake
from app.judge.suite import TrialSystem
from app.judge.written import Call, Use, Written
from app.scenario.run_key import MOST_CHOICES, Choices, RunKey

BEFORE = (RECORD, SEND_MARKER)
"""What a class does with a message before its program sees it; it can log and close when the message is there."""


class Replay(Frozen):
    """A run by hand: its key, and for each step the lines of the file that belong to it; and what its first snapshot
    that is not complete lacks, by verbs: the processes that have not recorded or are not done, the inputs that nobody
    has closed. A process that lacks an earlier one is not named again. Where channels are FIFO and nobody has sent a
    marker, that comes first."""

    key: RunKey
    lines: tuple[tuple[int, ...], ...]
    lacks: Mapping[str, tuple[str, ...]]


def replay(system: TrialSystem, written: Written, choices: Choices) -> Replay:
    """Return the run by hand of the choices of a run of the class; its last step may be one in which the class broke
    down."""
    real = system.scenario.system(system.key)
    theirs = replace(real, algorithm=written.algorithm(real.program))
    made = list[tuple[int, int]]()
    lines = list[tuple[int, ...]]()
    by_hand, world, silent = real.begin(), theirs.begin(), real.fifo
    for _, index in choices:
        action = enabled(theirs, world)[index]
        written.calls = []
        try:
            after = step(theirs, world, action)[0]
        except Mistake:
            after = world  # its verbs are not carried out; the event is
        for one, executed in _in_order(world, action, written.calls):
            chosen = _carried_on(real, by_hand, one)
            if chosen is None or len(made) == MOST_CHOICES:
                break
            silent = silent and not (isinstance(one, Wake) and one.what.word == STEPS[SEND_MARKER])
            made.append((len(made), chosen[0]))
            lines.append(executed)
            by_hand = chosen[1]
        world = after
    written.calls = None
    lacks = ({SEND_MARKER: ()} if silent else {}) | _lacks(real, by_hand)
    return Replay(structs.replace(system.key, choices=tuple(made)), tuple(lines), lacks)


def _lacks(system: System, world: World) -> dict[str, tuple[str, ...]]:
    """Return what the first snapshot that is not complete lacks, by verbs."""
    for number in sorted(world.snapshots):
        found: dict[str, list[str]] = {RECORD: [], CLOSE: [], DONE: []}
        for name, process in system.topology.processes.items():
            table = world.memories[name].ledger.get(number, EMPTY)
            if not table.state:
                found[RECORD].append(name)
            elif left := [channel for channel in process.inputs if channel not in table.closed]:
                found[CLOSE] += left
            elif not table.done:
                found[DONE].append(name)
        if any(found.values()):
            return {verb: tuple(names) for verb, names in found.items() if names}
    return {}


def _carried_on(system: System, world: World, action: Action) -> tuple[int, World] | None:
    """Return the index of an action and the world after it; None where it is impossible by hand."""
    possible = enabled(system, world)
    if action not in possible:
        return None
    try:
        return possible.index(action), step(system, world, action)[0]
    except Refused:
        return None


def _in_order(world: World, action: Action, calls: Sequence[Call]) -> Iterator[tuple[Action, tuple[int, ...]]]:
    """Yield an action and the verbs that it caused, as they follow each other by hand."""
    uses = [(call.process, use) for call in calls for use in call.uses]
    # A line with a verb is lit in the step of the verb.
    apart = {line for _, use in uses for line in _line(use)}
    executed = tuple(sorted({line for call in calls for line in call.lines} - apart))
    early: Iterable[tuple[str, Use]] = ()
    if isinstance(action, Deliver) and world.queues[action.channel][action.position].kind == APP:
        early = [(process, use) for process, use in uses if use.verb in BEFORE]
        uses = [(process, use) for process, use in uses if use.verb not in BEFORE]
    for process, use in early:
        yield _verb(process, use), _line(use)
    yield action, executed
    for process, use in uses:
        yield _verb(process, use), _line(use)


def _verb(process: str, use: Use) -> Wake:
    return Wake(process, Todo(STEPS[use.verb], (use.snapshot,), use.channel or ""))


def _line(use: Use) -> tuple[int, ...]:
    return () if use.line is None else (use.line,)
