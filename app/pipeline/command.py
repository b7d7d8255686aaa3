"""What ``bluecut sweep`` does, from the spec to the report."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.pipeline.grid import Grid
from app.pipeline.manifest import Manifest, Plan
from app.pipeline.packages import needed
from app.pipeline.progress import Progress, Watch, followed, unwatched
from app.pipeline.session import session
from app.pipeline.spec import Spec
from app.pipeline.sweep import locked, made, prepared, progress


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
) -> Manifest:
    """Sweep, and with ``report`` verify and measure, in one session; what is complete then.

    ``batch`` is how many runs a batch has, ``brief`` spares Spark the optimising compiler.

    ``planned`` is told what is to be done before Spark starts, ``watch`` how far it is. Raises BluecutError as
    ``sweep`` does, and where Spark does not start.
    """
    needed()
    with locked(directory), followed(directory, watch) as tell:
        plan, cells = prepared(spec, directory, batch)
        planned(plan, cells)
        tell(Progress("starting", plan.runs))
        with session(master, f"bluecut sweep {spec.name}", brief=brief) as spark:
            complete = made(spark, plan, cells, directory, tell)
            if report:
                from app.pipeline.measure import measure
                from app.pipeline.verify import verify

                now = progress(complete)
                tell(replace(now, stage="verifying"))
                verify(spark, directory)
                tell(replace(now, stage="measuring"))
                measure(spark, directory)
    return complete
