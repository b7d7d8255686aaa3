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
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json
from app.forms.json_shape import whole

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


class Flaw(Frozen):
    """Something is wrong with a file. ``file`` is its path in the checkpoint.

    ``why``: the file is missing or empty; it is unreadable (``says`` has the reason); its version is unknown (``says``
    is the version); its content cannot be understood (``says`` is that content); ``gap``: its log has files before and
    after it, but not this one. If a source's log or a state is missing, ``says`` is the batch that refers to it.
    """

    file: str
    why: Why
    says: str = ""


class Offset(Frozen):
    """How far a source is read. ``source`` is its position or, in version 2, its name; ``value`` is what the source
    wrote: a number, or an object by partition or log; None if it has none yet."""

    source: str
    value: Json


class Intent(Frozen):
    """A file of the offset log. ``watermark`` and ``at`` are milliseconds since 1970; without one, ``watermark`` is
    None or 0. A restart takes ``settings`` from here and not from its session."""

    watermark: int | None
    at: int | None
    settings: tuple[tuple[str, str], ...]
    offsets: tuple[Offset, ...]


class Commit(Frozen):
    """A file of the commit log. ``ids`` are the versions of the state by operator, partition and store (version 2)."""

    watermark: int | None
    ids: Json = None


class Input(Frozen):
    """A file that a file source had in a batch. ``at`` is its time in milliseconds since 1970."""

    path: str
    at: int | None


Inputs: TypeAlias = dict[str, dict[int, tuple[Input, ...]]]
"""The files by source, and by number in the source's own log."""


class Batch(Frozen):
    """A batch according to the logs. ``inputs`` are its files by source, None if no log lists them."""

    number: int
    intent: Intent | None
    commit: Commit | None
    inputs: tuple[tuple[str, tuple[Input, ...] | None], ...] = ()

    @property
    def committed(self) -> bool:
        """Is it done?"""
        return self.commit is not None


class Store(Frozen):
    """A state store of an operator."""

    name: str
    partitions: int


class Partition(Frozen):
    """A partition of a state. ``versions`` are those with files of any of its stores; ``files`` and ``bytes`` are the
    totals on disk."""

    number: int
    versions: tuple[int, ...]
    files: int
    bytes: int


class Operator(Frozen):
    """A stateful operator; ``variables`` are those of a handler that names them (transformWithState)."""

    number: int
    name: str
    stores: tuple[Store, ...]
    variables: tuple[tuple[str, str], ...]
    partitions: tuple[Partition, ...]


class Restart(Frozen):
    """What a restart would do first.

    ``begin``: plan batch 0, for nothing has been written yet. ``rerun``: run batch ``batch`` again, with the offsets of
    its intent, from the state after the previous batch. ``plan``: the last batch is done, so ask the sources and plan
    batch ``batch``. ``stuck``: refuse, because a file that it needs is missing or broken.
    """

    does: Literal["begin", "rerun", "plan", "stuck"]
    batch: int


class Checkpoint(Frozen):
    """The contents of a checkpoint directory. Spark deletes old batches, so ``batches`` begins with the oldest one in
    any log. ``sources`` are the logs of its file sources."""

    query: str | None
    batches: tuple[Batch, ...]
    operators: tuple[Operator, ...]
    flaws: tuple[Flaw, ...]
    restart: Restart
    sources: Inputs

    def until(self, batch: Batch) -> tuple[Input, ...] | None:
        """Return all files in the state after a batch: those of this batch and of all earlier ones, from all sources.
        None if a source is not a file source, or its log is incomplete."""
        found: list[Input] = []
        for offset in batch.intent.offsets if batch.intent else ():
            if offset.value is None:
                continue
            upto = _logged(offset)
            files = None if upto is None else _slice_of(self.sources.get(offset.source, {}), range(upto + 1))
            if files is None:
                return None
            found += files
        return tuple(found) if batch.intent else None


def checkpoint(directory: Path) -> Checkpoint:
    """Read a checkpoint directory. Raises BluecutError if it is not one."""
    if not directory.is_dir():
        if directory.exists():
            raise BluecutError("{file}: a file; give the folder of a checkpoint", file=directory)
        raise BluecutError("{file}: there is no such directory", file=directory)
    if not any((directory / name).exists() for name in ("metadata", "offsets", "commits")):
        raise BluecutError(
            "{file}: not a checkpoint of Spark Structured Streaming, which has metadata, offsets and commits",
            file=directory,
        )
    files = _Files(directory)
    query = files.read("metadata", _identity)
    intents, commits = files.log("offsets", _intent), files.log("commits", _commit)
    sources, operators = files.sources(), tuple(files.operators())
    batches = tuple(
        Batch(n, now := intents.get(n), commits.get(n), _inputs(sources, intents.get(n - 1), now, first=n == 0))
        for n in sorted({*intents, *commits})
    )
    flaws = (
        *files.flaws,
        *_gaps("offsets", intents),
        *_gaps("commits", commits),
        *(Flaw(f"offsets/{number}", "missing") for number in sorted(commits) if number > max(intents, default=-1)),
        *_absent(sources, intents),
        *_forgotten(operators, max(commits, default=None)),
    )
    then = _restart(intents, commits, lost=_lost(query, flaws, used=bool(batches)))
    return Checkpoint(query, batches, operators, flaws, then, sources)


def logs(directory: Path) -> tuple[dict[int, Intent | None], dict[int, Commit | None]]:
    """Return the offset log and the commit log by batch, with None for what cannot be understood."""
    files = _Files(directory)
    return files.log("offsets", _intent), files.log("commits", _commit)


def numbers(folder: Path) -> list[int]:
    """Return the numbers that name what is in a folder, in order: in a log, the batches. No folder has none."""
    try:
        return sorted(int(path.name) for path in folder.iterdir() if path.name.isdecimal())
    except OSError:
        return []


class _Files:
    """The files of a checkpoint directory, and the flaws found in them so far."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.flaws: list[Flaw] = []

    def log(self, name: str, parse: Callable[[int, list[str]], T]) -> dict[int, T | None]:
        """Return the files of a log by their numbers, with None for those that cannot be understood."""
        if not (self.directory / name).is_dir():
            self.flaws.append(Flaw(name, "missing"))
        return {n: self.read(f"{name}/{n}", _versioned(name, parse)) for n in numbers(self.directory / name)}

    def sources(self) -> Inputs:
        """Return the files of file sources, batch by batch. A compact file has all earlier batches, and each line
        names its batch."""
        found: Inputs = {}
        folder = self.directory / "sources"
        for source in sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else ():
            mine: dict[int, dict[Input, None]] = {}
            for path in sorted((p for p in source.iterdir() if NUMBERED.fullmatch(p.name)), key=_compact_first):
                lines = self.read(f"sources/{source.name}/{path.name}", _versioned("sources", _listed))
                for batch, one in lines or ():
                    mine.setdefault(batch, {})[one] = None
            if mine:
                found[source.name] = {batch: tuple(some) for batch, some in sorted(mine.items())}
        return found

    def operators(self) -> Iterator[Operator]:
        """Yield the stateful operators."""
        for number in numbers(self.directory / "state"):
            folder = self.directory / "state" / str(number)
            described = numbers(folder / "_metadata" / "v2")
            file = f"state/{number}/_metadata/" + (f"v2/{described[-1]}" if described else "metadata")
            name, stores, variables = self.read(file, _versioned("state", _described_as)) or ("", (), ())
            partitions = tuple(_partition(folder / str(each)) for each in numbers(folder))
            yield Operator(number, name, stores, variables, partitions)

    def read(self, file: str, parse: Callable[[str], T]) -> T | None:
        """Return what ``parse`` makes of the text of a file; None, and a flaw, if it cannot."""
        why: Why = "unreadable"
        path = self.directory / file
        try:
            if path.stat().st_size > BYTES:
                raise _Damaged("content", f"{path.stat().st_size} bytes")
            text = path.read_text("utf-8")
            if text.strip():
                return parse(text)
            why, says = "empty", ""
        except FileNotFoundError:
            why, says = "missing", ""
        except _Damaged as error:
            why, says = error.why, error.says
        except (OSError, UnicodeDecodeError) as error:
            says = str(getattr(error, "strerror", None) or error)
        self.flaws.append(Flaw(file, why, says[:SHOWN]))
        return None


class _Damaged(Exception):
    """A text cannot be understood; ``why`` and ``says`` are those of a Flaw."""

    def __init__(self, why: Why, says: str) -> None:
        super().__init__(why, says)
        self.why: Why = why
        self.says = says


def _versioned(log: str, parse: Callable[[int, list[str]], T]) -> Callable[[str], T]:
    """Return what reads a file of a log, whose first line is its version."""

    def read(text: str) -> T:
        first, *lines = text.splitlines()
        version = re.fullmatch(r"v(\d{1,9})", first.strip())
        if version is None or not 1 <= int(version[1]) <= NEWEST[log]:
            raise _Damaged("version", first)
        try:
            return parse(int(version[1]), lines)
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
            raise _Damaged("content", "\n".join(lines)) from None

    return read


def _identity(text: str) -> str:
    match _parsed(text):
        case {"id": str(found)}:
            return found
    raise _Damaged("content", text)


def _restart(intents: Mapping[int, Intent | None], commits: Mapping[int, Commit | None], *, lost: bool) -> Restart:
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


def _lost(query: str | None, flaws: Iterable[Flaw], *, used: bool) -> bool:
    """Is the id of the query unknown, or a log of a source incomplete? A query that was never ``used`` needs no id."""
    unnamed = query is None and (used or any(flaw.file == "metadata" and flaw.why != "missing" for flaw in flaws))
    return unnamed or any(flaw.file.startswith("sources/") for flaw in flaws)


def _gaps(log: str, there: Iterable[int]) -> Iterator[Flaw]:
    """Yield a flaw for each number missing between two others."""
    found = set(there)
    if found:
        yield from (Flaw(f"{log}/{n}", "gap") for n in range(min(found), max(found)) if n not in found)


def _parsed(written: str) -> Json:
    """Return the JSON, or the text itself if it is not JSON: a source may write its offset in any form."""
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written


def _intent(version: int, lines: list[str]) -> Intent:
    """Return a file of the offset log. Version 1 lists the sources' offsets in order, version 2 has ``name:offset``."""
    told = json.loads(lines[0]) if lines and lines[0].strip() else {}
    if version == 1:
        given = [(str(place), line) for place, line in enumerate(lines[1:])]
    else:
        given = [(name, line) for name, line in (line.split(":", 1) for line in lines[1:])]
    return Intent(
        number(told.get("batchWatermarkMs")),
        number(told.get("batchTimestampMs")),
        tuple(sorted((str(name), str(value)) for name, value in (told.get("conf") or {}).items())),
        tuple(Offset(name, None if line == NOTHING else _parsed(line)) for name, line in given),
    )


def _commit(version: int, lines: list[str]) -> Commit:
    told = json.loads(lines[0]) if lines and lines[0].strip() else {}
    return Commit(number(told.get("nextBatchWatermarkMs")), told.get("stateUniqueIds"))


def number(value: Json) -> int | None:
    """Return a number of milliseconds. Raises ValueError for anything else."""
    if value is None or whole(value):
        return value
    raise ValueError(value)


def _compact_first(path: Path) -> tuple[bool, int]:
    """Sort compact files before others, each kind by number."""
    return not path.name.endswith(".compact"), int(path.name.removesuffix(".compact"))


def _listed(version: int, lines: list[str]) -> list[tuple[int, Input]]:
    """Return the lines of a file of a file source. Other sources write other things there, which are ignored."""
    told = [json.loads(line) for line in lines if line.startswith("{")]
    return [
        (int(one["batchId"]), Input(str(one["path"]), number(one.get("timestamp")))) for one in told if "path" in one
    ]


def _inputs(
    sources: Inputs, before: Intent | None, now: Intent | None, first: bool
) -> tuple[tuple[str, tuple[Input, ...] | None], ...]:
    """Return the files of a batch by source: those between the source's previous offset and this one, because a file
    source counts its own batches. ``first`` says that there is no earlier batch."""
    found: list[tuple[str, tuple[Input, ...] | None]] = []
    for offset in now.offsets if now else ():
        if (upto := _logged(offset)) is None:
            continue
        old = next((one for one in before.offsets if one.source == offset.source), None) if before else None
        since = -1 if first or (before and (old is None or old.value is None)) else _logged(old) if old else None
        mine = sources.get(offset.source, {})
        found.append((offset.source, None if since is None else _slice_of(mine, range(since + 1, upto + 1))))
    return tuple(found)


def _slice_of(log: Mapping[int, tuple[Input, ...]], wanted: range) -> tuple[Input, ...] | None:
    """Return the files of some numbers of a source's log; None if one of them is missing."""
    if any(number not in log for number in wanted):
        return None
    return tuple(file for number in wanted for file in log[number])


def _logged(offset: Offset) -> int | None:
    """Return the number in the source's own log that its offset means; None for other kinds of sources."""
    match offset.value:
        case {"logOffset": int(number), **rest} if not rest:
            return int(number)
    return None


def _absent(sources: Inputs, intents: Mapping[int, Intent | None]) -> Iterator[Flaw]:
    """Yield a flaw for each file of a source's log that the offset log refers to and that is missing."""
    for batch, intent in intents.items():
        for offset in intent.offsets if intent else ():
            upto = _logged(offset)
            if upto is not None and upto >= 0 and upto not in sources.get(offset.source, {}):
                yield Flaw(f"sources/{offset.source}/{upto}", "missing", str(batch))


def _described_as(version: int, lines: list[str]) -> tuple[str, tuple[Store, ...], tuple[tuple[str, str], ...]]:
    """Return the name of an operator, its stores, and its variables with their types."""
    told = json.loads(lines[0])
    properties = json.loads(told.get("operatorPropertiesJson") or "{}")
    variables = {one["stateName"]: one["stateVariableType"] for one in properties.get("stateVariables") or ()}
    stores = (Store(str(one["storeName"]), int(one["numPartitions"])) for one in told["stateStoreInfo"])
    return str(told["operatorInfo"]["operatorName"]), tuple(stores), tuple(sorted(variables.items()))


def _partition(folder: Path) -> Partition:
    """Return a partition of a state; a join keeps several stores in it, each in its own folder."""
    there = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    versions = {int(found[1]) for path in there if (found := VERSION.fullmatch(path.name))}
    return Partition(int(folder.name), tuple(sorted(versions)), len(there), sum(map(_size, there)))


def _size(file: Path) -> int:
    """Return the bytes of a file; 0 if a running query has just deleted it."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _forgotten(operators: Iterable[Operator], last: int | None) -> Iterator[Flaw]:
    """Yield a flaw for each partition without a state after the last finished batch."""
    for operator in operators if last is not None else ():
        for one in operator.partitions:
            if one.versions and last is not None and last + 1 not in one.versions:
                yield Flaw(f"state/{operator.number}/{one.number}/{last + 1}", "missing", str(last))
