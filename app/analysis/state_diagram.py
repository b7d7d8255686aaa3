"""The state-transition diagram of a program: the global states that it can reach without snapshots, and the events that
lead from one to the next.

Unlike the states of one run (``app.analysis.global_states``) it has cycles: a system that returns to an earlier
condition is in the same state. By Theorem 1 every state that a correct snapshot records is one of these, whether the
run was in it or not.

Source: K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 2.3 (figures 4 and 5: the single-token system).
"""

from collections import deque
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from app.algorithms.registry import ALGORITHMS, FIRST
from app.core.kernel.enabled import options
from app.core.kernel.step import step
from app.core.model.recorded_state import channels
from app.core.model.system import System
from app.core.model.value import Frozen
from app.core.model.values import APP, Action, Deliver, Message, Move, Refused, World
from app.run.run import Run, complete

DRAWN = 24
"""A diagram with more states than this is not drawn."""
COUNTED = 500
"""The most states counted."""


class Arrow(Frozen):
    """``action`` leads from one state to another, both by their place."""

    source: int
    target: int
    action: Action


@dataclass(frozen=True)
class Diagram:
    """The states as worlds, the first one first, and the arrows between them. Where they are not the ``whole``,
    counting stopped."""

    system: System
    states: tuple[World, ...]
    arrows: tuple[Arrow, ...]
    whole: bool
    places: Mapping[Hashable, int] = field(repr=False)

    def visits(self, run: Run) -> tuple[int | None, ...]:
        """Return the place of the state after each step of ``run``, from step 0; None where a fault led out of the
        diagram."""
        worlds = (run.world(number) for number in range(len(run.steps) + 1))
        return tuple(self.places.get(_named(self.system, world.states, world.queues)) for world in worlds)

    def recorded(self, run: Run) -> dict[int, int | None]:
        """Return, for each complete snapshot, the place of the state that it recorded; None where that is not a state
        of the diagram."""
        found = {}
        for number, parts in complete(run):
            states = {name: part.state for name, part in parts.items()}
            found[number] = self.places.get(_named(self.system, states, channels(run.system, parts)))
        return found


def diagram(system: System, most: int = COUNTED) -> Diagram:
    """Return the diagram of the system's program, breadth first; it stops with more than ``most`` states."""
    bare = replace(system, algorithm=ALGORITHMS[FIRST])  # without a start it does nothing
    begin = bare.begin()
    places: dict[Hashable, int] = {_named(bare, begin.states, begin.queues): 0}
    worlds, arrows, queue = [begin], [], deque([0])
    whole = True
    while queue and whole:
        here = queue.popleft()
        for action, after in _followers(bare, worlds[here]):
            name = _named(bare, after.states, after.queues)
            if name not in places:
                whole = len(places) < most
                if not whole:
                    break
                places[name] = len(worlds)
                queue.append(len(worlds))
                worlds.append(after)
            arrows.append(Arrow(here, places[name], action))
    return Diagram(bare, tuple(worlds), tuple(arrows), whole, places)


def _followers(system: System, world: World) -> Iterator[tuple[Action, World]]:
    """Yield what the programs and the channels can do next, and where that leads."""
    for action, reason in options(system, world):
        if reason is None and isinstance(action, Deliver | Move):
            try:
                after, _ = step(system, world, action)
            except Refused:
                continue
            yield action, after


def _named(system: System, states: Mapping[str, object], queues: Mapping[str, tuple[Message, ...]]) -> Hashable:
    """Return a value that two global states share when they are the same: equal programs, and equal application
    messages in the channels, in their order where that is kept."""
    carried = []
    for channel in system.topology.channels:
        held = [(repr(m.payload), repr(m.past)) for m in queues.get(channel, ()) if m.kind == APP]
        if held:
            carried.append((channel, tuple(held if system.ordered(channel) else sorted(held))))
    return tuple(repr(states[name]) for name in system.topology.names), tuple(carried)
