"""``bluecut judge`` and ``bluecut new``: try a class that somebody has written, and begin one."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
from msgspec.structs import replace

from app.cli.run_options import in_language
from app.cli.scenario_argument import scenario as scenario_named
from app.cli.scenario_argument import text
from app.cli.terminal import oneline, say, warn, working, write
from app.core.model.values import BluecutError
from app.forms.whole_number import whole_number
from app.judge.browser_python import fetch
from app.judge.judge import FAILED, PASSED, Judgement
from app.judge.judge import judge as judged_class
from app.judge.known_bugs import beginning, bugs
from app.judge.package import SERVICES, package
from app.judge.report import SERVED, as_json, autolab, beside, gradescope, junit, lines
from app.judge.sandbox import walls
from app.judge.submissions import as_csv, as_page, rows
from app.judge.suite import BEGINNING, LEVELS, USUAL, TrialSystem, named_level, of_level, own
from app.run.explore import MOST_STATES
from app.words.catalogues import word

FORMATS: dict[str, Callable[[Judgement, str, str], str]] = {
    "json": lambda judged, lang, _: json.dumps(as_json(judged, lang), ensure_ascii=False, indent=2) + "\n",
    "gradescope": lambda judged, lang, server: (
        json.dumps(gradescope(judged, lang, server), ensure_ascii=False, indent=2) + "\n"
    ),
    "autolab": lambda judged, lang, server: (
        "\n".join([*lines(judged, lang, server), json.dumps(autolab(judged), ensure_ascii=False)]) + "\n"
    ),
    "junit": lambda judged, lang, server: junit(judged, lang, server) + "\n",
}
SCORED = ("gradescope", "autolab", "junit")
"""Formats for services: a student does not choose the level."""
UNDECIDED_STATUS = 2


def _level_option(default: str) -> Callable[[Any], Any]:
    return click.option(
        "--level",
        type=click.Choice([str(level) for level in LEVELS]),
        callback=lambda _context, _option, given: int(given) if given else None,
        show_default=default,
        help="1: fill the gaps; 2: the whole class; 3: several snapshots at once; 4: channels that keep no order; "
        "5: the fewest markers.",
    )


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@_level_option(f"the one that FILE names, else {USUAL}; {USUAL} for a service")
@click.option("--system", "systems", multiple=True, metavar="SCENARIO", help="Try it in this scenario instead.")
@click.option(
    "--hidden", multiple=True, metavar="SCENARIO", help="Try it in this scenario, too, and tell its verdict alone."
)
@click.option(
    "--most", type=click.IntRange(1, 10_000_000), default=MOST_STATES, show_default=True, help="States of a system."
)
@click.option("--class", "whole", is_flag=True, help="FILE is a folder: judge every Python file in it, on all cores.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where --class or --package writes. Default: the folder of the class; a new one with the service's name.",
)
@click.option(
    "--weight", "weights", multiple=True, metavar="SCENARIO=POINTS", help="What a system is worth; by default, 1 point."
)
@click.option(
    "--package", "service", type=click.Choice(SERVICES), help="Write into -o what makes a service judge; without FILE."
)
@click.option(
    "--server", default=SERVED, show_default=True, metavar="URL", help="Where the server runs that plays a failing run."
)
@click.option("--first", is_flag=True, help="Stop at the first system that fails.")
@click.option("--format", "as_format", type=click.Choice(["text", *FORMATS]), default="text", show_default=True)
@in_language
def judge(
    file: Path | None,
    level: int | None,
    systems: Sequence[str],
    hidden: Sequence[str],
    most: int,
    whole: bool,
    output: Path | None,
    weights: Sequence[str],
    service: str | None,
    server: str,
    first: bool,
    as_format: str,
    lang: str,
) -> int:
    """Try the class in FILE in every run of each small system, and show the shortest run that fails.

    The class runs in a process of its own that reaches nothing. The exit status is 0 if it passed everywhere, 1 if it
    failed, 2 if something is undecided: a search reached its limit, or no snapshot was ever complete.
    """
    server = _address(server)
    if service:
        if systems or hidden:
            raise BluecutError("--package: give --level and --weight; own systems are added to its scripts by hand")
        wanted = level or USUAL
        chosen = _weighted(of_level(wanted), weights)
        weighing = [part for one in weights for part in ("--weight", one)]
        options = ["--level", str(wanted), "--lang", lang, "--server", server, *weighing]
        say([str(package(service, output or Path(service), wanted, chosen, options))])
        return 0
    if file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    if whole:
        return _judge_folder(file, level, output or file, lang)
    source = text(file)
    wanted = level or (USUAL if as_format in SCORED else named_level([source]))
    chosen = [own(scenario_named(name)) for name in systems] or list(of_level(wanted))
    chosen += [own(scenario_named(name), hidden=number) for number, name in enumerate(hidden, 1)]
    chosen = _weighted(chosen, weights)
    if not walls():
        warn(word("judge.unisolated", lang))
    with working(word("judge.working", lang, system=chosen[0].name, states=0)) as status:

        def watch(system: TrialSystem, states: int) -> None:
            if status:
                status.update(word("judge.working", lang, system=oneline(system.name), states=f"{states:,}"))

        judged = judged_class(source, str(file), chosen, most=most, first=first, watch=watch)
    if as_format == "text":
        say(lines(judged, lang, server))
        if (path := beside(judged, wanted, lang)) is not None:
            say([word("judge.beside", lang, path=f"{server}{path}")])
    else:
        write(FORMATS[as_format](judged, lang, server))
    return 0 if judged.verdict == PASSED else 1 if judged.verdict == FAILED else UNDECIDED_STATUS


def _address(server: str) -> str:
    """Return the address of a server without a slash at its end. Raises BluecutError if it is none."""
    parts = urlsplit(server)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise BluecutError("--server: write the address, such as {example}, not {got}", example=SERVED, got=server[:80])
    return server.rstrip("/")


def _weighted(systems: Sequence[TrialSystem], weights: Sequence[str]) -> list[TrialSystem]:
    """Return the systems with what they are worth. Raises BluecutError for a weight that is none, or of no system."""
    found = list(systems)
    for given in weights:
        name, _, points = given.rpartition("=")
        weight = whole_number(points, digits=5)
        if weight is None:
            raise BluecutError(
                "--weight: write SCENARIO=POINTS, such as {example}, not {got}", example="ring=3", got=given[:80]
            )
        if name not in {one.scenario.name for one in found}:
            known = tuple(dict.fromkeys(one.scenario.name for one in found))
            raise BluecutError("--weight: no system is called {name}; one of {known}", name=name, known=known)
        found = [replace(one, weight=weight) if one.scenario.name == name else one for one in found]
    return found


def _judge_folder(folder: Path, level: int | None, output: Path, lang: str) -> int:
    """Judge every Python file below a folder, on the level that all name unless one is given; write ``class.csv`` and
    ``class.html``. A link is left out: it may be to the file of somebody else."""
    if folder.is_file():
        raise BluecutError("{file}: a file; give the folder of the class", file=folder)
    files = sorted(file for file in folder.rglob("*.py") if file.is_file() and not file.is_symlink())
    if not files:
        raise BluecutError("{file}: a folder without Python files", file=folder)
    level = level or named_level(map(_beginning, files))
    output.mkdir(parents=True, exist_ok=True)
    found = []
    with working(word("judged.working", lang, done=0, whole=len(files))) as status:
        for row in rows(files, level, lang):
            found.append(replace(row, file=str(Path(row.file).relative_to(folder))))
            if status:
                status.update(word("judged.working", lang, done=len(found), whole=len(files)))
    found.sort(key=lambda row: row.file)
    for name, content in (("class.csv", as_csv(found, level)), ("class.html", as_page(found, level, lang))):
        (output / name).write_text(content, encoding="utf-8", errors="backslashreplace")  # a name may be no text
    passed = sum(row.verdict == PASSED for row in found)
    say(
        [
            word("judged.sum", lang, passed=passed, whole=len(found)),
            str(output / "class.csv"),
            str(output / "class.html"),
        ]
    )
    return 0


def _beginning(file: Path) -> str:
    """Return the first lines of a file; of one that cannot be read, none."""
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(BEGINNING)
    except OSError:
        return ""


@click.command()
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="The folder of the server's data.")
def pyodide(data: Path | None) -> None:
    """Fetch the Python that runs in browsers, once: the page "Write it yourself" needs it.

    Not needed where bluecut[write] is installed.
    """
    from app.web.base.store import folder_of_data  # the server's libraries take a second that other commands save

    say([str(fetch((data or folder_of_data()).absolute()))])


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@_level_option(str(USUAL))
@click.option("--bug", type=click.Choice(list(bugs())), help="Begin with this wrong class instead, and find its bug.")
@in_language
def new(file: Path, level: int | None, bug: str | None, lang: str) -> int:
    """Write a class to begin with into FILE, and try it: its first failing run is printed."""
    wanted = bugs()[bug].level if bug else level or USUAL
    source = beginning(wanted, bug, lang)
    try:
        with file.open("x", encoding="utf-8") as made:
            made.write(source)
    except FileExistsError:
        raise BluecutError("{file} is there already; give another name", file=file) from None
    options = "" if wanted == USUAL else f"--level {wanted} "
    say([word("judge.new", lang, file=str(file), options=options), ""])
    say(lines(judged_class(source, str(file), of_level(wanted), first=True), lang))
    return 0
