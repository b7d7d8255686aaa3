"""What an event could know of: what every consistent cut has to contain that contains it."""

from collections.abc import Iterator

from app.core.oracle.history import Event
from app.course.options import happened
from app.course.phrases import words_of
from app.course.question import Option, Question
from app.course.questions.card import MOST_OPTIONS, Subject, card, distinct
from app.course.questions.causal import SHOWN
from app.course.run_facts import marked
from app.run.run import Run
from app.scenario.format import Words

LEVEL = 3
MOST = 30


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the last events that have a past and an event beside them."""
    if len(run.steps) > SHOWN or run.history.lives:
        return
    for event in run.history.events[-MOST:]:
        inside, outside = _near(run, event)
        if any(one.process != event.process for one in (*inside, *outside)) and inside and outside:
            options = [Option(marked(one), happened(run, one)) for one in (event, *inside, *outside)]
            if distinct(options):
                yield (marked(event),)


def _near(run: Run, event: Event) -> tuple[list[Event], list[Event]]:
    """Return the last events in the past of an event, and the nearest other events."""
    half = MOST_OPTIONS // 2
    others = [one for one in run.history.events if one is not event]
    inside = [one for one in others if run.history.relation(one, event) == "before"][-half:]
    outside = sorted((one for one in others if one not in inside), key=lambda one: abs(one.step - event.step))
    return inside, [one for one in outside if run.history.relation(one, event) != "before"][: half - 1]


def ask(run: Run, wanted: str) -> Question:
    """What else does such a cut contain?"""
    event = next(one for one in run.history.events if marked(one) == wanted)
    inside, outside = _near(run, event)
    offered = sorted((*inside, *outside), key=lambda one: (one.step, one.process, one.index))
    known = {marked(one): one for one in offered}

    def beyond(name: str) -> Words:
        """Explain why an event is not in the past of the other."""
        return words_of(f"wrong.past.{run.history.relation(known[name], event)}", event=happened(run, known[name]))

    def within(name: str) -> Words:
        """Say where to look for an event that was left out."""
        return words_of("wrong.past.missing", process=known[name].process)

    cut = dict(zip(run.history.names, run.history.clocks[event.process, event.index], strict=True))
    return card(
        "set",
        run,
        len(run.steps),
        tuple(marked(one) for one in inside),
        scene=words_of("quiz.past.scene", event=happened(run, event)),
        asks=words_of("quiz.past.asks"),
        options=[Option(marked(one), happened(run, one)) for one in offered],
        wrong=beyond,
        lacking=within,
        why=words_of("quiz.past.why", cut=cut),
        shows=event.step,
        figure="events",
    )
