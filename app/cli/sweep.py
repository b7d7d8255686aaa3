"""``bluecut sweep``: many runs on Spark, as rows in a folder."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.check import counted
from app.cli.key import in_language
from app.cli.output import oneline, say, working
from app.cli.scenario import text
from app.cli.spark import on_spark
from app.cli.verify import lines
from app.core.model import BluecutError
from app.narration.mistake import told
from app.narration.tell import word

if TYPE_CHECKING:
    from app.pipeline.sweep.grid import Grid
    from app.pipeline.sweep.manifest import Plan
    from app.pipeline.sweep.progress import Progress


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, metavar="DIR", help="The folder.")
@click.option("--report", is_flag=True, help="Verify and measure, too: all that the Lab page shows.")
@click.option("--brief", is_flag=True, help="For work of some seconds: spare Spark the optimising compiler.")
@click.option("--batch", type=click.IntRange(1, 1_000_000), help="How many runs become complete at once.")
@on_spark
@in_language
def sweep(spec: Path, output: Path, master: str | None, report: bool, brief: bool, batch: int | None, lang: str) -> int:
    """Make all the runs that SPEC, a YAML file, describes, and write what happened into DIR.

    The same command goes on where an earlier one was stopped. (See scenarios/sweeps for specs.) With --report, the
    exit status is that of bluecut verify.
    """
    from app.pipeline.sweep.command import carried_out, refused
    from app.pipeline.sweep.spec import load_spec

    try:
        chosen = load_spec(text(spec), str(spec), folder=spec.parent)
    except BluecutError as error:
        refused(output, error)
        raise
    with working(word("cli.sweep.stage.starting", lang)) as status:

        def planned(plan: "Plan", cells: "Grid") -> None:
            runs, many = counted(plan.runs, "run", lang), counted(len(cells.cells), "cell", lang)
            say([word("cli.sweep.planned", lang, runs=runs, cells=many, batch=plan.batch)])
            for one in cells.left:
                what, why = told(one.what, lang), told(one.why, lang)
                say([word("cli.sweep.left", lang, count=counted(one.count, "cell", lang), what=what, why=why)])

        def watch(now: "Progress") -> None:
            if status and now.stage in STAGES:
                stage = word(f"cli.sweep.stage.{now.stage}", lang)
                status.update(oneline(word("cli.sweep.place", lang, stage=stage, done=now.done, runs=now.runs)))

        outcome = carried_out(
            chosen, output, master=master, report=report, brief=brief, batch=batch, planned=planned, watch=watch
        )
    made = outcome.complete
    runs, snapshots = counted(made.done, "run", lang), counted(made.snapshots, "snapshot", lang)
    say([word("cli.sweep.done", lang, runs=runs, snapshots=snapshots, broken=made.broken, digest=made.digest)])
    if outcome.verified is None:
        return 0
    say(["", *lines(outcome.verified, lang)])
    return 0 if outcome.verified.fine else 1


STAGES = ("starting", "sweeping", "verifying", "measuring")
