"""What the recorded state will add up to."""

from collections.abc import Iterator

from app.course.phrases import words_of
from app.course.question import LARGEST, Question
from app.course.questions.card import Subject, card, complete
from app.course.reasons.number import number as counted
from app.course.run_facts import Snapshot
from app.run.run import Run
from app.scenario.format import Words

LEVEL = 2


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the complete snapshots of a program that conserves one quantity, if there is a channel to forget."""
    if run.system.program.EAGER or not run.system.topology.channels:
        return
    for number, _ in complete(run):
        if run.verdicts[number].checks["conserved"] is not None:
            found = Snapshot(run, number).total
            if isinstance(found, int) and abs(found) < LARGEST:
                yield (number,)


def ask(run: Run, number: int) -> Question:
    """What is the total?"""
    seen, snapshot = run.history.recordings[number], Snapshot(run, number)
    recorded, done = max(seen.recorded.values()), seen.completed or 0
    step = recorded if recorded < done else min(recorded, done) - 1
    amounts = snapshot.amounts
    held = sum(amounts[name] for name in run.system.topology.names)
    verdict = run.verdicts[number]
    holds = verdict.checks["conserved"]
    truth = snapshot.total if holds else verdict.witnesses["conserved"]["total"]
    there = truth if isinstance(truth, int) else 0  # of nothing there are no amounts

    def wrong(given: str) -> Words:
        """Explain why it is not this amount."""
        if int(given) == held:
            return words_of("wrong.total.processes", total=held)
        if not holds and int(given) == there:
            return words_of("wrong.total.there", total=there)
        return counted(int(given), snapshot.total, list(amounts.items()))

    fields = {"snapshot": number, "total": snapshot.total, "processes": held, "there": there}
    return card(
        "number",
        run,
        max(0, step),
        str(snapshot.total),
        asks=words_of("quiz.total.asks", **fields),
        wrong=wrong,
        why=words_of("quiz.total.why" if holds else "quiz.total.wrong", channels=snapshot.total - held, **fields),
        shows=max(recorded, done),
    )
