"""How the snapshots of a run end, in one word each: what the oracle says, and what can still happen.

``right``: complete, and every check holds. ``wrong``: complete, and a check fails. ``unusable``: a part is missing for
good. ``stuck``: processes wait for each other in a circle. ``never``: nothing is under way any more that could complete
it. ``abandoned``: the algorithm gave it up. ``open``: the run ends first.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.algorithms.registry import DESCRIPTIONS
from app.core.kernel.enabled import options
from app.core.model.algorithm import Kind
from app.core.model.recorded_state import channels, parts
from app.core.model.value import Frozen
from app.core.model.values import APP, Collect, Deliver, Json, Wake, World
from app.run.barrier_deadlock import deadlock
from app.run.run import Run

End = Literal["right", "wrong", "unusable", "stuck", "never", "abandoned", "open"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a snapshot ends. ``faults`` are the witnesses of the checks that fail, by name, ``waits`` the (process,
    sender) whose marker is still missing, ``silent`` the processes that have not recorded."""

    snapshot: int
    end: End
    faults: Mapping[str, Json] = field(default_factory=dict)
    waits: tuple[tuple[str, str], ...] = ()
    silent: tuple[str, ...] = ()


def outcomes(run: Run) -> tuple[Outcome, ...]:
    """Return the outcome of every snapshot, in the order of their numbers. One that nobody started has none: where
    markers carry no number and one arrives twice, a process may take it for that of another snapshot."""
    return tuple(_outcome(run, number) for number in run.verdicts if number in run.end.snapshots)


def _outcome(run: Run, number: int) -> Outcome:
    progress, verdict = run.end.snapshots[number], run.verdicts[number]
    if progress.aborted:
        return Outcome(number, "abandoned")
    if progress.waiting:
        waits, silent = _missing(run, number)
        return Outcome(number, _unfinished(run, number), waits=waits, silent=silent)
    if progress.unusable:
        return Outcome(number, "unusable", silent=progress.unusable)
    faults = verdict.failures(len(run.steps))
    return Outcome(number, "wrong" if faults else "right", faults)


def _unfinished(run: Run, number: int) -> End:
    if deadlock(run.system, run.end, number):
        return "stuck"
    lost = run.end.snapshots[number].unusable or run.history.recordings[number].unreachable
    return "never" if lost or not (run.full or _under_way(run)) else "open"


def _under_way(run: Run) -> bool:
    """Can the algorithm still do something by itself? Where messages of the program carry it, or every process starts
    alone, the program can always bring it on."""
    algorithm = run.system.algorithm
    if algorithm.KIND is not Kind.FLOOD or DESCRIPTIONS[algorithm.NAME].colours:
        return True
    return any(reason is None and _of_algorithm(action, run.end) for action, reason in options(run.system, run.end))


def _of_algorithm(action: object, world: World) -> bool:
    if isinstance(action, Deliver):
        return world.queues[action.channel][action.position].kind != APP
    return isinstance(action, Collect | Wake)


def _missing(run: Run, number: int) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return whose markers are missing, and who has not recorded."""
    ends, recorded = run.system.topology.channels, parts(run.system, run.end, number)
    waits = tuple((ends[c].target, ends[c].source) for one in recorded.values() for c in one.open)
    away = run.end.snapshots[number].absent
    return waits, tuple(n for n in run.system.topology.names if n not in recorded and n not in away)


class Sum(Frozen):
    """What a snapshot recorded of one conserved quantity: in each process, in each channel message by message, together
    (``recorded``), and what there is (``total``)."""

    quantity: str
    states: tuple[int, ...]
    messages: tuple[int, ...]
    recorded: int
    total: int


def sums(run: Run, number: int) -> tuple[Sum, ...]:
    """Return the sums of a complete snapshot, one a quantity; none where nothing is conserved."""
    verdict = run.verdicts[number]
    if verdict.checks["conserved"] is None:
        return ()
    told = verdict.witnesses.get("conserved")
    recorded, program = parts(run.system, run.end, number), run.system.program
    held = [program.amounts(part.state) or {} for part in recorded.values()]
    sent = [program.worth(m.payload) for each in channels(run.system, recorded).values() for m in each]
    found = []
    for quantity in dict.fromkeys(name for amounts in (*held, *sent) for name in amounts):
        states = tuple(amounts.get(quantity, 0) for amounts in held)
        messages = tuple(amounts[quantity] for amounts in sent if quantity in amounts)
        together = sum(states) + sum(messages)
        found.append(Sum(quantity, states, messages, together, _of(told["total"], quantity) if told else together))
    return tuple(found)


def _of(total: Json, quantity: str) -> int:
    """Return one quantity of a witness's total, which is a number where the quantity has no name."""
    return int(total.get(quantity, 0) if isinstance(total, dict) else total)
