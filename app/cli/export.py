"""``bluecut export``: a run for other programs."""

from pathlib import Path
from typing import Any

import click

from app.cli.import_ import put
from app.cli.run_options import in_language, key, named_run
from app.cli.scenario_argument import scenario as scenario_named
from app.compact_json import compact
from app.core.model.values import BluecutError
from app.formats.shiviz import log
from app.formats.trace_json import trace
from app.run.run import Run, record


@click.command()
@click.argument("scenario")
@click.option("--to", "target", type=click.Choice(["shiviz", "json", "svg"]), required=True, help="The format.")
@click.option("--step", type=click.IntRange(0), help="The step to draw; the last one if not given (svg only).")
@named_run
@in_language
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file instead of stdout.")
def export(scenario: str, target: str, step: int | None, lang: str, output: Path | None, **options: Any) -> None:
    """Export a run of SCENARIO: a log for ShiViz, a JSON trace, or the picture of a step as SVG."""
    if step is not None and target != "svg":
        raise click.UsageError(f"--step is for svg; {target} has the whole run")
    run = record(scenario_named(scenario), key(**options))
    if target == "shiviz":
        made = log(run)
    elif target == "json":
        made = compact(trace(run)) + "\n"
    else:
        made = _drawing(run, step, lang)
    put(made, output)


def _drawing(run: Run, step: int | None, language: str) -> str:
    """Return the picture of a step. Raises BluecutError if the run has no such step."""
    last = len(run.steps)
    if step is not None and step > last:
        raise BluecutError("step {step} does not exist; the run has {steps} steps", step=step, steps=last)
    from app.pictures.render import stage, standalone  # the templates take a second that the other formats save

    return standalone(stage(run, last if step is None else step, language))
