"""The workload of the kernel benchmark: tokens that wander over a random graph, as in Princeton's COS418 course.

A random strongly connected graph; at each tick half of the processes send one token on a random output; a message
travels 1 + 0..4 ticks; a process sends at most one message per tick; one snapshot, after a third of the run. The plan
is drawn beforehand and is the same for every engine.
"""

from dataclasses import dataclass
from random import Random

from app.core.model.topology import Topology, named

TOKENS = 10_000


@dataclass(frozen=True)
class Workload:
    """``sends`` are (time, channel) in the order of time; ``start`` is (time, process)."""

    topology: Topology
    sends: tuple[tuple[int, str], ...]
    start: tuple[int, str]

    @property
    def total(self) -> int:
        """Return how many tokens there are."""
        return TOKENS * len(self.topology.names)

    @property
    def messages(self) -> int:
        """Return how many messages arrive: those sent, and a marker on each channel."""
        return len(self.sends) + len(self.topology.channels)


def workload(processes: int, messages: int, *, seed: int = 1, shape: str = "random") -> Workload:
    """Return a workload of about ``messages`` messages, on a graph of this shape."""
    names = [f"N{i + 1}" for i in range(processes)]
    links = named("random", names, seed=seed, degree=2) if shape == "random" else named(shape, names)
    return workload_on(Topology(names, links), messages, seed=seed)


def workload_on(topology: Topology, messages: int, *, seed: int = 1) -> Workload:
    """Return a workload of about ``messages`` messages."""
    rng, names = Random(seed), topology.names
    ticks = max(3, messages * 2 // len(names))
    sends = []
    for tick in range(ticks):
        for name in names:
            if rng.random() < 0.5:
                outputs = topology.processes[name].outputs
                sends.append((tick, outputs[int(rng.random() * len(outputs))]))
    return Workload(topology, tuple(sends), (ticks // 3, names[0]))
