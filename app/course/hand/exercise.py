"""What exercises by hand have in common. In most of them the kernel makes the steps; what one step of it does at once,
a person does piece by piece."""

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.values import MARKER, Action, BluecutError, Deliver, Message, World
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.words.catalogues import word

Piece: TypeAlias = tuple[str, str]
"""Something to do, and what it is done with: a process, a channel or a checkpoint."""


class Refused(BluecutError):
    """A move that breaks a rule."""


class Steps:
    """An exercise in which the kernel makes the steps. ``due`` is what must still be done before anything else;
    ``behind``: is the picture still that of the step before? ``taken`` is what was taken last, a message's id, and
    ``taker`` the process that took it. What is dragged in its picture is ``DRAGS``; ``SAID`` are the moves that have
    other words than their names."""

    FIGURE = "stage"
    DRAGS: ClassVar[str]
    SAID: ClassVar[Mapping[str, str]] = {}
    objection: BluecutError | None = None

    def __init__(self, scenario: str) -> None:
        self.scenario = scenario
        self.system = LIBRARY.scenario(scenario).system(RunKey(manual=True))
        self.world: World = self.system.begin()
        self.choices: list[int] = []
        self.due: list[Piece] = []
        self.behind = False
        self.taken, self.taker = 0, ""

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
        """The ids of the markers that are in no channel: those that are unsent, and the one that is being taken."""
        return [*self.unsent, *([self.taken] if self.behind else ())]

    @property
    def unclosed(self) -> list[str]:
        """The channels that the kernel has closed, and the person has not yet."""
        return [channel for doing, channel in self.due if doing == "close"]

    def say(self, piece: Piece, spoken: str) -> str:
        """Return a move in words."""
        doing, where = piece
        return word(f"lessons.hand.{self.SAID.get(doing, doing)}", spoken, where=where)

    def chosen(self, piece: Piece) -> bool | None:
        """Is a move what counts now? Nothing that was done can be changed."""
        return None

    @property
    def run(self) -> Run:
        """The run that has been made."""
        key = RunKey(manual=True, choices=tuple(enumerate(self.choices)))
        return record(LIBRARY.scenario(self.scenario), key)

    @property
    def shown(self) -> int:
        """The step to show: while a marker is being taken, the one before it."""
        return len(self.choices) - self.behind

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
        self.taken, self.taker = queue[0].id, self.target(channel)
        return queue[0].kind == MARKER

    def do(self, action: Action) -> None:
        """Let the kernel make a step."""
        self.choices.append(enabled(self.system, self.world).index(action))
        self.world, _ = step(self.system, self.world, action)
