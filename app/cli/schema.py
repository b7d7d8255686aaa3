"""``bluecut schema``: the JSON Schema of scenario files, for editors."""

import json

import click

from app.cli.output import write
from app.simulator.format import schema as schema_of_format


@click.command()
def schema() -> None:
    """Print the JSON Schema of scenario files."""
    write(json.dumps(schema_of_format(), indent=2, ensure_ascii=False) + "\n")
