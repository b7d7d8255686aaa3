"""Was the system ever in the state that a snapshot has recorded?"""

from collections.abc import Iterator

from app.course.options import cell, components, states
from app.course.phrases import words_of
from app.course.question import Answer, Question
from app.course.questions.card import LONGEST, Subject, card, choices, complete
from app.course.questions.state import line, part, recorded, small
from app.course.reasons.state import differs
from app.course.run_facts import Facts
from app.run.run import Run, final
from app.scenario.format import Words

LEVEL = 3


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the complete snapshots of small systems."""
    if small(run):
        for number, _ in complete(run):
            if len(line(run, recorded(run, number)).en) <= LONGEST:
                yield (number,)


def _never(run: Run, number: int) -> Words:
    """Return the moment at which the system came closest to the recorded state, and what differed."""
    right = recorded(run, number)
    moments = [part(final(run.system, run.world(step))) for step in range(len(run.steps) + 1)]
    apart = [differs(run, one, right) for one in moments]
    step = min(range(len(apart)), key=lambda at: len(apart[at]))
    name = apart[step][0]
    real, kept = (cell(run, name, components(run, one)[name])[1] for one in (moments[step], right))
    key = "wrong.ever.closest" if step else "wrong.ever.beginning"
    return words_of(key, step=step, part=name, real=real, recorded=kept)


def _once(run: Run, step: int) -> Words:
    """Say near which moment it was so."""
    if not step:
        return words_of("wrong.ever.first")
    return words_of("wrong.ever.once", first=max(0, step - 2), last=min(len(run.steps), step + 2))


def ask(run: Run, number: int) -> Question:
    """Was it ever so?"""
    seen, there = run.history.recordings[number], Facts(run).same_as(number)
    reachable = run.verdicts[number].checks["reachable"]
    tempting: dict[Answer, str] = {} if there else {"yes": "M2"}
    fields = {"snapshot": number}
    reason = ("yes" if there[0] else "begin") if there else "no" if reachable else "wrong"
    return card(
        "choice",
        run,
        len(run.steps),
        "yes" if there else "no",
        scene=words_of("quiz.ever.scene", **fields),
        asks=words_of("quiz.ever.asks", **fields),
        state=states(run, {"recorded": recorded(run, number)})[0],
        options=choices("ever", "yes", "no"),
        tempting=tempting,
        wrong=lambda given: _never(run, number) if given == "yes" else _once(run, there[0]),
        why=words_of(f"quiz.ever.why.{reason}", step=there[0] if there else 0, **fields),
        shows=there[0] if there else seen.completed or 0,
        figure="time",
        cut=dict(seen.cut),
    )
