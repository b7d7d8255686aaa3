"""What ``bluecut sweep`` does, from the spec to the report."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.model import BluecutError
from app.pipeline.engine.packages import needed
from app.pipeline.engine.session import session
from app.pipeline.sweep.grid import Grid
from app.pipeline.sweep.manifest import Manifest, Plan
from app.pipeline.sweep.progress import Progress, Watch, followed, unwatched
from app.pipeline.sweep.spec import Spec
from app.pipeline.sweep.sweep import locked, made, prepared, progress

if TYPE_CHECKING:
    from app.pipeline.verify.verify import Verified


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out: what is complete, and what the verifiers found, where a report was asked for."""

    complete: Manifest
    verified: "Verified | None" = None


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
    """Sweep, and with ``report`` verify and measure, in one session.

    ``batch`` is how many runs a batch has, ``brief`` spares Spark the optimising compiler. ``planned`` is told what is
    to be done before Spark starts, ``watch`` how far it is. Raises BluecutError as ``sweep`` does, and where Spark does
    not start.
    """
    needed()
    directory = directory.absolute()  # tasks may work in another folder
    with locked(directory), followed(directory, watch) as tell:
        plan, cells = prepared(spec, directory, batch)
        planned(plan, cells)
        tell(Progress("starting", plan.runs))
        with session(master, f"bluecut sweep {spec.name}", brief=brief) as spark:
            complete = made(spark, plan, cells, directory, tell)
            if not report:
                return Outcome(complete)
            from app.pipeline.measure.measure import measure
            from app.pipeline.verify.verify import verify

            now = progress(complete)
            tell(replace(now, stage="verifying"))
            verified = verify(spark, directory)
            tell(replace(now, stage="measuring"))
            measure(spark, directory)
            return Outcome(complete, verified)


def refused(directory: Path, error: BluecutError) -> None:
    """Say in the folder, where there is one and nobody else is at work in it, why there is no sweep."""
    if directory.is_dir():
        with suppress(BluecutError), locked(directory), followed(directory):
            raise error
