"""What the commands that run on Spark share: where they run."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from app.pipeline.engine.packages import needed

F = TypeVar("F", bound=Callable[..., Any])


def installed(context: click.Context, option: click.Parameter, master: str | None) -> str | None:
    """Say what is missing before any work is done. Raises BluecutError where Spark's packages are not installed."""
    if not context.resilient_parsing:
        needed()
    return master


on_spark: Callable[[F], F] = click.option(
    "--master",
    metavar="URL",
    callback=installed,
    help="Where Spark runs: local[4], spark://host:7077, sc://host. Default: $SPARK_REMOTE, else all cores here.",
)
"""Gives a command the option ``--master``: None where it is not given, which ``session`` understands."""
