"""From which inputs a process takes no records once a barrier has arrived."""

from collections.abc import Iterator

from app.course.generated.barrier import about, arrival, arrivals, held, inputs, missing
from app.course.generated.card import MOST_OPTIONS, Subject, card, channels, narrated
from app.course.question import Answer, Question
from app.course.reasons.parts import apart
from app.course.words import joined, told
from app.simulator.format import Words
from app.simulator.run import Run
from app.view.address import Address

NAME = "blocked"


def subjects(run: Run) -> Iterator[Subject]:
    """The arrivals of barriers."""
    for step, note in arrivals(run):
        if 0 < len(inputs(run, step, note.process)) <= MOST_OPTIONS:
            yield (step,)


def ask(run: Run, address: Address, subject: Subject) -> Question:
    """Which inputs are held back after it?"""
    (step,) = subject
    note = arrival(run, step)
    every, right = inputs(run, step, note.process), held(run, step, note.process)
    tempting: dict[Answer, str] = {every: "M9" if len(every) > 1 else "M21"}
    lacking = missing(run, step, note)

    def free(name: str) -> Words:
        """Why an input is not held back."""
        how = "before" if name in lacking else "free" if lacking else "all"
        return told(f"wrong.blocked.{how}", process=note.process, channel=name)

    reason = "why" if right else "never" if lacking else "none"
    return card(
        NAME,
        "set",
        run,
        address,
        step - 1,
        right,
        asks=told("quiz.blocked.asks", **about(note)),
        options=channels(every),
        tempting=tempting,
        wrong=lambda asked: apart(asked, free, lambda _: told("wrong.blocked.missing", process=note.process)),
        why=joined(told(f"quiz.blocked.{reason}", channels=list(lacking), **about(note)), narrated(run, step)),
        shows=step,
    )
