"""The system: what stays the same during a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from immutables import Map
from msgspec.structs import replace

from app.core.model.algorithm import AnyAlgorithm
from app.core.model.conditions import Conditions, usual
from app.core.model.program import AnyProgram, Eager
from app.core.model.topology import Topology
from app.core.model.values import (
    Abandon,
    Action,
    Collect,
    Deliver,
    OfProcess,
    Overtake,
    Process,
    Todo,
    World,
)

DISCIPLINES = ("fifo", "causal", "any")
"""The orders in which channels deliver: each keeps its own order; all keep the causal order together; none."""

STRENGTH = ("any", "fifo", "causal")
"""The same, the weakest first: channels that keep the causal order keep the order of each channel."""


def suffices(order: str, required: str) -> bool:
    """Does this order of delivery include the order that is ``required``?"""
    return order in STRENGTH[STRENGTH.index(required) :]


@dataclass(frozen=True, slots=True)
class System:
    """A graph, a program, and the algorithm on top of it.

    ``discipline`` is the order of delivery, ``exceptions`` that of single channels. ``newcomers`` are the processes
    that join later, each with the parent that brings it in. ``first`` is the id of the first snapshot, ``most`` how
    many snapshots a run may have. ``capacity`` is how many program messages a channel holds at most; channels not named
    in it hold any number. Where the system ``recovers``, a process that crashes comes back.
    """

    topology: Topology
    program: AnyProgram
    algorithm: AnyAlgorithm
    discipline: str = "fifo"
    collect: bool = True
    first: int = 1
    most: int = 16
    exceptions: Mapping[str, str] = field(default_factory=dict)
    newcomers: Mapping[str, str] = field(default_factory=dict)
    capacity: Mapping[str, int] = field(default_factory=dict)
    recovers: bool = False
    fifo: bool = field(init=False, default=True)
    """Does every channel deliver its head first?"""
    causal: bool = field(init=False, default=False)
    """Does any channel keep the causal order?"""
    eager: Eager[Any, Any] | None = field(init=False, default=None)
    """The program, if its processes act at once."""
    plain: bool = field(init=False, default=True)
    """Do its channels keep no causal order, and its processes not act at once?"""
    open: bool = field(init=False, default=True)
    """Can a process handle any message at any time?"""
    sending_matters: bool = field(init=False, default=False)
    """May a program have to wait before it sends, or does the algorithm follow what it sends?"""

    def __post_init__(self) -> None:
        orders = {self.discipline, *self.exceptions.values()}
        object.__setattr__(self, "fifo", orders == {"fifo"})
        object.__setattr__(self, "causal", "causal" in orders)
        object.__setattr__(self, "eager", self.program if self.program.EAGER else None)
        object.__setattr__(self, "plain", not self.causal and not self.eager)
        object.__setattr__(self, "open", self.plain and not self.algorithm.BLOCKS and not self.program.REFUSES)
        sending_matters = bool(self.capacity) or self.algorithm.PAUSES or self.algorithm.FOLLOWS
        object.__setattr__(self, "sending_matters", sending_matters)

    def begin(self) -> World:
        """Return the world before anything happened."""
        world = World(Map(), Map(), conditions=usual(Conditions(unborn=tuple(self.newcomers))))
        processes = {name: self.process(world, name) for name in self.topology.names}
        return replace(
            world,
            states=Map({name: self.program.start(p) for name, p in processes.items()}),
            memories=Map({name: self.algorithm.start(p) for name, p in processes.items()}),
        )

    def timer(self, what: Todo) -> bool:
        """Is a deferred step a timer, which expires only when nothing else is left to do?"""
        return what.word in self.algorithm.RECOVERY.timers

    def order(self, channel: str) -> str:
        """Return the order in which ``channel`` delivers."""
        return self.exceptions.get(channel, self.discipline)

    def suits(self) -> bool:
        """Does every channel keep the order that the algorithm requires?"""
        return all(suffices(self.order(channel), self.algorithm.REQUIRES) for channel in self.topology.channels)

    def ordered(self, channel: str) -> bool:
        """Does ``channel`` deliver in the order of sending?"""
        return self.fifo or self.order(channel) != "any"

    def actor(self, action: Action) -> str | None:
        """Return the process that acts; None where it is the network."""
        match action:
            case OfProcess():
                return action.process
            case Deliver() | Collect() | Overtake():
                return self.topology.channels[action.channel].target
            case Abandon():
                return self.topology.root
        return None

    def process(self, world: World, name: str) -> Process:
        """Return the process as it sees itself: its channels to present members, and its channels from them and from
        crashed processes while something still comes from there."""
        whole = self.topology.processes[name]
        if not world.unborn and not world.gone:
            return whole
        channels = self.topology.channels
        inputs = tuple(c for c in whole.inputs if world.member(channels[c].source) or c in world.queues)
        return Process(
            name,
            inputs,
            tuple(c for c in whole.outputs if world.member(channels[c].target)),
            tuple(one for one in whole.members if world.member(one)),
            tuple(c for c in whole.back if c in inputs),
        )
