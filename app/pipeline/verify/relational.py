"""The first verifier: the checks as relations, in Spark SQL.

A message is one row that says where it was sent and where it was received. So an anti-join of receive events against
send events, for the orphans, becomes a condition on one row, once the cut is joined to it; and so does the difference
of what was sent and what was received inside the cut, for the state of a channel. The cuts of all channels are small
and are brought to the messages (a broadcast join), which are read once and not shuffled.

Every step is a function from tables to a table, and ends with the columns that it promises.

==========  ========================================================================================
consistent  I1  no message that was received inside the cut was sent outside it
channels    I2  what was recorded in a channel is what was sent inside and not received inside; not asked of an
                inconsistent cut, whose channels have no state
conserved   I3  the recorded amounts add up to the first ones
cost        I5  one marker on each channel, one recorded state of each process
rows            the rows of messages say the same as the rows of events
==========  ========================================================================================

Source: Chandy and Lamport 1985, section 2; the rules for faults of the network are those of ``app.core.oracle.checks``.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.storagelevel import StorageLevel

from app.core.oracle.checks import ROW_CHECKS
from app.pipeline.rows.tables import Tables

LIFE = ("run", "life")
KEY = (*LIFE, "snapshot")
SMALL = ("run", "channel", "cut", "holding", "stock", "worth", "recorded", "marker", "snapshot")
"""The kinds of rows that are partitioned by run."""

PARTS = 16
"""The largest number of their partitions."""

PART = 1 << 18
"""How many bytes of files a partition gets. Most traces need one: more tasks would find nothing to do."""

PLANNED = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.requireAllClusterKeysForCoPartition": "false",
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "100000",
}
"""Spark's settings while it judges."""

SHUFFLE = "spark.sql.shuffle.partitions"

PRIME = (1 << 31) - 1
"""Hashes are summed modulo this, so that no sum overflows."""


def parts(size: int) -> int:
    """Return how many partitions suit so many bytes of files: a short trace is judged in a single one."""
    return max(1, min(PARTS, size // PART))


@contextmanager
def judged(tables: Tables, *, rows: bool = True, most: int = PARTS) -> Iterator[DataFrame]:
    """Yield the verdicts on all snapshots, and, with ``rows``, on all lives; valid until the context ends.

    Only messages and events are numerous. Everything else is partitioned by run, once, into at most ``most``
    partitions; then no join and no group needs another shuffle, and Spark plans the whole query at once. What is used
    several times is cached.
    """
    kept: list[DataFrame] = []

    def keep(table: DataFrame) -> DataFrame:
        kept.append(table.persist(StorageLevel.MEMORY_AND_DISK))
        return kept[-1]

    with _planned_whole(tables["run"].sparkSession, most):
        small = {kind: tables[kind].repartition("run") for kind in SMALL}
        standing = keep(_standings(small["snapshot"], small["run"], small["cut"]))
        cuts = keep(_decided(small["cut"], standing))
        ends = keep(_ends_of(small["channel"], cuts))
        crossing = keep(crossings(tables["message"], ends).repartition("run"))
        findings = (
            orphans(crossing),
            wrong_channels(crossing, small["recorded"], ends),
            _unbalanced(crossing, cuts, *(small[kind] for kind in ("recorded", "stock", "holding", "worth"))),
            _excess(cuts, ends, small["marker"]),
        )
        found = _verdicts(standing, reduce(DataFrame.unionByName, findings))
        try:
            if rows:
                found = found.unionByName(_faithful(keep, *(tables[kind] for kind in ("message", "event", "channel"))))
            yield found
        finally:
            for table in reversed(kept):
                table.unpersist()


@contextmanager
def _planned_whole(spark: SparkSession, most: int) -> Iterator[None]:
    """Let Spark plan a query once, not again after each stage, with at most ``most`` partitions, and accept rows
    partitioned by run as partitioned by run and any other column."""
    before = {name: spark.conf.get(name) for name in (*PLANNED, SHUFFLE)}
    wanted = PLANNED | {SHUFFLE: str(min(most, int(before[SHUFFLE] or most)))}
    try:
        for name, value in wanted.items():
            spark.conf.set(name, value)
        yield
    finally:
        for name, known in before.items():
            if known is not None:
                spark.conf.set(name, known)


def _standings(snapshot: DataFrame, run: DataFrame, cut: DataFrame) -> DataFrame:
    """Return one row per snapshot: may it be judged (``decided``), was it completed, and which checks apply?"""
    takes_part = F.coalesce("part", F.lit(False)) | F.col("absent").isNotNull()
    those = cut.groupBy(*KEY).agg(
        F.count_if(takes_part).alias("there"),
        F.bool_or(F.col("step").isNotNull()).alias("began"),
        F.bool_or(_member()).alias("members"),
    )
    given_up = F.coalesce("aborted", F.lit(False)) & F.col("completed").isNull()
    everyone = F.coalesce((F.col("there") >= F.col("processes")) & F.col("began"), F.lit(False))
    return (
        snapshot.select(*KEY, "completed", "aborted", "marked")
        .join(_beside(run.select("run", "processes", "conserves")), "run")
        .join(_beside(those), [*KEY], "left")
        .select(
            *KEY,
            (~given_up & everyone).alias("decided"),
            F.col("completed").isNotNull().alias("completed"),
            F.coalesce("marked", F.lit(False)).alias("marked"),
            (F.coalesce("conserves", F.lit(False)) & F.coalesce("members", F.lit(False))).alias("conserves"),
        )
    )


def _member() -> Column:
    """Does the process of a cut count? A newcomer after the cut does not."""
    return F.coalesce("absent", F.lit(True))


def _aside(of: str = "") -> Column:
    """Did the process of a cut take no part, or leave in the middle?"""
    return F.col(f"{of}absent").isNotNull() | F.coalesce(f"{of}unusable", F.lit(False))


def _decided(cut: DataFrame, standing: DataFrame) -> DataFrame:
    """Return the cuts of the snapshots that may be judged."""
    may = standing.where("decided").select(*KEY)
    return cut.join(_beside(may), [*KEY], "left_semi").select(
        *KEY, "process", "cut", "step", "records", "absent", F.coalesce("unusable", F.lit(False)).alias("unusable")
    )


def _beside(table: DataFrame) -> DataFrame:
    """Mark the side of a join that is looked up in memory, part by part: it has a row per process or channel of a
    snapshot, and not too many per turn. A table with a row per message is sorted instead, and spilled if necessary."""
    return table.hint("shuffle_hash")


def _ends_of(channel: DataFrame, cut: DataFrame) -> DataFrame:
    """Return one row per channel and snapshot: where the cut is at its two ends, does it count (``counts``), and do
    both of its processes take part to the end (``both``)?"""
    source, target = (
        cut.select(*KEY, F.col("process").alias(end), F.struct("cut", "step", "absent", "unusable").alias(f"{end}_end"))
        for end in ("source", "target")
    )
    return (
        channel.select(*LIFE, "channel", "source", "target", "ordered")
        .join(_beside(source), [*LIFE, "source"])
        .join(_beside(target), [*KEY, "target"])
        .select(
            *KEY,
            "channel",
            F.coalesce("ordered", F.lit(True)).alias("ordered"),
            F.col("source_end.cut").alias("source_cut"),
            F.col("source_end.step").alias("source_step"),
            F.col("target_end.cut").alias("target_cut"),
            F.col("target_end.absent").isNull().alias("counts"),
            (~_aside("source_end.") & ~_aside("target_end.")).alias("both"),
        )
    )


def crossings(message: DataFrame, ends: DataFrame) -> DataFrame:
    """Return one row per snapshot and message that is sent on one side of the cut and received on the other, or that
    the network copied or lost.

    ``later``: is it a copy that the network made after the sender had recorded?
    """
    sent_inside = F.coalesce(F.col("sent") <= F.col("source_cut"), F.lit(False))
    received_inside = F.coalesce(F.col("received") <= F.col("target_cut"), F.lit(False))
    lost = F.coalesce("lost", F.lit(False))
    matters = (sent_inside != received_inside) | F.col("copied").isNotNull() | lost
    return (
        message.select(*LIFE, "message", "channel", "sent", "received", "lost", "copied")
        .join(F.broadcast(ends), [*LIFE, "channel"])
        .where(matters)
        .select(
            *KEY,
            "channel",
            "message",
            "sent",
            "copied",
            lost.alias("lost"),
            sent_inside.alias("sent_inside"),
            received_inside.alias("received_inside"),
            F.coalesce(F.col("copied") > F.col("source_step"), F.lit(False)).alias("later"),
        )
    )


def _finding(check: str, witness: Column) -> tuple[str | Column, ...]:
    return (*KEY, F.lit(check).alias("check"), witness.alias("witness"))


def orphans(crossing: DataFrame) -> DataFrame:
    """Return for I1 the snapshots with a message received but not sent inside; the witness is the first."""
    return (
        crossing.where("received_inside AND NOT sent_inside")
        .groupBy(*KEY)
        .agg(F.min(F.struct("message", "channel")).alias("first"))
        .select(*_finding("consistent", witness("orphan", "channel", "message")))
    )


def witness(fault: str | Column, *fields: str) -> Column:
    """Return a witness as JSON: the fault, and fields of the struct ``first``."""
    named = F.lit(fault) if isinstance(fault, str) else fault
    return F.to_json(F.struct(named.alias("fault"), *(F.col(f"first.{field}").alias(field) for field in fields)))


def wrong_channels(crossing: DataFrame, recorded: DataFrame, ends: DataFrame) -> DataFrame:
    """Return for I2 the snapshots with a channel whose recorded state is not what crosses; the witness is the first."""
    counting = ends.where("counts").select(*KEY, "channel", "ordered")
    same = F.when(F.col("ordered"), F.col("needed") == F.col("kept")).otherwise(
        F.array_sort("needed") == F.array_sort("kept")
    )
    return (
        _queues(crossing, recorded)
        .join(_beside(counting), [*KEY, "channel"])
        .where(~same)
        .select(*KEY, _fault().alias("wrong"))
        .groupBy(*KEY)
        .agg(F.min("wrong").alias("first"))
        .select(*_finding("channels", witness(F.col("first.fault"), "channel", "message")))
    )


def _queues(crossing: DataFrame, recorded: DataFrame) -> DataFrame:
    """Return by channel the messages that should have been recorded (``needed``) and those that were (``kept``), in
    order.

    Needed is what crosses the cut, in the order of sending, copies last: all except copies that the network made later
    and that were not recorded. What was recorded and lost later is ignored: no process could know that.
    """
    order = F.struct(F.col("copied").isNotNull().alias("copy"), "sent", "copied", "message", "later").alias("owed")
    place = F.struct("place", "message").alias("had")
    owed = crossing.where("sent_inside AND NOT received_inside AND NOT lost").select(*KEY, "channel", order)
    vanished = crossing.where("lost AND sent_inside").select(*KEY, "message")
    had = recorded.join(vanished, [*KEY, "message"], "left_anti").select(*KEY, "channel", place)
    kept = F.col("had.message")
    necessary = F.filter("owed", lambda one: ~one["later"] | F.array_contains(kept, one["message"]))
    return (
        owed.unionByName(had, allowMissingColumns=True)
        .groupBy(*KEY, "channel")
        .agg(F.array_sort(F.collect_list("owed")).alias("owed"), F.array_sort(F.collect_list("had")).alias("had"))
        .select(
            *(*KEY, "channel"),
            F.transform(necessary, lambda one: one["message"]).alias("needed"),
            kept.alias("kept"),
        )
    )


def _fault() -> Column:
    """Return what is wrong with a channel: the first message missing, else the first extra one, else the first
    duplicate, else the first out of order."""
    missing = F.get(F.array_except("needed", "kept"), F.lit(0))
    extra = F.get(F.array_except("kept", "needed"), F.lit(0))
    several = F.filter("kept", lambda one: F.size(F.filter("kept", lambda other: other == one)) > 1)
    doubled = F.get(several, F.lit(0))
    name = (
        F.when(missing.isNotNull(), "missing")
        .when(extra.isNotNull(), "extra")
        .when(doubled.isNotNull(), "doubled")
        .otherwise("order")
    )
    which = F.coalesce(missing, extra, doubled, F.get("kept", F.lit(0)))
    return F.struct("channel", which.alias("message"), name.alias("fault"))


def _unbalanced(
    crossing: DataFrame, cut: DataFrame, recorded: DataFrame, stock: DataFrame, holding: DataFrame, worth: DataFrame
) -> DataFrame:
    """Return for I3 the snapshots in which something is missing or extra; the witness is the first quantity."""
    parts = (
        _stocks(cut, stock),
        holding.select(*KEY, "quantity", (-F.col("amount")).alias("amount")),
        recorded.select(*KEY, "message")
        .join(worth, [*LIFE, "message"])
        .select(*KEY, "quantity", (-F.col("amount")).alias("amount")),
        _by_the_network(crossing, recorded, worth),
    )
    return (
        reduce(DataFrame.unionByName, parts)
        .groupBy(*KEY, "quantity")
        .agg(F.sum("amount").alias("missing"))
        .where("missing <> 0")
        .groupBy(*KEY)
        .agg(F.min(F.struct("quantity", "missing")).alias("first"))
        .select(*_finding("conserved", witness("amount", "quantity", "missing")))
    )


def _stocks(cut: DataFrame, stock: DataFrame) -> DataFrame:
    """Return what there was at first, without what processes that left before the cut took with them."""
    taken = F.when(F.col("absent") & ~F.col("unusable"), F.col("last")).otherwise(0)
    return (
        stock.join(_beside(cut.select(*KEY, "process", "absent", "unusable")), [*LIFE, "process"])
        .where(_member())
        .select(*KEY, "quantity", (F.col("amount") - F.coalesce(taken, F.lit(0))).alias("amount"))
    )


def _by_the_network(crossing: DataFrame, recorded: DataFrame, worth: DataFrame) -> DataFrame:
    """Return what the network added by copies and removed by losses, as far as the snapshot can know it."""
    there = recorded.select(*KEY, "message", F.lit(True).alias("there")).distinct()
    was_there = F.coalesce("there", F.lit(False))
    nobody_saw = F.col("later") & ~was_there & ~F.col("received_inside")
    added = F.when(F.col("copied").isNotNull(), 1).otherwise(0)
    taken = F.when(F.col("lost") & ~was_there, 1).otherwise(0)
    return (
        crossing.where("sent_inside AND (copied IS NOT NULL OR lost)")
        .join(there, [*KEY, "message"], "left")
        .where(~nobody_saw)
        .join(worth, [*LIFE, "message"])
        .select(*KEY, "quantity", ((added - taken) * F.col("amount")).alias("amount"))
    )


def _excess(cut: DataFrame, ends: DataFrame, marker: DataFrame) -> DataFrame:
    """Return for I5 the snapshots with a channel that did not carry exactly one marker, or a process that did not
    record exactly once. Processes that take no part, or left in the middle, are ignored."""
    carried = marker.select(*KEY, "channel", "count")
    markers = (
        ends.where("both")
        .join(_beside(carried), [*KEY, "channel"], "left")
        .select(*KEY, "channel", F.lit(None).cast("int").alias("process"), F.coalesce("count", F.lit(0)).alias("count"))
    )
    records = cut.where(~_aside()).select(
        *KEY, F.lit(None).cast("int").alias("channel"), "process", F.coalesce("records", F.lit(0)).alias("count")
    )
    on_channel = F.struct(F.col("channel").isNull(), "channel", "process", "count")
    named = F.when(F.col("first.channel").isNull(), "records").otherwise("markers")
    return (
        markers.unionByName(records)
        .where("count <> 1")
        .groupBy(*KEY)
        .agg(F.min(on_channel).alias("first"))
        .select(*_finding("cost", witness(named, "channel", "process", "count")))
    )


def _verdicts(standing: DataFrame, findings: DataFrame) -> DataFrame:
    """Return one row per snapshot and check: it holds if it applies and nothing was found against it. ``witness`` is
    compact JSON, null if the check holds or does not apply."""
    against = findings.groupBy(*KEY).agg(
        F.map_from_entries(F.collect_list(F.struct("check", "witness"))).alias("found")
    )
    done = F.col("decided") & F.col("completed")
    cut_holds = F.element_at("found", F.lit("consistent")).isNull()
    applies = {
        "consistent": F.col("decided"),
        "channels": done & cut_holds,
        "conserved": done & F.col("conserves"),
        "cost": done & F.col("marked"),
    }
    asked = (
        F.struct(
            F.lit(check).alias("check"),
            applies[check].alias("applies"),
            F.element_at("found", F.lit(check)).alias("witness"),
        )
        for check in ROW_CHECKS
    )
    return (
        standing.join(_beside(against), [*KEY], "left")
        .select(*KEY, F.inline(F.array(*asked)))
        .select(
            *KEY,
            "check",
            F.when(F.col("applies"), F.col("witness").isNull()).alias("holds"),
            F.when(F.col("applies"), F.col("witness")).alias("witness"),
        )
    )


def _faithful(
    keep: Callable[[DataFrame], DataFrame], message: DataFrame, event: DataFrame, channel: DataFrame
) -> DataFrame:
    """Return one row per life: do the rows of messages say the same as the rows of events?

    Compare sums of hashes first, which need no shuffle of the rows; row by row if they differ. ``keep`` caches a table.
    """
    placed = _placed_messages(message, channel)
    sends = event.where("message IS NOT NULL").select(*LIFE, "event", "process", "position", "message")
    sums = _totals(placed).select(*LIFE, F.col("total").alias("left"))
    others = _totals(sends).select(*LIFE, F.col("total").alias("right"))
    compared = keep(
        sums.join(others, [*LIFE], "full").select(*LIFE, F.col("left").eqNullSafe(F.col("right")).alias("same"))
    )
    differing = compared.where("NOT same").select(*LIFE)
    none = F.lit(None).cast("string").alias("witness")
    if differing.isEmpty():
        told = compared.withColumn("witness", none)
    else:
        told = compared.join(_differences(placed, sends, differing), [*LIFE], "left")
    return told.select(
        *LIFE,
        F.lit(None).cast("int").alias("snapshot"),
        F.lit("rows").alias("check"),
        F.col("same").alias("holds"),
        "witness",
    )


def _differences(placed: DataFrame, sends: DataFrame, lives: DataFrame) -> DataFrame:
    """Return by life the first event that only one of the two has."""
    one, other = (rows.join(F.broadcast(lives), [*LIFE], "left_semi") for rows in (placed, sends))
    return (
        one.exceptAll(other)
        .unionByName(other.exceptAll(one))
        .groupBy(*LIFE)
        .agg(F.min(F.struct("process", "position", "message")).alias("first"))
        .select(*LIFE, witness("rows", "process", "position", "message").alias("witness"))
    )


def _placed_messages(message: DataFrame, channel: DataFrame) -> DataFrame:
    """Return the rows of messages as events: one for the sending, if there was one and it was not the network's, and
    one for the receipt."""
    ends = F.broadcast(channel.select(*LIFE, "channel", "source", "target"))
    sending = F.struct(F.lit("send").alias("event"), F.col("source").alias("process"), F.col("sent").alias("position"))
    receipt = F.struct(
        F.lit("receive").alias("event"), F.col("target").alias("process"), F.col("received").alias("position")
    )
    happened = F.array(F.when(F.col("copied").isNull(), sending), receipt)
    return (
        message.select(*LIFE, "message", "channel", "sent", "received", "copied")
        .join(ends, [*LIFE, "channel"], "left")
        .select(*LIFE, "message", F.inline(happened))
        .where("position IS NOT NULL")
        .select(*LIFE, "event", "process", "position", "message")
    )


def _totals(rows: DataFrame) -> DataFrame:
    """Return by life how many rows there are, and two sums of their hashes."""
    columns = ("event", "process", "position", "message")
    hashes = (
        F.sum(F.pmod(F.xxhash64(*columns), F.lit(PRIME))),
        F.sum(F.pmod(F.xxhash64(F.lit("again"), *columns), F.lit(PRIME))),
    )
    return rows.groupBy(*LIFE).agg(F.struct(F.count(F.lit(1)), *hashes).alias("total"))
