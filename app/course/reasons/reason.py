"""The reason why an answer is wrong, by the kind of its question."""

from collections.abc import Mapping, Sequence

from app.core.model.notes import Rule
from app.core.oracle.history import RECEIVE
from app.core.oracle.replay import Replay
from app.course.options import State
from app.course.phrases import words_of
from app.course.question import Answer, Question, parts
from app.course.reasons.cut import Cut, of_snapshot
from app.course.reasons.number import Parts, number
from app.course.reasons.parts import Explained, apart, single
from app.course.reasons.recording import channel, channel_missing, process
from app.course.reasons.state import impossible, overlooked
from app.course.run_facts import marked
from app.run.run import Run
from app.scenario.format import Words

FEW = 3
"""So many steps are named."""


def usual(
    question: Question,
    snapshot: int | None,
    parts: Parts = (),
    states: Mapping[str, State] | None = None,
    outcomes: Sequence[State] = (),
) -> Explained | None:
    """Return the reasons for a question of this kind; None if only its author can know them. ``snapshot`` is the one
    that it is about, ``parts`` are those of a number, ``states`` are offered as possible, ``outcomes`` are all possible
    states."""
    run, known = question.run, states or {}
    match question.kind:
        case "number":
            return single(lambda given: number(int(given), int(str(question.answer)), parts, question.hint))
        case "bug":
            return single(lambda given: _line(run, given))
        case "possible":
            return lambda given: apart(
                question,
                lambda name: impossible(run, known[name], outcomes),
                lambda name: overlooked(run, known[name], [known[one] for one in given]),
            )(given)
    if question.cut is not None:
        return _of_cut(question, Cut(run, question.cut))
    if snapshot is not None and snapshot in run.history.recordings:
        return _of_cut(question, of_snapshot(run, snapshot)) or _of_recording(question, snapshot)
    return None


def _of_cut(question: Question, cut: Cut) -> Explained | None:
    """Return the reasons if a cut decides."""
    if question.kind == "verdict":
        return single(cut.verdict)
    if question.kind == "order" and cut.number is not None:
        number = cut.number
        return lambda given: _order(question, number, given)
    match question.many, question.parts:
        case True, "message":
            return apart(question, cut.no_member, cut.member)
        case True, "event":
            return apart(question, lambda one: cut.event(question.text(one), one), cut.left_out)
        case False, "event":
            return single(lambda given: cut.event(question.text(given), given))
    return None


def _of_recording(question: Question, snapshot: int) -> Explained | None:
    """Return the reasons if the answer depends on who has recorded, and on what is being recorded."""
    run, step = question.run, question.address.step
    if question.kind == "process":
        return single(lambda one: process(question, snapshot, one))
    if question.parts != "channel":
        return None
    if not question.many:
        return single(lambda one: channel(run, snapshot, step, one))
    return apart(question, lambda one: channel(run, snapshot, step, one), lambda one: channel_missing(run, one))


def _line(run: Run, name: str) -> Words:
    """Say what a line of the rule does in a run. It is not the wrong one."""
    steps = [step for step, note in run.told(Rule) if name in note.lines]
    if not steps:
        return words_of("wrong.line.idle")
    return words_of("wrong.line.right", steps=[*steps[:FEW], *(["…"] if len(steps) > FEW else [])])


def _order(question: Question, number: int, given: Answer) -> Words | None:
    """Return the first event that cannot happen in its place, or that happens too early for the snapshot's cut."""
    cut = of_snapshot(question.run, number)
    known = {marked(event): event for event in cut.history.events}
    names = parts(given)
    if sorted(names) != sorted(known):
        return None
    replay, events = Replay(question.run.system, cut.history), [known[name] for name in names]
    for place, here in enumerate(events):
        before = next((one for one in events[place:] if one.process == here.process and one.index < here.index), None)
        if before is not None:
            first, second = question.text(marked(before)), question.text(marked(here))
            return words_of("wrong.order.own", process=here.process, first=first, second=second)
        if replay.happen(here) is not None:
            key = "wrong.order.unsent" if here.kind == RECEIVE else "wrong.order.refused"
            return words_of(key, event=question.text(marked(here)))
    inside = [cut.history.inside(event, dict(cut.places)) for event in events]
    if False not in inside[: sum(inside)]:
        return None
    early = events[inside.index(False)]
    return words_of("wrong.order.misses", event=question.text(marked(early)), process=early.process)
