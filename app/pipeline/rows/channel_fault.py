"""What is wrong with what was recorded in a channel."""

from collections import Counter
from collections.abc import Sequence


def fault(need: Sequence[int], have: Sequence[int]) -> tuple[str, int]:
    """Return what is wrong with a channel for which ``have`` was recorded instead of ``need``, and with which message:
    the first that is missing, else the first extra one, else the first duplicate; else it is the order."""
    needed, there = set(need), set(have)
    for message in need:
        if message not in there:
            return "missing", message
    for message in have:
        if message not in needed:
            return "extra", message
    times = Counter(have)
    return next((("doubled", message) for message in have if times[message] > 1), ("order", have[0]))
