"""What a run's snapshots cost, counted from the run itself: messages, bytes, time, and how long the programs had to
wait.

Nothing here trusts an algorithm: control messages are those that entered a channel or were told, recorded messages
those in the parts, pauses those that the notes report.
"""

from app.compact_json import compact
from app.core.model.notes import Blocked, Crashed, Joined, Left, Paused, Restored, Resumed, Sent, Unblocked, only
from app.core.model.recorded_state import channels, parts
from app.core.model.value import Frozen
from app.core.model.values import APP, PART, Json
from app.core.oracle.checks import CHECKS
from app.run.run import Run


class Taken(Frozen):
    """One snapshot. ``steps`` from its start to its completion, None where it never completed; ``messages`` recorded in
    channels; ``size`` of all recorded states and messages, in bytes (see ``size``); ``shipped`` messages that must
    travel with the parts so that channels can be derived; ``checks`` are True, False or None by name."""

    number: int
    markers: int
    others: int
    messages: int
    size: int
    shipped: int
    steps: int | None
    aborted: bool
    checks: dict[str, bool | None]

    @property
    def controls(self) -> int:
        """Return how many control messages this snapshot took."""
        return self.markers + self.others


class Cost(Frozen):
    """A whole run. ``controls`` counts all control messages, also those that belong to no snapshot (``apart``);
    ``collected`` recorded parts were sent to the initiator where the algorithm does not collect them itself, each
    counted once, however far it travels. ``paused`` steps ended with some program paused, ``stopped`` ones with all of
    them, ``blocked`` ones with an input blocked that waits for barriers, behind which ``held`` items were held back;
    ``missed`` application events of the author's run could not happen; ``undisturbed`` is I6, judged up to step
    ``until`` where that is given."""

    snapshots: tuple[Taken, ...]
    controls: int
    collected: int
    paused: int
    stopped: int
    blocked: int
    held: int
    missed: int
    undisturbed: bool
    until: int | None = None

    @property
    def together(self) -> int:
        """Return the control messages and the recorded parts: what it takes until the initiator has the whole
        snapshot."""
        return self.controls + self.collected

    @property
    def apart(self) -> int:
        """Return how many control messages belong to no snapshot, such as acknowledgements."""
        return self.controls - sum(taken.controls for taken in self.snapshots)


def cost(run: Run) -> Cost:
    """Return what the run cost."""
    paused, stopped = pauses(run)
    snapshots = tuple(_taken(run, number) for number in sorted(run.history.recordings))
    until = run.astray.step if run.astray else None
    controls, parts_sent = run.history.controls, _collected(run)
    return Cost(snapshots, controls, parts_sent, paused, stopped, *blocked(run), run.missed, run.undisturbed, until)


def _taken(run: Run, number: int) -> Taken:
    seen, system = run.history.recordings[number], run.system
    recorded = parts(system, run.end, number)
    logged = [message for messages in channels(system, recorded).values() for message in messages]
    states = [system.program.view(part.state) for part in recorded.values()]
    return Taken(
        number,
        sum(seen.markers.values()),
        seen.controls,
        len(logged),
        sum(map(size, states)) + sum(size(system.program.show(message.payload)) for message in logged),
        sum(part.shipped for part in recorded.values()),
        None if seen.completed is None else seen.completed - seen.started,
        seen.aborted is not None,
        {name: run.verdicts[number].checks[name] for name in CHECKS},
    )


def size(value: Json) -> int:
    """Return the bytes of a value as compact JSON in UTF-8."""
    return len(compact(value).encode())


def pauses(run: Run) -> tuple[int, int]:
    """Return how many steps ended with some program paused, on all channels or on one, and how many with all programs
    wholly paused."""
    held: dict[tuple[str, str | None], bool] = {}
    some = every = 0
    for step in run.steps:
        for note in step.notes:
            match note:
                case Paused():
                    held[note.process, note.channel] = True
                case Resumed():
                    held.pop((note.process, note.channel), None)
                case Crashed() | Left() | Joined():
                    held = {key: True for key in held if key[0] != note.process}
        if held:
            some += 1
            world = run.world(step.number)
            every += all((name, None) in held for name in run.system.topology.names if world.member(name))
    return some, every


def blocked(run: Run) -> tuple[int, int]:
    """Return how many steps ended with an input blocked, and how many messages of the program stood in blocked inputs,
    each counted once."""
    closed: list[str] = []
    steps, held = 0, set[int]()
    for step in run.steps:
        for note in step.notes:
            match note:
                case Blocked():
                    closed.append(note.channel)
                case Unblocked():
                    closed = [channel for channel in closed if channel != note.channel]
                case Restored():
                    closed = []
        steps += bool(closed)
        held |= {m.id for channel in closed for m in run.world(step.number).queues.get(channel, ()) if m.kind == APP}
    return steps, len(held)


def _collected(run: Run) -> int:
    """Count the recorded parts that set out for an initiator; passing one on does not count."""
    return sum(_sets_out(note) for step in run.steps for note in only(Sent, step.notes))


def _sets_out(note: Sent) -> bool:
    return note.message.kind == PART and note.message.payload == note.process


def controls(run: Run, *, parts: bool = False) -> list[int]:
    """Return how many control messages there were by each step, from 0 on: the last is the run's total. With ``parts``,
    recorded parts that set out for an initiator count, too."""
    total = [0]
    for step in run.steps:
        sent = only(Sent, step.notes)
        total.append(total[-1] + sum(note.control or (parts and _sets_out(note)) for note in sent))
    return total
