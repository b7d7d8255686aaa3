"""The oracle: the same checks for every snapshot of every algorithm.

It knows the whole history and each process's recorded part, and trusts no algorithm's word. ``CHECKS``, at the end of
this module, lists what it asks of each snapshot, by name. One more question, I6, is about the whole run: are
the application events legal without any snapshot (``undisturbed``)?

A verdict is True, False or None (not decided, or does not apply). Each False has a witness, and so has each None with a
reason of its own.

No snapshot is blamed for faults of the network: a message that was lost for good need not be recorded, and a copy that
the network made is a message of its own; made after its sender had recorded, it need not be recorded either. What a
process takes along when it crashes is still missing in the snapshots in which it was to take part, but not in later
ones. An aborted snapshot is not judged.

Source: Chandy and Lamport 1985, section 4 (Theorem 1) and 3.1 (conservation).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from app.core.model import recorded_state as record
from app.core.model.system import System
from app.core.model.values import Json, Message, Part, Process, World
from app.core.oracle.history import History, Recording
from app.core.oracle.replay import Replay, in_order, undisturbed

Finding = tuple[bool | None, Json]
"""The answer to a check, and its witness, which counts only if the check does not hold."""


@dataclass(slots=True)
class Verdict:
    """The oracle's verdict on one snapshot. ``since`` is the step at which each check was decided. The witness of a
    check that fails shows where; that of one that cannot be decided says why."""

    checks: dict[str, bool | None] = field(default_factory=lambda: dict.fromkeys(CHECKS))
    witnesses: dict[str, Json] = field(default_factory=dict)
    since: dict[str, int] = field(default_factory=dict)

    def decide(self, check: str, holds: bool | None, step: int, witness: Json = None) -> None:
        """Store the result of one check."""
        self.checks[check] = holds
        if holds is None and witness is None:
            return
        self.since[check] = step
        if not holds:
            self.witnesses[check] = witness

    @property
    def broken(self) -> tuple[str, ...]:
        """Return the checks that fail."""
        return tuple(name for name in CHECKS if self.checks[name] is False)

    def failures(self, step: int) -> dict[str, Json]:
        """Return the witnesses of the checks that had failed by ``step``, by the names of the checks."""
        return {name: self.witnesses[name] for name in self.broken if self.since[name] <= step}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a check may look at: the history to which the snapshot belongs, what an observer saw of it, its recorded
    parts and channels (empty until it is complete), the ``verdict`` of the checks before, and who asks."""

    system: System
    history: History
    seen: Recording
    parts: Mapping[str, Part]
    channels: Mapping[str, Iterable[Message]]
    verdict: Verdict
    oracle: "Oracle"


@dataclass(frozen=True, slots=True)
class Check:
    """A question about every snapshot.

    ``judge`` answers it; None means that it cannot be decided or does not apply. ``early``: can it be answered as soon
    as every process has recorded, before the snapshot is complete? ``of_state``: is it about the recorded state, from
    which a system may continue, and not about the price? ``in_rows``: do the rows of a run say enough to answer it, so
    that the verifiers ask it too? ``faults`` are the words by which its witnesses name what is wrong, each with the
    values that its sentence gives; None where that is only that no run passes through the recorded state. The words of
    the check are in the catalogues under ``check.<name>``.
    """

    name: str
    number: str
    question: str
    judge: Callable[[Evidence], Finding]
    faults: Mapping[str, tuple[str, ...] | None] = field(default_factory=dict)
    early: bool = False
    of_state: bool = True
    in_rows: bool = False


class Oracle:
    """Judges the snapshots of one history, all in one pass."""

    def __init__(self, system: System, history: History) -> None:
        self.system = system
        self.history = history
        self._legal: dict[History, bool] = {}

    def judge(self, world: World, number: int) -> Verdict:
        """Judge one snapshot of a run that has reached ``world``."""
        system, seen = self.system, self.history.recordings[number]
        verdict, recorded = Verdict(), record.parts(system, world, number)
        given_up = seen.aborted is not None and seen.completed is None
        everyone = len(recorded) + len(seen.absent) >= len(system.topology.names) and bool(seen.recorded)
        decided, done = everyone and not given_up, seen.completed
        channels = record.channels(system, recorded) if done is not None else {}
        evidence = Evidence(system, seen.life or self.history, seen, recorded, channels, verdict, self)
        for check in CHECKS.values() if decided else ():
            step = max(seen.recorded.values()) if check.early else done
            if step is not None:
                holds, witness = check.judge(evidence)
                verdict.decide(check.name, holds, step, witness)
        if not decided or done is None:
            verdict.witnesses["complete"] = _unfinished(seen, recorded)
        return verdict

    def undisturbed(self, history: History) -> bool:
        """Check I6 for the history, or one of its lives; each is replayed once."""
        if history not in self._legal:
            self._legal[history] = undisturbed(self.system, history)
        return self._legal[history]


def known(messages: Iterable[Message]) -> set[int]:
    """Return the identities of messages."""
    return {message.identity for message in messages}


def demanded(
    system: System, history: History, seen: Recording, channels: Mapping[str, Iterable[Message]]
) -> dict[str, list[Message]]:
    """Return what crosses the cut and has to be recorded: all but copies that the network made later, unless they were
    recorded."""
    found: dict[str, list[Message]] = {}
    for channel, messages in accountable(system, history, seen, history.crossing(seen.cut)).items():
        there = known(channels.get(channel, ()))
        found[channel] = [m for m in messages if m.identity in there or not _later(system, history, seen, m.identity)]
    return found


def _later(system: System, history: History, seen: Recording, identity: int) -> bool:
    """Is the message a copy that the network made after its sender had recorded? It stands behind what the sender sent
    then, so it need not be recorded; an algorithm that decides by what a message carries may record it."""
    made = history.copied.get(identity)
    if made is None:
        return False
    channel = history.sends[identity].channel
    sender = system.topology.channels[channel].source if channel else ""
    return made > seen.recorded.get(sender, made)


def _message_facts(system: System, history: History, message: Message) -> Json:
    send = history.sends.get(message.identity)
    arrival = history.receives.get(message.identity)
    return {
        "id": message.id,
        "payload": system.program.show(message.payload),
        "channel": send.channel if send else None,
        "sent": send.step if send else None,
        "received": arrival.step if arrival else None,
    }


def _unfinished(seen: Recording, recorded: Mapping[str, Part]) -> Json:
    """Return why a snapshot is not complete."""
    return {"unreachable": list(seen.unreachable), "open": record.open_channels(recorded)}


def consistent(of: Evidence) -> Finding:
    """Decide I1; the witness is an orphan message."""
    if of.history.consistent(of.seen.cut):
        return True, None
    orphan = of.history.orphans(of.seen.cut)[0]
    return False, {"fault": "orphan", "message": _message_facts(of.system, of.history, orphan)}


def _recorded_exactly(of: Evidence) -> Finding:
    """Decide I2; the channels of an inconsistent cut have no state."""
    if not of.verdict.checks["consistent"]:
        return None, {"fault": "inconsistent"}
    crossing = demanded(of.system, of.history, of.seen, of.channels)
    recorded = accountable(of.system, of.history, of.seen, of.channels)
    wrong = channel_fault(of.system, crossing, recorded, of.history)
    return wrong is None, wrong


def channel_fault(
    system: System,
    crossing: Mapping[str, list[Message]],
    channels: Mapping[str, Iterable[Message]],
    history: History,
) -> Json:
    """Return, for I2, the first channel whose recorded state is not what crosses the cut, or None.

    Faults: ``missing`` (crosses, not recorded), ``doubled`` (recorded twice), ``extra`` (recorded, does not cross),
    ``order`` (the right messages in the wrong order).
    """
    for channel in system.topology.channels:
        wanted = [m.identity for m in crossing.get(channel, ())]
        got = [m.identity for m in channels.get(channel, ())]
        if wanted == got or (not in_order(system, history, channel) and sorted(wanted) == sorted(got)):
            continue
        by_identity = {m.identity: m for m in (*crossing.get(channel, ()), *channels.get(channel, ()))}
        need, have = Counter(wanted), Counter(got)
        faults = [("missing", i) for i in wanted if not have[i]]
        faults += [("extra", i) for i in got if not need[i]]
        faults += [("doubled", i) for i in got if have[i] > 1]
        fault, which = faults[0] if faults else ("order", got[0])
        return {"fault": fault, "channel": channel, "message": _message_facts(system, history, by_identity[which])}
    return None


def accountable(
    system: System, history: History, seen: Recording, channels: Mapping[str, Iterable[Message]]
) -> dict[str, list[Message]]:
    """Return the recorded channels without those that lead to no process, and without what was recorded and lost later,
    which no process could know."""

    def vanished(message: Message) -> bool:
        identity = message.identity
        return history.lost(identity) and history.inside(history.sends[identity], seen.cut)

    ends = system.topology.channels
    there = {c: messages for c, messages in channels.items() if ends[c].target not in seen.absent}
    return {c: [m for m in messages if not vanished(m)] for c, messages in there.items()}


def conserved(of: Evidence) -> Finding:
    """Decide I3 by comparing the recorded total with the true one; None where the program conserves nothing."""
    program, processes = of.system.program, of.system.topology.processes
    members = [process for name, process in processes.items() if of.seen.absent.get(name, True)]
    starts = [program.amounts(program.start(process)) for process in members]
    if not starts or starts[0] is None:
        return None, None
    truth: Counter[str] = Counter()
    for amounts in starts:
        truth.update(amounts or {})
    _change(truth, of, members)
    total: Counter[str] = Counter()
    for part in of.parts.values():
        total.update(program.amounts(part.state) or {})
    for messages in of.channels.values():
        for message in messages:
            total.update(program.worth(message.payload))
    same = all(truth[name] == total[name] for name in {*truth, *total})
    return same, {"total": _plain(truth), "recorded": _plain(total)}


def _change(truth: Counter[str], of: Evidence, members: list[Process]) -> None:
    """Take from the first total what has left the system before the cut: messages that the network lost, and what
    processes took along that crashed; add copies that the network made. Newcomers after the cut do not count."""
    system, history, seen, program = of.system, of.history, of.seen, of.system.program
    for process in members:
        if process.name in seen.absent and process.name not in seen.unusable:
            truth.subtract(program.amounts(_last_state(system, history, process)) or {})
    there = {m.identity for messages in of.channels.values() for m in messages}
    outside = {i for i in history.copied if i not in there and _later(system, history, seen, i)}
    outside -= {i for i in outside if (arrival := history.receives.get(i)) and history.inside(arrival, seen.cut)}
    for identity, message in history.twins.items():
        if identity not in outside and history.inside(history.sends[identity], seen.cut):
            truth.update(program.worth(message.payload))
    for identity in history.vanished:
        send = history.sends[identity]
        left_out = identity in there or identity in outside or not history.lost(identity)
        if not left_out and history.inside(send, seen.cut) and send.message:
            truth.subtract(program.worth(send.message.payload))


def _last_state(system: System, history: History, process: Process) -> object:
    """Return the state of a process after its last event."""
    states = (event.state for event in reversed(history.events) if event.process == process.name)
    return next(states, system.program.start(process))


def _plain(amounts: Counter[str]) -> Json:
    """Return the amounts as a number where the quantity has no name."""
    return amounts[""] if set(amounts) == {""} else dict(amounts)


def _reachable(of: Evidence) -> Finding:
    """Decide I4 by replaying the order of Theorem 1; the witness is what stopped it, or an orphan that stopped nothing
    because it was received before the system rolled back."""
    fault = unreachable(of)
    if fault is None and not of.verdict.checks["consistent"]:
        fault = of.verdict.witnesses["consistent"]
    return fault is None, fault


def unreachable(of: Evidence) -> Json:
    """Return what stops the order of Theorem 1, or None. Where the proof of the theorem holds, nothing stops it, and
    only the state at the cut is compared: the run itself is legal, no message is received before it is sent, every
    process has the same channels throughout, and so each process does and each channel carries the same in the same
    order. Otherwise everything is replayed."""
    settled = not (of.system.newcomers or of.history.went or of.history.undone)
    if settled and of.verdict.checks["consistent"] and of.oracle.undisturbed(of.history):
        return Replay.at(of.system, of.history, of.seen.cut).differs(of.parts, of.channels)
    return replayed(of)


def replayed(of: Evidence) -> Json:
    """Replay the order of Theorem 1, and return what stopped it, or None."""
    order, boundary = of.history.reordered(of.seen.cut)
    replay = Replay(of.system, of.history)
    for position, event in enumerate(order):
        if position == boundary and (fault := replay.differs(of.parts, of.channels)):
            return fault
        if fault := replay.happen(event):
            return fault
    return replay.differs(of.parts, of.channels) if boundary == len(order) else None


def cost_fault(system: System, seen: Recording) -> Json:
    """Return, for I5, a channel without exactly one marker, or a process that recorded more than once, or None.
    Processes that take no part, or left in the middle, are not checked."""
    aside = (*seen.absent, *seen.unusable)
    for channel, ends in system.topology.channels.items():
        if ends.source in aside or ends.target in aside:
            continue
        if (count := seen.markers.get(channel, 0)) != 1:
            return {"fault": "markers", "channel": channel, "count": count}
    for name in system.topology.names:
        if name not in aside and (count := seen.records.get(name, 0)) != 1:
            return {"fault": "records", "process": name, "count": count}
    return None


def _cost(of: Evidence) -> Finding:
    """Decide I5; it applies to algorithms that use markers."""
    if not of.system.algorithm.MARKERS:
        return None, None
    excess = cost_fault(of.system, of.seen)
    return excess is None, excess


REGISTERED = (
    Check(
        "consistent",
        "I1",
        "does no event inside the cut know of one outside: no orphan message?",
        consistent,
        {"orphan": ("message",)},
        early=True,
        in_rows=True,
    ),
    Check(
        "channels",
        "I2",
        "is each channel recorded as what crosses the cut in it: in order under FIFO, as a bag otherwise?",
        _recorded_exactly,
        {**dict.fromkeys(("missing", "extra", "doubled"), ("message", "channel")), "order": ("channel",)},
        in_rows=True,
    ),
    Check("conserved", "I3", "is the recorded total of what the program conserves right?", conserved, in_rows=True),
    Check(
        "reachable",
        "I4",
        "Theorem 1: is the run with prerecording events first legal, and does it pass through the recorded state?",
        _reachable,
        dict.fromkeys(("early", "refused", "differs", "state", "channel")),
    ),
    Check(
        "cost",
        "I5",
        "is there one marker per channel and one recorded state per process?",
        _cost,
        {"markers": ("channel", "count"), "records": ("process", "count")},
        of_state=False,
        in_rows=True,
    ),
)
CHECKS: Mapping[str, Check] = {check.name: check for check in REGISTERED}
"""All checks by name, in the order in which they are judged and shown."""

ROW_CHECKS = tuple(name for name, check in CHECKS.items() if check.in_rows)
"""The names of those that the verifiers judge, too, from the rows of a run."""
