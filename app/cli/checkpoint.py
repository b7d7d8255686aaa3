"""``bluecut checkpoint``: what is in a checkpoint of Spark Structured Streaming."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from app.cli.run_options import in_language
from app.cli.spark_options import on_spark
from app.cli.terminal import say, write_json
from app.core.model.values import Json
from app.formats.spark_checkpoint import Batch, Checkpoint, Input, Intent
from app.formats.spark_checkpoint import checkpoint as opened
from app.words.catalogues import JOIN, word

if TYPE_CHECKING:
    from app.pipeline.stream.state_reader import Equal, Kept

SHOWN = 3
"""How many files of a batch are named."""


@click.command()
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--last", type=click.IntRange(0, 1000), default=2, show_default=True, help="Read the state of the last N batches."
)
@on_spark
@in_language
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def checkpoint(directory: Path, last: int, master: str | None, lang: str, as_json: bool) -> int:
    """Open DIR, a checkpoint of any Spark Structured Streaming query: its logs, and its state batch by batch.

    Shows for each batch up to where it reads its sources, whether it is done, and what a restart would do first.
    Spark reads the state after the last batch that is done and after those before it; with --last 0 the state is
    skipped, and Spark is not started. DIR may also be the folder that contains it as "checkpoint", or a sweep that is
    followed. For such a sweep the state is checked: it must follow from everything read before it.

    The exit status is 1 if a file is missing or cannot be understood, or if that check fails.
    """
    inner = () if (directory / "offsets").is_dir() else (directory / "stream" / "checkpoint", directory / "checkpoint")
    directory = next((each for each in inner if each.is_dir()), directory)
    found = opened(directory)
    kept, equal = _states(found, directory, last, master) if last and found.operators else ((), ())
    if as_json:
        write_json(checkpoint_json(found, kept, equal))
    else:
        say(lines(found, kept, equal, lang))
    return 1 if found.flaws or any(one.differ for one in equal) else 0


def _states(
    found: Checkpoint, directory: Path, last: int, master: str | None
) -> tuple[tuple["Kept", ...], tuple["Equal", ...]]:
    """Return the states after the last batches that are done, and whether they are right, if that can be known."""
    from app.pipeline.engine.session import session
    from app.pipeline.stream.state_reader import equal, states

    done = [batch for batch in found.batches if batch.committed and batch.intent][-last:]
    if not done:
        return (), ()
    with session(master, "bluecut checkpoint", shuffle=2, brief=True) as spark:
        kept = states(spark, directory, found, [batch.number for batch in done])
        ours = (directory.parent.parent / "sweep.json").is_file() and directory.parent.name == "stream"
        return kept, tuple(equal(spark, directory, found, batch) for batch in done) if ours else ()


def checkpoint_json(found: Checkpoint, kept: tuple["Kept", ...], equal: tuple["Equal", ...]) -> Json:
    """Return everything as JSON."""
    return {
        "query": found.query,
        "batches": [
            {
                "batch": batch.number,
                "committed": batch.committed,
                "offsets": {one.source: one.value for one in batch.intent.offsets} if batch.intent else None,
                "watermark": batch.intent.watermark if batch.intent else None,
                "at": batch.intent.at if batch.intent else None,
                "settings": dict(batch.intent.settings) if batch.intent else {},
                "next_watermark": batch.commit.watermark if batch.commit else None,
                "files": {source: [file.path for file in files or ()] for source, files in batch.inputs},
            }
            for batch in found.batches
        ],
        "restart": to_builtins(found.restart),
        "operators": [to_builtins(one) for one in found.operators],
        "flaws": [to_builtins(one) for one in found.flaws],
        "state": [to_builtins(one) | {"rows": dict(one.rows), "count": one.count} for one in kept],
        "checks": [to_builtins(one) for one in equal],
    }


def lines(found: Checkpoint, kept: tuple["Kept", ...], equal: tuple["Equal", ...], language: str) -> Iterator[str]:
    """Yield everything for people."""

    def says(key: str, **fields: object) -> str:
        return word(f"cli.checkpoint.{key}", language, **fields)

    yield says("headline", query=found.query or "?", batches=len(found.batches))
    yield says("cut")
    last = max((batch.number for batch in found.batches if batch.committed), default=-1)
    for batch in found.batches:
        yield from _about(batch, last, language)
    does, next_one = found.restart.does, found.restart.batch
    key = "rerun.first" if does == "rerun" and next_one == 0 else does
    yield f"→ {says(f'restart.{key}', batch=next_one, before=next_one - 1)}"
    for operator in found.operators:
        stores = JOIN[language].join(store.name for store in operator.stores) or "?"
        fields = {"number": operator.number, "name": operator.name or "?", "partitions": len(operator.partitions)}
        size = sum(one.bytes for one in operator.partitions)
        yield says("operator", **fields, stores=stores, bytes=f"{size:,}")
    for one in kept:
        part = one.part or found.operators[0].name
        if one.mistake:
            yield "  " + says("unread", batch=one.batch, part=part, reason=one.mistake)
            continue
        yield "  " + says("state", batch=one.batch, part=part, rows=f"{one.count:,}", partitions=len(one.rows))
        yield from (f"      {json.dumps(row, ensure_ascii=False)}" for row in one.sample)
    for each in equal:
        result = "unchecked" if each.mistake else "differs" if each.differ else "equal"
        fields = {"batch": each.batch, "files": each.files, "runs": each.runs, "differ": each.differ}
        yield f"{'–' if each.mistake else '✗' if each.differ else '✓'} " + says(
            result, **fields, reason=each.mistake or ""
        )
    yield from (
        "✗ " + word(f"cli.checkpoint.flaw.{one.why}", language, file=one.file, says=one.says) for one in found.flaws
    )


def _about(batch: Batch, last: int, language: str) -> Iterator[str]:
    """Yield the lines about a batch; ``last`` is the last one that is committed: whatever is before it is done."""
    done = "done" if batch.committed else "unlogged" if batch.number < last else "open"
    yield f"{'…' if done == 'open' else '✓'} " + word(
        f"cli.checkpoint.batch.{done}", language, batch=batch.number, facts=JOIN[language].join(_facts(batch, language))
    )
    for source, files in batch.inputs:
        if files is not None:
            yield f"    {word('cli.checkpoint.files', language, source=source, count=len(files))}"
            yield from (f"      {_short(file)}" for file in files[:SHOWN])


def _facts(batch: Batch, language: str) -> list[str]:
    """Return offsets, time and watermark."""
    if batch.intent is None:
        return [word("cli.checkpoint.unknown", language)]
    intent: Intent = batch.intent
    said = [
        word("cli.checkpoint.offset", language, source=one.source, offset=json.dumps(one.value, ensure_ascii=False))
        for one in intent.offsets
    ]
    if intent.at is not None:
        said.append(word("cli.checkpoint.at", language, time=_moment(intent.at)))
    if intent.watermark:
        said.append(word("cli.checkpoint.watermark", language, time=_moment(intent.watermark)))
    return said


def _moment(milliseconds: int) -> str:
    """Return the time, or the number if it is not a time."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(" ", "milliseconds").replace("+00:00", " UTC")
    except (ValueError, OverflowError, OSError):
        return str(milliseconds)


def _short(file: Input) -> str:
    """Return the end of a path, from the partition folders on."""
    pieces = file.path.split("/")
    start = next((place for place, piece in enumerate(pieces) if "=" in piece), len(pieces) - 1)
    return "/".join(pieces[start:])
