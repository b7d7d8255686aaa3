"""Verify what was recorded: two verifiers, compared with each other and with the simulator's own verdicts.

``verify`` writes ``DIR/verdicts``, one row per snapshot and check, and one per life for the check ``rows``:

==========  ========================================================================================
run, life, snapshot
            what was judged; there is no snapshot when a life's rows of messages are compared with its rows of events
check       one of ``app.core.oracle.checks.ROW_CHECKS``, or ``rows``
holds       what the relational verifier says; null if the check does not apply
witness     compact JSON: ``fault`` is orphan, missing, extra, doubled, order (with ``channel`` and ``message``), amount
            (with ``quantity`` and how much is ``missing``), markers (``channel``, ``count``), records (``process``,
            ``count``) or rows (``process``, ``position``, ``message``); for the trace of another system, a witness also
            has the ``lines`` of a message (see ``app.pipeline.external.to_rows``)
agree       do both verifiers and the simulator say the same?
local, simulated
            what the file-local verifier and the simulator say; the latter is null for runs that no simulator made
step        the step in which the snapshot was complete, or in which the last process recorded
url         where that can be seen
algorithm, discipline, scenario
            those of the run
faulty      did the network lose, duplicate or reorder messages in it against the order of their channels?
==========  ========================================================================================
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import ValidationError, convert, to_builtins
from msgspec.structs import replace
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.storagelevel import StorageLevel

from app.algorithms.registry import ALGORITHMS
from app.core.model.system import DISCIPLINES, suffices
from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json
from app.core.oracle.checks import ROW_CHECKS
from app.pipeline.engine.session import Target
from app.pipeline.external.acyclic import Name
from app.pipeline.external.json_lines import Foreign
from app.pipeline.rows.lock import LOCK, locked
from app.pipeline.rows.provenance import cover, covered
from app.pipeline.rows.schema import VERDICT_COLUMNS
from app.pipeline.rows.tables import (
    VERDICTS,
    Tables,
    batches,
    escaped,
    replaced,
    shares,
    size,
    store,
    table,
    tables,
)
from app.pipeline.verify import relational
from app.pipeline.verify.arrays import verifier as local
from app.pipeline.verify.completeness import check_complete, wanted
from app.scenario.library import LIBRARY

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ENDS = 1_000_000
"""How many channels of snapshots are joined to the messages at once; batches with more are judged in turns."""

FIRST = 20
"""How many violations, and how many disagreements, are reported individually."""

_KIND = ("algorithm", "discipline", "scenario", "faulty")
"""The columns that decide whether a broken snapshot is expected."""

COLUMNS = (
    *("run", "life", "snapshot", "check", "holds", "witness", "agree", "local", "simulated", "step", "url"),
    *_KIND,
)


class Case(Frozen):
    """A verdict that is reported individually: see the columns above. The witness names channel and process."""

    run: int
    life: int
    snapshot: Name | None
    check: str
    holds: bool | None
    local: bool | None
    simulated: bool | None
    witness: Json
    step: int | None
    url: str
    algorithm: str | None
    discipline: str | None


class Count(Frozen):
    """How often a check holds, is broken and does not apply, in the runs of an algorithm on channels of one order.
    ``known``: is a violation expected?"""

    algorithm: str
    check: str
    known: bool
    holds: int
    broken: int
    open: int
    discipline: str


class Verified(Frozen):
    """What was found. ``planned`` is how many runs the sweep should have, None if the rows are not from a sweep;
    ``disagreements`` and ``unexpected`` count rows of the verdicts; the first of them are reported, and the first of
    each algorithm, order and check; ``simulated`` is how many runs a simulator made and judged, too."""

    runs: int
    snapshots: int
    counts: tuple[Count, ...]
    disagreements: int
    unexpected: int
    disagreeing: tuple[Case, ...]
    surprising: tuple[Case, ...]
    findings: tuple[Case, ...]
    planned: int | None = None
    simulated: int = 0

    @property
    def fine(self) -> bool:
        """Do all verdicts agree, and is nothing broken that should hold?"""
        return not self.disagreements and not self.unexpected

    @property
    def broken(self) -> int:
        """Return how many checks are broken."""
        return sum(count.broken for count in self.counts)

    @property
    def judged(self) -> int:
        """Return how many checks of snapshots were judged."""
        return sum(count.holds + count.broken for count in self.counts if count.check in ROW_CHECKS)

    def written(self) -> Json:
        """Return everything as plain values."""
        return to_builtins(self) | {"fine": self.fine}


def verify(
    spark: "SparkSession", directory: Path, watch: Callable[[int, int], None] = lambda done, of: None
) -> Verified:
    """Verify a sweep or other rows in a folder whose lock is held; write and return the verdicts. ``watch`` is called
    with how many turns are done, out of how many.

    Raises BluecutError if there are no rows, or not all that were written.
    """
    directory = directory.absolute()  # tasks may work in another folder
    there, planned = batches(directory), wanted(directory)
    check_complete(there)
    made, place = directory / f"{VERDICTS}.part", directory / VERDICTS
    shutil.rmtree(made, ignore_errors=True)
    all_turns = turns(spark, there)
    for done, those in enumerate(all_turns):
        watch(done, len(all_turns))
        with _verdicts(spark, those) as found:
            found.coalesce(1).write.parquet(str((made / f"turn={done:05d}").resolve()), compression="zstd")
    watch(len(all_turns), len(all_turns))
    said = _verified(spark.read.parquet(f"{escaped(str(made.resolve()))}/turn=*"), table(spark, "run", there))
    told = _named(said, *(table(spark, kind, there) for kind in ("channel", "process")))
    told = replace(told, planned=planned)
    cover(made, there, found=told.written())
    replaced(place, made)
    return told


def before(directory: Path) -> Verified | None:
    """Return what was found when exactly these rows were verified; None if they were not, or others since."""
    found = (covered(directory / VERDICTS, batches(directory)) or {}).get("found")
    try:
        return convert(found, Verified)
    except ValidationError:  # nothing, or written by another version of Bluecut
        return None


def verify_foreign(spark: "SparkSession", trace: Foreign, rows: Path | None = None) -> Verified:
    """Verify the trace of another system. The witnesses use the trace's own names of messages and snapshots.

    ``rows`` is a new or empty folder for the rows and verdicts that all of Spark's processes see; without it, they are
    in a temporary folder of this machine. Raises BluecutError if that is impossible.
    """
    if rows is not None:
        fresh(rows)
        with locked(rows):
            fresh(rows)  # no other command was faster
            store(rows, trace.rows)
            found = verify(spark, rows)
    else:
        master = str(spark.conf.get("spark.master", None))
        if not Target(master=master).here:
            raise elsewhere(master)
        with tempfile.TemporaryDirectory(prefix="bluecut-") as made:
            store(Path(made), trace.rows)
            found = verify(spark, Path(made))

    named = [(one.messages.named(), one.snapshots.named()) for one in trace.accounts]

    def own(case: Case) -> Case:
        (messages, snapshots), told = named[case.run], case.witness
        if told and "message" in told:
            told = told | {"message": messages.get(told["message"], told["message"])}
        number = case.snapshot if isinstance(case.snapshot, int) else -1
        snapshot = snapshots.get(number, case.snapshot)
        if told and (lines := trace.accounts[case.run].about(snapshot, told)):
            told = told | {"lines": lines}
        return replace(case, witness=told, snapshot=snapshot)

    return _changed(found, own)


def fresh(directory: Path) -> None:
    """Raise BluecutError if the folder is neither new nor empty."""
    try:
        there = directory.exists() and (not directory.is_dir() or {each.name for each in directory.iterdir()} - {LOCK})
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BluecutError("{file}: cannot be read: {reason}", file=directory, reason=reason) from None
    if there:
        raise BluecutError("{file}: there is something in it already; give a new or an empty folder", file=directory)


def elsewhere(place: str) -> BluecutError:
    """Return why a trace cannot be judged there without a given folder."""
    return BluecutError(
        "{place} may work on other machines, which see no temporary folder of this one; give --rows DIR, a new folder"
        " that all of them see",
        place=place,
    )


def _named(found: Verified, *kinds: DataFrame) -> Verified:
    """Put the names of channels and processes into the witnesses. ``kinds`` are the rows of both."""
    cases = (*found.disagreeing, *found.surprising, *found.findings)
    runs = sorted({case.run for case in cases if case.witness})
    if not runs:
        return found
    channel, process = (
        {
            (row["run"], row["life"], row[kind]): row["name"]
            for row in rows.where(F.col("run").isin(runs)).select("run", "life", kind, "name").collect()
        }
        for kind, rows in zip(("channel", "process"), kinds, strict=True)
    )

    def with_names(case: Case) -> Case:
        witness = case.witness or {}
        given = {
            kind: names.get((case.run, case.life, witness[kind]), witness[kind])
            for kind, names in (("channel", channel), ("process", process))
            if kind in witness
        }
        return replace(case, witness=witness | given or None)

    return _changed(found, with_names)


def _changed(found: Verified, change: Callable[[Case], Case]) -> Verified:
    return replace(
        found,
        disagreeing=tuple(map(change, found.disagreeing)),
        surprising=tuple(map(change, found.surprising)),
        findings=tuple(map(change, found.findings)),
    )


def turns(spark: "SparkSession", those: Sequence[Path]) -> list[list[Path]]:
    """Return the batches, as many together as fit into one broadcast."""
    if len(those) == 1:
        return [list(those)]
    ends = F.sum(F.col("snapshots").cast("bigint") * F.col("channels"))
    batch = F.regexp_extract("_metadata.file_path", ".*/rows/(batch=[^/]+)/kind=", 1)
    sizes = {str(name): int(size or 0) for name, size in table(spark, "run", those).groupBy(batch).agg(ends).collect()}
    found: list[list[Path]] = []
    size = 0
    for path in those:
        more = sizes.get(path.name, 0)
        if not found or size + more > ENDS:
            found.append([])
            size = 0
        found[-1].append(path)
        size += more
    return found


@contextmanager
def _verdicts(spark: "SparkSession", those: Sequence[Path]) -> Iterator[DataFrame]:
    """Yield the verdicts on some batches, with the columns above; valid until the context ends."""
    kinds = tables(spark, those)
    with relational.judged(kinds, most=relational.parts(size(those))) as found:
        one = found.persist(StorageLevel.MEMORY_AND_DISK)
        other = local.judged(spark, shares(those))
        try:
            yield _compared(one, other, _simulated(kinds["snapshot"], kinds["run"]), _origins(kinds))
        finally:
            one.unpersist()


KEY = ("run", "life", "number", "check")


def _numbered(verdicts: DataFrame) -> DataFrame:
    """Return verdicts with the number of the snapshot, -1 if there is none, so that they can be joined by it."""
    return verdicts.withColumn("number", F.coalesce("snapshot", F.lit(-1)))


def _compared(one: DataFrame, other: DataFrame, simulated: DataFrame, shown: DataFrame) -> DataFrame:
    """Return all verdicts side by side."""
    left = _numbered(one).select(*KEY, "holds", "witness", F.lit(True).alias("relational"))
    right = _numbered(other).select(*KEY, F.col("holds").alias("local"), F.lit(True).alias("filed"))
    both = F.col("relational") & F.col("filed") & F.col("holds").eqNullSafe(F.col("local"))
    simulator = ~F.coalesce("told", F.lit(False)) | F.col("holds").eqNullSafe(F.col("simulated"))
    return (
        left.join(right, [*KEY], "full")
        .join(simulated, [*KEY], "left")
        .join(shown, ["run", "life", "number"], "left")
        .withColumn("snapshot", F.when(F.col("number") >= 0, F.col("number")).cast("int"))
        .withColumn("agree", F.coalesce(both, F.lit(False)) & simulator)
        .select(*COLUMNS)
    )


def _simulated(snapshot: DataFrame, run: DataFrame) -> DataFrame:
    """Return what the simulator says about the runs that it made: those have steps."""
    each = F.array(
        *(
            F.struct(F.lit(name).alias("check"), F.col(column).alias("simulated"))
            for name, column in VERDICT_COLUMNS.items()
        )
    )
    those = run.where("steps IS NOT NULL").select("run")
    return (
        snapshot.join(those, "run", "left_semi")
        .select("run", "life", F.col("snapshot").alias("number"), F.inline(each))
        .select(*KEY, "simulated", F.lit(True).alias("told"))
    )


def _origins(kinds: Tables) -> DataFrame:
    """Return by snapshot, and by life for ``rows``: the step, where it can be seen, and the run's origin."""
    recorded = kinds["cut"].groupBy("run", "life", "snapshot").agg(F.max("step").alias("last"))
    snapshots = kinds["snapshot"].join(recorded, ["run", "life", "snapshot"], "left")
    steps = snapshots.select(
        *("run", "life", F.col("snapshot").alias("number")), F.coalesce("completed", "last", "started").alias("step")
    )
    lives = kinds["process"].select("run", "life").distinct()
    whole = lives.select("run", "life", F.lit(-1).alias("number"), F.lit(None).cast("int").alias("step"))
    faulty = (F.coalesce("faults", F.lit(0)) > 0).alias("faulty")
    run = kinds["run"].select("run", "url", "steps", "algorithm", "discipline", "scenario", faulty)
    there = at_step(F.col("url"), F.col("step"))
    return (
        steps.unionByName(whole)
        .join(run, "run")
        .select(
            *("run", "life", "number", "step"),
            F.when(F.col("steps").isNotNull() & F.col("step").isNotNull(), there).otherwise(F.col("url")).alias("url"),
            *_KIND,
        )
    )


def at_step(url: Column, step: Column) -> Column:
    """Return the address of a step of the run at ``url``."""
    return F.concat(url, F.when(url.contains("?"), "&step=").otherwise("?step="), step.cast("string"))


def _verified(verdicts: DataFrame, runs: DataFrame) -> Verified:
    groups = verdicts.groupBy(*_KIND, "check").agg(
        F.count_if("holds").alias("holds"),
        F.count_if(~F.col("holds")).alias("broken"),
        F.count_if(F.col("holds").isNull()).alias("open"),
        F.count_if(~F.col("agree")).alias("disagreements"),
    )
    rows = groups.orderBy("algorithm", "discipline", "check", "scenario", "faulty").collect()
    counts: dict[tuple[str, str, str, bool], list[int]] = {}
    for row in rows:
        expected = row["check"] != "rows" and known(*(row[name] for name in _KIND))
        key = (row["algorithm"] or "", row["discipline"] or "", row["check"], expected)
        sums = counts.setdefault(key, [0, 0, 0])
        for place, name in enumerate(("holds", "broken", "open")):
            sums[place] += row[name]
    kinds = [tuple(row[name] for name in _KIND) for row in rows if row["broken"]]
    surprising = [kind for kind in kinds if not known(*kind)]
    broken = verdicts.where("NOT holds")
    surprise = reduce(
        lambda left, right: left | right,
        (_same(one) for one in dict.fromkeys(surprising)),
        F.col("check") == "rows",
    )
    (there,) = runs.agg(F.count("*").alias("runs"), F.count("steps").alias("simulated")).collect()
    several = [
        Count(name, check, expected, holds, broken, open_, order)
        for (name, order, check, expected), (holds, broken, open_) in counts.items()
    ]
    return Verified(
        runs=there["runs"],
        simulated=there["simulated"],
        snapshots=sum(one.holds + one.broken + one.open for one in several if one.check == ROW_CHECKS[0]),
        counts=tuple(several),
        disagreements=sum(row["disagreements"] for row in rows),
        unexpected=sum(count.broken for count in several if not count.known),
        disagreeing=first(verdicts.where("NOT agree")) if any(row["disagreements"] for row in rows) else (),
        surprising=first(broken.where(surprise)) if any(c.broken and not c.known for c in several) else (),
        findings=first(broken.where(~surprise)) if any(c.broken and c.known for c in several) else (),
    )


def _same(kind: tuple[object, ...]) -> Column:
    """Is a verdict about runs of this kind?"""
    return reduce(
        lambda left, right: left & right,
        (F.col(column).eqNullSafe(F.lit(value)) for column, value in zip(_KIND, kind, strict=True)),
    )


def first(verdicts: DataFrame) -> tuple[Case, ...]:
    """Return the first of these verdicts, and the first of each algorithm, order and check."""
    order = ("run", "life", "snapshot", "check")
    rows = verdicts.orderBy(*order).limit(FIRST).collect()
    if len(rows) == FIRST:
        one = F.struct(*order, *(name for name in COLUMNS if name not in order))
        kinds = ("algorithm", "discipline", "check")
        each = verdicts.groupBy(*kinds).agg(F.min(one).alias("one")).select("one.*")
        told = {tuple(row[name] for name in kinds) for row in rows}
        rows += [row for row in each.orderBy(*order).collect() if tuple(row[name] for name in kinds) not in told]
    found = ({name: row[name] for name in Case.__struct_fields__} for row in rows)
    return tuple(Case(**each | {"witness": each["witness"] and json.loads(each["witness"])}) for each in found)


def known(algorithm: str | None, discipline: str | None, scenario: str | None, faulty: bool | None = None) -> bool:
    """Is a broken snapshot expected in such runs: because the algorithm is a broken variant, because channels keep less
    order than it needs, or have lost or duplicated what it cannot do without, or because a scenario from the library
    shows exactly that?"""
    module = ALGORITHMS.get(algorithm or "")
    if module is None:
        return False
    weaker = discipline in DISCIPLINES and not suffices(discipline, module.REQUIRES)
    harmed = bool(faulty) and not module.MENDS
    return module.WRONG is not None or weaker or harmed or scenario in LIBRARY.names()
