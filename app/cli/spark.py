"""What the commands that run on Spark share: where they run, and how they are stopped."""

import signal
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn, TypeVar, cast

import click

from app.pipeline.engine.packages import needed

F = TypeVar("F", bound=Callable[..., Any])


def installed(context: click.Context, option: click.Parameter, master: str | None) -> str | None:
    """Say what is missing before any work is done. Raises BluecutError where Spark's packages are not installed."""
    if not context.resilient_parsing:
        needed()
    return master


MASTER: Callable[[F], F] = click.option(
    "--master",
    metavar="URL",
    callback=installed,
    help="Where Spark runs: local[4], spark://host:7077, sc://host. Default: $SPARK_REMOTE, else all cores here.",
)


def on_spark(command: F) -> F:
    """Give a command the option ``--master``: None where it is not given, which ``session`` understands. From its start
    on, to be told to end is as good as Ctrl-C, so that Spark is stopped and nothing is left behind."""

    @wraps(command)
    def stoppable(*arguments: Any, **options: Any) -> Any:
        signal.signal(signal.SIGTERM, interrupted)
        return command(*arguments, **options)

    return MASTER(cast("F", stoppable))


def interrupted(number: int, frame: object) -> NoReturn:
    """What is complete stays. Raises KeyboardInterrupt."""
    raise KeyboardInterrupt
