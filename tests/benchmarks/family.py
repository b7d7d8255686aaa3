"""Every algorithm that needs no dataflow on the same workload: messages per second, and control messages per snapshot.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks.family [PROCESSES]

The workload is that of ``tests.benchmarks.kernel``, on a complete graph, where all of them can run (for those that
need a coordinator, see ``tests.benchmarks.dataflow``); two snapshots are started, after one and two thirds of the run,
each by the first process (by all if each process must start on its own). Channels deliver in the weakest order that the
algorithm requires. The reference is the same workload with one Chandy-Lamport snapshot written for SimPy; the two take
turns, so that a noisy machine is noisy for both.

Control messages are counted in a run of their own, by the observer that the oracle uses: markers and others, for each
snapshot, beside |E| and n; ``apart`` counts those without a snapshot, such as acknowledgements. A run that has not
ended after CAP times as many steps as there are messages is stopped; its figures are those until then.
"""

import statistics
import sys
import time
from typing import Any

from app.algorithms.registry import ALGORITHMS
from app.core.kernel.step import step
from app.core.model.algorithm import Algorithm, Kind
from app.core.model.system import System
from app.core.model.values import Deliver, Move, Refused, World
from app.core.oracle.history import History
from app.programs.bank import Bank, freeze
from app.scenario.scenario import unfit
from app.schedules.delay import Delay
from app.schedules.protocol import Entry, Initiator
from app.schedules.timed import Timed
from tests.benchmarks.result import Result
from tests.benchmarks.simpy_world import SimPyWorld
from tests.benchmarks.workload import TOKENS, Workload, workload

PROCESSES = 10
MESSAGES = 10_000
ROUNDS = 3
CAP = 4


class Family:
    """The workload on the kernel, under one algorithm."""

    def __init__(self, load: Workload, rules: Algorithm[Any]) -> None:
        one = freeze(1)
        channels = load.topology.channels
        bank = Bank(dict.fromkeys(load.topology.names, freeze(TOKENS)), (one,))
        self.system = System(load.topology, bank, rules, rules.REQUIRES, collect=False)
        at, first = load.start
        starting = load.topology.names if rules.KIND.alone else (first,)
        self.schedule = Timed(
            self.system,
            2,
            delay=Delay(0, 4),
            entries=tuple(Entry(Move(channels[c].source, c, one), at) for at, c in load.sends),
            initiators=tuple(Initiator(name, time) for time in (at, 2 * at) for name in starting),
            strict=False,
        )
        self.most = CAP * load.messages
        self.world: World = self.system.begin()
        self.delivered = 0
        self.refused = 0
        self.steps = 0
        assert not load.topology.unreachable([first])  # the graph is analysed once per topology, not per run

    def run(self, history: History | None = None) -> None:
        """Step until nothing is left. Count and skip what the algorithm does not let the program do."""
        world = self.world
        while self.steps < self.most and (action := self.schedule.next(world)):
            try:
                world, notes = step(self.system, world, action)
            except Refused:
                self.refused += 1
                continue
            self.schedule.saw(action, world, notes)
            self.steps += 1
            self.delivered += isinstance(action, Deliver)
            if history is not None:
                history.watch(action, notes)
        self.world = world


def timed(made: Family | SimPyWorld) -> float:
    """Return the messages per second of one run."""
    began = time.perf_counter()
    made.run()
    return made.delivered / (time.perf_counter() - began)


def counted(load: Workload, rules: Algorithm[Any]) -> tuple[Family, History]:
    """Return a run and its observed history."""
    made, history = Family(load, rules), History(load.topology.names)
    made.run(history)
    return made, history


def main() -> list[Result]:
    """Measure and print a table."""
    processes = int(sys.argv[1]) if len(sys.argv) > 1 else PROCESSES
    load = workload(processes, MESSAGES, shape="complete")
    edges = len(load.topology.channels)
    found = []
    print(f"n = {processes}, |E| = {edges}, {len(load.sends):,} messages of the program; medians of {ROUNDS}")
    print(
        f"{'algorithm':<20} {'order':<7} {'msgs/s':>8} {'of SimPy':>8}  {'control messages a snapshot':<34} "
        f"{'of |E|':>7} {'of n':>6} {'apart':>7} {'refused':>7}  formula"
    )
    for name, rules in ALGORITHMS.items():
        if unfit(rules, load.topology) or rules.KIND is Kind.PRIVATE:
            continue
        pairs = [(timed(Family(load, rules)), timed(SimPyWorld(load))) for _ in range(ROUNDS)]
        rate = statistics.median(ours for ours, _ in pairs)
        ratio = statistics.median(ours / theirs for ours, theirs in pairs)
        found.append(Result(f"messages per second, of SimPy's, {name}", ratio, "ratio"))
        made, history = counted(load, rules)
        seen = [(sum(each.markers.values()), each.controls) for each in history.recordings.values()]
        told = ", ".join(f"{markers} + {others}" for markers, others in seen)
        each = sum(markers + others for markers, others in seen) / max(1, len(seen))
        apart = history.controls - sum(markers + others for markers, others in seen)
        ended = "" if made.steps < made.most else "  (stopped)"
        print(
            f"{name:<20} {rules.REQUIRES:<7} {rate:>8,.0f} {ratio:>8.2f}  {told[:34]:<34} "
            f"{each / edges:>7.2f} {each / processes:>6.1f} {apart:>7,} {made.refused:>7,}  {rules.COST}{ended}",
            flush=True,
        )
    return found


if __name__ == "__main__":
    main()
