"""The recovery line, drawn by hand: after a crash, a checkpoint for each process that has to go back. What is said of a
wrong line, and which one is right, follows from ``app.run.recovery_line``."""

from collections.abc import Iterator
from functools import cached_property

from app.core.model.notes import Stored
from app.core.model.values import BluecutError, Json
from app.course.hand.exercise import Piece, Refused
from app.course.yaml_forms import LineForm
from app.run import recovery_line
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.words.catalogues import word
from app.words.checkpoint_names import called


class Line:
    """The run up to the crash in step ``at``, and where each process is to go: the number of a checkpoint, 0 for its
    beginning, None for a process that stays."""

    FIGURE, DRAGS = "time", ""

    def __init__(self, form: LineForm) -> None:
        self.scenario, self.at = form.scenario, form.at
        self.places: recovery_line.Line = {}

    @cached_property
    def run(self) -> Run:
        """The run up to the crash."""
        return record(LIBRARY.scenario(self.scenario), most=self.at)

    def say(self, piece: Piece, spoken: str) -> str:
        """Return a move in words."""
        doing, _ = piece
        name, number = _place(piece)
        key = "beginning" if number == 0 else doing
        return word(f"lessons.hand.{key}", spoken, where=called(name, number or 0))

    def chosen(self, piece: Piece) -> bool | None:
        """Is the move what counts now?"""
        name, number = _place(piece)
        return name in self.places and self.places[name] == number

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
        return [at for at, note in self.run.told(Stored) if note.process == name][place - 1]

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
        """Return for how many processes a place has been chosen, and how many events are undone."""
        return {"chosen": len(self.places), "processes": len(self.run.history.names), "lost": self.lost}

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
        name, number = _place(piece)
        if number is None and name in self.run.end.down:
            raise Refused("{process} has crashed. What came after its last checkpoint is lost", process=name)
        self.places[name] = number


def _place(piece: Piece) -> tuple[str, int | None]:
    """Return the process of a move, and the number of the checkpoint that it goes back to; None if it stays."""
    doing, where = piece
    name, _, number = where.rpartition(".")
    return (name, int(number)) if doing == "back" else (where, None)
