"""The options that name a run: the same fields as in a run's URL."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from app.algorithms.registry import ALGORITHMS, no_algorithm
from app.core.model.system import DISCIPLINES
from app.core.model.values import BluecutError
from app.scenario.run_key import RunKey, read
from app.words.catalogues import LANGUAGES

F = TypeVar("F", bound=Callable[..., Any])


def _known(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    """Return the name of an algorithm. Raises BluecutError for another name."""
    if name is not None and name not in ALGORITHMS:
        raise BluecutError("--algorithm: {reason}", reason=no_algorithm(name))
    return name


another_algorithm = click.option(
    "--algorithm",
    metavar="NAME",
    callback=_known,
    help="Use this algorithm instead of the scenario's; the page /algorithms has them all.",
)

OPTIONS = (
    another_algorithm,
    click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="Use this seed instead of the scenario's."),
    click.option("--discipline", type=click.Choice(list(DISCIPLINES)), help="Use this order of delivery."),
    click.option(
        "--choices", default="", metavar="STEP:INDEX…", help="The choices of a visitor, as in the URL of a run."
    ),
    click.option("--drain", is_flag=True, help="Start nothing new after the choices."),
    click.option("--manual", is_flag=True, help="Make only the choices, and no other step."),
)


def _remember_language(context: click.Context, option: click.Parameter, language: str) -> str:
    """Remember the language for the command's mistakes, which are reported outside the command."""
    if isinstance(context.obj, dict):
        context.obj["lang"] = language
    return language


in_language = click.option(
    "--lang",
    type=click.Choice(list(LANGUAGES)),
    default="en",
    show_default=True,
    callback=_remember_language,
    is_eager=True,
    help="The language of sentences.",
)


def named_run(command: F) -> F:
    """Give a command the options of a run."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def key(
    algorithm: str | None, seed: int | None, discipline: str | None, choices: str, drain: bool, manual: bool
) -> RunKey:
    """Return the key that the options describe. Raises BluecutError for choices that cannot be read."""
    return RunKey(algorithm, seed, discipline, read(choices), drain, manual)
