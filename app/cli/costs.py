"""``bluecut costs``: measure what the page Costs shows."""

import click

from app.cli.terminal import write
from app.pipeline.measure.costs import report


@click.command()
def costs() -> None:
    """Make the runs behind the pages Costs and Two ways to recover, and print what they measure.

    The pages read scenarios/costs/measured.json. The runs take some minutes.
    """
    write(report())
