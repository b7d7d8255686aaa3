"""``bluecut store``: the scenarios that visitors have shared."""

from pathlib import Path

import click

from app.cli.run_options import in_language
from app.cli.terminal import say
from app.words.catalogues import word

data_folder = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="The server's data folder. Default: $BLUECUT_DATA, or the user's.",
)


@click.group(no_args_is_help=False)
def store() -> None:
    """Back up the scenarios that visitors have shared, and take them back. Servers may run meanwhile."""


@store.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_folder
@in_language
def backup(file: Path, data: Path | None, lang: str) -> None:
    """Write all shared scenarios to FILE, a new SQLite file."""
    from app.web.base import store_backup
    from app.web.base.store import Store

    say([word("cli.store.backup", lang, count=store_backup.backup(Store(data), file), file=str(file))])


@store.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_folder
@in_language
def restore(file: Path, data: Path | None, lang: str) -> None:
    """Add the scenarios in FILE, a backup, to those that are there."""
    from app.web.base import store_backup
    from app.web.base.store import Store

    added, whole = store_backup.restore(Store(data), file)
    say([word("cli.store.restore", lang, added=added, count=whole, file=str(file))])
