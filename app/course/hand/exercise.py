"""What exercises by hand have in common. In most of them the kernel makes the steps; what one step of it does at once,
a person does piece by piece."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar, TypeAlias

from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.values import MARKER, Action, BluecutError, Deliver, Json, Message, World
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey

Piece: TypeAlias = tuple[str, str]
"""Something to do, and what it is done with: a process, a channel or a checkpoint."""


class Refused(BluecutError):
    """A move that breaks a rule."""


class Exercise(ABC):
    """An exercise as far as it has been carried out. ``FIGURE`` is its picture, the stage or space and time; ``DRAGS``
    what can be dragged in it, if anything."""

    FIGURE: ClassVar[str] = "stage"
    DRAGS: ClassVar[str] = ""
    scenario: str

    @abstractmethod
    def offers(self) -> Iterator[tuple[str, list[Piece]]]:
        """Yield what can be tried, by process. Much of it is wrong: to know that is the exercise."""

    @abstractmethod
    def play(self, piece: Piece) -> None:
        """Do something. Raises Refused if a rule forbids it, and BluecutError if it is no move."""

    @property
    @abstractmethod
    def done(self) -> bool:
        """Is it complete and right?"""

    @property
    @abstractmethod
    def count(self) -> dict[str, Json]:
        """Return how far it is, for the words of the page."""

    @property
    def objection(self) -> BluecutError | None:
        """Return what is wrong with it as it is now."""
        return None


class Steps(Exercise):
    """An exercise in which the kernel makes the steps. ``due`` is what must still be done before anything else;
    ``behind``: is the picture still that of the step before? ``taken`` is what was taken last, a message's id."""

    def __init__(self, scenario: str) -> None:
        self.scenario = scenario
        self.system = LIBRARY.scenario(scenario).system(RunKey(manual=True))
        self.world: World = self.system.begin()
        self.chosen: list[int] = []
        self.due: list[Piece] = []
        self.behind = False
        self.taken = 0

    def target(self, channel: str) -> str:
        """Return the process at the end of a channel."""
        return self.system.topology.channels[channel].target

    def source(self, channel: str) -> str:
        """Return the process at the beginning of a channel."""
        return self.system.topology.channels[channel].source

    def inputs(self, name: str) -> tuple[str, ...]:
        """Return the channels that end at a process."""
        return self.system.topology.processes[name].inputs

    def outputs(self, name: str) -> tuple[str, ...]:
        """Return the channels that begin at a process."""
        return self.system.topology.processes[name].outputs

    def queue(self, channel: str) -> tuple[Message, ...]:
        """Return what is in a channel, the first to arrive first."""
        return self.world.queues.get(channel, ())

    @property
    def unsent(self) -> list[int]:
        """The ids of the markers that the kernel has put into channels, and the person has not yet."""
        marks = [channel for doing, channel in self.due if doing == "mark"]
        return [message.id for channel in marks for message in self.queue(channel) if message.kind == MARKER]

    @property
    def veiled(self) -> list[int]:
        """The ids of the markers that are not to be seen: those that are unsent, and the one that is being taken."""
        return [*self.unsent, *([self.taken] if self.behind else ())]

    @property
    def unclosed(self) -> list[str]:
        """The channels that the kernel has closed, and the person has not yet."""
        return [channel for doing, channel in self.due if doing == "close"]

    @property
    def key(self) -> RunKey:
        """The run that has been made."""
        return RunKey(manual=True, choices=tuple(enumerate(self.chosen)))

    def run(self) -> Run:
        """Return that run, with what the oracle says of it."""
        return record(LIBRARY.scenario(self.scenario), self.key)

    @property
    def shown(self) -> int:
        """The step to show: while a marker is being taken, the one before it."""
        return len(self.chosen) - self.behind

    def recording(self, name: str) -> list[Piece]:
        """Return what a process has to do once its marker is there: record, and put markers into all outputs."""
        return [("record", name), *self.marking(name)]

    def marking(self, name: str) -> list[Piece]:
        """Return the markers that a process can put into its outputs."""
        return [("mark", channel) for channel in self.outputs(name)]

    def take(self, channel: str) -> bool:
        """Take what has arrived first. Is it a marker? Raises Refused if there is nothing."""
        queue = self.queue(channel)
        if not queue or queue[0].id in self.unsent:
            raise Refused("nothing is in flight on {channel}", channel=channel)
        self.do(Deliver(channel, 0))
        self.taken = queue[0].id
        return queue[0].kind == MARKER

    def do(self, action: Action) -> None:
        """Let the kernel make a step."""
        self.chosen.append(enabled(self.system, self.world).index(action))
        self.world, _ = step(self.system, self.world, action)
