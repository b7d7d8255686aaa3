"""What is wrong with this figure: a cut is drawn through a run, and beside it stands its global state, with one entry
that is wrong."""

from collections.abc import Iterator
from random import Random

from app.core.model.values import Json
from app.core.oracle.history import RECEIVE, SEND
from app.course.assignment.variation import pick
from app.course.options import State, cell, components
from app.course.phrases import words_of
from app.course.question import Option, Question
from app.course.questions.card import card, complete, distinct, events_of, shuffled
from app.course.questions.state import recorded, small
from app.run.run import Run
from app.scenario.format import Words

NAME = "entry"
HOLDS = ("consistent", "channels")


def question(run: Run, rng: Random) -> Question | None:
    """Return the question about a snapshot of a run; None if it has none that is complete and right."""
    if not small(run):
        return None
    for number, seen in complete(run):
        checks = run.verdicts[number].checks
        if seen.cut and all(checks[one] for one in HOLDS):
            found = _asked(run, number, dict(seen.cut), rng)
            if found is not None:
                return found
    return None


def _asked(run: Run, number: int, cut: dict[str, int], rng: Random) -> Question | None:
    """Return the question about a snapshot; None if nothing plausible can be put in the place of an entry."""
    right = components(run, recorded(run, number))
    wrong = shuffled(_mistakes(run, right, cut), rng)
    if not wrong:
        return None
    kind = pick(rng, sorted({name in run.system.topology.channels for name, _ in wrong}))
    name, value = next(one for one in wrong if (one[0] in run.system.topology.channels) == kind)
    shown = right | {name: value}
    options = tuple(Option(one, _line(run, one, shown[one])) for one in shown)
    if not distinct(options):
        return None
    begin = [
        words_of("course.state.part", name=one, value=run.system.program.view(run.begin.states[one]))
        for one in run.system.topology.names
    ]
    return card(
        "choice",
        run,
        len(run.steps),
        name,
        asks=words_of("assign.entry.asks"),
        scene=words_of("assign.entry.scene", begin=begin),
        options=options,
        wrong=lambda given: words_of("assign.entry.right", entry=_line(run, given, right[given])),
        why=words_of("assign.entry.why", entry=_line(run, name, right[name])),
        shows=len(run.steps),
        figure="time",
        cut=cut,
    )


def _line(run: Run, name: str, value: Json) -> Words:
    said, held = cell(run, name, value)
    return words_of("course.state.part", name=said, value=held)


def _mistakes(run: Run, right: State, cut: dict[str, int]) -> Iterator[tuple[str, Json]]:
    """Yield wrong values for entries: of a process, one event too many or too few is counted; of a channel, a message
    too many or too few."""
    program, ends = run.system.program, run.system.topology.channels
    for name, events in events_of(run, run.history.recordings[1]).items():
        for event in events[max(0, cut[name] - 1) : cut[name] + 1]:
            if event.kind in (SEND, RECEIVE) and event.message is not None:
                sign = 1 if (event.kind == RECEIVE) == (event.index > cut[name]) else -1
                held = right[name] + sign * program.show(event.message.payload)
                if held >= 0:
                    yield name, held
    for channel, ends_of in ends.items():
        sent = [one for one in run.history.sends.values() if one.channel == channel and one.message is not None]
        if right[channel]:
            yield channel, right[channel][:-1]
        for one in sent:
            paid = program.show(one.message.payload) if one.message else 0
            if paid not in right[channel] and ends_of.source in cut:
                yield channel, [*right[channel], paid]
