"""``bluecut import``: make scenarios from files of other formats."""

from pathlib import Path

import click

from app.cli.scenario_argument import text
from app.cli.terminal import write
from app.core.model.values import BluecutError
from app.formats.cos418 import imported, try_out
from app.scenario.scenario import load
from app.scenario.yaml_writer import written


@click.group("import", no_args_is_help=False)
def import_() -> None:
    """Make a scenario from files of another format."""


@import_.command()
@click.option("--top", type=click.Path(path_type=Path), required=True, help="The topology: servers and links.")
@click.option("--events", type=click.Path(path_type=Path), required=True, help="The script: send, snapshot, tick.")
@click.option("--delays", type=click.Path(path_type=Path), required=True, help="The delays, one digit per message.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file instead of stdout.")
def cos418(top: Path, events: Path, delays: Path, output: Path | None) -> None:
    """Import the test files of Princeton's COS418, assignment 2 (distributed snapshots)."""
    names = (str(top), str(events), str(delays))
    servers, script = text(top), text(events)
    values = imported(servers, script, text(delays), names=names, title=f"COS418: {events.stem}"[:80])
    scenario = written(values, limit=None)
    try_out(load(scenario, output.stem if output else "imported", limit=None), script, str(events))
    put(scenario, output)


def put(made: str, output: Path | None) -> None:
    """Print what was made, or write it to a file. Raises BluecutError if that is not possible."""
    if output is None:
        write(made)
        return
    try:
        output.write_text(made, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BluecutError("{file}: cannot be written: {reason}", file=output, reason=str(reason)) from None
