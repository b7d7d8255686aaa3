"""What an algorithm promises of the result of a dataflow, whatever crashes; the ledger says what a run shows of it.

*State*: what the algorithm's own module says (``PROMISE``). With weak productions (``ITEMWISE``) the values are
promised only where no operator passes on what it keeps; elsewhere each item counts once, but perhaps with a wrong
value.

*Output*: no more than is promised of the state, and no more than the kind of sink allows. What a plain sink let out
before a crash leaves again, unless nothing is ever repeated. An idempotent sink has each identity once, so its output
is as good as the state, unless a filter looks at totals: then what it let through before a crash may not come again,
and stays. A transaction is visible when its checkpoint is complete; without checkpoints it never is, and one that the
world outside discards is lost. A sink that knows batches by number is as good as the state where there are batches, and
a plain one elsewhere.

A promise that is weaker than exactly once is about how often, not about values; so where a filter looks at totals,
nothing is promised. All of it supposes channels as the algorithm requires them, which lose and duplicate nothing unless
the algorithm itself resends, and a return to the latest checkpoint.

Sources: Apache Flink documentation, "Fault Tolerance Guarantees of Data Sources and Sinks" (end to end the weaker of
checkpoints and sink; a transactional sink exactly once, others at least once; idempotent writes make that effectively
once). Apache Spark, Structured Streaming Programming Guide, "Fault Tolerance Semantics". T. Akidau et al., "MillWheel",
PVLDB 6(11), 2013, sections 6.1.2 and 6.1.3 (strong and weak productions).
"""

from collections.abc import Iterable

from app.analysis.possible_results import Case, steady
from app.core.kernel.enabled import restorable
from app.core.model.algorithm import AnyAlgorithm, Kind
from app.core.model.notes import Lost, only
from app.core.model.value import Frozen
from app.core.model.values import APP, Drop, Duplicate, Overtake, Restore
from app.programs.dataflow import BATCH, IDEMPOTENT, SINK, TRANSACTIONAL, Operator
from app.run.run import Run

EXACTLY, AT_LEAST, AT_MOST, NEITHER = "exactly-once", "at-least-once", "at-most-once", "neither"
WRONG, OTHER = "wrong-values", "other-values"
GUARANTEES = (EXACTLY, OTHER, WRONG, AT_LEAST, AT_MOST, NEITHER)
"""What a run shows, or an algorithm promises, from the best to the worst. WRONG: each item once, but with values that
no run without failures gives (or, as a promise, that it may not give). OTHER, of a run only: with values that the run
without failures does not give in the same order; whether it does in another order is not known."""

COVERED = {
    EXACTLY: (EXACTLY, OTHER),
    WRONG: (EXACTLY, OTHER, WRONG),
    AT_LEAST: (EXACTLY, OTHER, WRONG, AT_LEAST),
    AT_MOST: (EXACTLY, OTHER, WRONG, AT_MOST),
    None: GUARANTEES,
}
"""What a run may show under each promise."""


class Promise(Frozen):
    """The promises for state and output; None where nothing is promised."""

    state: str | None
    output: str | None


def holds(shown: str | None, promised: str | None) -> bool | None:
    """Does each item count exactly once? None where it is not decided, or where a weaker promise allows what the run
    shows."""
    if shown == EXACTLY:
        return True
    kept = promised is not None and shown in COVERED[promised]
    return None if kept or shown in (None, OTHER) else False


def promise(run: Run) -> Promise:
    """Return what the algorithm of a run promises of a dataflow, if the promises apply to the run."""
    if not _supposed(run):
        return Promise(None, None)
    case = Case(None, run.system)
    alike = steady(case)
    state = _of_state(case, steady=alike)
    sinks = [one for one in map(case.operator, run.system.topology.names) if one.role == SINK]
    outputs = [_of_output(run.system.algorithm, state, sink, steady=alike) for sink in sinks]
    return Promise(state, weakest(outputs) if sinks else None)


def _supposed(run: Run) -> bool:
    """Is the run as every promise supposes? A control message may be lost: then a checkpoint does not complete."""
    for step in run.steps:
        if isinstance(step.action, Restore) and step.action.snapshot != restorable(run.world(step.number - 1))[-1]:
            return False
        lost = any(note.message.kind == APP for note in only(Lost, step.notes))
        harmed = isinstance(step.action, Duplicate | Overtake) or (isinstance(step.action, Drop) and lost)
        if harmed and not run.system.algorithm.RECOVERY.repeats:
            return False
    return True


def _of_state(case: Case, *, steady: bool) -> str | None:
    """Return what is promised of the state; ``steady`` says that no filter looks at totals."""
    system, rules = case.system, case.system.algorithm
    if not system.recovers or not system.suits():
        return None
    if rules.DATAFLOW.itemwise and any(case.tells(name) for name in system.topology.names):
        return WRONG if steady else None
    return rules.PROMISE if rules.PROMISE == EXACTLY or steady else None


def _of_output(rules: AnyAlgorithm, state: str | None, sink: Operator, *, steady: bool) -> str | None:
    if state is None or state == AT_MOST:
        return state
    if sink.sink == TRANSACTIONAL:
        if rules.KIND in (Kind.ITEMS, Kind.PRIVATE):
            return AT_MOST
        return state if sink.timeout is None else weakest((state, AT_MOST))
    if sink.sink == BATCH and rules.DATAFLOW.batches:
        return state
    if sink.sink == IDEMPOTENT and steady:
        return state
    return weakest((state, AT_LEAST))


def weakest(promises: Iterable[str | None]) -> str | None:
    """Return the promise that all of these keep."""
    given = list(promises)
    return next((one for one in COVERED if all(set(COVERED[each]) <= set(COVERED[one]) for each in given)), None)
