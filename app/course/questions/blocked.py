"""From which inputs a process takes no records once a barrier has arrived."""

from collections.abc import Iterator

from app.course.phrases import joined, words_of
from app.course.question import Answer, Question
from app.course.questions.barrier import about, arrival, arrivals, held, inputs, missing
from app.course.questions.card import MOST_OPTIONS, Subject, card, channels, narrated
from app.run.run import Run
from app.scenario.format import Words

LEVEL = 1


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the arrivals of barriers."""
    for step, note in arrivals(run):
        if 0 < len(inputs(run, step, note.process)) <= MOST_OPTIONS:
            yield (step,)


def ask(run: Run, step: int) -> Question:
    """Which inputs are held back after it?"""
    note = arrival(run, step)
    every, right = inputs(run, step, note.process), held(run, step, note.process)
    tempting: dict[Answer, str] = {every: "M9" if len(every) > 1 else "M21"}
    lacking = missing(run, step, note)

    def free(name: str) -> Words:
        """Explain why an input is not blocked."""
        how = "before" if name in lacking else "free" if lacking else "all"
        return words_of(f"wrong.blocked.{how}", process=note.process, channel=name)

    reason = "why" if right else "never" if lacking else "none"
    return card(
        "set",
        run,
        step - 1,
        right,
        asks=words_of("quiz.blocked.asks", **about(note)),
        options=channels(every),
        tempting=tempting,
        wrong=free,
        lacking=lambda _: words_of("wrong.blocked.missing", process=note.process),
        why=joined(words_of(f"quiz.blocked.{reason}", channels=list(lacking), **about(note)), narrated(run, step)),
        shows=step,
    )
