"""What a process keeps so that a message takes effect once: ids that it knows, and what it may have to send again."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.algorithms.millwheel import Memory
from app.core.model import Json, Message, World
from app.core.system import System
from app.simulator.run import Run, Step


@dataclass(frozen=True, slots=True)
class Catalogue:
    """``ids`` are those of the messages that were processed and not let go of yet, input after input; ``unheard`` the
    messages that were sent and are not acknowledged, output after output."""

    ids: tuple[str, ...] = ()
    unheard: tuple[Message, ...] = ()


EMPTY = Catalogue()


def catalogue(system: System, world: World, name: str) -> Catalogue:
    """What a process keeps; of one that is down, what it has saved."""
    memory = world.memories[name]
    if name in world.down:
        saved = world.durable.saved.get(name, ())
        memory = saved[-1].memory if saved else None
    if not isinstance(memory, Memory):
        return EMPTY
    process = system.topology.processes[name]
    ids = tuple(ident for channel in process.inputs for ident in memory.seen.get(channel, ()))
    return Catalogue(ids, tuple(m for channel in process.outputs for m in memory.kept.get(channel, ())))


def shortened(ident: str, sources: Sequence[str]) -> str:
    """An id as a cell shows it: where there is one source, without its name."""
    return ident.removeprefix(f"{sources[0]}.") if len(sources) == 1 else ident


def kept(run: Run, step: Step) -> list[list[Json]]:
    """The notes ``keeps`` of a step; see ``app.view.wire.NOTES``."""
    if not run.system.algorithm.REPEATS:
        return []
    before, found = run.world(step.number - 1), []
    for name in run.system.topology.names:
        now = catalogue(run.system, step.world, name)
        if now != catalogue(run.system, before, name):
            found.append(["keeps", name, list(now.ids), told(run, now)])
    return found


def told(run: Run, seen: Catalogue) -> list[list[Json]]:
    """What is not acknowledged, as [id, payload, the record that it is or comes from]."""
    show = run.system.program.show
    return [[m.tag[0], show(m.payload), getattr(m.payload, "id", None)] for m in seen.unheard]
