"""What the commands on Spark share: where they run, how they are stopped, and what they report at the end."""

import signal
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn, TypeVar, cast

import click

from app.cli.terminal import warn
from app.pipeline.engine.error_text import Unstopped
from app.pipeline.engine.packages import needed
from app.words.catalogues import LANGUAGES, word
from app.words.error_words import error_text

F = TypeVar("F", bound=Callable[..., Any])

INTERRUPTED, TERMINATED = 130, 143
"""The exit status after Ctrl-C (SIGINT) and after SIGTERM, as in shells."""


class Told(KeyboardInterrupt):
    """The command was asked to end (SIGTERM), as with Ctrl-C."""


def _installed(context: click.Context, option: click.Parameter, master: str | None) -> str | None:
    """Report what is missing before any work is done. Raises BluecutError if Spark's packages are not installed."""
    if not context.resilient_parsing:
        needed()
    return master


MASTER: Callable[[F], F] = click.option(
    "--master",
    metavar="URL",
    callback=_installed,
    help="Where Spark runs: local[4], spark://host:7077, sc://host. Default: $SPARK_REMOTE, else all cores here.",
)


def on_spark(command: F) -> F:
    """Give a command the option ``--master``, by default None, which ``session`` understands.

    From its start on, SIGTERM acts like Ctrl-C: Spark is stopped, nothing is left behind, and one line says so. One
    line also says if the work is done but Spark does not stop; then the exit status is that of the work.
    """

    @wraps(command)
    def stoppable(*arguments: object, **options: Any) -> Any:
        language = options.get("lang", LANGUAGES[0])
        signal.signal(signal.SIGTERM, _interrupted)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always", Unstopped)
                warnings.showwarning = _warning_printer(language)
                return command(*arguments, **options)
        except KeyboardInterrupt as reason:
            warn(word("cli.stopped", language))
            return TERMINATED if isinstance(reason, Told) else INTERRUPTED

    return MASTER(cast("F", stoppable))


def _warning_printer(language: str) -> Callable[..., None]:
    """Return the function that shows warnings: ours in one line, others in Python's own way."""
    usual = warnings.showwarning

    def show(message: Warning | str, *where: Any, **more: Any) -> None:
        if isinstance(message, Unstopped):
            warn(error_text(message.phrase, language))
        else:
            usual(message, *where, **more)

    return show


def _interrupted(number: int, frame: object) -> NoReturn:
    """Raise Told; what is complete stays."""
    raise Told
