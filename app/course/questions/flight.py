"""Which messages are on their way at a step: read off the space-time diagram."""

from collections.abc import Iterator
from itertools import takewhile

from app.core.model.values import Message
from app.core.oracle.history import SEND
from app.course.phrases import words_of
from app.course.question import Question
from app.course.questions.card import MOST_OPTIONS, Subject, app_messages, card, distinct, ids, letters
from app.course.questions.causal import SHOWN
from app.course.reasons.cut import named
from app.course.run_facts import Sent, sent
from app.run.run import Run
from app.scenario.format import Words

LEVEL = 1
MOST_STEPS = 400
"""In a longer run only the first steps are asked about."""


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the steps in which somebody sends, if some messages have arrived by then and a few have not."""
    if run.history.lives:
        return
    for step in dict.fromkeys(step for step, _ in _sends(run) if step <= MOST_STEPS):
        if not 0 < sum(map(len, run.world(step).in_flight().values())) < MOST_OPTIONS:
            continue
        waiting, options = _on_the_way(run, step), letters(run, _offers(run, step))
        if len(waiting) < len(options) and distinct(options) and _visible(run, step):
            yield (step,)


def _sends(run: Run) -> list[tuple[int, Message]]:
    """Return the sends of the first steps."""
    early = takewhile(lambda event: event.step <= MOST_STEPS, run.history.events)
    return [(event.step, event.message) for event in early if event.kind == SEND and event.message]


def _visible(run: Run, step: int) -> bool:
    """Does the diagram show where each message was sent?"""
    sent_in = [run.history.sends[one.id].step for one in _offers(run, step)]
    return len(run.steps) <= SHOWN or min(sent_in) > step - SHOWN // 2


def _on_the_way(run: Run, step: int) -> list[Sent]:
    """Return the messages in all channels."""
    return [one for queue in app_messages(run, step).values() for one in queue]


def _offers(run: Run, step: int) -> list[Sent]:
    """Return the messages in all channels, and the last others that have been sent."""
    waiting = _on_the_way(run, step)
    before = [message for at, message in _sends(run) if at <= step]
    return [*waiting, *sent(run, reversed(before[-MOST_OPTIONS:]))][: max(MOST_OPTIONS - 4, len(waiting) + 2)]


def ask(run: Run, step: int) -> Question:
    """Which are on their way?"""
    waiting, topology = _on_the_way(run, step), run.system.topology

    def gone(name: str) -> Words:
        """Explain why a message is no longer on its way."""
        arrival = run.history.receives.get(int(name))
        if arrival is None or arrival.step > step:
            return words_of("wrong.flight.lost", message=named(run, int(name)))
        return words_of(
            "wrong.flight.arrived", message=named(run, int(name)), target=arrival.process, step=arrival.step
        )

    def going(name: str) -> Words:
        """Say where to look for a message that was left out."""
        ends = topology.channels[run.history.sends[int(name)].channel or ""]
        return words_of("wrong.flight.missing", source=ends.source, target=ends.target, step=step)

    return card(
        "set",
        run,
        step,
        ids(waiting),
        asks=words_of("quiz.flight.asks", step=step),
        options=letters(run, _offers(run, step)),
        wrong=gone,
        lacking=going,
        why=words_of("quiz.flight.why", step=step, messages=waiting),
        shows=step,
        figure="time",
    )
