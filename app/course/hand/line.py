"""The recovery line, drawn by hand: after a crash, a checkpoint for each process that has to go back. What is said of a
wrong line, and which one is right, follows from ``app.run.recovery_line``."""

from collections.abc import Iterator

from app.core.model.notes import Stored, only
from app.core.model.values import BluecutError, Json
from app.course.hand.exercise import Exercise, Piece, Refused
from app.run import recovery_line
from app.run.run import record
from app.scenario.library import LIBRARY


class Line(Exercise):
    """The run up to the crash in step ``at``, and where each process is to go: the number of a checkpoint, 0 for its
    beginning, None for a process that stays."""

    FIGURE = "time"

    def __init__(self, scenario: str, at: int) -> None:
        self.scenario = scenario
        self.run = record(LIBRARY.scenario(scenario), most=at)
        self.places: recovery_line.Line = {}

    @property
    def complete(self) -> bool:
        """Has a place been chosen for each process?"""
        return len(self.places) == len(self.run.history.names)

    @property
    def cut(self) -> dict[str, int]:
        """How many events each process keeps; one without a choice keeps all."""
        history, cut = self.run.history, {}
        for name in history.names:
            place = self.places.get(name)
            cut[name] = history.counts[name] if place is None else (0, *history.saved.get(name, ()))[place]
        return cut

    def step(self, name: str) -> int | None:
        """Return the step of the place of a process; None if it stays, or has no place yet."""
        place = self.places.get(name)
        if not place:
            return place
        taken = (s.number for s in self.run.steps for n in only(Stored, s.notes) if n.process == name)
        return list(taken)[place - 1]

    @property
    def done(self) -> bool:
        """Is it the recovery line?"""
        return self.complete and self.objection is None

    @property
    def lost(self) -> int:
        """Return how many events are undone."""
        return sum(self.run.history.counts.values()) - sum(self.cut.values())

    @property
    def count(self) -> dict[str, Json]:
        """Return for how many processes a place has been chosen."""
        return {"chosen": len(self.places), "processes": len(self.run.history.names)}

    @property
    def objection(self) -> BluecutError | None:
        """Return what is wrong with a complete line: it makes an orphan, or it is not the latest."""
        if not self.complete:
            return None
        history, topology = self.run.history, self.run.system.topology
        for message in history.orphans(self.cut):
            sent = history.sends[message.identity]
            return BluecutError(
                "{message} would be an orphan: {target} has received it, but {source} has taken its sending back",
                message=self.run.system.program.show(message.payload),
                target=topology.channels[sent.channel].target if sent.channel else "",
                source=sent.process,
            )
        latest = recovery_line.line(history, self.run.end.down)
        for name in history.names:
            if self.places[name] != latest[name]:
                return BluecutError(
                    "no message is an orphan, but {process} goes back further than it has to", process=name
                )
        return None

    def offers(self) -> Iterator[tuple[str, list[Piece]]]:
        """Yield by process its beginning, its checkpoints, and to stay."""
        for name in self.run.history.names:
            numbers = range(len(self.run.history.saved.get(name, ())) + 1)
            yield name, [*(("back", f"{name}.{number}") for number in numbers), ("stay", name)]

    def play(self, piece: Piece) -> None:
        """Choose the place of a process. Raises Refused for one that has crashed and is to stay."""
        doing, where = piece
        if doing == "stay":
            if where in self.run.end.down:
                raise Refused("{process} has crashed. What came after its last checkpoint is lost", process=where)
            self.places[where] = None
        else:
            name, _, number = where.rpartition(".")
            self.places[name] = int(number)
