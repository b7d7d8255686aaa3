"""How many messages per second go through the kernel, compared with the same workload written for SimPy.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks.kernel

What is timed is the run itself, of both: schedule, kernel and notes here, ``env.run()`` there. They take turns, so
that a noisy machine is noisy for all; figures are medians. Each run checks that no token was made or lost, at the
end and in its snapshot. A bare loop over dictionaries takes its turn, too: how much more it pays for a message when
there are more processes is what memory costs. Then the same is measured once more in a copy of this tree with the
compiled build.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict

from app.algorithms.registry import algorithm
from app.compiled import COMPILED
from app.core.kernel.step import step
from app.core.model.recorded_state import parts
from app.core.model.system import System
from app.core.model.values import Deliver, Move
from app.programs.bank import Bank, freeze, thaw
from app.schedules.delay import Delay
from app.schedules.protocol import Entry, Initiator
from app.schedules.timed import Timed
from tests.benchmarks.bare_loop import BareLoop
from tests.benchmarks.compiled import compiled
from tests.benchmarks.result import Result
from tests.benchmarks.simpy_world import SimPyWorld
from tests.benchmarks.workload import TOKENS, Workload, workload

GOALS = {10: 1.5, 50: 1.5, 1_000: 2.0, 10_000: 2.5}
"""By number of processes, the messages per second to reach, as a ratio to SimPy's."""
COMPILED_GOALS = {10: 2.2, 50: 2.2, 1_000: 2.6, 10_000: 3.2}
RATES = {10: 190_000}
"""By number of processes, the messages per second to reach in the compiled build."""
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


World = Bluecut | SimPyWorld | BareLoop
WORLDS: tuple[Callable[[Workload], World], ...] = (Bluecut, SimPyWorld, BareLoop)


def timed(world: Callable[[Workload], World], load: Workload) -> float:
    """Return the seconds of one run. Fails if a token was created or lost."""
    made = world(load)
    began = time.perf_counter()
    made.run()
    elapsed = time.perf_counter() - began
    assert made.live() == load.total and made.delivered == load.messages, (made.live(), made.delivered)
    assert isinstance(made, BareLoop) or made.snapshot() == load.total
    return elapsed


def measured(sizes: list[int], build: str) -> list[Result]:
    """Measure the build that runs here, and print a table. ``build`` is empty, or its name."""
    found = []
    costs: list[list[float]] = []
    goals = COMPILED_GOALS if build else GOALS
    named = f", {build}" if build else ""
    print(f"{'processes':>9} {'messages':>9} {'ours/s':>8} {'SimPy/s':>8} {'ratio':>6} {'us/step':>8}", end=" ")
    print(f"{'growth':>7} {'SimPy':>7} {'bare':>7}")
    for size in sizes:
        load = workload(size, max(MESSAGES, 10 * size))
        rounds = [[timed(world, load) for world in WORLDS] for _ in range(ROUNDS)]
        times = [statistics.median(each) for each in zip(*rounds, strict=True)]
        ratio = statistics.median(theirs / ours for ours, theirs, _ in rounds)
        costs.append([1e6 * each / (load.messages + len(load.sends) + 1) for each in times])
        growths = [cost / least for cost, least in zip(costs[-1], costs[0], strict=True)]
        what = f"messages per second, of SimPy's, {size:,} processes{named}"
        found.append(Result(what, ratio, "ratio", goals.get(size), headline=True))
        if build and size in RATES:
            what = f"messages, {size:,} processes{named}"
            found.append(Result(what, load.messages / times[0], "per second", RATES[size]))
        ours, theirs, _ = (load.messages / each for each in times)
        told = " ".join(f"{growth:>6.2f}x" for growth in growths)
        print(f"{size:>9,} {load.messages:>9,} {ours:>8,.0f} {theirs:>8,.0f} {ratio:>6.2f} {costs[-1][0]:>8.1f} {told}")
        sys.stdout.flush()
    what = f"growth of a step's cost from {sizes[0]:,} to {sizes[-1]:,} processes"
    found.append(Result(f"{what}{named}", growths[0], "ratio", 2.4, "less"))
    found.append(Result(f"{what}, of a bare loop's{named}", growths[0] / growths[2], "ratio", 1, "less"))
    return found


def _compiled(sizes: list[int]) -> list[Result]:
    """Measure the compiled build in a process of its own; nothing where it cannot be made."""
    code = "import json, sys; from tests.benchmarks.kernel import told; told(json.loads(sys.argv[1]))"
    with compiled() as there:
        if there is None:
            return []
        print("compiled", flush=True)
        command = [sys.executable, "-c", code, json.dumps(sizes)]
        done = subprocess.run(command, env=there.variables, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    *lines, found = done.stdout.splitlines()
    print(*lines, sep="\n")
    return [Result(**each) for each in json.loads(found)]


def told(sizes: list[int]) -> None:
    """Measure the compiled build that runs here, and print its results as JSON in the last line."""
    assert COMPILED
    print(json.dumps([asdict(each) for each in measured(sizes, "compiled")]))


def main() -> list[Result]:
    """Measure both builds, and print a table of each."""
    sizes = [int(size) for size in sys.argv[1:]] or list(GOALS)
    found = [*measured(sizes, ""), *_compiled(sizes)]
    print(f"medians of {ROUNDS}; every run conserved its tokens, live and in the snapshot")
    return found


if __name__ == "__main__":
    main()
