"""The logs of a stream's coordinator: what each batch is to read, and which batches are done.

The offset log has one entry a batch: for each source, from which offset to which. The commit log says which batches are
done. Nothing else is needed to know where to go on: a batch that is in the offset log and not in the commit log has to
be run again, and its entry says of what it consists.

Source: Apache Spark, MicroBatchExecution.scala (OffsetSeqLog and CommitLog), and M. Armbrust et al., "Structured
Streaming", SIGMOD 2018, section 6.1.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

from app.core.model import Json

LOG = "log"
"""A move of a coordinator: it writes to a log. Its payload is what ``Logs.written`` takes."""
WRITE = "write"
"""A move of a sink: the batch that it has gathered goes out."""
OFFSETS, COMMITS, BACK = "offsets", "commits", "back"

Ranges: TypeAlias = tuple[tuple[str, int, int], ...]
"""What a batch reads: source, the first offset, and that after the last."""


@dataclass(frozen=True, slots=True)
class Logs:
    """``available`` says how much each source has, ``most`` how many records of each a batch takes at most. ``offsets``
    are the entries of the offset log, the first is that of batch 1; ``commits`` is the last batch in the commit log."""

    available: tuple[tuple[str, int], ...]
    most: int | None = None
    offsets: tuple[Ranges, ...] = ()
    commits: int = 0

    def written(self, log: str, number: int, ranges: Ranges = ()) -> "Logs":
        """The logs after batch ``number`` was written to one of them, or after all went back to that batch."""
        if log == OFFSETS:
            return replace(self, offsets=(*self.offsets[: number - 1], ranges))
        return replace(self, commits=number)

    @property
    def ends(self) -> dict[str, int]:
        """Up to where the committed batches have read, by source."""
        committed = self.offsets[self.commits - 1] if self.commits else ()
        return {name: 0 for name, _ in self.available} | {name: end for name, _, end in committed}

    @property
    def started(self) -> Ranges | None:
        """The batch that is in the offset log and not in the commit log; None where there is none."""
        return self.offsets[self.commits] if len(self.offsets) > self.commits else None

    @property
    def next(self) -> Ranges:
        """What a new batch reads: all that there is, up to the limit."""
        ends = self.ends
        reach = {n: there if self.most is None else min(there, ends[n] + self.most) for n, there in self.available}
        return tuple((name, ends[name], reach[name]) for name, _ in self.available)

    @property
    def more(self) -> bool:
        """Is there anything for another batch?"""
        return self.started is not None or any(end > start for _, start, end in self.next)

    def upto(self, ends: dict[str, int]) -> Ranges:
        """What a batch has read that came to these offsets."""
        return tuple((name, start, ends.get(name, start)) for name, start in self.ends.items())

    def view(self) -> dict[str, Json]:
        """The last two entries of the offset log, by their numbers: from where to where each source is read; with a
        tick where the commit log has that number, too."""
        last = list(enumerate(self.offsets, 1))[-2:]
        done = {number: " ✓" if number <= self.commits else "" for number, _ in last}
        return {str(n): ", ".join(f"{start}–{end}" for _, start, end in entry) + done[n] for n, entry in last}


def shown(ranges: Ranges) -> tuple[str, ...]:
    """The ranges of a batch as people write them: ``s 0–2``."""
    return tuple(f"{name} {start}–{end}" for name, start, end in ranges)
