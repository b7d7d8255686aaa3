"""Is a cut consistent, and if not, which message is the orphan?"""

from collections.abc import Iterator

from app.course.phrases import words_of
from app.course.question import CONSISTENT, Answer, Option, Question
from app.course.questions.card import MOST_OPTIONS, Subject, card, distinct, ids, letters
from app.course.questions.crossing import crossers
from app.course.questions.drawn import around, drawn, named
from app.course.reasons.cut import Cut
from app.course.run_facts import sent
from app.run.run import Run

LEVEL = 2


def subjects(run: Run) -> Iterator[Subject]:
    """Yield cuts of both kinds."""
    good, bad = drawn(run)
    for cut in (*bad, *good):
        options = _offers(run, named(run, cut))
        if 1 < len(options) <= MOST_OPTIONS + 1 and distinct(options):
            yield cut


def _offers(run: Run, cut: dict[str, int]) -> tuple[Option, ...]:
    """Return the option that the cut is consistent, and the messages near it."""
    messages = letters(run, around(run, cut, sent(run, run.history.orphans(cut))))
    return (Option(CONSISTENT, words_of("course.consistent")), *messages)


def ask(run: Run, *counts: int) -> Question:
    """Is it consistent?"""
    cut = named(run, counts)
    orphans, options = sent(run, run.history.orphans(cut)), _offers(run, cut)
    tempting: dict[Answer, str] = dict.fromkeys(ids(crossers(run, cut)), "M15")
    step = run.history.receives[orphans[0].id].step if orphans else len(run.steps)
    if orphans:
        send, arrival = run.history.sends[orphans[0].id], run.history.receives[orphans[0].id]
        fields = {"message": orphans[0], "source": send.process, "target": arrival.process}
        why = words_of("quiz.verdict.orphan", sent=send.step, received=arrival.step, **fields)
    else:
        why = words_of("quiz.verdict.why")
    return card(
        "verdict",
        run,
        len(run.steps),
        str(orphans[0].id) if orphans else CONSISTENT,
        asks=words_of("quiz.verdict.asks"),
        options=options,
        tempting=tempting,
        wrong=Cut(run, cut).verdict,
        why=why,
        shows=step,
        figure="time",
        cut=cut,
        orphans=ids(orphans),
    )
