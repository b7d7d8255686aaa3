"""On which inputs of a process a barrier is still missing."""

from collections.abc import Iterator

from app.course.phrases import words_of
from app.course.question import Question
from app.course.questions import barrier
from app.course.questions.card import MOST_OPTIONS, Subject, card, channels
from app.run.run import Run
from app.scenario.format import Words

LEVEL = 1


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the arrivals of barriers at processes with several inputs."""
    for step, note in barrier.arrivals(run):
        if 1 < len(barrier.inputs(run, step, note.process)) <= MOST_OPTIONS:
            yield (step,)


def ask(run: Run, step: int) -> Question:
    """Where is it missing?"""
    note = barrier.arrival(run, step)
    every, right = barrier.inputs(run, step, note.process), barrier.missing(run, step, note)

    def came(name: str) -> Words:
        """Explain why a barrier is not missing."""
        return words_of("wrong.missing.now" if name == note.channel else "wrong.missing.came", channel=name)

    return card(
        "set",
        run,
        step - 1,
        right,
        asks=words_of("quiz.missing.asks", **barrier.about(note)),
        options=channels(every),
        wrong=came,
        lacking=lambda _: words_of("wrong.missing.missing", process=note.process),
        why=words_of("quiz.missing.why" if right else "quiz.missing.none", channels=list(right), **barrier.about(note)),
        shows=step,
    )
