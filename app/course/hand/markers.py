"""Chandy and Lamport's rules, carried out by hand: record, put a marker into a channel, take what has arrived, close a
channel. The kernel makes the steps; what one step of it does at once, here a person does piece by piece. A move that
breaks a rule is refused, with the reason.

Source: Chandy and Lamport 1985, section 3.2 (the two rules).
"""

from collections.abc import Iterator

from app.core.kernel.enabled import enabled
from app.core.model.values import Json, Move, Start
from app.course.hand.exercise import Piece, Refused, Steps
from app.course.yaml_forms import MarkersForm


class Markers(Steps):
    """A snapshot that ``initiator`` starts; a message has been ``sent`` on a channel before."""

    DRAGS = "marker"

    def __init__(self, form: MarkersForm) -> None:
        super().__init__(form.scenario)
        self.initiator = form.initiator
        self.recorded: list[str] = []
        self.closed: list[str] = []
        self.do(self._move(form.sent))

    @property
    def done(self) -> bool:
        """Has everyone recorded, and is every channel closed?"""
        graph = self.system.topology
        return not self.due and len(self.recorded) == len(graph.names) and len(self.closed) == len(graph.channels)

    @property
    def count(self) -> dict[str, Json]:
        """Return how many processes have recorded, and how many channels are closed."""
        graph = self.system.topology
        return {
            "recorded": len(self.recorded),
            "processes": len(graph.names),
            "closed": len(self.closed),
            "channels": len(graph.channels),
        }

    def offers(self) -> Iterator[tuple[str, list[Piece]]]:
        """Yield what can be tried, by process."""
        for name in self.system.topology.names:
            inputs, outputs = self.inputs(name), self.outputs(name)
            yield (
                name,
                [
                    *self.recording(name),
                    *(("send", c) for c in outputs),
                    *(("take", c) for c in inputs),
                    *(("close", c) for c in inputs),
                ],
            )

    def play(self, piece: Piece) -> None:
        """Do something. Raises Refused if a rule forbids it."""
        doing, where = piece
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
                self._free(self.source(where), where)
                self.do(self._move(where))

    def _record(self, name: str) -> None:
        if ("record", name) in self.due:
            self.due.remove(("record", name))
            self.behind = False
        elif name in self.recorded:
            raise Refused("{process} has recorded already. Each process records once", process=name)
        elif name != self.initiator:
            raise Refused("no marker has reached {process} yet. Only the initiator records without one", process=name)
        else:
            self.do(Start(name))
            self.due += self.marking(name)
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
        if not self.take(channel):
            return
        self.due.append(("close", channel))
        if name not in self.recorded:
            self.behind = True
            self.due += self.recording(name)

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

    def _free(self, name: str, output: str = "") -> None:
        """Refuse if a process must do something else before it takes anything, or sends on ``output``: there, its
        marker is first. Raises Refused."""
        if ("record", name) in self.due:
            raise Refused("a marker has reached {process}. Before anything else it records", process=name)
        if ("mark", output) in self.due:
            raise Refused(
                "{process} has recorded. Before anything else its marker goes into {channel}",
                process=name,
                channel=output,
            )
        for channel in self.unclosed:
            if self.target(channel) == name:
                raise Refused("the marker came through {channel}. First close that channel", channel=channel)

    def _move(self, channel: str) -> Move:
        """Return the program's step that sends something on a channel."""
        for action in enabled(self.system, self.world):
            if isinstance(action, Move) and action.channel == channel:
                return action
        raise Refused("{channel} carries nothing more in this exercise", channel=channel)
