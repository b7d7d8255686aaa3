"""What a cut makes of messages and events: of a snapshot's cut, or of one that somebody drew."""

from collections.abc import Mapping

from app.core.model.recorded_state import channels, parts
from app.core.model.value import Frozen
from app.core.oracle.history import SEND, History
from app.course.phrases import words_of
from app.course.question import CONSISTENT
from app.course.run_facts import fated, marked
from app.run.run import Run
from app.scenario.format import Words


class Cut(Frozen):
    """A cut through a run; ``number`` is the snapshot whose cut it is, None where it was drawn."""

    run: Run
    places: Mapping[str, int]
    number: int | None = None

    @property
    def history(self) -> History:
        """The history to which the cut belongs: a rollback may have ended it."""
        seen = self.run.history.recordings[self.number] if self.number is not None else None
        return (seen.life if seen else None) or self.run.history

    @property
    def how(self) -> str:
        """What its words are called."""
        return "drawn" if self.number is None else "cut"

    def recorded(self, message: int) -> bool:
        """Is the message in some channel that the snapshot recorded?"""
        if self.number is None:
            return False
        found = channels(self.run.system, parts(self.run.system, self.run.end, self.number))
        return any(one.identity == message for queue in found.values() for one in queue)

    def before_rollback(self, message: int) -> int:
        """Return the message that the history of the cut has in the place of this one, if this one was sent again after
        a rollback; otherwise the message itself."""
        again = self.run.history.sends.get(message)
        if again is None or again.message is None or message in self.history.sends:
            return message
        mine = (again.process, again.index, again.channel, again.message.payload)
        found = [(e, e.message) for e in self.history.events if e.kind == SEND and e.message]
        same = (one.identity for e, one in found if (e.process, e.index, e.channel, one.payload) == mine)
        return next(same, message)

    def fate(self, message: int) -> str:
        """Return what the cut makes of a message, as ``fated`` does. It is also ``lost`` if the network or a crash took
        it, ``undone`` if a rollback took back its sending, and ``later`` if it was sent only after a rollback."""
        if message in self.history.undone:
            return "undone"
        if message not in self.history.sends:
            return "later"
        if self.history.lost(message):
            return "lost"
        return fated(self.history, self.places, message)

    def no_member(self, part: str) -> Words:
        """Explain why a message is not among those that cross the cut, or that the snapshot recorded."""
        message, what = self.before_rollback(int(part)), {"message": named(self.run, int(part))}
        found = self.fate(message)
        if found in ("undone", "later"):
            return words_of(f"wrong.message.{found}", **what)
        if found == "channel":
            found = "elsewhere" if self.number is None or self.recorded(message) else "forgotten"
        return words_of(f"wrong.message.{self.how}.{found}", **what, **self._ends(message))

    def member(self, part: str) -> Words:
        """Say where to look for a message that was left out."""
        message = int(part)
        if self.fate(message) != "channel":
            return words_of("wrong.message.cut.invented")
        return words_of(f"wrong.message.{self.how}.missing", **self._ends(message))

    def verdict(self, given: str) -> Words | None:
        """Explain why a cut is not consistent, or why this message is not its orphan."""
        if given == CONSISTENT:
            orphan = self.history.orphans(dict(self.places))[0].identity
            return words_of("wrong.verdict.consistent", **self._ends(orphan))
        message = int(given)
        found = self.fate(message)
        if found == "orphan":
            return None
        if found in ("undone", "later"):
            return words_of(f"wrong.message.{found}", message=named(self.run, message))
        if found == "channel" and message not in self.history.receives:
            found = "open"
        return words_of(f"wrong.verdict.{found}", message=named(self.run, message))

    def _lies(self, name: str) -> tuple[str, str]:
        """Return the process of the event that is called ``PROCESS.INDEX``, and on which side of the cut it is."""
        found = next(event for event in self.history.events if marked(event) == name)
        return found.process, "inside" if self.history.inside(found, dict(self.places)) else "outside"

    def event(self, said: Words, name: str) -> Words:
        """Say on which side of the cut an event lies, which is ``said`` in words."""
        process, side = self._lies(name)
        return words_of(f"wrong.event.{self.how}.{side}", event=said, process=process)

    def left_out(self, name: str) -> Words:
        """Say where to look for an event that was left out."""
        process, side = self._lies(name)
        return words_of(f"wrong.event.{self.how}.missing.{side}", process=process)

    def _ends(self, message: int) -> dict[str, str]:
        """Return who sends a message and to whom."""
        channel = self.run.system.topology.channels[self.history.sends[message].channel or ""]
        return {"source": channel.source, "target": channel.target}


def of_snapshot(run: Run, number: int) -> Cut:
    """Return the cut of a snapshot."""
    return Cut(run, run.history.recordings[number].cut, number)


def named(run: Run, message: int) -> Words:
    """Return a message in words: its content and channel, and, if another message there has the same content, the step
    in which it was sent."""
    send = run.history.sends.get(message)
    if send is None or send.channel is None or send.message is None:
        return words_of("quiz.value", value=message)
    show = run.system.program.show
    said = show(send.message.payload)
    others = [e.message for e in run.history.events if e.kind == SEND and e is not send and e.channel == send.channel]
    twin = any(one is not None and show(one.payload) == said for one in others)
    fields = {"message": said, "channel": send.channel, "step": send.step}
    return words_of("course.message.sent" if twin else "course.message", **fields)
