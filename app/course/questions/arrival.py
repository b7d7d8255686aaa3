"""What can arrive next: of all that is in the channels, only what the order of delivery and the algorithm let pass."""

from collections.abc import Iterator

from app.core.kernel.enabled import obstacle
from app.core.model.values import APP, MARKER, Deliver, Message
from app.course.phrases import arrow, words_of
from app.course.question import Option, Question
from app.course.questions.card import MOST_OPTIONS, Subject, card, distinct, letter
from app.course.run_facts import Sent
from app.run.run import Run
from app.scenario.format import Words

LEVEL = 1
MOST_STEPS = 400
"""Only so many steps are asked about."""


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the steps after which some of the messages in the channels can arrive, and some cannot."""
    for step in range(min(MOST_STEPS, len(run.steps) + 1)):
        if not 1 < sum(map(len, run.world(step).queues.values())) <= MOST_OPTIONS:
            continue
        reasons = [reason for _, reason in _waiting(run, step)]
        if None in reasons and any(reasons) and distinct(_offers(run, step)):
            yield (step,)


def _waiting(run: Run, step: int) -> list[tuple[Deliver, str | None]]:
    """Return each message in a queue, with the reason why it cannot arrive now."""
    system, world = run.system, run.world(step)
    channels = sorted(world.queues, key=system.topology.channel_order.__getitem__)
    places = [(channel, i) for channel in channels for i in range(len(world.queues[channel]))]
    return [(Deliver(channel, i), obstacle(system, world, channel, i)) for channel, i in places]


def _named(action: Deliver) -> str:
    """Return the name that a message in a queue has in an answer."""
    return f"{action.channel} {action.position}"


def _offers(run: Run, step: int) -> tuple[Option, ...]:
    """Return the messages in the queues as options."""
    queues = run.world(step).queues
    return tuple(
        Option(_named(action), _spoken(run, queues[action.channel][action.position], action.channel))
        for action, _ in _waiting(run, step)
    )


def _spoken(run: Run, message: Message, channel: str) -> Words:
    if message.kind == APP:
        return letter(run, Sent(message.identity, run.system.program.show(message.payload))).text
    if message.kind == MARKER:
        key = "quiz.barrier" if run.system.algorithm.COORDINATED else "quiz.marker"
        return words_of(key, channel=arrow(channel), snapshot=message.snapshot)
    return words_of("quiz.control", channel=arrow(channel))


def ask(run: Run, step: int) -> Question:
    """What can arrive?"""
    found = _waiting(run, step)
    right = tuple(_named(action) for action, reason in found if reason is None)
    held = {_named(action): reason for action, reason in found if reason}
    options = _offers(run, step)
    texts = {one.value: one.text for one in options}
    said = [words_of("quiz.because", channel=arrow(a.channel), reason=words_of(f"reason.{r}")) for a, r in found if r]
    few = list({one.en: one for one in said}.values())[:4]
    return card(
        "possible",
        run,
        step,
        right,
        asks=words_of("quiz.arrival.asks", step=step),
        options=options,
        wrong=lambda name: words_of("wrong.arrival.held", message=texts[name], reason=words_of(f"reason.{held[name]}")),
        lacking=lambda name: words_of("wrong.arrival.missing", channel=name.split()[0]),
        why=words_of("quiz.arrival.why", reasons=few),
        shows=step,
    )
