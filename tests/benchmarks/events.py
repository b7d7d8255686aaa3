"""Many events as rows of the pipeline's schema, made once by numpy and kept in the cache folder.

Runs of 2,000 events on ten processes and twenty FIFO channels, each with a snapshot that is right; in one run of a
thousand a recorded message is missing.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from app.pipeline.engine.java import cache
from app.pipeline.rows.arrow import schema

MESSAGES = 1_000
"""Of a run: twice as many events."""
PROCESSES, CHANNELS = 10, 20
RUNS = 500
"""Of a share: a million events."""
FAULTY = 1_000

Array = NDArray[Any]


def events(millions: int) -> Path:
    """Return the folder with so many million events."""
    place = cache() / f"events-{millions}m-2"
    if not place.is_dir():
        made = place.with_suffix(".part")
        shutil.rmtree(made, ignore_errors=True)
        for share in range(millions):
            write(made / "rows" / "batch=00000", share)
        made.rename(place)
    return place


def write(folder: Path, share: int) -> None:
    """A share: half a million messages of 500 runs."""
    for kind, columns in rows(share).items():
        target = folder / f"kind={kind}"
        target.mkdir(parents=True, exist_ok=True)
        size = len(next(iter(columns.values())))
        table = pa.table(
            [pa.array(columns[f.name], f.type) if f.name in columns else pa.nulls(size, f.type) for f in schema(kind)],
            schema=schema(kind),
        )
        pq.write_table(table, target / f"part-{share:05d}.parquet", compression="zstd")


def rows(share: int) -> dict[str, dict[str, Array]]:
    """By kind, the columns of a share."""
    draw = np.random.default_rng(share)
    first, count = share * RUNS, RUNS * MESSAGES
    run = np.repeat(np.arange(first, first + RUNS), MESSAGES)
    message = np.tile(np.arange(MESSAGES), RUNS)
    channel = draw.integers(0, CHANNELS, count)
    source, target = channel % PROCESSES, (channel + 1 + channel // PROCESSES) % PROCESSES
    delay = draw.integers(10, 200, (RUNS, CHANNELS))[run - first, channel]  # of its channel: so order is kept
    sent_at, received_at = message * 2.0, message * 2.0 + delay + 0.5
    arrives = received_at < 2 * MESSAGES

    who = np.concatenate((source, target[arrives]))
    runs = np.concatenate((run, run[arrives]))
    at = np.concatenate((sent_at, received_at[arrives]))
    order = np.lexsort((at, who, runs))
    group = (runs[order] - first) * PROCESSES + who[order]
    begins = np.searchsorted(group, np.arange(RUNS * PROCESSES))
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order)) - begins[group] + 1
    sent = position[:count]
    received = np.zeros(count, np.int64)
    received[arrives] = position[count:]

    middle = float(MESSAGES)
    inside, arrived = sent_at <= middle, arrives & (received_at <= middle)
    cut = np.bincount(group[at[order] <= middle], minlength=RUNS * PROCESSES)
    worth = draw.integers(1, 6, count)
    held = np.full(RUNS * PROCESSES, 1_000)
    np.subtract.at(held, ((run - first) * PROCESSES + source)[inside], worth[inside])
    np.add.at(held, ((run - first) * PROCESSES + target)[arrived], worth[arrived])
    crossing = np.flatnonzero(inside & ~arrived)
    crossing = crossing[np.lexsort((message[crossing], channel[crossing], run[crossing]))]
    queue = run[crossing] * CHANNELS + channel[crossing]
    starts = np.concatenate((np.zeros(1, np.int64), np.flatnonzero(np.diff(queue)) + 1))
    place = np.arange(len(crossing)) - np.repeat(starts, np.diff(np.append(starts, len(crossing))))
    kept = np.ones(len(crossing), bool)
    kept[np.unique(run[crossing], return_index=True)[1]] = np.unique(run[crossing]) % FAULTY != 7

    each, ends = np.arange(first, first + RUNS), np.arange(CHANNELS)
    per_process, per_channel = np.repeat(each, PROCESSES), np.repeat(each, CHANNELS)
    processes, channels = np.tile(np.arange(PROCESSES), RUNS), np.tile(ends, RUNS)

    def full(like: Array, value: Any) -> Array:
        return np.full(len(like), value)

    def life(like: Array) -> Array:
        return full(like, 0)

    def at_snapshot(runs: Array) -> dict[str, Array]:
        return {"run": runs, "life": life(runs), "snapshot": full(runs, 1)}

    return {
        "run": {
            "run": each, "url": np.char.add("/run/x?seed=", each.astype(str)),
            "algorithm": full(each, "chandy-lamport"),
            "discipline": full(each, "fifo"), "scenario": full(each, "events"), "processes": full(each, PROCESSES),
            "channels": full(each, CHANNELS), "snapshots": full(each, 1), "conserves": full(each, True),
        },
        "process": {"run": per_process, "life": life(per_process), "process": processes},
        "channel": {
            "run": per_channel, "life": life(per_channel), "channel": channels, "source": channels % PROCESSES,
            "target": (channels + 1 + channels // PROCESSES) % PROCESSES, "ordered": full(per_channel, True),
        },
        "message": {
            "run": run, "life": life(run), "message": message, "channel": channel, "sent": sent,
            "received": np.ma.MaskedArray(received, ~arrives), "lost": full(run, False),
        },
        "cut": at_snapshot(per_process) | {
            "process": processes, "cut": cut, "step": full(processes, int(middle)), "records": full(processes, 1),
            "part": full(processes, True), "unusable": full(processes, False),
        },
        "recorded": at_snapshot(run[crossing][kept]) | {
            "channel": channel[crossing][kept], "place": place[kept], "message": message[crossing][kept],
        },
        "marker": at_snapshot(per_channel) | {"channel": channels, "count": full(channels, 1)},
        "stock": {
            "run": per_process, "life": life(per_process), "process": processes, "quantity": full(processes, ""),
            "amount": full(processes, 1_000), "last": full(processes, 0),
        },
        "holding": at_snapshot(per_process) | {
            "process": processes, "quantity": full(processes, ""), "amount": held,
        },
        "worth": {
            "run": run[crossing], "life": life(crossing), "message": message[crossing],
            "quantity": full(crossing, ""), "amount": worth[crossing],
        },
        "snapshot": at_snapshot(each) | {
            "started": full(each, 1), "completed": full(each, 2 * MESSAGES), "aborted": full(each, False),
            "marked": full(each, True),
        },
    }  # fmt: skip


if __name__ == "__main__":
    print(events(int(sys.argv[1])))
