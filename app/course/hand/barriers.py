"""An operator with several inputs aligns barriers by hand: it holds an input whose barrier has come, processes the
others, and when the last barrier is there, records, sends the barrier on and releases what it held. The kernel makes
the steps and decides what may be taken.

Source: Carbone et al. 2015, section 4.2, Algorithm 1.
"""

from collections.abc import Iterator, Mapping
from copy import copy
from typing import ClassVar

from app.core.kernel.enabled import enabled, obstacle
from app.core.model.values import Action, BluecutError, Collect, Deliver, Json, Move, Start, Wake
from app.course.hand.exercise import Piece, Refused, Steps
from app.course.yaml_forms import BarriersForm


class Barriers(Steps):
    """A checkpoint at one operator, the ``process``. What comes before is the ``opening``: the name of a process lets
    it read or start, that of a channel lets its first message arrive."""

    DRAGS = "barrier"
    SAID: ClassVar[Mapping[str, str]] = {"mark": "pass"}

    def __init__(self, form: BarriersForm) -> None:
        super().__init__(form.scenario)
        self.process = form.process
        self.arrived: list[str] = []
        self.held: list[str] = []
        self.recorded = False
        for name in form.opening:
            self.do(self._first(name))

    def _first(self, name: str) -> Action:
        for action in enabled(self.system, self.world):
            match action:
                case Move(process=one) | Start(process=one) | Deliver(channel=one) if one == name:
                    return action
        raise BluecutError("{where!r} is no part of this system", where=name[:40])

    @property
    def done(self) -> bool:
        """Has it recorded, sent the barrier on and released its inputs?"""
        return self.recorded and not self.due and not self.held

    @property
    def count(self) -> dict[str, Json]:
        """Return how many barriers have come, and what is held."""
        inputs = self.inputs(self.process)
        return {"arrived": len(self.arrived), "inputs": len(inputs), "held": list(self.held)}

    @property
    def near(self) -> set[str]:
        """The processes that it is about: the operator, and those with a channel from or to it."""
        name = self.process
        return {name, *map(self.source, self.inputs(name)), *map(self.target, self.outputs(name))}

    def ending(self) -> "Barriers":
        """Return the same once the others have done their part, too."""
        rest = copy(self)
        rest.choices = [*self.choices]
        while any(one.running for _, one in rest.world.snapshots.items()):
            able = enabled(rest.system, rest.world)
            action = next((one for one in able if isinstance(one, Deliver | Wake | Collect)), None)
            if action is None:
                break
            rest.do(action)
        return rest

    def offers(self) -> Iterator[tuple[str, list[Piece]]]:
        """Yield what can be tried."""
        inputs = self.inputs(self.process)
        yield (
            self.process,
            [
                *(("take", c) for c in inputs),
                *(("hold", c) for c in inputs),
                *self.recording(self.process),
                *(("release", c) for c in inputs),
            ],
        )

    def play(self, piece: Piece) -> None:
        """Do something. Raises Refused if a rule forbids it."""
        doing, where = piece
        match doing:
            case "take":
                self._take(where)
            case "hold":
                self._hold(where)
            case "record" | "mark":
                self._part(piece)
            case "release":
                self._release(where)

    def _take(self, channel: str) -> None:
        if channel in self.held and not self.recorded:
            raise Refused(
                "{channel} is held. What stands behind its barrier must not get into the checkpoint", channel=channel
            )
        self._free()
        if self.queue(channel) and (channel in self.held or obstacle(self.system, self.world, channel) is not None):
            raise Refused("{channel} is still held. Release it first", channel=channel)
        if not self.take(channel):
            return
        self.arrived.append(channel)
        self.behind = True
        if len(self.arrived) < len(self.inputs(self.process)):
            self.due.append(("hold", channel))
        else:
            self.due += self.recording(self.process)

    def _hold(self, channel: str) -> None:
        if ("hold", channel) in self.due:
            self.due.remove(("hold", channel))
            self.held.append(channel)
            self.behind = False
        elif channel in self.held:
            raise Refused("{channel} is held already", channel=channel)
        elif channel in self.arrived:
            raise Refused("every barrier has come. There is nothing to wait for")
        else:
            raise Refused(
                "no barrier has come on {channel}. What stands ahead of it belongs to the checkpoint", channel=channel
            )

    def _part(self, piece: Piece) -> None:
        """Record, or send the barrier on: both at once for the kernel, in either order for a person."""
        doing, where = piece
        missing = [c for c in self.inputs(self.process) if c not in self.arrived]
        if missing:
            raise Refused(
                "the barrier on {channel} is still to come. What stands ahead of it belongs to the checkpoint",
                channel=missing[0],
            )
        if piece not in self.due:
            if doing == "record":
                raise Refused("{process} has recorded already. Each process records once", process=where)
            raise Refused("there has been a barrier on {channel}. Each channel gets one", channel=where)
        self.due.remove(piece)
        if doing == "record":
            self.recorded, self.behind = True, False

    def _release(self, channel: str) -> None:
        if channel not in self.held:
            raise Refused("{channel} is not held", channel=channel)
        if not self.recorded:
            raise Refused(
                "{process} has not recorded. Whatever {channel} brings now would get into the checkpoint",
                process=self.process,
                channel=channel,
            )
        self._free()
        self.held.remove(channel)

    def _free(self) -> None:
        """Refuse if something else must be done first. Raises Refused."""
        if not self.due:
            return
        doing, where = self.due[0]
        if doing == "hold":
            raise Refused("the barrier has come on {channel}. First hold that input", channel=where)
        if doing == "record":
            raise Refused("every barrier has come. Before anything else {process} records", process=self.process)
        raise Refused("{process} has recorded. Before anything else it sends the barrier on", process=self.process)
