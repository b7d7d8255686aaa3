"""What is in the channels in the state of a cut: the messages that cross it."""

from collections.abc import Iterator

from app.course.phrases import words_of
from app.course.question import Question
from app.course.questions.card import MOST_OPTIONS, Subject, card, distinct, ids, letters
from app.course.questions.drawn import around, drawn, named
from app.course.reasons.cut import Cut
from app.course.run_facts import Sent, sent
from app.run.run import Run

LEVEL = 2


def subjects(run: Run) -> Iterator[Subject]:
    """Yield consistent cuts with messages to choose from."""
    for cut in drawn(run)[0]:
        here = named(run, cut)
        found = crossers(run, here)
        options = letters(run, around(run, here, found))
        if len(options) > 1 and len(found) < MOST_OPTIONS and distinct(options):
            yield cut


def crossers(run: Run, cut: dict[str, int]) -> list[Sent]:
    """Return the messages that cross a cut."""
    return [one for queue in run.history.crossing(cut).values() for one in sent(run, queue)]


def ask(run: Run, *counts: int) -> Question:
    """What is in the channels?"""
    cut = named(run, counts)
    found = crossers(run, cut)
    return card(
        "set",
        run,
        len(run.steps),
        ids(found),
        asks=words_of("quiz.crossing.asks"),
        options=letters(run, around(run, cut, found)),
        wrong=Cut(run, cut).no_member,
        lacking=Cut(run, cut).member,
        why=words_of("quiz.crossing.why" if found else "quiz.crossing.none", messages=found),
        shows=len(run.steps),
        figure="time",
        cut=cut,
    )
