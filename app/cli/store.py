"""``bluecut store``: the scenarios that visitors have shared."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.run_options import in_language
from app.cli.terminal import say
from app.words.catalogues import word

if TYPE_CHECKING:
    from app.web.base.store import Store

data_folder = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="The server's data folder. Default: $BLUECUT_DATA, or the user's.",
)


@click.group(no_args_is_help=False)
def store() -> None:
    """Count, delete, back up and take back the scenarios that visitors have shared. Servers may run meanwhile."""


@store.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_folder
@in_language
def backup(file: Path, data: Path | None, lang: str) -> None:
    """Write all shared scenarios to FILE, a new SQLite file."""
    from app.web.base.store import Store
    from app.web.base.store import backup as copied

    say([word("cli.store.backup", lang, count=copied(Store(data), file), file=str(file))])


@store.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_folder
@in_language
def restore(file: Path, data: Path | None, lang: str) -> None:
    """Add the scenarios in FILE, a backup, to those that are there."""
    from app.web.base.store import Store
    from app.web.base.store import restore as taken_back

    added, whole = taken_back(Store(data), file)
    say([word("cli.store.restore", lang, added=added, count=whole, file=str(file))])


@store.command()
@data_folder
@in_language
def show(data: Path | None, lang: str) -> None:
    """Tell how many shared scenarios there are, and how many nobody has opened for 90 days.

    A server deletes these by itself once it has no room for a new one.
    """
    from app.web.base.store import Store

    say([_filled(Store(data), lang)])


@store.command()
@click.option("--days", type=click.IntRange(1, 36_500), default=90, show_default=True, help="How long is long.")
@data_folder
@in_language
def prune(days: int, data: Path | None, lang: str) -> None:
    """Delete the shared scenarios that nobody has opened for long."""
    from app.web.base.store import Store

    kept = Store(data)
    say([word("cli.store.pruned", lang, count=f"{kept.prune(days):,}", days=days), _filled(kept, lang)])


def _filled(kept: "Store", lang: str) -> str:
    """Return how full a store is."""
    from app.web.base.store import UNOPENED

    told = kept.filled()
    numbers = {"scenarios": f"{told.scenarios:,}", "most": f"{kept.most:,}", "bytes": f"{told.bytes:,}"}
    return word("cli.store.filled", lang, **numbers, unopened=f"{told.unopened:,}", days=UNOPENED, file=str(kept.file))
