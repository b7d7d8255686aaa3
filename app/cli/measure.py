"""``bluecut measure``: what the snapshots of a sweep cost."""

from pathlib import Path

import click

from app.cli.run_options import in_language
from app.cli.spark_options import on_spark
from app.cli.terminal import say, working
from app.words.catalogues import word


@click.command()
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@on_spark
@in_language
def measure(directory: Path, master: str | None, lang: str) -> int:
    """Measure the runs in DIR, the folder of a sweep: DIR/report.json, and tables in DIR/report.

    If the runs have been verified, the verifiers' verdicts are counted, otherwise the simulator's own. Verdicts that
    do not cover the current rows are refused: verify again first.

    The exit status is 1 if the verdicts say that verifiers disagree.
    """
    from app.pipeline.engine.session import session
    from app.pipeline.measure.measure import current, planned
    from app.pipeline.measure.measure import measure as measured
    from app.pipeline.rows.lock import locked

    planned(directory)  # report a wrong folder before Spark starts, and leave it unchanged
    current(directory)
    with (
        locked(directory),
        working(word("cli.sweep.stage.measuring", lang)),
        session(master, "bluecut measure", brief=True) as spark,
    ):
        report = measured(spark, directory)
    by = word(f"cli.measure.by.{report.verdicts.by}", lang, disagree=report.verdicts.disagree)
    groups = len(report.groups)
    say([word("cli.measure.done", lang, runs=report.runs, snapshots=report.snapshots, groups=groups, by=by)])
    return 1 if report.verdicts.disagree else 0
