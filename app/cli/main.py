"""The ``bluecut`` command.

Exit status: 0 where all expectations hold, 1 where one fails, 2 for bad input, which is told in one line on stderr
with nothing on stdout (of several lessons, in a line each, beside what the others say), 130 where Ctrl-C and 143 where
SIGTERM has ended it.
"""

import signal
import sys

import click

from app.cli.check import check
from app.cli.checkpoint import checkpoint
from app.cli.explore import explore
from app.cli.export import export
from app.cli.importing import import_
from app.cli.lesson import lesson
from app.cli.measure import measure
from app.cli.output import BAD_INPUT, utf8, warn
from app.cli.run import run
from app.cli.schema import schema
from app.cli.serve import serve
from app.cli.spark import INTERRUPTED
from app.cli.stream import stream
from app.cli.sweep import sweep
from app.cli.verify import verify
from app.core.model import BluecutError
from app.narration.mistake import told
from app.narration.tell import LANGUAGES


@click.group(no_args_is_help=False)
@click.version_option(package_name="bluecut", message="%(prog)s %(version)s")
def bluecut() -> None:
    """See how distributed snapshots work: serve, run, check, explore, import and export scenarios.

    A SCENARIO is a name of the library, a file, or - for standard input.
    """


for command in (
    *(serve, run, check, explore, import_, export, schema, lesson),
    *(sweep, verify, measure, stream, checkpoint),
):
    bluecut.add_command(command)


def main() -> None:
    """Run the command and leave with its exit status."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    utf8()
    code = status()
    for number in (signal.SIGINT, signal.SIGTERM):  # what is left to do takes a moment, and is to be done
        signal.signal(number, signal.SIG_IGN)
    sys.exit(code)


def status(arguments: list[str] | None = None) -> int:
    """Run the command; its exit status."""
    asked: dict[str, str] = {}
    try:
        answer = bluecut.main(args=arguments, prog_name="bluecut", standalone_mode=False, obj=asked)
    except BluecutError as error:
        return refuse(told(error.phrase, asked.get("lang", LANGUAGES[0])))
    except click.ClickException as error:
        return refuse(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return answer if isinstance(answer, int) else 0


def refuse(says: str) -> int:
    """Say what is wrong with the input, in one line."""
    warn(says)
    return BAD_INPUT
