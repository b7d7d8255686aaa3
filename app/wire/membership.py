"""Processes at a step: members, those that leave or have left, and those that the snapshot pauses."""

from app.core.model.notes import Absent, Crashed, Joined, Merged, Note, Paused, Resumed
from app.run.run import Run


def lives(run: Run, step: int) -> dict[str, str]:
    """Return the life of each process that is not simply a member: ``unborn``, ``leaving``, ``left``, ``crashed``,
    ``down``, or ``paused`` if the snapshot pauses its program; ``busy`` if it cannot pass on what it has."""
    world = run.world(step)
    found = dict.fromkeys(held(run, step)[0], "paused") if run.system.algorithm.PAUSES else {}
    if eager := run.system.eager:
        processes = run.system.topology.processes
        found |= {name: "busy" for name, one in processes.items() if eager.urge(one, world.states[name])}
    found |= dict.fromkeys(world.down, "down")
    found |= dict.fromkeys(world.unborn, "unborn") | dict.fromkeys(world.leaving, "leaving")
    if world.gone:
        crashed = [note.process for _, note in run.told(Crashed, step)]
        found |= {name: "crashed" if name in crashed else "left" for name in world.gone}
    return found


def held(run: Run, step: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the processes that the snapshot pauses, and the channels on which nothing may be sent."""
    processes: dict[str, None] = {}
    channels: dict[str, None] = {}
    for _, note in run.told(Note, step):
        match note:
            case Paused(process=process, channel=None):
                processes[process] = None
            case Resumed(process=process, channel=None):
                processes.pop(process, None)
            case Paused(channel=str(channel)):
                channels[channel] = None
            case Resumed(channel=str(channel)):
                channels.pop(channel, None)
    return tuple(processes), tuple(channels)


def absent(run: Run, step: int, number: int) -> tuple[str, ...]:
    """Return the processes that take no part in a snapshot, as far as is known after ``step``."""
    found: dict[str, None] = {}
    for _, note in run.told(Note, step):
        match note:
            case Joined():
                found.pop(note.process, None)
            case Merged() if note.snapshot == number:
                found.pop(note.process, None)
            case Absent() if note.snapshot == number:
                found[note.process] = None
    return tuple(found)
