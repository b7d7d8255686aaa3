"""A run that people make: each of them is a process or a channel, and what they do is a choice of a run by hand.

So the result is an ordinary run with an ordinary address. ``due`` is the right rule, for whoever is away; ``settled``
and ``photographed`` finish what people leave open, and ``as_it_should`` is the run of the same deeds under the
scenario's own algorithm.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from app.algorithms.registry import MODULES, algorithm
from app.algorithms.shared.verbs import CLOSE, DONE, EMPTY, LOG, RECORD, SEND_MARKER, STEPS, VERBS, Table
from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model import recorded_state
from app.core.model.program import conserved
from app.core.model.values import (
    APP,
    MARKER,
    Action,
    BluecutError,
    Crash,
    Deliver,
    Json,
    Move,
    Part,
    Restore,
    Start,
    Todo,
    Wake,
    World,
)
from app.scenario.run_key import MOST_CHOICES, RunKey
from app.scenario.scenario import Scenario
from app.wire.action_text import detail, text

START, SEND, CHANGE, DELIVER = "start", "send", "change", "deliver"
DEEDS = (START, SEND, CHANGE, DELIVER, *VERBS)
"""What people can do."""
HAND = next(name for name in MODULES if algorithm(name).FREE)
"""The algorithm in which each verb is a step that somebody decides on."""
_VERB = {word: verb for verb, word in STEPS.items()}


class Gone(BluecutError):
    """What somebody wants to do is not possible any more."""


class LiveRun:
    """A run of a scenario by hand, as far as it has come."""

    def __init__(self, scenario: Scenario, choices: Iterable[int] = ()) -> None:
        self.scenario = scenario
        self.system = scenario.system(RunKey(HAND, manual=True))
        self.world: World = self.system.begin()
        program, states = self.system.program, self.world.states.values()
        self._total = None if None in map(program.amounts, states) else conserved(program, states).total()
        self.choices: list[int] = []
        self.actions: list[Action] = []
        self._arrived: dict[int, set[str]] = {}
        self._sent: dict[int, set[str]] = {}
        self._fresh: dict[str, set[int]] = {}
        self._enabled: list[Action] | None = None
        self._written: list[tuple[Action, str]] | None = None
        for index in choices:
            self.take(index)

    @property
    def key(self) -> RunKey:
        """The key of the run."""
        return by_hand(self.choices)

    @property
    def running(self) -> tuple[int, ...]:
        """The snapshots in progress."""
        return tuple(number for number in sorted(self.world.snapshots) if self.world.snapshots[number].running)

    @property
    def begun(self) -> int | None:
        """The place of the choice that started the first snapshot; None if none did."""
        return next((place for place, action in enumerate(self.actions) if isinstance(action, Start)), None)

    def act(self, name: str) -> int:
        """Do what is named, as in an address. Return its place among what was possible. Raises Gone if it is not, or if
        the run is full."""
        if len(self.choices) >= MOST_CHOICES:
            raise Gone("this run has {most:,} steps, and takes no more", most=MOST_CHOICES)
        for index, (action, written) in enumerate(self._now()):
            if written == name:
                return self._take(index, action)
        raise Gone("{action!r} is not possible any more", action=name[:80])

    def take(self, index: int) -> None:
        """Do what has this place among what is possible."""
        self._take(index, self._possible()[index])

    def _possible(self) -> list[Action]:
        """Return what is possible now; it is found once a step."""
        if self._enabled is None:
            self._enabled = enabled(self.system, self.world)
        return self._enabled

    def _now(self) -> list[tuple[Action, str]]:
        """Return the same, each with its text."""
        if self._written is None:
            show = self.system.program.show
            self._written = [(action, text(action, show)) for action in self._possible()]
        return self._written

    def _take(self, index: int, action: Action) -> int:
        before = self.world
        self.world, _ = step(self.system, before, action)
        self._enabled = self._written = None
        self.choices.append(index)
        self.actions.append(action)
        if isinstance(action, Deliver):
            message = before.queues[action.channel][action.position]
            if message.kind == MARKER and message.snapshot is not None:
                self._arrived.setdefault(message.snapshot, set()).add(action.channel)
            elif message.kind == APP:
                target = self.system.topology.channels[action.channel].target
                self._fresh[action.channel] = {n for n in self.running if self._table(target, n).state}
        elif isinstance(action, Wake) and _VERB.get(action.what.word) == SEND_MARKER:
            self._sent.setdefault(action.what.number, set()).add(action.what.name)
        return index

    def _do(self, action: Action) -> int:
        return self._take(self._possible().index(action), action)

    def _table(self, process: str, snapshot: int) -> Table:
        found: Table = self.world.memories[process].ledger.get(snapshot, EMPTY)
        return found

    # --- the right rule ---------------------------------------------------------------------------------------------

    def due(self, process: str) -> Wake | None:
        """Return what the right rule would have a process do now, or None."""
        return next(self._due(process), None)

    def _due(self, process: str) -> Iterator[Wake]:
        mine = self.system.process(self.world, process)
        for number in self.running:
            table, arrived = self._table(process, number), self._arrived.get(number, set())
            if table.done:
                continue
            if not table.state:
                if process in self.world.snapshots[number].initiators or arrived.intersection(mine.inputs):
                    yield _wake(process, RECORD, number)
                continue
            for channel in mine.outputs:
                if channel not in self._sent.get(number, set()):
                    yield _wake(process, SEND_MARKER, number, channel)
            open_inputs = [channel for channel in mine.inputs if channel not in table.closed]
            for channel in open_inputs:
                logged = self.world.memories[process].logged.get(channel, ())
                if number in self._fresh.get(channel, ()) and number not in logged:
                    yield _wake(process, LOG, number, channel)
                elif channel in arrived:
                    yield _wake(process, CLOSE, number, channel)
            if not open_inputs:
                yield _wake(process, DONE, number)

    def carried_out(self, process: str) -> list[int]:
        """Do everything that is due for a process. Return the choices."""
        made = []
        while (action := self.due(process)) is not None and len(self.choices) < MOST_CHOICES:
            made.append(self._do(action))
        return made

    def delivered(self, channel: str) -> int | None:
        """Let the first message of a channel arrive. Return the choice; None if there is no message."""
        if not self.world.queues.get(channel) or len(self.choices) >= MOST_CHOICES:
            return None
        return self._do(Deliver(channel, 0))

    def started(self) -> list[int]:
        """Let the first process start a snapshot, if none is in progress. Return the choices."""
        if self.running or self.world.snapshots:
            return []
        return [self._do(Start(self.system.topology.names[0]))]

    def photographed(self) -> list[int]:
        """Finish a snapshot of which only states are recorded: the states of all others are recorded now, and nothing
        in the channels. Return the choices."""
        made = []
        for number in self.running:
            for process in self.system.topology.names:
                table = self._table(process, number)
                inputs = self.system.process(self.world, process).inputs
                if not table.state:
                    made.append(self._do(_wake(process, RECORD, number)))
                made += [self._do(_wake(process, CLOSE, number, c)) for c in inputs if c not in table.closed]
                if not table.done:
                    made.append(self._do(_wake(process, DONE, number)))
        return made

    def settled(self) -> list[int]:
        """Finish every snapshot by the right rule, whatever was done before it. Return the choices."""
        made: list[int] = []
        while self.running and len(self.choices) < MOST_CHOICES:
            found = [choice for process in self.system.topology.names for choice in self.carried_out(process)]
            full = next((channel for channel in self.system.topology.channels if self.world.queues.get(channel)), None)
            if full is not None and self.running and (choice := self.delivered(full)) is not None:
                found.append(choice)
            if not found:
                break
            made += found
        return made

    def crashed(self, process: str) -> list[int]:
        """Let a process crash, and the whole system roll back to the last snapshot, if that is complete. Return the
        choices."""
        number = max(self.world.snapshots, default=0)
        if not number or number in self.running or len(self.choices) + 2 > MOST_CHOICES:
            return []
        return [self._do(Crash(process)), self._do(Restore(number))]

    def as_it_should(self) -> RunKey:
        """Return the key of the run in which the same is sent and arrives in the same order, and the scenario's own
        algorithm takes the snapshots: markers arrive as late as they can, and crashes come at the end."""
        system = self.scenario.system(RunKey(manual=True))
        world, made = system.begin(), list[tuple[int, int]]()

        def take(action: Action) -> bool:
            nonlocal world
            possible = enabled(system, world)
            if action not in possible or len(made) >= MOST_CHOICES:
                return False
            made.append((len(made), possible.index(action)))
            world, _ = step(system, world, action)
            return True

        for action, message in self._deeds():
            if isinstance(action, Crash | Restore):
                continue
            if not isinstance(action, Deliver):
                take(action)
                continue
            while (queue := world.queues.get(action.channel)) and queue[0].kind != APP and message != MARKER:
                take(Deliver(action.channel, 0))
            if queue and (queue[0].kind == APP) == (message == APP):
                take(Deliver(action.channel, 0))
        while channel := next(iter(sorted(world.queues)), None):
            if not take(Deliver(channel, 0)):
                break
        for action, _ in self._deeds():
            if isinstance(action, Crash | Restore):
                take(action)
        return RunKey(choices=tuple(made), manual=True)

    def completed(self, places: Iterable[int], deeds: Collection[str]) -> dict[str, list[str]]:
        """Return the verbs among ``deeds``, but for the last, that the choices at some places carry out, by process."""
        found: dict[str, set[str]] = {}
        for action in (self.actions[place] for place in places):
            if isinstance(action, Wake) and (verb := _VERB.get(action.what.word)) in deeds and verb != DONE:
                found.setdefault(action.process, set()).add(str(verb))
        return {name: sorted(verbs, key=VERBS.index) for name, verbs in sorted(found.items())}

    def _deeds(self) -> Iterator[tuple[Action, str]]:
        """Yield what was done besides the verbs; for what arrived, of which kind it was."""
        world = self.system.begin()
        for action in self.actions:
            kind = world.queues[action.channel][0].kind if isinstance(action, Deliver) else ""
            if isinstance(action, Move | Start | Deliver | Crash | Restore):
                yield action, kind
            world, _ = step(self.system, world, action)

    # --- what people see --------------------------------------------------------------------------------------------

    def possible(self, deeds: Iterable[str]) -> list[dict[str, Json]]:
        """Return what can be done now: {deed, who, text}, with ``channel``, and of what is sent its ``amount``, of a
        change the state ``into`` which. ``who`` is the process; of what arrives, the channel."""
        allowed, found = frozenset(deeds), []
        for action, written in self._now():
            told = self._told(action)
            if told is not None and told["deed"] in allowed:
                found.append({**told, "text": written})
        return found

    def _told(self, action: Action) -> dict[str, Json] | None:
        match action:
            case Move(process=process, channel=str(channel), payload=payload):
                return {"deed": SEND, "who": process, "channel": channel, "amount": self.system.program.show(payload)}
            case Move(process=process, channel=None):
                return {"deed": CHANGE, "who": process, "into": detail(action)}
            case Start(process=process) if not self.world.snapshots:
                return {"deed": START, "who": process}
            case Deliver(channel=channel, position=0) if type(action) is Deliver:
                return {"deed": DELIVER, "who": channel, "channel": channel}
            case Wake(process=process, what=what) if what.word in _VERB:
                return {"deed": _VERB[what.word], "who": process, "channel": what.name}
        return None

    def counted(self) -> tuple[int, int] | None:
        """Return how much of what the program conserves the last snapshot has recorded, and how much there was at the
        beginning; None if nothing is conserved."""
        if self._total is None:
            return None
        parts = self._parts().values()
        logged = (message for part in parts for _, log in part.channels for message in log)
        return conserved(self.system.program, (part.state for part in parts), logged).total(), self._total

    def left(self) -> int:
        """Return how much of what the program conserves there is now."""
        flying = chain.from_iterable(self.world.in_flight().values())
        return conserved(self.system.program, self.world.states.values(), flying).total()

    def claim(self) -> bool | None:
        """Return whether the program's stable property holds in what the last snapshot has recorded; None before that
        is complete, if there is no such property, or if something is conserved, which says more."""
        if not self.world.snapshots or self.running or self.counted() is not None:
            return None
        parts = self._parts()
        logs = recorded_state.channels(self.system, parts)
        states = {name: part.state for name, part in parts.items()}
        return self.system.program.stable(states, {c: tuple(m.payload for m in log) for c, log in logs.items()})

    def _parts(self) -> dict[str, Part]:
        """Return what the last snapshot has recorded so far."""
        number = max(self.world.snapshots, default=0)
        return recorded_state.parts(self.system, self.world, number) if number else {}

    def as_json(self) -> dict[str, Json]:
        """Return what everybody in the group sees: the state of each process, what it has recorded, and what is in each
        channel."""
        number = max(self.world.snapshots, default=0)
        program, topology, parts = self.system.program, self.system.topology, self._parts()
        processes: dict[str, Json] = {}
        for name in topology.names:
            table = self._table(name, number)
            processes[name] = {
                "state": program.view(self.world.states[name]),
                "copy": program.view(parts[name].state) if name in parts else None,
                "done": table.done,
                "markers": sorted(self._arrived.get(number, set()) & {*self.system.process(self.world, name).inputs}),
            }
        channels: dict[str, Json] = {}
        for name, channel in topology.channels.items():
            table = self._table(channel.target, number)
            queue = self.world.queues.get(name, ())
            channels[name] = {
                "source": channel.source,
                "target": channel.target,
                "queue": [program.show(each.payload) if each.kind == APP else None for each in queue],
                "log": [program.show(each.payload) for each in table.logs.get(name, ())],
                "closed": name in table.closed,
                "sent": name in self._sent.get(number, set()),
            }
        return {"processes": processes, "channels": channels, "snapshot": number, "steps": len(self.choices)}


def by_hand(choices: Iterable[int]) -> RunKey:
    """Return the key of the run by hand with these choices."""
    return RunKey(HAND, choices=tuple(enumerate(choices)), manual=True)


def _wake(process: str, verb: str, snapshot: int, channel: str = "") -> Wake:
    return Wake(process, Todo(STEPS[verb], (snapshot,), channel))
