"""Why events cannot happen in an order, or why that order misses the recorded state."""

from app.core.oracle.checks import Replay
from app.core.oracle.history import RECEIVE, Event
from app.course.phrases import words_of
from app.course.question import Answer, Question, parts
from app.course.reasons.cut import of_snapshot
from app.course.run_facts import marked
from app.scenario.format import Words


def order(question: Question, number: int, given: Answer) -> Words | None:
    """Return the first event that cannot happen in its place, or that happens too early for the snapshot's cut."""
    cut = of_snapshot(question.run, number)
    known = {marked(event): event for event in cut.history.events}
    names = parts(given)
    if sorted(names) != sorted(known):
        return None
    replay, events = Replay(question.run.system, cut.history), [known[name] for name in names]
    for place, event in enumerate(events):
        before = next((one for one in events[place:] if one.process == event.process and one.index < event.index), None)
        if before is not None:
            first, second = question.text(marked(before)), question.text(marked(event))
            return words_of("wrong.order.own", process=event.process, first=first, second=second)
        if replay.happen(event) is not None:
            return _unready(question, event)
    inside = [cut.history.inside(event, dict(cut.places)) for event in events]
    if False not in inside[: sum(inside)]:
        return None
    early = events[inside.index(False)]
    return words_of("wrong.order.misses", event=question.text(marked(early)), process=early.process)


def _unready(question: Question, event: Event) -> Words:
    """Return an event that cannot happen yet, in words."""
    text = question.text(marked(event))
    return words_of("wrong.order.unsent" if event.kind == RECEIVE else "wrong.order.refused", event=text)
