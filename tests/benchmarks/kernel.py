"""How many messages per second go through the kernel, compared with the same workload written for SimPy.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks.kernel

What is timed is the run itself, of both: schedule, kernel and notes here, ``env.run()`` there. The two take turns, so
that a noisy machine is noisy for both; figures are medians. Each run checks that no token was made or lost, at the
end and in its snapshot.
"""

import statistics
import sys
import time
from collections.abc import Callable

from app.algorithms.registry import algorithm
from app.core.kernel.step import step
from app.core.model.system import System
from app.core.model.values import Deliver, Move
from app.core.oracle.checks import parts
from app.programs.bank import Bank, freeze, thaw
from app.schedules.protocol import Entry, Initiator
from app.schedules.timed import Delay, Timed
from tests.benchmarks.result import Result
from tests.benchmarks.simpy_world import SimPyWorld
from tests.benchmarks.workload import TOKENS, Workload, workload

GOALS = {10: 1.5, 50: 1.5, 1_000: 2.0, 10_000: 2.5}
"""By number of processes, the messages per second to reach, as a ratio to SimPy's."""
MESSAGES = 40_000
ROUNDS = 5


class Bluecut:
    """The workload on the kernel."""

    def __init__(self, load: Workload) -> None:
        one = freeze(1)
        channels = load.topology.channels
        bank = Bank(dict.fromkeys(load.topology.names, freeze(TOKENS)), (one,))
        self.system = System(load.topology, bank, algorithm("chandy-lamport"), collect=False)
        self.schedule = Timed(
            self.system,
            2,
            delay=Delay(0, 4),
            one_per_sender=True,
            entries=tuple(Entry(Move(channels[c].source, c, one), at) for at, c in load.sends),
            initiators=(Initiator(load.start[1], load.start[0]),),
        )
        self.world = self.system.begin()
        self.delivered = 0
        assert not load.topology.unreachable([load.start[1]])  # the graph is analysed once per topology, not per run

    def run(self) -> None:
        """Step until nothing is left."""
        world = self.world
        while action := self.schedule.next(world):
            world, notes = step(self.system, world, action)
            self.schedule.saw(action, world, notes)
            self.delivered += isinstance(action, Deliver)
        self.world = world

    def live(self) -> int:
        """Return the tokens at the end."""
        assert not self.world.queues
        return sum(int(thaw(state)) for state in self.world.states.values())

    def snapshot(self) -> int:
        """Return the tokens in the snapshot."""
        assert not self.world.snapshots[1].waiting
        recorded = parts(self.system, self.world, 1).values()
        logged = sum(int(thaw(m.payload)) for part in recorded for _, messages in part.channels for m in messages)
        return sum(int(thaw(part.state)) for part in recorded) + logged


def timed(world: Callable[[Workload], Bluecut | SimPyWorld], load: Workload) -> float:
    """Return the seconds of one run. Fails if a token was created or lost."""
    made = world(load)
    began = time.perf_counter()
    made.run()
    elapsed = time.perf_counter() - began
    assert made.live() == made.snapshot() == load.total, (made.live(), made.snapshot(), load.total)
    assert made.delivered == load.messages
    return elapsed


def main() -> list[Result]:
    """Measure and print a table."""
    sizes = [int(size) for size in sys.argv[1:]] or list(GOALS)
    found = []
    growth = 1.0
    smallest: float | None = None
    print(f"{'processes':>9} {'messages':>9} {'ours/s':>8} {'SimPy/s':>8} {'ratio':>6} {'us/step':>8} {'growth':>7}")
    for size in sizes:
        load = workload(size, max(MESSAGES, 10 * size))
        pairs = [(timed(Bluecut, load), timed(SimPyWorld, load)) for _ in range(ROUNDS)]
        ours, theirs = statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)
        ratio = statistics.median(b / a for a, b in pairs)
        cost = 1e6 * ours / (load.messages + len(load.sends) + 1)
        smallest = smallest or cost
        growth = cost / smallest
        what = f"messages per second, of SimPy's, {size:,} processes"
        found.append(Result(what, ratio, "ratio", GOALS.get(size), headline=True))
        rates = f"{load.messages / ours:>8,.0f} {load.messages / theirs:>8,.0f} {ratio:>6.2f}"
        print(f"{size:>9,} {load.messages:>9,} {rates} {cost:>8.1f} {growth:>6.2f}x", flush=True)
    print(f"medians of {ROUNDS}; every run conserved its tokens, live and in the snapshot")
    found.append(
        Result(f"growth of a step's cost from {sizes[0]:,} to {sizes[-1]:,} processes", growth, "ratio", 2.4, "less")
    )
    return found


if __name__ == "__main__":
    main()
