"""Chandy and Lamport's rules, carried out by hand: record, put a marker into a channel, take what has arrived, close a
channel. The kernel makes the steps; what one step of it does at once, here a person does piece by piece. A move that
breaks a rule is refused, with the reason.

Source: Chandy and Lamport 1985, section 3.1 (the two rules).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.values import MARKER, Action, BluecutError, Deliver, Message, Move, Start, World
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey

Doing: TypeAlias = Literal["record", "mark", "take", "close", "send"]
Piece: TypeAlias = tuple[Doing, str]
"""Something to do, and the process (``record``) or channel that it is done with."""

MOST = 60
"""So many moves are enough."""


class Refused(BluecutError):
    """A move that breaks a rule."""


@dataclass
class Hand:
    """A snapshot as far as it has been carried out. ``due`` is what a process must still do before anything else;
    ``behind``: is the picture still that of the step before?"""

    scenario: str
    initiator: str
    sent: str
    """The channel on which a message is on its way at the beginning."""
    chosen: list[int] = field(default_factory=list)
    recorded: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    due: list[Piece] = field(default_factory=list)
    behind: bool = False

    def __post_init__(self) -> None:
        """Put the first message on its way."""
        self.system = LIBRARY.scenario(self.scenario).system(RunKey(manual=True))
        self.world: World = self.system.begin()
        self._do(self._move(self.sent))

    # what it is made of

    def target(self, channel: str) -> str:
        """Return the process at the end of a channel."""
        return self.system.topology.channels[channel].target

    def source(self, channel: str) -> str:
        """Return the process at the beginning of a channel."""
        return self.system.topology.channels[channel].source

    @property
    def unsent(self) -> list[int]:
        """The ids of the markers that the kernel has put into channels, and the person has not yet."""
        return [
            message.id
            for doing, channel in self.due
            if doing == "mark"
            for message in self.world.queues.get(channel, ())
            if message.kind == MARKER
        ]

    @property
    def done(self) -> bool:
        """Has everyone recorded, and is every channel closed?"""
        graph = self.system.topology
        return not self.due and len(self.recorded) == len(graph.names) and len(self.closed) == len(graph.channels)

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

    def offers(self) -> Iterator[tuple[str, list[Piece]]]:
        """Yield what can be tried, by process. Much of it is refused: to know that is the exercise."""
        for name in self.system.topology.names:
            graph = self.system.topology
            inputs = [c for c in graph.channels if self.target(c) == name]
            outputs = [c for c in graph.channels if self.source(c) == name]
            yield (
                name,
                [
                    ("record", name),
                    *(("mark", c) for c in outputs),
                    *(("send", c) for c in outputs),
                    *(("take", c) for c in inputs),
                    *(("close", c) for c in inputs),
                ],
            )

    # what is done

    def play(self, piece: Piece) -> None:
        """Do something. Raises Refused if a rule forbids it."""
        doing, where = piece
        graph = self.system.topology
        if where not in (graph.names if doing == "record" else graph.channels):
            raise BluecutError("{where!r} is no part of this system", where=where[:40])
        match doing:
            case "record":
                self._record(where)
            case "mark":
                self._mark(where)
            case "take":
                self._take(where)
            case "close":
                self._close(where)
            case "send":
                self._free(self.source(where))
                self._do(self._move(where))

    def _record(self, name: str) -> None:
        if ("record", name) in self.due:
            self.due.remove(("record", name))
            self.behind = False
        elif name in self.recorded:
            raise Refused("{process} has recorded already. Each process records once", process=name)
        elif name != self.initiator:
            raise Refused("no marker has reached {process} yet. Only the initiator records without one", process=name)
        else:
            self._do(Start(name))
            self.due += [("mark", c) for c in self.system.topology.channels if self.source(c) == name]
        self.recorded.append(name)

    def _mark(self, channel: str) -> None:
        name = self.source(channel)
        if name not in self.recorded:
            raise Refused("{process} has not recorded. A marker says that its sender has", process=name)
        if ("mark", channel) not in self.due:
            raise Refused("there has been a marker on {channel}. Each channel gets one", channel=channel)
        self.due.remove(("mark", channel))

    def _take(self, channel: str) -> None:
        name = self.target(channel)
        self._free(name)
        queue: tuple[Message, ...] = self.world.queues.get(channel, ())
        if not queue or queue[0].id in self.unsent:
            raise Refused("nothing is in flight on {channel}", channel=channel)
        self._do(Deliver(channel, 0))
        if queue[0].kind != MARKER:
            return
        self.due.append(("close", channel))
        if name not in self.recorded:
            self.behind = True
            outputs = [c for c in self.system.topology.channels if self.source(c) == name]
            self.due += [("record", name), *(("mark", c) for c in outputs)]

    def _close(self, channel: str) -> None:
        name = self.target(channel)
        if channel in self.closed:
            raise Refused("{channel} is closed already", channel=channel)
        if name not in self.recorded and ("close", channel) in self.due:
            raise Refused("{process} records its own state first", process=name)
        if ("close", channel) not in self.due:
            raise Refused("no marker has come through {channel}. Something may still be in flight", channel=channel)
        self.due.remove(("close", channel))
        self.closed.append(channel)

    def _free(self, name: str) -> None:
        """Refuse if a process must do something else first. Raises Refused."""
        mine = [(doing, where) for doing, where in self.due if name == self._of(doing, where)]
        if ("record", name) in mine:
            raise Refused("a marker has reached {process}. Before anything else it records", process=name)
        if any(doing == "mark" for doing, _ in mine):
            raise Refused("{process} has recorded. Before anything else it sends its markers", process=name)
        if mine:
            raise Refused("the marker came through {channel}. First close that channel", channel=mine[0][1])

    def _of(self, doing: Doing, where: str) -> str:
        """Return the process that has to do something."""
        match doing:
            case "record":
                return where
            case "close" | "take":
                return self.target(where)
        return self.source(where)

    def _move(self, channel: str) -> Move:
        """Return the program's step that sends something on a channel."""
        for action in enabled(self.system, self.world):
            if isinstance(action, Move) and action.channel == channel:
                return action
        raise Refused("{channel} carries nothing more in this exercise", channel=channel)

    def _do(self, action: Action) -> None:
        """Let the kernel make a step."""
        self.chosen.append(enabled(self.system, self.world).index(action))
        self.world, _ = step(self.system, self.world, action)


def replayed(scenario: str, initiator: str, sent: str, moves: Sequence[str]) -> tuple[Hand, BluecutError | None]:
    """Return the snapshot after these moves, written as ``DOING:WHERE``, and why the last one was refused, if it was. A
    refused move changes nothing. Raises BluecutError if a text is no move."""
    hand, refused = Hand(scenario, initiator, sent), None
    if len(moves) > MOST:
        raise BluecutError("m: at most {most} moves", most=MOST)
    for text in moves:
        doing, _, where = text.partition(":")
        if doing not in ("record", "mark", "take", "close", "send"):
            raise BluecutError("m: {move!r} is no move", move=text[:40])
        try:
            hand.play((doing, where))  # type: ignore[arg-type]
            refused = None
        except Refused as error:
            refused = error
    return hand, refused
