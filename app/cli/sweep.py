"""``bluecut sweep``: many runs on Spark, as rows in a folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.check import counted
from app.cli.progress import progressing
from app.cli.run_options import in_language
from app.cli.scenario_argument import text
from app.cli.spark_options import on_spark
from app.cli.terminal import say
from app.cli.verify import ended
from app.cli.verify import lines as found
from app.core.model.values import BluecutError
from app.words.catalogues import word
from app.words.error_words import error_text

if TYPE_CHECKING:
    from app.pipeline.sweep.command import Outcome
    from app.pipeline.sweep.grid import Grid
    from app.pipeline.sweep.manifest import Plan
    from app.pipeline.sweep.progress import Progress


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="A new or empty folder, or the folder of this sweep.",
)
@click.option("--report", is_flag=True, help="Verify and measure, too: everything that the Lab shows.")
@click.option(
    "--brief", is_flag=True, help="Run Spark without its optimising compiler: faster for a few seconds of work."
)
@click.option(
    "--batch",
    type=click.IntRange(1, 1_000_000),
    help="Runs per batch. A sweep keeps the number with which it began.",
)
@on_spark
@in_language
def sweep(spec: Path, output: Path, master: str | None, report: bool, brief: bool, batch: int | None, lang: str) -> int:
    """Make all the runs that SPEC, a YAML file, describes, and write what happened into DIR.

    The same command continues where an earlier one was stopped or killed, and repeats nothing; to judge or to count
    again, see bluecut verify DIR and bluecut measure DIR. (See scenarios/sweeps for specs.)

    The exit status is 0 if everything is there, 2 for bad input or if Spark fails, 130 after Ctrl-C and 143 after
    SIGTERM. With --report it is that of bluecut verify DIR: 1 if verifiers disagree, or if something is broken that
    should hold (broken variants of algorithms, and channels with less order than the algorithm needs, are findings,
    not errors), and 2 if no snapshot can be judged, though everything is there.
    """
    from app.pipeline.sweep.command import carried_out, refused
    from app.pipeline.sweep.spec import load_spec

    try:
        chosen = load_spec(text(spec), str(spec), folder=spec.parent)
    except BluecutError as error:
        refused(output, error)
        raise
    with progressing(word("cli.sweep.stage.starting", lang)) as telling:

        def planned(plan: "Plan", cells: "Grid") -> None:
            runs, many = counted(plan.runs, "run", lang), counted(len(cells.cells), "cell", lang)
            telling.say([word("cli.sweep.planned", lang, runs=runs, cells=many, batch=plan.batch)])
            if batch not in (None, plan.batch):
                telling.say([word("cli.sweep.batch", lang, asked=batch, batch=plan.batch)])
            for one in cells.left:
                what, why = error_text(one.what, lang), error_text(one.why, lang)
                count = counted(one.count, "cell", lang)
                telling.say([word("cli.sweep.left", lang, count=count, what=what, why=why)])

        told_of: set[str] = set()

        def watch(now: "Progress") -> None:
            if now.stage in STAGES:
                telling.now(_place(now, lang), new=now.stage in STAGES[2:] and now.stage not in told_of)
                told_of.add(now.stage)

        outcome = carried_out(
            chosen, output, master=master, report=report, brief=brief, batch=batch, planned=planned, watch=watch
        )
    say(_lines(outcome, lang))
    if outcome.verified is not None:
        say([word("cli.sweep.report", lang, file=output / "report.json", directory=output)])
    return 0 if outcome.verified is None else ended(output, outcome.verified)


STAGES = ("starting", "sweeping", "verifying", "measuring")


def _place(now: "Progress", language: str) -> str:
    stage = word(f"cli.sweep.stage.{now.stage}", language)
    if now.stage not in STAGES[2:]:
        return word("cli.sweep.place", language, stage=stage, done=now.done, runs=now.runs)
    if not now.parts:
        return stage
    return word("cli.sweep.part", language, stage=stage, part=min(now.part + 1, now.parts), parts=now.parts)


def _lines(outcome: "Outcome", language: str) -> Iterator[str]:
    """Yield the results, for people."""
    made, verified = outcome.complete, outcome.verified
    runs, snapshots = counted(made.done, "run", language), counted(made.snapshots, "snapshot", language)
    if outcome.nothing:
        yield word("cli.sweep.nothing", language)
    yield word("cli.sweep.done", language, runs=runs, snapshots=snapshots, broken=made.broken, digest=made.digest)
    if verified is not None:
        yield ""
        if not outcome.judged:
            yield word("cli.sweep.verified", language)
        yield from found(verified, language)
