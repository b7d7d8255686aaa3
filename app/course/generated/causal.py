"""Which of two events happened before the other, if any did."""

from collections.abc import Iterator
from random import Random

from app.core.causality import Event, History
from app.course.facts import marked
from app.course.generated.card import Subject, card, choices, distinct, told
from app.course.offered import happened
from app.course.question import Answer, Option, Question
from app.simulator.run import Run
from app.view.address import Address

NAME = "causal"
TRIES, MOST = 120, 10
SHOWN = 44
"""So many steps of a run the diagram shows at once."""


def subjects(run: Run) -> Iterator[Subject]:
    """Pairs of events of two processes, as many that know of each other as that do not."""
    events = run.history.events
    if len(run.steps) > SHOWN or run.history.lives or len({e.process for e in events}) < 2:
        return
    rng = Random("pairs")
    found: dict[str, dict[Subject, None]] = {"before": {}, "after": {}, "beside": {}}
    for _ in range(TRIES):
        left, right = (events[int(rng.random() * len(events))] for _ in range(2))
        kind = found[relation(run.history, left, right)]
        if left.process == right.process or len(kind) >= MOST or (marked(right), marked(left)) in kind:
            continue
        texts = [Option(marked(one), happened(run, one)) for one in (left, right)]
        if distinct(texts):
            kind[marked(left), marked(right)] = None
    for kind in found.values():
        yield from kind


def relation(history: History, left: Event, right: Event) -> str:
    """``before``: the left one happened before the right one; ``after``; ``beside``: neither."""
    place = {name: i for i, name in enumerate(history.names)}
    if history.clocks[right.process, right.index][place[left.process]] >= left.index:
        return "before"
    knows = history.clocks[left.process, left.index][place[right.process]] >= right.index
    return "after" if knows else "beside"


def ask(run: Run, address: Address, subject: Subject) -> Question:
    """Which came first?"""
    known = {marked(event): event for event in run.history.events}
    left, right = (known[one] for one in subject)
    answer = relation(run.history, left, right)
    tempting: dict[Answer, str] = {}
    if answer == "beside":
        tempting["before" if left.step < right.step else "after"] = "M1"
    names = {"left": happened(run, left), "right": happened(run, right)}
    clocks = {
        "mine": "[" + ",".join(map(str, run.history.clocks[left.process, left.index])) + "]",
        "yours": "[" + ",".join(map(str, run.history.clocks[right.process, right.index])) + "]",
    }
    return card(
        NAME,
        "choice",
        run,
        address,
        len(run.steps),
        answer,
        asks=told("quiz.causal.asks", **names),
        options=choices(NAME, "before", "after", "beside"),
        tempting=tempting,
        why=told(f"quiz.causal.why.{answer}", **clocks),
        shows=max(left.step, right.step),
        figure="time",
    )
