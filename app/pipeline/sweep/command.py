"""What ``bluecut sweep`` does, from the spec to the report."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.pipeline.engine.packages import needed
from app.pipeline.engine.session import session
from app.pipeline.rows.lock import locked
from app.pipeline.sweep.grid import Grid, grid
from app.pipeline.sweep.manifest import Manifest, Plan, complete_batches, manifest
from app.pipeline.sweep.progress import Progress, Watch, followed, unwatched
from app.pipeline.sweep.spec import Spec
from app.pipeline.sweep.sweep import fit, made, prepared, progress, tidied
from app.pipeline.verify.completeness import check_complete

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from app.pipeline.verify.verify import Verified


class Outcome(Frozen):
    """The result: what is complete, and what the verifiers found if a report was requested. ``swept``, ``judged`` and
    ``measured``: was that done now? What was done before, for the same rows, is not done again."""

    complete: Manifest
    verified: "Verified | None" = None
    swept: bool = False
    judged: bool = False
    measured: bool = False

    @property
    def nothing(self) -> bool:
        """Was nothing left to do?"""
        return not (self.swept or self.judged or self.measured)


def carried_out(
    spec: Spec,
    directory: Path,
    *,
    master: str | None = None,
    report: bool = False,
    brief: bool = False,
    batch: int | None = None,
    planned: Callable[[Plan, Grid], None] = lambda plan, cells: None,
    watch: Watch = unwatched,
) -> Outcome:
    """Sweep, and with ``report`` verify and measure, in one session; only what is not there yet. If nothing is missing,
    Spark is not started.

    ``batch`` is how many runs a batch has, ``brief`` skips Spark's optimising compiler. ``planned`` is called with the
    work to do before Spark starts, ``watch`` with the progress. Raises BluecutError as ``sweep`` does, if written rows
    are gone, or if Spark does not start.
    """
    needed()
    directory = directory.absolute()  # tasks may work in another folder
    fit(directory)
    if not directory.exists():
        grid(spec)  # no folder is made for a spec without any cell that fits
    with locked(directory):
        ready = prepared(spec, directory, batch) if _has_progress(directory) else None
        with followed(directory, watch) as tell:
            plan, cells = ready or prepared(spec, directory, batch)
            planned(plan, cells)
            outcome = _before(directory, report=report)
            if outcome.complete.complete and not (report and (outcome.judged or outcome.measured)):
                tidied(directory, outcome.complete)
                tell(progress(outcome.complete))
                return outcome
            tell(Progress("starting", plan.runs))
            with session(master, f"bluecut sweep {spec.name}", brief=brief) as spark:
                complete = made(spark, plan, cells, directory, tell)
                outcome = replace(outcome, complete=complete, swept=not outcome.complete.complete)
                return _reported(spark, directory, outcome, tell) if report else outcome


def _has_progress(directory: Path) -> bool:
    """Does the folder's sweep have a progress file? Then a refusal must not replace it."""
    return (directory / "sweep.json").exists() and (directory / "progress.json").exists()


def _before(directory: Path, *, report: bool) -> Outcome:
    """Return what is there, and, with ``report``, what is left to do when all runs are there. Raises BluecutError if
    written rows are gone."""
    complete = manifest(directory)
    if not complete.complete:
        return Outcome(complete, judged=report, measured=report)
    check_complete(complete_batches(directory))
    if not report:
        return Outcome(complete)
    from app.pipeline.measure.measure import before as measured
    from app.pipeline.verify.verify import before as verified

    found = verified(directory)
    return Outcome(complete, found, judged=found is None, measured=found is None or not measured(directory))


def _reported(spark: "SparkSession", directory: Path, outcome: Outcome, tell: Watch) -> Outcome:
    """Verify and measure what has not been, in a folder whose lock is held."""
    from app.pipeline.measure.measure import measure
    from app.pipeline.verify.verify import verify

    now = progress(outcome.complete)
    if outcome.judged:
        outcome = replace(outcome, verified=verify(spark, directory, _parts(tell, replace(now, stage="verifying"))))
    if outcome.measured:
        measure(spark, directory, _parts(tell, replace(now, stage="measuring")))
    return outcome


def _parts(tell: Watch, now: Progress) -> Callable[[int, int], None]:
    """Report that a stage begins; return the function that reports how many of its parts are done, out of how many."""
    tell(now)
    return lambda done, of: tell(replace(now, part=done, parts=of))


def refused(directory: Path, error: BluecutError) -> None:
    """Write into the folder why there is no sweep, if it is fit for one, has none, and no other command is at work."""
    if directory.is_dir() and not _has_progress(directory):
        with suppress(BluecutError):
            fit(directory)
            with locked(directory), followed(directory):
                raise error
