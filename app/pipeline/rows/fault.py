"""What is wrong with what was recorded in a channel."""

from collections import Counter
from collections.abc import Sequence


def fault(need: Sequence[int], have: Sequence[int]) -> tuple[str, int]:
    """What is wrong with a channel of which ``have`` was recorded instead of ``need``, which is not the same, and with
    which message: the first that is missing, else the first that is too much or twice; else their order."""
    needed, there = set(need), set(have)
    for message in need:
        if message not in there:
            return "missing", message
    for message in have:
        if message not in needed:
            return "extra", message
    times = Counter(have)
    return next((("doubled", message) for message in have if times[message] > 1), ("order", have[0]))
