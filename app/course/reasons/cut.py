"""What a cut makes of messages and events: of a snapshot's cut, or of one that somebody drew."""

from collections.abc import Mapping

from app.core.model.recorded_state import channels, parts
from app.core.model.value import Frozen
from app.core.oracle.history import SEND, Event, History
from app.course.phrases import words_of
from app.course.question import CONSISTENT, Question
from app.course.reasons.parts import Explained, apart
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


def of_snapshot(run: Run, number: int) -> Cut:
    """Return the cut of a snapshot."""
    return Cut(run, run.history.recordings[number].cut, number)


def _ends(cut: Cut, message: int) -> dict[str, str]:
    """Return who sends a message and to whom."""
    channel = cut.run.system.topology.channels[cut.history.sends[message].channel or ""]
    return {"source": channel.source, "target": channel.target}


def before_rollback(cut: Cut, message: int) -> int:
    """Return the message that the history of the cut has in the place of this one, if this one was sent again after a
    rollback; otherwise the message itself."""
    again = cut.run.history.sends.get(message)
    if again is None or again.message is None or message in cut.history.sends:
        return message
    mine = (again.process, again.index, again.channel, again.message.payload)
    found = [(e, e.message) for e in cut.history.events if e.kind == SEND and e.message]
    same = (one.identity for e, one in found if (e.process, e.index, e.channel, one.payload) == mine)
    return next(same, message)


def fate(cut: Cut, message: int) -> str:
    """Return what the cut makes of a message, as ``fated`` does. It is also ``lost`` if the network or a crash took it,
    ``undone`` if a rollback took back its sending, and ``later`` if it was sent only after a rollback."""
    if message in cut.history.undone:
        return "undone"
    if message not in cut.history.sends:
        return "later"
    if cut.history.lost(message):
        return "lost"
    return fated(cut.history, cut.places, message)


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


def no_member(cut: Cut, part: str) -> Words:
    """Explain why a message is not among those that cross the cut, or that the snapshot recorded."""
    message, what = before_rollback(cut, int(part)), {"message": named(cut.run, int(part))}
    found = fate(cut, message)
    if found in ("undone", "later"):
        return words_of(f"wrong.message.{found}", **what)
    if found == "channel":
        found = "elsewhere" if cut.number is None or cut.recorded(message) else "forgotten"
    return words_of(f"wrong.message.{cut.how}.{found}", **what, **_ends(cut, message))


def _member(cut: Cut, part: str) -> Words:
    """Say where to look for a message that was left out."""
    message = int(part)
    if fate(cut, message) != "channel":
        return words_of("wrong.message.cut.invented")
    return words_of(f"wrong.message.{cut.how}.missing", **_ends(cut, message))


def crossers_of(question: Question, cut: Cut) -> Explained:
    """Return the reasons for a question about the messages that cross the cut."""
    return apart(question, lambda one: no_member(cut, one), lambda one: _member(cut, one))


def verdict(cut: Cut, given: str) -> Words | None:
    """Explain why a cut is not consistent, or why this message is not its orphan."""
    if given == CONSISTENT:
        orphan = cut.history.orphans(dict(cut.places))[0].identity
        return words_of("wrong.verdict.consistent", **_ends(cut, orphan))
    message = int(given)
    found = fate(cut, message)
    if found == "orphan":
        return None
    if found in ("undone", "later"):
        return words_of(f"wrong.message.{found}", message=named(cut.run, message))
    if found == "channel" and message not in cut.history.receives:
        found = "open"
    return words_of(f"wrong.verdict.{found}", message=named(cut.run, message))


def _event_of(cut: Cut, name: str) -> Event:
    """Return the event that is called ``PROCESS.INDEX``."""
    return next(event for event in cut.history.events if marked(event) == name)


def event(cut: Cut, question: Question, part: str) -> Words:
    """Say on which side of the cut an event lies."""
    found = _event_of(cut, part)
    side = "inside" if cut.history.inside(found, dict(cut.places)) else "outside"
    return words_of(f"wrong.event.{cut.how}.{side}", event=question.text(part), process=found.process)


def _events_missing(cut: Cut, part: str) -> Words:
    """Say where to look for an event that was left out."""
    found = _event_of(cut, part)
    side = "inside" if cut.history.inside(found, dict(cut.places)) else "outside"
    return words_of(f"wrong.event.{cut.how}.missing.{side}", process=found.process)


def events_of_cut(question: Question, cut: Cut) -> Explained:
    """Return the reasons for a question about the events on one side of the cut."""
    return apart(question, lambda one: event(cut, question, one), lambda one: _events_missing(cut, one))
