"""What a process keeps so that each message takes effect once: known ids, and messages that it may send again."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from immutables import Map

from app.core.model.system import System
from app.core.model.value import Frozen
from app.core.model.values import Json, Message, World
from app.run.run import Run, Step


@runtime_checkable
class Memory(Protocol):
    """The memory of an algorithm that removes duplicates: the ids of what was processed, by input, and what is not
    acknowledged, by output."""

    seen: "Map[str, tuple[str, ...]]"
    kept: "Map[str, tuple[Message, ...]]"


class Catalogue(Frozen):
    """``ids``, by input, are those of messages processed and not yet forgotten; ``unheard``, by output, are the
    messages sent and not yet acknowledged."""

    ids: tuple[str, ...] = ()
    unheard: tuple[Message, ...] = ()


EMPTY = Catalogue()


def catalogue(system: System, world: World, name: str) -> Catalogue:
    """Return what a process keeps or, if it is down, what it has saved."""
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
    """Return an id as a cell shows it: without the source's name if there is only one source."""
    return ident.removeprefix(f"{sources[0]}.") if len(sources) == 1 else ident


def dedup_notes(run: Run, step: Step) -> list[list[Json]]:
    """Return the notes ``keeps`` of a step; see ``app.wire.note_codec.NOTES``."""
    if not run.system.algorithm.RECOVERY.repeats:
        return []
    before, after, found = run.world(step.number - 1), run.world(step.number), []
    show = run.system.program.show
    for name in run.system.topology.names:
        now = catalogue(run.system, after, name)
        if now != catalogue(run.system, before, name):
            unheard = [[m.tag[0], show(m.payload), getattr(m.payload, "id", None)] for m in now.unheard]
            found.append(["keeps", name, list(now.ids), unheard])
    return found
