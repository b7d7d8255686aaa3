"""The ``bluecut`` command.

Exit status: 0 if all expectations hold; 1 if one fails; 2 for bad input, reported in one line on stderr with nothing on
stdout (with several lessons: one line for each bad one, besides the output of the others), and for files and output
that the machine refuses; 130 after Ctrl-C; 143 after SIGTERM.
"""

import errno
import signal
import sys

import click

from app.cli.check import check
from app.cli.checkpoint import checkpoint
from app.cli.costs import costs
from app.cli.explore import explore
from app.cli.export import export
from app.cli.import_ import import_
from app.cli.judge import judge, new, pyodide
from app.cli.lesson import lesson
from app.cli.measure import measure
from app.cli.run import run
from app.cli.schema import schema
from app.cli.serve import serve
from app.cli.spark_options import INTERRUPTED
from app.cli.store import store
from app.cli.stream import stream
from app.cli.sweep import sweep
from app.cli.terminal import BAD_INPUT, flushed, opened, utf8, warn
from app.cli.verify import verify
from app.compiled import COMPILED
from app.core.model.errors import shortened
from app.core.model.values import BluecutError, Phrase
from app.words.catalogues import LANGUAGES
from app.words.error_words import error_text

UNWRITTEN = (errno.ENOSPC, errno.EBADF, errno.EIO, errno.EFBIG)
"""Why output cannot be written."""

LONGEST_LINE = 2_000
"""The most characters of a line that reports a mistake; some list all that is known."""


@click.group(no_args_is_help=False)
@click.version_option(
    package_name="bluecut", message=f"%(prog)s %(version)s ({'compiled' if COMPILED else 'interpreted'})"
)
def bluecut() -> None:
    """See how distributed snapshots work: serve, run, check, explore, import and export scenarios.

    A SCENARIO is a name from the library, a file, or - for standard input.
    """


for command in (
    *(serve, run, check, explore, import_, export, schema, lesson),
    *(judge, new, pyodide),
    *(sweep, verify, measure, stream, checkpoint, costs, store),
):
    bluecut.add_command(command)


def main() -> None:
    """Run the command and exit with its status."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    opened()
    utf8()
    code = status()
    for number in (signal.SIGINT, signal.SIGTERM):  # cleaning up takes a moment and must not be interrupted
        signal.signal(number, signal.SIG_IGN)
    sys.exit(code)


def status(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    asked: dict[str, str] = {}
    try:
        answer = bluecut.main(args=arguments, prog_name="bluecut", standalone_mode=False, obj=asked)
    except BluecutError as error:
        return _refuse(error_text(error.phrase, asked.get("lang", LANGUAGES[0])))
    except click.ClickException as error:
        return _refuse(error.format_message() + _commands(error))
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except OSError as error:
        return _hindered(error, asked.get("lang", LANGUAGES[0]))
    if unwritten := flushed():
        return _hindered(unwritten, asked.get("lang", LANGUAGES[0]))
    return answer if isinstance(answer, int) else 0


def _commands(error: click.ClickException) -> str:
    """Return which commands there are, where one is missing or unknown."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    option = isinstance(error, click.BadParameter | click.BadOptionUsage | click.NoSuchOption)
    if option or context is None or not isinstance(context.command, click.Group):
        return ""
    return f" One of: {', '.join(context.command.list_commands(context))}."


def _hindered(error: OSError, language: str) -> int:
    """Report in one line what the machine refuses: a file, or the output. Raises any other error again."""
    flushed()
    reason = error.strerror or str(error)
    if error.filename is None:
        if error.errno not in UNWRITTEN:
            raise error
        return _refuse(error_text(Phrase("the output cannot be written: {reason}", reason=reason), language))
    return _refuse(error_text(Phrase("{file}: {reason}", file=error.filename, reason=reason), language))


def _refuse(says: str) -> int:
    """Report in one line what is wrong with the input."""
    warn(shortened(says, LONGEST_LINE))
    return BAD_INPUT
