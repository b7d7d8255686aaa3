"""``bluecut schema``: the JSON Schema of scenario files, or of sweep specs, for editors."""

import click

from app.cli.run_options import in_language
from app.cli.terminal import write_json
from app.pipeline.sweep.spec import schema as schema_of_sweeps
from app.scenario.format import schema as schema_of_format


@click.command()
@click.option("--sweep", is_flag=True, help="Print the schema of sweep specs instead.")
@in_language
def schema(sweep: bool, lang: str) -> None:
    """Print the JSON Schema of scenario files."""
    write_json(schema_of_sweeps() if sweep else schema_of_format(lang))
