"""Processor time, which says more than elapsed time on a shared machine."""

import os
from contextlib import suppress
from pathlib import Path


def cpu() -> float:
    """Return the CPU seconds of this process and its descendants; 0 if the system does not say."""
    spent: dict[int, int] = {}
    below: dict[int, list[int]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            after = file.read_text("utf-8", errors="replace").rpartition(")")[2].split()
            spent[int(file.parent.name)] = sum(map(int, after[11:15]))
            below.setdefault(int(after[1]), []).append(int(file.parent.name))
    mine, total = [os.getpid()], 0
    while mine:
        one = mine.pop()
        total += spent.get(one, 0)
        mine += below.get(one, [])
    return total / os.sysconf("SC_CLK_TCK")
