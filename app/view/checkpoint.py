"""A checkpoint of Spark Structured Streaming, read as files: what its logs say, and what a restart would do.

Plain Python; Spark is not needed. Micro-batch execution uses no markers. Before it runs batch N, it writes to
``offsets/N`` how far to read each source: the intention. When the batch is done, with its state stored and its output
in the sink, it writes ``commits/N``. So the offset log is the cut: the state after batch N includes everything before
offsets/N, and nothing after it. A restart looks only at the last numbers of both logs.

::

    CHECKPOINT/metadata                     the id of the query
    CHECKPOINT/offsets/N                    vV, metadata (watermark, time, settings), one line per source
    CHECKPOINT/commits/N                    vV, {"nextBatchWatermarkMs": …, and from v2 on "stateUniqueIds"}
    CHECKPOINT/sources/S/N, N.compact       which files source S had in batch N (file sources)
    CHECKPOINT/state/OPERATOR/PARTITION/    versions of the state; the one after batch N is number N + 1
    CHECKPOINT/state/OPERATOR/_metadata/    the operator's name, its stores and partitions

Nothing here raises an error for the contents of a file: if something is missing or unreadable, that is a ``Flaw``.

References
----------
Apache Spark 4.3, ``OffsetSeqLog`` (versions 1 and 2), ``CommitLog`` (1 to 3), ``FileStreamSourceLog``,
``OperatorStateMetadata`` (1 and 2): their formats. Structured Streaming Programming Guide, 2026.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar

from app.core.model import BluecutError, Json

NEWEST = {"offsets": 2, "commits": 3, "sources": 1, "state": 2}
"""The newest readable version of each log."""

T = TypeVar("T")
NUMBERED = re.compile(r"\d+(\.compact)?")
VERSION = re.compile(r"(\d+)(?:_[0-9A-Za-z_-]+)?\.(?:delta|snapshot|zip|changelog)")
SHOWN = 200
"""How many characters are shown of a text that cannot be understood."""

BYTES = 64_000_000
"""No log is longer; a longer file is something else."""

NOTHING = "-"
"""What the offset log has for a source without an offset."""

Why = Literal["missing", "empty", "unreadable", "version", "content", "gap"]


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something is wrong with a file. ``file`` is its path in the checkpoint.

    ``why``: the file is missing or empty; it is unreadable (``says`` has the reason); its version is unknown (``says``
    is the version); its content cannot be understood (``says`` is that content); ``gap``: its log has files before and
    after it, but not this one. If a source's log or a state is missing, ``says`` is the batch that refers to it.
    """

    file: str
    why: Why
    says: str = ""


@dataclass(frozen=True, slots=True)
class Offset:
    """How far a source is read. ``source`` is its position or, in version 2, its name; ``value`` is what the source
    wrote: a number, or an object by partition or log; None if it has none yet."""

    source: str
    value: Json


@dataclass(frozen=True, slots=True)
class Intent:
    """A file of the offset log. ``watermark`` and ``at`` are milliseconds since 1970; without one, ``watermark`` is
    None or 0. A restart takes ``settings`` from here and not from its session."""

    version: int
    watermark: int | None
    at: int | None
    settings: tuple[tuple[str, str], ...]
    offsets: tuple[Offset, ...]


@dataclass(frozen=True, slots=True)
class Commit:
    """A file of the commit log. ``ids`` are the versions of the state by operator, partition and store (version 2),
    ``sinks`` are the names of sinks (version 3)."""

    version: int
    watermark: int | None
    ids: Json = None
    sinks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Input:
    """A file that a file source had in a batch. ``at`` is its time in milliseconds since 1970."""

    path: str
    at: int | None


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch according to the logs. ``inputs`` are its files by source, None if no log lists them."""

    number: int
    intent: Intent | None
    commit: Commit | None
    inputs: tuple[tuple[str, tuple[Input, ...] | None], ...] = ()

    @property
    def committed(self) -> bool:
        """Is it done?"""
        return self.commit is not None


@dataclass(frozen=True, slots=True)
class Store:
    """A state store of an operator."""

    name: str
    partitions: int


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition of a state. ``versions`` are those with files of any of its stores; ``files`` and ``bytes`` are the
    totals on disk."""

    number: int
    versions: tuple[int, ...]
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Operator:
    """A stateful operator; ``variables`` are those of a handler that names them (transformWithState)."""

    number: int
    name: str
    stores: tuple[Store, ...]
    variables: tuple[tuple[str, str], ...]
    partitions: tuple[Partition, ...]


@dataclass(frozen=True, slots=True)
class Restart:
    """What a restart would do first.

    ``begin``: plan batch 0, for nothing has been written yet. ``rerun``: run batch ``batch`` again, with the offsets of
    its intent, from the state after the previous batch. ``plan``: the last batch is done, so ask the sources and plan
    batch ``batch``. ``stuck``: refuse, because a file that it needs is missing or broken.
    """

    does: Literal["begin", "rerun", "plan", "stuck"]
    batch: int


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The contents of a checkpoint directory. Spark deletes old batches, so ``batches`` begins with the oldest one in
    any log."""

    query: str | None
    batches: tuple[Batch, ...]
    operators: tuple[Operator, ...]
    flaws: tuple[Flaw, ...]
    restart: Restart

    @property
    def last(self) -> int | None:
        """The last finished batch, None if there is none."""
        return max((batch.number for batch in self.batches if batch.committed), default=None)

    def batch(self, number: int) -> Batch | None:
        """Return a batch by its number."""
        return next((batch for batch in self.batches if batch.number == number), None)


def checkpoint(directory: Path) -> Checkpoint:
    """Read a checkpoint directory. Raises BluecutError if it is not one."""
    if not directory.is_dir():
        raise BluecutError("{file}: there is no such directory", file=directory)
    if not any((directory / name).exists() for name in ("metadata", "offsets", "commits")):
        raise BluecutError(
            "{file}: not a checkpoint of Spark Structured Streaming, which has metadata, offsets and commits",
            file=directory,
        )
    flaws: list[Flaw] = []
    query = identity(directory, flaws)
    intents = log(directory, "offsets", intent, flaws)
    commits = log(directory, "commits", commit, flaws)
    sources = files(directory, flaws)
    batches = tuple(
        Batch(n, now := intents.get(n), commits.get(n), inputs(sources, intents.get(n - 1), now, first=n == 0))
        for n in sorted({*intents, *commits})
    )
    found = tuple(operators(directory, flaws))
    flaws += gaps("offsets", intents)
    flaws += gaps("commits", commits)
    flaws += (Flaw(f"offsets/{number}", "missing") for number in sorted(commits) if number > max(intents, default=-1))
    flaws += absent(sources, intents)
    flaws += forgotten(found, max(commits, default=None))
    used = bool(intents or commits)
    return Checkpoint(
        query, batches, found, tuple(flaws), restart(intents, commits, lost=lost(query, flaws, used=used))
    )


def restart(intents: Mapping[int, Intent | None], commits: Mapping[int, Commit | None], *, lost: bool) -> Restart:
    """Return what a restart would do, as Spark 4.3 does it.

    It looks at the last two files of the offset log and at the last of the commit log; those that cannot be read are
    None. A commit without an intent stops it, even if only when it commits that batch again. ``lost`` says that the id
    of the query or the files that its sources read are unknown.
    """
    last, done = max(intents, default=-1), max(commits, default=-1)
    needed = [intents.get(number) for number in (last - 1, last) if number >= 0]
    needed_commit = [commits[done]] if commits else []
    if lost or done > last or None in needed or None in needed_commit:
        return Restart("stuck", max(last, 0))
    if last < 0:
        return Restart("begin", 0)
    return Restart("plan", last + 1) if done == last else Restart("rerun", last)


def lost(query: str | None, flaws: Iterable[Flaw], *, used: bool) -> bool:
    """Is the id of the query unknown, or a log of a source incomplete? A query that was never ``used`` needs no id."""
    unnamed = query is None and (used or any(flaw.file == "metadata" and flaw.why != "missing" for flaw in flaws))
    return unnamed or any(flaw.file.startswith("sources/") for flaw in flaws)


def gaps(log: str, there: Iterable[int]) -> Iterator[Flaw]:
    """Yield a flaw for each number missing between two others."""
    found = set(there)
    if found:
        yield from (Flaw(f"{log}/{n}", "gap") for n in range(min(found), max(found)) if n not in found)


def identity(directory: Path, flaws: list[Flaw]) -> str | None:
    """Return the id of the query."""
    if (lines := text(directory, "metadata", flaws)) is None:
        return None
    told = parsed(lines)
    if isinstance(told, dict) and isinstance(told.get("id"), str):
        return str(told["id"])
    flaws.append(Flaw("metadata", "content", lines[:SHOWN]))
    return None


def log(directory: Path, name: str, read: Callable[[int, list[str]], T], flaws: list[Flaw]) -> dict[int, T | None]:
    """Return the files of a log by their numbers, with None for those that cannot be understood."""
    found: dict[int, T | None] = {}
    if not (directory / name).is_dir():
        flaws.append(Flaw(name, "missing"))
        return found
    for number in sorted(int(path.name) for path in (directory / name).iterdir() if path.name.isdigit()):
        found[number] = entry(directory, f"{name}/{number}", read, NEWEST[name], flaws)
    return found


def entry(directory: Path, file: str, read: Callable[[int, list[str]], T], newest: int, flaws: list[Flaw]) -> T | None:
    """Return a file of a log, whose first line is its version; None if it cannot be understood."""
    if (whole := text(directory, file, flaws)) is None:
        return None
    first, *lines = whole.splitlines()
    version = re.fullmatch(r"v(\d{1,9})", first.strip())
    if version is None or not 1 <= int(version[1]) <= newest:
        flaws.append(Flaw(file, "version", first[:SHOWN]))
        return None
    try:
        return read(int(version[1]), lines)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
        flaws.append(Flaw(file, "content", "\n".join(lines)[:SHOWN]))
        return None


def text(directory: Path, file: str, flaws: list[Flaw]) -> str | None:
    """Return the text of a file; add a flaw and return None if the file is missing, empty or unreadable."""
    path = directory / file
    try:
        if path.stat().st_size > BYTES:
            flaws.append(Flaw(file, "content", f"{path.stat().st_size} bytes"))
            return None
        found = path.read_text("utf-8")
    except FileNotFoundError:
        flaws.append(Flaw(file, "missing"))
        return None
    except (OSError, UnicodeDecodeError) as error:
        flaws.append(Flaw(file, "unreadable", str(getattr(error, "strerror", None) or error)[:SHOWN]))
        return None
    if not found.strip():
        flaws.append(Flaw(file, "empty"))
        return None
    return found


def parsed(written: str) -> Json:
    """Return the JSON, or the text itself if it is not JSON: a source may write its offset in any form."""
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written


def intent(version: int, lines: list[str]) -> Intent:
    """Return a file of the offset log. Version 1 lists the sources' offsets in order, version 2 has ``name:offset``."""
    told = json.loads(lines[0]) if lines and lines[0].strip() else {}
    if version == 1:
        given = [(str(place), line) for place, line in enumerate(lines[1:])]
    else:
        given = [(name, line) for name, line in (line.split(":", 1) for line in lines[1:])]
    return Intent(
        version,
        number(told.get("batchWatermarkMs")),
        number(told.get("batchTimestampMs")),
        tuple(sorted((str(name), str(value)) for name, value in (told.get("conf") or {}).items())),
        tuple(Offset(name, None if line == NOTHING else parsed(line)) for name, line in given),
    )


def commit(version: int, lines: list[str]) -> Commit:
    """Return a file of the commit log."""
    told = json.loads(lines[0]) if lines and lines[0].strip() else {}
    sinks = tuple(str(name) for name in told.get("sinkMetadataMap") or ())
    return Commit(version, number(told.get("nextBatchWatermarkMs")), told.get("stateUniqueIds"), sinks)


def number(value: Json) -> int | None:
    """Return a number of milliseconds. Raises ValueError for anything else."""
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise ValueError(value)
    return value


Inputs: TypeAlias = dict[str, dict[int, tuple[Input, ...]]]
"""The files by source, and by number in the source's own log."""


def files(directory: Path, flaws: list[Flaw]) -> Inputs:
    """Return the files of file sources, batch by batch. A compact file has all earlier batches, and each line names its
    batch."""
    found: Inputs = {}
    folder = directory / "sources"
    for source in sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else ():
        mine: dict[int, list[Input]] = {}
        for path in sorted((p for p in source.iterdir() if NUMBERED.fullmatch(p.name)), key=compact_first):
            lines = entry(directory, f"sources/{source.name}/{path.name}", listed, NEWEST["sources"], flaws)
            for batch, one in lines or ():
                if one not in mine.setdefault(batch, []):
                    mine[batch].append(one)
        if mine:
            found[source.name] = {batch: tuple(some) for batch, some in sorted(mine.items())}
    return found


def compact_first(path: Path) -> tuple[bool, int]:
    """Sort compact files before others, each kind by number."""
    return not path.name.endswith(".compact"), int(path.name.removesuffix(".compact"))


def listed(version: int, lines: list[str]) -> list[tuple[int, Input]]:
    """Return the lines of a file of a file source. Other sources write other things there, which are ignored."""
    told = [json.loads(line) for line in lines if line.startswith("{")]
    return [
        (int(one["batchId"]), Input(str(one["path"]), number(one.get("timestamp")))) for one in told if "path" in one
    ]


def inputs(
    sources: Inputs, before: Intent | None, now: Intent | None, first: bool
) -> tuple[tuple[str, tuple[Input, ...] | None], ...]:
    """Return the files of a batch by source: those between the source's previous offset and this one, because a file
    source counts its own batches. ``first`` says that there is no earlier batch."""
    found: list[tuple[str, tuple[Input, ...] | None]] = []
    for offset in now.offsets if now else ():
        if (upto := logged(offset)) is None:
            continue
        old = next((one for one in before.offsets if one.source == offset.source), None) if before else None
        since = -1 if first or (before and (old is None or old.value is None)) else logged(old) if old else None
        mine = sources.get(offset.source, {})
        wanted = None if since is None else range(since + 1, upto + 1)
        known = wanted is not None and all(number in mine for number in wanted)
        files = tuple(one for number in wanted for one in mine[number]) if wanted is not None and known else None
        found.append((offset.source, files))
    return tuple(found)


def until(directory: Path, batch: Batch) -> tuple[Input, ...] | None:
    """Return all files in the state after a batch: those of this batch and of all earlier ones, from all sources. None
    if a source is not a file source, or its log is incomplete."""
    sources, found = files(directory, []), list[Input]()
    for offset in batch.intent.offsets if batch.intent else ():
        mine, upto = sources.get(offset.source, {}), logged(offset)
        if offset.value is None:
            continue
        if upto is None or any(number not in mine for number in range(upto + 1)):
            return None
        found += (one for number in range(upto + 1) for one in mine[number])
    return tuple(found) if batch.intent else None


def logged(offset: Offset) -> int | None:
    """Return the number in the source's own log that its offset means; None for other kinds of sources."""
    value = offset.value
    if isinstance(value, dict) and set(value) == {"logOffset"} and isinstance(value["logOffset"], int):
        return int(value["logOffset"])
    return None


def absent(sources: Inputs, intents: Mapping[int, Intent | None]) -> Iterator[Flaw]:
    """Yield a flaw for each file of a source's log that the offset log refers to and that is missing."""
    for batch, intent in intents.items():
        for offset in intent.offsets if intent else ():
            upto = logged(offset)
            if upto is not None and upto >= 0 and upto not in sources.get(offset.source, {}):
                yield Flaw(f"sources/{offset.source}/{upto}", "missing", str(batch))


def operators(directory: Path, flaws: list[Flaw]) -> Iterator[Operator]:
    """Yield the stateful operators."""
    folder = directory / "state"
    for path in sorted(numbered(folder), key=lambda path: int(path.name)):
        described = sorted(numbered(path / "_metadata" / "v2"), key=lambda path: int(path.name))
        file = (described[-1] if described else path / "_metadata" / "metadata").relative_to(directory).as_posix()
        told = entry(directory, file, lambda _, lines: described_as(lines), NEWEST["state"], flaws)
        name, stores, variables = told or ("", (), ())
        partitions = tuple(partition(one) for one in sorted(numbered(path), key=lambda path: int(path.name)))
        yield Operator(int(path.name), name, stores, variables, partitions)


def numbered(folder: Path) -> list[Path]:
    """Return the entries of a folder whose names are numbers."""
    return [path for path in folder.iterdir() if path.name.isdigit()] if folder.is_dir() else []


def described_as(lines: list[str]) -> tuple[str, tuple[Store, ...], tuple[tuple[str, str], ...]]:
    """Return the name of an operator, its stores, and its variables with their types."""
    told = json.loads(lines[0])
    properties = json.loads(told.get("operatorPropertiesJson") or "{}")
    variables = {one["stateName"]: one["stateVariableType"] for one in properties.get("stateVariables") or ()}
    stores = (Store(str(one["storeName"]), int(one["numPartitions"])) for one in told["stateStoreInfo"])
    return str(told["operatorInfo"]["operatorName"]), tuple(stores), tuple(sorted(variables.items()))


def partition(folder: Path) -> Partition:
    """Return a partition of a state; a join keeps several stores in it, each in its own folder."""
    there = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    versions = {int(found[1]) for path in there if (found := VERSION.fullmatch(path.name))}
    return Partition(int(folder.name), tuple(sorted(versions)), len(there), sum(map(size, there)))


def size(file: Path) -> int:
    """Return the bytes of a file; 0 if a running query has just deleted it."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def forgotten(operators: Iterable[Operator], last: int | None) -> Iterator[Flaw]:
    """Yield a flaw for each partition without a state after the last finished batch."""
    for operator in operators if last is not None else ():
        for one in operator.partitions:
            if one.versions and last is not None and last + 1 not in one.versions:
                yield Flaw(f"state/{operator.number}/{one.number}/{last + 1}", "missing", str(last))
