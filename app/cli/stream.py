"""``bluecut stream``: follow a sweep that is still being made."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import click

from app.cli.labels import ordered
from app.cli.progress import progressing
from app.cli.run_options import in_language
from app.cli.spark_options import on_spark
from app.cli.terminal import say
from app.core.model.values import Json
from app.words.catalogues import word

ORPHAN = "orphan"
SNAPSHOT = ("run", "life", "snapshot")

SHUFFLE = 4
"""Partitions of the state: fixed by the first start, so it does not depend on the machine."""


@click.command()
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--once", is_flag=True, help="Read the rows that exist, and stop.")
@on_spark
@in_language
def stream(directory: Path, once: bool, master: str | None, lang: str) -> int:
    """Follow the sweep in DIR while it is being made: running totals, and at once a line for each snapshot that is
    inconsistent or whose recorded channels differ from what was in flight, with the address of its run.

    What is wrong with a snapshot is found in the rows of what happened and what was recorded, whatever the simulator
    says. The command ends when the sweep is complete. Stopped or killed, it continues from its checkpoint
    DIR/stream/checkpoint when you repeat the command, and finds the same.

    The exit status is 1 if its verdict differs from the simulator's, and 2 if the sweep stopped before it was
    complete; everything there has been read by then. After Ctrl-C it is 130, after SIGTERM 143.
    """
    from app.pipeline.engine.session import session
    from app.pipeline.stream.results import totals
    from app.pipeline.stream.stream import News, follow
    from app.pipeline.stream.version import same
    from app.pipeline.sweep.manifest import plan

    plan(directory)
    same(directory)
    with progressing(word("cli.stream.working", lang)) as telling:

        def watch(news: News) -> None:
            telling.say(_alerts(news.alerts, lang))
            telling.now(_counted(news.totals.as_json(), lang))

        with session(master, "bluecut stream", shuffle=SHUFFLE, brief=True) as spark:
            found = follow(spark, directory, once=once, watch=watch)
    told = totals(found.runs).as_json()
    say([_counted(told, lang), *_violations(told, lang)])
    return 1 if told["differs"] else 0


def _counted(told: Json, language: str) -> str:
    numbers = {name: f"{told[name]:,}" for name in ("runs", "events", "messages", "snapshots")}
    wrong = sum(one["checks"]["consistent"] for one in told["violations"])
    return word("cli.stream.totals", language, **numbers, inconsistent=f"{wrong:,}")


def _alerts(rows: tuple[Json, ...], language: str) -> Iterator[str]:
    """Yield a line for each snapshot that is inconsistent, with one of its orphans, and for each with wrong channels,
    with one of them; and how many more of them it has."""
    for _, same in groupby(rows, key=lambda row: (*(row[name] for name in SNAPSHOT), row["fault"] == ORPHAN)):
        first, *more = same
        key, orphan = f"cli.stream.alert.{first['fault']}", first["fault"] == ORPHAN
        if orphan:
            key = "cli.stream.alert" if first["sent"] is not None else "cli.stream.alert.undone"
        names = ("run", "snapshot", "message", "channel", "sent", "source_cut", "received", "target_cut")
        algorithm = ordered(first["algorithm"], first["discipline"], language)
        line = word(key, language, algorithm=algorithm, **{name: first[name] for name in names})
        if more:
            line += word("cli.stream.more" if orphan else "cli.stream.more.channels", language, count=len(more))
        yield f"✗ {line}  {first['url']}"


def _violations(told: Json, language: str) -> Iterator[str]:
    """Yield what fails by algorithm and channel order, and whether the simulator disagrees."""
    from app.pipeline.stream.results import OWN

    for one in told["violations"]:
        if any(one["checks"].values()):
            name = ordered(one["algorithm"], one["discipline"], language)
            numbers = {c: word(f"check.{c}.broken", language, count=f"{n:,}") for c, n in one["checks"].items()}
            found, simulated = [numbers[check] for check in OWN], [numbers[c] for c in numbers if c not in OWN]
            yield "  " + word("cli.stream.violations", language, name=name, found=found, simulated=simulated)
    if told["differs"]:
        yield "✗ " + word("cli.stream.differs", language, count=f"{told['differs']:,}")
    else:
        yield "✓ " + word("cli.stream.agrees", language, judged=f"{told['judged']:,}")
