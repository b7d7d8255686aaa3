"""``bluecut verify``: compare what was recorded with what happened."""

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.check import counted
from app.cli.labels import ordered
from app.cli.run_options import in_language
from app.cli.spark_options import on_spark
from app.cli.terminal import oneline, say, warn, working, write_json
from app.core.model.values import BluecutError, Json
from app.core.oracle.checks import CHECKS as REGISTERED
from app.core.oracle.checks import ROW_CHECKS
from app.words.catalogues import COLON, JOIN, word

if TYPE_CHECKING:
    from app.pipeline.external.json_lines import Foreign
    from app.pipeline.verify.verify import Case, Verified

LINES = (".jsonl", ".ndjson", ".json", ".parquet")
"""Files with these suffixes have one line per event; other files are logs with vector clocks."""

CHECKS = (*ROW_CHECKS, "rows")
"""What verifiers judge; the last is about a life of a run."""

Kind = tuple[str, str, str]
"""An algorithm, the order of the channels (both empty if unknown), and a check."""


def _printed(context: click.Context, option: click.Parameter, asked: bool) -> None:
    """Print the schema of a line, and exit."""
    if asked and not context.resilient_parsing:
        from app.pipeline.external.json_lines import schema

        write_json(schema())
        context.exit()


@click.command()
@click.argument("place", metavar="DIR|FILE", type=click.Path(path_type=Path))
@click.option(
    "--record",
    metavar="REGEX",
    help="A pattern for the events that record; its group snapshot is the number of the snapshot.",
)
@click.option(
    "--parser", metavar="REGEX", help="How a log is read: groups host, clock and event. Default: its first line."
)
@click.option("--unordered", is_flag=True, help="Accept channels that do not keep the order of messages.")
@click.option(
    "--rows",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Keep the trace as rows, and the verdicts, in this new folder; on a cluster, every worker must see it.",
)
@click.option(
    "--all", "every", is_flag=True, help="List the first 20 broken snapshots of each kind with reasons, instead of one."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@on_spark
@click.option(
    "--schema",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_printed,
    help="Print the JSON Schema of a line of a trace, and exit.",
)
@in_language
def verify(
    place: Path,
    record: str | None,
    parser: str | None,
    unordered: bool,
    rows: Path | None,
    every: bool,
    as_json: bool,
    master: str | None,
    lang: str,
) -> int:
    """Verify every snapshot in DIR, which bluecut sweep has made, or in FILE, the trace of another system.

    Two verifiers, one in Spark SQL and one on whole files, judge each snapshot independently; they must agree with
    each other and with the simulator. FILE is a trace (.jsonl or .parquet, one line per event; see --schema) or a log
    with vector clocks for ShiViz.

    The exit status is 1 if verifiers disagree, or if something is broken that should hold: in a sweep, broken variants
    of algorithms, and channels with less order than the algorithm needs, are findings, not errors. It is 2 if FILE has
    a mistake, or if no snapshot of DIR or FILE can be judged, as after bluecut sweep --report.
    """
    began = time.monotonic()
    if place.is_dir() and (record or parser or unordered or rows):
        raise click.UsageError("--record, --parser, --unordered and --rows are for files; a folder says it all")
    with working(word("verify.reading", lang, file=place.name)):
        trace = None if place.is_dir() else _read(place, record, parser, ordered=not unordered)
        from app.pipeline.engine.session import session, target
        from app.pipeline.rows.lock import locked
        from app.pipeline.rows.tables import batches
        from app.pipeline.verify.completeness import wanted
        from app.pipeline.verify.verify import elsewhere, fresh, verify_foreign
        from app.pipeline.verify.verify import verify as verified
    if trace is None:
        batches(place)  # report a wrong folder before Spark starts, and leave it unchanged
        wanted(place)
    if rows is not None:
        fresh(rows)
    where = target(master, os.environ)
    if trace is not None and rows is None and (where.remote or (where.master and not where.here)):
        raise elsewhere(where.remote or where.master or "")
    starting = word("verify.starting", lang)
    with locked(place) if trace is None else nullcontext():
        if not sys.stderr.isatty():  # it takes seconds, and no terminal shows a changing line
            warn(starting)
        with (
            working(starting) as status,
            session(master, f"bluecut verify {place.name}", brief=trace is not None) as spark,
        ):
            started = time.monotonic()
            if status is not None:
                status.update(oneline(word("cli.sweep.stage.verifying", lang)))
            found = verified(spark, place) if trace is None else verify_foreign(spark, trace, rows)
    code = ended(place, found)
    if status is not None:  # a person is watching
        seconds = (round(started - began), round(time.monotonic() - began))
        warn(word("verify.took", lang, starting=f"{seconds[0]:,}", seconds=f"{seconds[1]:,}"))
    if as_json:
        write_json(found.written())
    else:
        say(lines(found, lang, every=every))
        say(() if trace is None else reservations(found, trace, lang))
    return code


def ended(place: Path, found: "Verified") -> int:
    """Return the exit status: 1 if verifiers disagree, or if something is broken that should hold.

    Raises BluecutError if nothing is wrong only because no snapshot was judged.
    """
    if not found.judged and found.fine:
        raise _nothing(place, found)
    return 0 if found.fine else 1


def _nothing(place: Path, found: "Verified") -> BluecutError:
    """Return why nothing was judged."""
    if not found.snapshots:
        return BluecutError("{file}: nothing was judged: there is no snapshot in it", file=place)
    return BluecutError(
        "{file}: nothing was judged: no process recorded, or not all did, or the snapshot was aborted", file=place
    )


def _read(file: Path, record: str | None, parser: str | None, *, ordered: bool) -> "Foreign":
    """Return the trace in a file. Raises BluecutError if there is none, or if it has a mistake."""
    from app.pipeline.external.json_lines import foreign
    from app.pipeline.external.vector_clock_logs import logged

    if not file.exists():
        raise BluecutError("{file}: there is no such file or folder", file=file)
    if file.suffix not in LINES:
        return logged(file, record=record, parser=parser)
    if record or parser:
        raise click.UsageError("--record and --parser are for logs with vector clocks; this file says it all")
    return foreign(file, ordered=ordered)


def lines(found: "Verified", language: str, *, every: bool = False) -> Iterator[str]:
    """Yield what was found, for people: one violation for each algorithm, order and check, or ``every`` one that is
    known."""
    runs, snapshots = counted(found.runs, "run", language), counted(found.snapshots, "snapshot", language)
    judged = counted(sum(count.holds + count.broken for count in found.counts), "check", language)
    yield word("verify.sum", language, runs=runs, snapshots=snapshots, checks=judged, broken=f"{found.broken:,}")
    if found.planned is not None and found.runs < found.planned:
        yield word("verify.part", language, runs=f"{found.runs:,}", planned=counted(found.planned, "run", language))
    decided = sum(count.holds + count.broken for count in found.counts if count.check == ROW_CHECKS[0])
    if found.simulated and 0 < decided < found.snapshots:
        left = counted(found.snapshots - decided, "snapshot", language)
        yield word("verify.unjudged", language, snapshots=left)
    if not found.judged:
        yield word("verify.nothing", language)
        if found.fine:
            return
    else:
        yield ""
        yield from _table(found, language)
        yield ""
        yield from _meanings(found, language)
    yield ""
    if not found.disagreements:
        yield "✓ " + word("verify.agree" if found.simulated else "verify.agree.both", language)
    else:
        yield "✗ " + word("verify.differ", language, verdicts=counted(found.disagreements, "verdict", language))
        yield from _report(found.disagreeing, {}, language, every=every, simulated=found.simulated > 0)
    for name, mark, cases, known in (
        ("unexpected", "✗ ", found.surprising, False),
        ("findings", "", found.findings, True),
    ):
        sums: Counter[Kind] = Counter()
        for count in found.counts:
            if count.known == known:
                sums[count.algorithm, count.discipline, count.check] += count.broken
        if total := sums.total():
            yield mark + word(f"verify.{name}", language, checks=counted(total, "check", language))
            yield from _report(cases, sums, language, every=every)
    shown = (found.disagreeing, found.surprising, found.findings)
    if not every and any(len(cases) > len({_kind(one) for one in cases}) for cases in shown):
        yield word("verify.more", language)


def _kind(case: "Case") -> Kind:
    """Return the algorithm, channel order and check of a case."""
    return case.algorithm or "", case.discipline or "", case.check


def _report(
    cases: "Sequence[Case]",
    sums: Mapping[Kind, int],
    language: str,
    *,
    every: bool,
    simulated: bool = False,
) -> Iterator[str]:
    """Yield cases by algorithm, order and check: what is wrong, and on a line of its own the address, to be copied.
    ``sums`` says how many there are, if known; without it, the cases are disagreements."""
    groups: dict[Kind, list[Case]] = {}
    for case in cases:
        groups.setdefault(_kind(case), []).append(case)
    for key, mine in sorted(groups.items(), key=lambda item: (*item[0][:2], CHECKS.index(item[0][2]))):
        algorithm, discipline, check = key
        what = word(f"check.{check}.column", language)
        if algorithm:
            what = word("verify.group", language, algorithm=ordered(algorithm, discipline, language), check=what)
        for place, case in enumerate(mine if every else mine[:1]):
            head = what
            if sums and place == 0:
                head = word("verify.times", language, what=what, count=f"{sums[key]:,}")
            reason = _because(case.witness, language) if sums else _difference(case, language, simulated=simulated)
            yield "  " + word("verify.case", language, what=head, reason=_located(case, reason, language))
            yield "    " + _address(case, language)


def _address(case: "Case", language: str) -> str:
    """Return where it can be seen; for the trace of another system, in which lines."""
    lines = dict((case.witness or {}).get("lines", {}))
    if not lines:
        return case.url
    file = str(lines.pop("file"))
    both = f" {word('verify.both', language)} "
    parts = [
        word(f"verify.line.{what}", language, lines=both.join(f":{line}" for line in those))
        for what, those in lines.items()
    ]
    run = case.url.removeprefix(file).strip()
    return file + JOIN[language].join(parts) + (f" ({run})" if run else "")


def _located(case: "Case", reason: str, language: str) -> str:
    """Return what is wrong, and in which snapshot and step."""
    if case.snapshot is None:
        return reason
    if case.step is None or not case.url.startswith("/"):
        return word("verify.in.snapshot", language, reason=reason, snapshot=case.snapshot)
    return word("verify.in.step", language, reason=reason, snapshot=case.snapshot, step=case.step)


def reservations(found: "Verified", trace: "Foreign", language: str) -> Iterator[str]:
    """Yield what is not judged in the trace of another system, and what its verdicts rest on."""
    left = [(name, who) for each in trace.accounts for name, who in each.open.items()]
    if left:
        name, who = left[0]
        snapshots = counted(len(left), "snapshot", language)
        key = "verify.open" if who else "verify.open.said"
        fields = {"processes": JOIN[language].join(who)} if who else {}
        yield word(key, language, snapshots=snapshots, snapshot=name, **fields)
    if trace.alone and found.broken:
        yield word("verify.clocks", language)


def _table(found: "Verified", language: str) -> Iterator[str]:
    """Yield by algorithm, channel order and check how many are broken, out of how many."""
    sums: dict[str, dict[str, tuple[int, int]]] = {}
    for count in found.counts:
        row = sums.setdefault(ordered(count.algorithm, count.discipline, language), {})
        broken, judged = row.get(count.check, (0, 0))
        row[count.check] = (broken + count.broken, judged + count.holds + count.broken)
    head = [word("verify.algorithm", language), *(word(f"check.{name}.column", language) for name in CHECKS)]
    cells = [
        [name or "–", *(_cell(*row.get(check, (0, 0)), language) for check in CHECKS)] for name, row in sums.items()
    ]
    skipped = 0 if any(sums) else 1  # the algorithm is unknown
    yield from _columns([row[skipped:] for row in [head, *cells]])


def _meanings(found: "Verified", language: str) -> Iterator[str]:
    """Yield in words what was checked, if anything was."""
    judged = {count.check for count in found.counts if count.holds + count.broken}
    yield from _columns(
        [[word(f"check.{name}.column", language), _meaning(name, language)] for name in CHECKS if name in judged]
    )
    silent = [name for name in ROW_CHECKS if name not in judged]
    if found.simulated:
        return
    cuts = [count for count in found.counts if count.check == "consistent"]
    if "channels" in silent and any(one.broken for one in cuts) and not any(one.holds for one in cuts):
        silent.remove("channels")
        yield word("verify.unasked.cut", language)
    if silent:
        columns = [word(f"check.{name}.column", language) for name in silent]
        yield word("verify.unasked", language, checks=columns)


def _meaning(check: str, language: str) -> str:
    """Return in words what a check asks, with its number if it has one."""
    about = word(f"check.{check}.about", language)
    return f"{REGISTERED[check].number}{COLON[language]}{about}" if check in REGISTERED else about


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(_width(row[place]) for row in rows) for place in range(len(rows[0]))]
    for texts in rows:
        padded = (text + " " * (wide - _width(text)) for text, wide in zip(texts, widths, strict=True))
        yield "  ".join(padded).rstrip()


def _cell(broken: int, judged: int, language: str) -> str:
    """Return how many are broken, out of how many judged."""
    return word("verify.of", language, broken=f"{broken:,}", judged=f"{judged:,}") if judged else "–"


def _width(text: str) -> int:
    """Return how many terminal columns a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


def _difference(case: "Case", language: str, *, simulated: bool) -> str:
    said = {
        name: word(f"verify.said.{value}".lower(), language)
        for name, value in (("relational", case.holds), ("local", case.local), ("simulator", case.simulated))
        if simulated or name != "simulator"
    }
    return word("verify.difference" if simulated else "verify.difference.both", language, **said)


def _because(witness: Json, language: str) -> str:
    told = dict(witness or {})
    fault = told.pop("fault", "none")
    told.pop("lines", None)
    if fault == "amount":
        missing, quantity = told["missing"], told["quantity"]
        key = f"verify.fault.{'missing' if missing > 0 else 'much'}" + (".quantity" if quantity else ".amount")
        return word(key, language, amount=f"{abs(missing):,}", **({"quantity": quantity} if quantity else {}))
    return word(f"verify.fault.{fault}", language, **told)
