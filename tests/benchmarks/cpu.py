"""Processor time, which says more than time where others are at work on the machine, too."""

import os
from contextlib import suppress
from pathlib import Path


def cpu() -> float:
    """Seconds of CPU of this process and of all below it; 0 where the system does not say."""
    ticks: dict[int, tuple[int, int]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            after = file.read_text("utf-8", errors="replace").rpartition(")")[2].split()
            ticks[int(file.parent.name)] = (int(after[1]), sum(map(int, after[11:15])))
    mine, total = {os.getpid()}, 0
    for pid in sorted(ticks):  # whoever is below has the larger number, until numbers begin again
        parent, spent = ticks[pid]
        if pid in mine or parent in mine:
            mine.add(pid)
            total += spent
    return total / os.sysconf("SC_CLK_TCK")
