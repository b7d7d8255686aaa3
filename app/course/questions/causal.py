"""Which of two events happened before the other, if any did."""

from collections.abc import Iterator
from random import Random

from app.core.model.values import Message
from app.core.oracle.history import RECEIVE, Event, History
from app.course.options import happened
from app.course.phrases import words_of
from app.course.question import Option, Question
from app.course.questions.card import Subject, card, choices, distinct
from app.course.run_facts import marked
from app.run.run import Run
from app.scenario.format import Words

LEVEL = 2
TRIES, MOST = 120, 10
SHOWN = 44
"""So many steps of a run the diagram shows at once."""


def subjects(run: Run) -> Iterator[Subject]:
    """Yield pairs of events of two processes, at most MOST of each relation."""
    events = run.history.events
    if len(run.steps) > SHOWN or run.history.lives or len({e.process for e in events}) < 2:
        return
    rng = Random("pairs")
    found: dict[str, dict[Subject, None]] = {"before": {}, "after": {}, "beside": {}}
    for _ in range(TRIES):
        left, right = (events[int(rng.random() * len(events))] for _ in range(2))
        kind = found[run.history.relation(left, right)]
        if left.process == right.process or len(kind) >= MOST or (marked(right), marked(left)) in kind:
            continue
        texts = [Option(marked(one), happened(run, one)) for one in (left, right)]
        if distinct(texts):
            kind[marked(left), marked(right)] = None
    for kind in found.values():
        yield from kind


def _mistaken(run: Run, left: Event, right: Event, given: str) -> Words:
    """Return the path that was overlooked, or say that there is none."""
    found = run.history.relation(left, right)
    if found == "beside":
        first, second = ("①", "②") if given == "before" else ("②", "①")
        earlier = (left.step < right.step) == (given == "before")
        return words_of("wrong.causal.earlier" if earlier else "wrong.causal.none", first=first, second=second)
    start, end = (left, right) if found == "before" else (right, left)
    hops = [run.system.program.show(message.payload) for message in path(run.history, start, end)]
    if given == "beside":
        return words_of("wrong.causal.path", messages=hops)
    return words_of("wrong.causal.reverse", start="①" if start is left else "②", messages=hops)


def path(history: History, start: Event, end: Event) -> list[Message]:
    """Return the messages on a path of lines and arrows from one event to a later one of another process. It is found
    backwards from the end, each time along the last arrow that comes from after the start."""
    hops: list[Message] = []
    here = end
    while here.process != start.process:
        known = [one for one in history.events if one.process == here.process and one.index <= here.index]
        came = [one.message for one in known if one.kind == RECEIVE and one.message]
        sends = [(message, history.sends[message.identity]) for message in came if message.identity in history.sends]
        message, here = next((m, send) for m, send in reversed(sends) if history.relation(start, send) == "before")
        hops.append(message)
    return hops[::-1]


def ask(run: Run, first: str, second: str) -> Question:
    """Which came first?"""
    known = {marked(event): event for event in run.history.events}
    left, right = known[first], known[second]
    answer = run.history.relation(left, right)
    names = {"left": happened(run, left), "right": happened(run, right)}
    clocks = {
        "mine": "[" + ",".join(map(str, run.history.clocks[left.process, left.index])) + "]",
        "yours": "[" + ",".join(map(str, run.history.clocks[right.process, right.index])) + "]",
    }
    return card(
        "choice",
        run,
        len(run.steps),
        answer,
        scene=words_of("quiz.causal.scene", **names),
        asks=words_of("quiz.causal.asks"),
        options=choices("causal", "before", "after", "beside"),
        wrong=lambda given: _mistaken(run, left, right, given),
        why=words_of(f"quiz.causal.why.{answer}", **clocks),
        shows=max(left.step, right.step),
        figure="events",
    )
