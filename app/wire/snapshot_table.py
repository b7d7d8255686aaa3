"""The recorded global state as a table: the progress of each process and channel, and its contents."""

from app.core.model import recorded_state
from app.core.model.value import Frozen
from app.core.model.values import Json
from app.run.run import Run
from app.wire.membership import absent
from app.wire.part_status import STORING, STRUCK, WHOLE, died, standing


class Row(Frozen):
    """One line.

    ``kind`` is ``process`` or ``channel``. ``mode`` is

    - ``none``, ``recording`` or ``recorded``;
    - ``absent`` for a process that takes no part, and for channels between it and the others;
    - ``gone`` for a process that left before it recorded;
    - ``lost`` for the recorded state of a process that left before its part was finished;
    - ``unwatched`` for a channel that the algorithm does not record;
    - ``storing`` for a process whose part is still being stored, and for the channel states in it; ``died`` if a crash
      destroyed the part before that;
    - ``struck`` for the recorded state of an aborted snapshot.
    """

    element: str
    kind: str
    mode: str
    value: Json = None


def rows(run: Run, step: int, number: int) -> tuple[Row, ...]:
    """Return the table of a snapshot after ``step``: the processes, then the channels, in the scenario's order."""
    system, world = run.system, run.world(step)
    parts = recorded_state.parts(system, world, number)
    gone, away = world.snapshots[number].unusable, absent(run, step, number)

    def process(name: str) -> Row:
        if name in parts:
            how = standing(run, step, number, name)
            mode = "lost" if name in gone else "recorded" if how == WHOLE else how
            return Row(name, "process", mode, system.program.view(parts[name].state))
        return Row(name, "process", "gone" if name in gone else "absent" if name in away else "none")

    still_open = set(recorded_state.open_channels(parts))
    held = {c: (messages, c in still_open) for c, messages in recorded_state.channels(system, parts).items()}

    def channel(name: str) -> Row:
        ends = system.topology.channels[name]
        messages, still = held.get(name, ((), False))
        content = [system.program.show(message.payload) for message in messages]
        if name in held and (world.snapshots[number].aborted or died(run, step, number, ends.target)):
            return Row(name, "channel", STRUCK, content)
        if name in held and ends.target in gone:
            return Row(name, "channel", "lost", content)
        if not still and not content and (ends.source in away or ends.target in away):
            return Row(name, "channel", "absent")
        if name not in held:
            return Row(name, "channel", "none")
        if not still and run.history.recordings[number].closed.get(name, step + 1) > step:
            return Row(name, "channel", "unwatched")
        kept = not still and content and standing(run, step, number, ends.target) == STORING
        return Row(name, "channel", "recording" if still else STORING if kept else "recorded", content)

    return (*map(process, system.topology.names), *map(channel, system.topology.channels))
