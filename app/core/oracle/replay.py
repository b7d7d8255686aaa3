"""The program of a run, executed once more without algorithm or markers, in an order that somebody asks for: what
decides I4 and I6.

Source: Chandy and Lamport 1985, section 4 (Theorem 1).
"""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from app.core.model.system import System
from app.core.model.values import Deliver, Json, Message, Move, Part, Process, Refused
from app.core.oracle.history import NEVER, RECEIVE, SEND, Event, History


def undisturbed(system: System, history: History) -> bool:
    """Check I6: are the application events, in the order in which they happened, legal without any snapshot?"""
    replay = Replay(system, history)
    return all(replay.happen(event) is None for event in history.events)


class Replay:
    """The program alone, without algorithm or markers, executing given events in a given order."""

    def __init__(self, system: System, history: History) -> None:
        self.system = system
        self.history = history
        self.states: dict[str, object] = {n: system.program.start(p) for n, p in system.topology.processes.items()}
        self.queues: dict[str, list[Message]] = {}

    @classmethod
    def at(cls, system: System, history: History, cut: dict[str, int]) -> "Replay":
        """Return the replay of what is inside a cut."""
        replay = cls(system, history)
        for name, events in history.index.events.items():
            if inside := events[: cut.get(name, 0)]:
                replay.states[name] = inside[-1].state
        replay.queues = history.crossing(cut)
        return replay

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
            came = history.came.get(name, NEVER if name in newcomers else 0)
            return came <= step <= history.went.get(name, NEVER)

        inputs = (c for c in whole.inputs if there(channels[c].source) or self.waiting(self.queues.get(c, ())))
        return replace(
            whole, inputs=tuple(inputs), outputs=tuple(c for c in whole.outputs if there(channels[c].target))
        )

    def take(self, channel: str, message: Message) -> bool:
        """Take ``message`` out of ``channel`` if it can be delivered now. A lost message is in no other's way."""
        if message.identity in self.history.twins or message.identity in self.history.undone:
            return True  # the network made it on the way, or its sending was removed
        queue, behind = self.queues.get(channel, []), False
        for place, other in enumerate(queue):  # usually it is the first: the others are not looked at
            if other.identity == message.identity:
                if behind and in_order(self.system, self.history, channel):
                    return False
                del queue[place]
                return True
            behind = behind or not self.history.lost(other.identity)
        return False

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


def in_order(system: System, history: History, channel: str) -> bool:
    """Did ``channel`` keep the order of its messages, where that order can be relied on?"""
    return system.ordered(channel) and not system.algorithm.RECOVERY.repeats and channel not in history.disordered
