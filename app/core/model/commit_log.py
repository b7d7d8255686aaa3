"""The logs of a stream's coordinator: what each batch is to read, and which batches are done.

The offset log has one entry per batch: for each source, from which offset to which. The commit log says which batches
are done. That is enough to know where to continue: a batch that is in the offset log and not in the commit log must run
again, and its entry says what it consists of.

Source: Apache Spark, MicroBatchExecution.scala (OffsetSeqLog and CommitLog), and M. Armbrust et al., "Structured
Streaming", SIGMOD 2018, section 6.1.
"""

from typing import Protocol, TypeAlias

from msgspec.structs import replace

from app.core.model.value import Value
from app.core.model.values import Json

OFFSETS, COMMITS, BACK = "offsets", "commits", "back"

Ranges: TypeAlias = tuple[tuple[str, int, int], ...]
"""What a batch reads, per source: its name, the first offset, and the offset after the last."""


class Logs(Value):
    """``available`` says how much each source has, ``most`` how many items of each source a batch takes at most.
    ``offsets`` are the entries of the offset log, beginning with batch 1; ``commits`` is the last batch in the commit
    log."""

    available: tuple[tuple[str, int], ...]
    most: int | None = None
    offsets: tuple[Ranges, ...] = ()
    commits: int = 0

    def written(self, log: str, number: int, ranges: Ranges = ()) -> "Logs":
        """Return the logs after batch ``number`` was written to one of them, or after a rollback to that batch."""
        if log == OFFSETS:
            return replace(self, offsets=(*self.offsets[: number - 1], ranges))
        return replace(self, commits=number)

    @property
    def ends(self) -> dict[str, int]:
        """Return the offset up to which the committed batches have read, by source."""
        committed = self.offsets[self.commits - 1] if self.commits else ()
        return {name: 0 for name, _ in self.available} | {name: end for name, _, end in committed}

    @property
    def started(self) -> Ranges | None:
        """Return the batch that is in the offset log and not in the commit log, or None."""
        return self.offsets[self.commits] if len(self.offsets) > self.commits else None

    @property
    def next(self) -> Ranges:
        """Return what a new batch reads: everything available, up to the limit."""
        ends = self.ends
        reach = {n: there if self.most is None else min(there, ends[n] + self.most) for n, there in self.available}
        return tuple((name, ends[name], reach[name]) for name, _ in self.available)

    @property
    def more(self) -> bool:
        """Is anything left for another batch?"""
        return self.started is not None or any(end > start for _, start, end in self.next)

    def upto(self, ends: dict[str, int]) -> Ranges:
        """Return what a batch has read that ends at these offsets."""
        return tuple((name, start, ends.get(name, start)) for name, start in self.ends.items())

    def view(self) -> dict[str, Json]:
        """Return the last two entries of the offset log, by their numbers: the range read of each source, and a tick
        where the commit log has that number, too."""
        last = list(enumerate(self.offsets, 1))[-2:]
        done = {number: " ✓" if number <= self.commits else "" for number, _ in last}
        return {str(n): ", ".join(f"{start}–{end}" for _, start, end in entry) + done[n] for n, entry in last}


class Logging(Protocol):
    """The state of a coordinator, which writes logs."""

    @property
    def logs(self) -> Logs:
        """Return the logs as they are now."""


def range_texts(ranges: Ranges) -> tuple[str, ...]:
    """Return the ranges of a batch as people write them: ``s 0–2``."""
    return tuple(f"{name} {start}–{end}" for name, start, end in ranges)
