"""The same workload as a bare loop over dictionaries: no values, notes, schedule or snapshot.

How much more it pays for a message when there are more processes is what memory costs: a dictionary that no longer fits
into the processor's caches is slower for everybody.
"""

from collections import deque
from heapq import heappop, heappush
from random import Random

from tests.benchmarks.workload import TOKENS, Workload


class BareLoop:
    """Tokens by process, queues by channel, and a heap of what is due. An empty message on every channel stands for a
    marker."""

    def __init__(self, load: Workload) -> None:
        topology = load.topology
        markers = ((load.start[0], channel, 0) for channel in topology.channels)
        tokens = ((at, channel, 1) for at, channel in load.sends)
        self.sends = sorted((*tokens, *markers), key=lambda send: send[0])
        self.tokens = dict.fromkeys(topology.names, TOKENS)
        self.queues: dict[str, deque[int]] = {name: deque() for name in topology.channels}
        self.source = {name: channel.source for name, channel in topology.channels.items()}
        self.target = {name: channel.target for name, channel in topology.channels.items()}
        self.delivered = 0

    def run(self) -> None:
        """Send by the plan, and deliver what is due."""
        rng, due = Random(2), list[tuple[int, str]]()
        for at, channel, amount in self.sends:
            self._deliver(due, at)
            self.tokens[self.source[channel]] -= amount
            self.queues[channel].append(amount)
            heappush(due, (at + 1 + int(rng.random() * 5), channel))
        self._deliver(due, 1 << 60)

    def _deliver(self, due: list[tuple[int, str]], now: int) -> None:
        while due and due[0][0] <= now:
            _, channel = heappop(due)
            self.tokens[self.target[channel]] += self.queues[channel].popleft()
            self.delivered += 1

    def live(self) -> int:
        """Return the tokens at the end."""
        return sum(self.tokens.values())
