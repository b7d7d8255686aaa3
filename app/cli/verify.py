"""``bluecut verify``: what was recorded, against what happened."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.check import counted
from app.cli.key import in_language
from app.cli.output import say, working, write
from app.cli.spark import on_spark
from app.core.model import BluecutError, Json
from app.narration.tell import word

if TYPE_CHECKING:
    from app.pipeline.foreign.foreign import Foreign
    from app.pipeline.verify.verify import Case, Verified

LINES = (".jsonl", ".ndjson", ".json", ".parquet")
"""Files of these names have one line an event; other files are logs with vector clocks."""

CHECKS = ("consistent", "complete", "conserved", "cost", "rows")


def printed(context: click.Context, option: click.Parameter, asked: bool) -> None:
    """Print the schema of a line, and leave."""
    if asked and not context.resilient_parsing:
        from app.pipeline.foreign.foreign import schema

        write(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n")
        context.exit()


@click.command()
@click.argument("place", metavar="DIR|FILE", type=click.Path(path_type=Path))
@click.option("--record", metavar="REGEX", help="Which events of a log record; its group snapshot says for which.")
@click.option(
    "--parser", metavar="REGEX", help="How a log is read: groups host, clock and event. Default: its first line."
)
@click.option("--unordered", is_flag=True, help="The channels of a trace do not keep the order of messages.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@on_spark
@click.option(
    "--schema",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=printed,
    help="Print the JSON Schema of a line of a trace, with what it means, and leave.",
)
@in_language
def verify(
    place: Path, record: str | None, parser: str | None, unordered: bool, as_json: bool, master: str | None, lang: str
) -> int:
    """Verify every snapshot in DIR, which bluecut sweep has made, or in FILE, the trace of another system.

    Two verifiers, one in Spark SQL and one on whole files, judge each by itself; what they say, and what the simulator
    said, must be the same. FILE is a trace (.jsonl or .parquet, one line an event; see --schema) or a log with vector
    clocks for ShiViz.

    The exit status is 1 where verifiers disagree, or where something is broken that should hold: in a sweep, broken
    variants of algorithms, and channels with less order than the algorithm needs, are findings and no errors.
    """
    trace = None if place.is_dir() else read(place, record, parser, ordered=not unordered)
    if trace is None and (record or parser or unordered):
        raise click.UsageError("--record, --parser and --unordered are for files; a folder says it all")
    from app.pipeline.engine.session import session
    from app.pipeline.verify.verify import verify as verified
    from app.pipeline.verify.verify import verify_foreign

    with (
        working(word("verify.working", lang)),
        session(master, f"bluecut verify {place.name}", brief=trace is not None) as spark,
    ):
        found = verified(spark, place) if trace is None else verify_foreign(spark, trace)
    if as_json:
        write(json.dumps(found.written(), ensure_ascii=False, indent=2) + "\n")
    else:
        say(lines(found, lang))
    return 0 if found.fine else 1


def read(file: Path, record: str | None, parser: str | None, *, ordered: bool) -> "Foreign":
    """The trace in a file. Raises BluecutError where there is none, or a mistake in it."""
    from app.pipeline.foreign.clocks import logged
    from app.pipeline.foreign.foreign import foreign

    if not file.exists():
        raise BluecutError("{file}: there is no such file or folder", file=file)
    if file.suffix not in LINES:
        return logged(file, record=record, parser=parser)
    if record or parser:
        raise click.UsageError("--record and --parser are for logs with vector clocks; this file says it all")
    return foreign(file, ordered=ordered)


def lines(found: "Verified", language: str) -> Iterator[str]:
    """What was found, for people."""
    runs, snapshots = counted(found.runs, "run", language), counted(found.snapshots, "snapshot", language)
    judged = sum(count.holds + count.broken for count in found.counts)
    yield word("verify.sum", language, runs=runs, snapshots=snapshots, judged=f"{judged:,}", broken=f"{found.broken:,}")
    if found.planned is not None and found.runs < found.planned:
        yield word("verify.part", language, runs=f"{found.runs:,}", planned=counted(found.planned, "run", language))
    if found.counts:
        yield ""
        yield from table(found, language)
    yield ""
    if not found.disagreements:
        yield "✓ " + word("verify.agree", language)
    else:
        yield "✗ " + word("verify.differ", language, count=f"{found.disagreements:,}")
        yield from (f"  {difference(case, language)}" for case in found.disagreeing)
    if found.unexpected:
        yield "✗ " + word("verify.unexpected", language, count=f"{found.unexpected:,}")
        yield from (f"  {reason(case, language)}" for case in found.surprising)
    if found.findings:
        yield word("verify.findings", language, count=f"{found.broken - found.unexpected:,}")
        yield from (f"  {reason(case, language)}" for case in found.findings)


def table(found: "Verified", language: str) -> Iterator[str]:
    """By algorithm and check, how many are broken of how many."""
    sums: dict[str, dict[str, tuple[int, int]]] = {}
    for count in found.counts:
        row = sums.setdefault(count.algorithm, {})
        broken, judged = row.get(count.check, (0, 0))
        row[count.check] = (broken + count.broken, judged + count.holds + count.broken)
    head = [word("verify.algorithm", language), *(word(f"verify.check.{name}", language) for name in CHECKS)]
    cells = [
        [name or "–", *(cell(*row.get(check, (0, 0)), language) for check in CHECKS)] for name, row in sums.items()
    ]
    widths = [max(width(row[place]) for row in [head, *cells]) for place in range(len(head))]
    for texts in [head, *cells]:
        padded = (text + " " * (wide - width(text)) for text, wide in zip(texts, widths, strict=True))
        yield "  ".join(padded).rstrip()


def cell(broken: int, judged: int, language: str) -> str:
    """So many broken of so many judged."""
    return word("verify.of", language, broken=f"{broken:,}", judged=f"{judged:,}") if judged else "–"


def width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


def reason(case: "Case", language: str) -> str:
    """What is broken, where it can be seen, and why."""
    return word("verify.case", language, where=where(case, language), reason=because(case.witness, language))


def difference(case: "Case", language: str) -> str:
    """Who says what."""
    said = {
        name: word(f"verify.said.{value}".lower(), language)
        for name, value in (("relational", case.holds), ("local", case.local), ("simulator", case.simulated))
    }
    check = word(f"verify.check.{case.check}", language)
    return word("verify.difference", language, where=where(case, language), check=check, **said)


def where(case: "Case", language: str) -> str:
    """The address of a run, and the snapshot and step."""
    if case.snapshot is None:
        return case.url
    if not case.url.startswith("/"):
        return word("verify.where.file", language, url=case.url, snapshot=case.snapshot)
    return word("verify.where", language, url=case.url, snapshot=case.snapshot, step=case.step or 0)


def because(witness: Json, language: str) -> str:
    """A witness in words."""
    told = dict(witness or {})
    fault = told.pop("fault", "none")
    if fault == "amount":
        missing, quantity = told["missing"], told["quantity"]
        key = f"verify.fault.{'missing' if missing > 0 else 'much'}" + (".quantity" if quantity else ".amount")
        return word(key, language, amount=f"{abs(missing):,}", **({"quantity": quantity} if quantity else {}))
    return word(f"verify.fault.{fault}", language, **told)
