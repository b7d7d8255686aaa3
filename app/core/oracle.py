"""The oracle: the same checks for every snapshot of every algorithm.

It knows the whole history and each process's recorded part, and trusts no algorithm's word.

===========  ==========================================================================================
consistent   I1  no event inside the cut knows of one outside: no orphan message
channels     I2  each channel is recorded as what crosses the cut in it: in order under FIFO, as a bag otherwise;
                 undecided where the cut is inconsistent, since then channels have no state
conserved    I3  the recorded total of what the program conserves is right
reachable    I4  Theorem 1: prerecording events first is a legal run, and it passes through the recorded state
cost         I5  one marker per channel, one recorded state per process (algorithms that use markers)
undisturbed  I6  of the whole run: the application events are legal without any snapshot
===========  ==========================================================================================

A verdict is True, False or None (not decided, or does not apply). Each False has a witness, and so has each None with a
reason of its own.

No snapshot is blamed for faults of the network: a message that was lost for good need not be recorded, and a copy that
the network made is a message of its own; made after its sender had recorded, it need not be recorded either. What a
process takes along when it crashes is still missing in the snapshots in which it was to take part, but not in later
ones. An aborted snapshot is not judged.

Source: Chandy and Lamport 1985, section 4 (Theorem 1) and 3.1 (conservation).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from app.core import recorded as record
from app.core.causality import RECEIVE, SEND, Event, History, Recording
from app.core.model import Deliver, Json, Message, Move, Part, Process, Refused, World
from app.core.recorded import parts
from app.core.system import System

__all__ = ["CHECKS", "Verdict", "judge", "parts", "undisturbed"]

CHECKS = ("consistent", "channels", "conserved", "reachable", "cost")


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


def judge(system: System, history: History, world: World, number: int) -> Verdict:
    """Judge one snapshot of a run that has reached ``world``."""
    seen = history.recordings[number]
    history = seen.life or history
    verdict = Verdict()
    recorded = parts(system, world, number)
    given_up = seen.aborted is not None and seen.completed is None
    if given_up or len(recorded) + len(seen.absent) < len(system.topology.names) or not seen.recorded:
        verdict.witnesses["complete"] = unfinished(seen, recorded)
        return verdict
    everyone = max(seen.recorded.values())
    verdict.decide("consistent", *consistent(history, seen, system, everyone))
    if seen.completed is None:
        verdict.witnesses["complete"] = unfinished(seen, recorded)
        return verdict
    channels, done = record.channels(system, recorded), seen.completed
    if not verdict.checks["consistent"]:
        verdict.decide("channels", None, done, {"fault": "inconsistent"})
    else:
        crossing = demanded(system, history, seen, channels)
        wrong = channel_fault(system, crossing, accountable(system, history, seen, channels), history)
        verdict.decide("channels", wrong is None, done, wrong)
    verdict.decide("conserved", *conserved(system, history, seen, recorded, channels))
    fault = unreachable(system, history, seen, recorded, channels)
    if fault is None and not verdict.checks["consistent"]:  # an orphan that was received before the system rolled back
        fault = verdict.witnesses["consistent"]
    verdict.decide("reachable", fault is None, done, fault)
    if system.algorithm.MARKERS:
        excess = cost_fault(system, seen)
        verdict.decide("cost", excess is None, done, excess)
    return verdict


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
        found[channel] = [m for m in messages if m.identity in there or not later(system, history, seen, m.identity)]
    return found


def later(system: System, history: History, seen: Recording, identity: int) -> bool:
    """Is the message a copy that the network made after its sender had recorded? It stands behind what the sender sent
    then, so it need not be recorded; an algorithm that decides by what a message carries may record it."""
    made = history.copied.get(identity)
    if made is None:
        return False
    channel = history.sends[identity].channel
    sender = system.topology.channels[channel].source if channel else ""
    return made > seen.recorded.get(sender, made)


def told(system: System, history: History, message: Message) -> Json:
    """Return a message as a witness names it."""
    send = history.sends.get(message.identity)
    arrival = history.receives.get(message.identity)
    return {
        "id": message.id,
        "payload": system.program.show(message.payload),
        "channel": send.channel if send else None,
        "sent": send.step if send else None,
        "received": arrival.step if arrival else None,
    }


def unfinished(seen: Recording, recorded: Mapping[str, Part]) -> Json:
    """Return why a snapshot is not complete."""
    return {"unreachable": list(seen.unreachable), "open": record.open_channels(recorded)}


def consistent(history: History, seen: Recording, system: System, step: int) -> tuple[bool, int, Json]:
    """Check I1 by vector clocks; the witness is an orphan message."""
    if history.consistent(seen.cut):
        return True, step, None
    orphan = history.orphans(seen.cut)[0]
    return False, step, {"fault": "orphan", "message": told(system, history, orphan)}


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
        known = {m.identity: m for m in (*crossing.get(channel, ()), *channels.get(channel, ()))}
        need, have = Counter(wanted), Counter(got)
        faults = [("missing", i) for i in wanted if not have[i]]
        faults += [("extra", i) for i in got if not need[i]]
        faults += [("doubled", i) for i in got if have[i] > 1]
        fault, which = faults[0] if faults else ("order", got[0])
        return {"fault": fault, "channel": channel, "message": told(system, history, known[which])}
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


def in_order(system: System, history: History, channel: str) -> bool:
    """Did ``channel`` keep the order of its messages, where that order can be relied on?"""
    return system.ordered(channel) and not system.algorithm.REPEATS and channel not in history.disordered


def conserved(
    system: System,
    history: History,
    seen: Recording,
    recorded: Mapping[str, Part],
    channels: Mapping[str, Iterable[Message]],
) -> tuple[bool | None, int, Json]:
    """Compare, for I3, the recorded total with the first; None where the program conserves nothing.

    Newcomers after the cut do not count, nor do messages that the network lost, nor what processes that had crashed
    before took along; copies that the network made do count.
    """
    program, done = system.program, seen.completed or 0
    members = [p for name, p in system.topology.processes.items() if seen.absent.get(name, True)]
    starts = [program.amounts(program.start(p)) for p in members]
    if not starts or starts[0] is None:
        return None, done, None
    truth: Counter[str] = Counter()
    for amounts in starts:
        truth.update(amounts or {})
    for process in members:
        if process.name in seen.absent and process.name not in seen.unusable:
            truth.subtract(program.amounts(last(system, history, process)) or {})
    there = {m.identity for messages in channels.values() for m in messages}
    outside = {i for i in history.copied if i not in there and later(system, history, seen, i)}
    outside -= {i for i in outside if (arrival := history.receives.get(i)) and history.inside(arrival, seen.cut)}
    for identity, message in history.twins.items():
        if identity not in outside and history.inside(history.sends[identity], seen.cut):
            truth.update(program.worth(message.payload))
    for identity in history.gone:
        send = history.sends[identity]
        left_out = identity in there or identity in outside or not history.lost(identity)
        if not left_out and history.inside(send, seen.cut) and send.message:
            truth.subtract(program.worth(send.message.payload))
    total: Counter[str] = Counter()
    for part in recorded.values():
        total.update(program.amounts(part.state) or {})
    for messages in channels.values():
        for message in messages:
            total.update(program.worth(message.payload))
    same = all(truth[name] == total[name] for name in {*truth, *total})
    return same, done, {"total": plain(truth), "recorded": plain(total)}


def last(system: System, history: History, process: Process) -> Any:
    """Return the state of a process after its last event."""
    states = (event.state for event in reversed(history.events) if event.process == process.name)
    return next(states, system.program.start(process))


def plain(amounts: Counter[str]) -> Json:
    """Return the amounts as a number where the quantity has no name."""
    return amounts[""] if set(amounts) == {""} else dict(amounts)


def unreachable(
    system: System,
    history: History,
    seen: Recording,
    recorded: Mapping[str, Part],
    channels: Mapping[str, Iterable[Message]],
) -> Json:
    """Replay, for I4, the order of Theorem 1, and return what stopped it, or None."""
    order, boundary = history.reordered(seen.cut)
    replay = Replay(system, history)
    for position, event in enumerate(order):
        if position == boundary and (fault := replay.differs(recorded, channels)):
            return fault
        if fault := replay.happen(event):
            return fault
    return replay.differs(recorded, channels) if boundary == len(order) else None


def undisturbed(system: System, history: History) -> bool:
    """Check I6: are the application events, in the order in which they happened, legal without any snapshot?"""
    replay = Replay(system, history)
    return all(replay.happen(event) is None for event in history.events)


class Replay:
    """The program alone, without algorithm or markers, executing given events in a given order."""

    def __init__(self, system: System, history: History) -> None:
        self.system = system
        self.history = history
        self.states: dict[str, Any] = {n: system.program.start(p) for n, p in system.topology.processes.items()}
        self.queues: dict[str, list[Message]] = {}

    def happen(self, event: Event) -> Json:
        """Execute ``event``, and return why it cannot happen, or None."""
        process = self.process(event)
        program = self.system.program
        state = self.states[event.process]
        try:
            if event.kind == RECEIVE:
                assert event.channel is not None and event.message is not None
                if not self.take(event.channel, event.message):
                    return {"fault": "early", "step": event.step, "message": event.message.id}
                detail = event.action.detail if isinstance(event.action, Deliver) else None
                state = program.receive(process, state, event.channel, event.message.payload, detail)
            else:
                assert isinstance(event.action, Move)
                state = program.act(process, state, event.action)
                if event.kind == SEND and event.channel and event.message:
                    self.queues.setdefault(event.channel, []).append(event.message)
        except Refused as refused:
            return {"fault": "refused", "step": event.step, "process": event.process, "why": str(refused)}
        if state != event.state:
            return {"fault": "differs", "step": event.step, "process": event.process}
        self.states[event.process] = state
        return None

    def process(self, event: Event) -> Process:
        """Return the process of an event with the channels that it had then."""
        whole, history, newcomers = self.system.topology.processes[event.process], self.history, self.system.newcomers
        if not newcomers and not history.went:
            return whole
        channels, step = self.system.topology.channels, event.step

        def there(name: str) -> bool:
            came = history.came.get(name, step + 1) <= step if name in newcomers else True
            return came and history.went.get(name, step) >= step

        inputs = (c for c in whole.inputs if there(channels[c].source) or self.waiting(self.queues.get(c, ())))
        return replace(
            whole, inputs=tuple(inputs), outputs=tuple(c for c in whole.outputs if there(channels[c].target))
        )

    def take(self, channel: str, message: Message) -> bool:
        """Take ``message`` out of ``channel`` if it can be delivered now. A lost message is in no other's way."""
        if message.identity in self.history.twins or message.identity in self.history.undone:
            return True  # the network made it on the way, or its sending was removed
        queue = self.queues.get(channel, [])
        waiting = [m for m in queue if m.identity == message.identity or not self.history.lost(m.identity)]
        at = next((i for i, m in enumerate(waiting) if m.identity == message.identity), None)
        if at is None or (at and in_order(self.system, self.history, channel)):
            return False
        queue.remove(waiting[at])
        return True

    def differs(self, recorded: Mapping[str, Part], channels: Mapping[str, Iterable[Message]]) -> Json:
        """Return where the global state is not the recorded one, or None."""
        for name, part in recorded.items():
            if self.states[name] != part.state:
                return {"fault": "state", "process": name}
        for channel, ends in self.system.topology.channels.items():
            if ends.target not in recorded:
                continue
            here = self.waiting(self.queues.get(channel, ()))
            there = self.waiting(channels.get(channel, ()))
            if here != there and (in_order(self.system, self.history, channel) or sorted(here) != sorted(there)):
                return {"fault": "channel", "channel": channel}
        return None

    def waiting(self, messages: Iterable[Message]) -> list[int]:
        """Return the messages of a channel that count: neither lost nor made by the network."""
        history = self.history
        return [m.identity for m in messages if not history.lost(m.identity) and m.identity not in history.twins]


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
