"""What a snapshot has recorded of a process that went on: read off the space-time diagram."""

from collections.abc import Iterator

from app.core.model.recorded_state import parts
from app.core.oracle.history import INTERNAL
from app.course.phrases import value, words_of
from app.course.question import Question
from app.course.questions.card import Subject, card, complete, events_of
from app.course.questions.causal import SHOWN
from app.course.questions.live import answerable, chosen, stated, states, views, whole
from app.course.reasons.number import number as number_of
from app.run.run import Run
from app.scenario.format import Words

LEVEL = 2


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the snapshots with each process whose state has changed after it recorded, by messages alone."""
    if run.history.lives or run.system.program.EAGER or len(run.steps) > SHOWN:
        return
    for number, seen in complete(run):
        recorded = parts(run.system, run.end, number)
        for name, mine in events_of(run, seen).items():
            if not mine or any(event.kind == INTERNAL for event in mine):
                continue
            found, kept = views(run, mine), run.system.program.view(recorded[name].state)
            among = whole(kept) or (answerable(found) and chosen(states(found), kept))
            if kept != found[-1] and among:
                yield number, name


def ask(run: Run, number: int, name: str) -> Question:
    """What was recorded?"""
    seen = run.history.recordings[number]
    found = views(run, events_of(run, seen)[name])
    kept = run.system.program.view(parts(run.system, run.end, number)[name].state)
    figure = whole(kept)
    options = () if figure else states(found)
    right = str(kept) if figure else chosen(options, kept)

    def wrong(given: str) -> Words:
        """Say when the process had this state, if it ever had it."""
        view = int(given) if figure else stated(found, given)
        if view not in found:
            return number_of(int(given), int(right))
        when = "begin" if not found.index(view) else "earlier" if found.index(view) < seen.cut[name] else "later"
        return words_of(f"wrong.copied.{when}", process=name, state=value(view), inside=seen.cut[name])

    fields = {
        "process": name,
        "snapshot": number,
        "begin": value(found[0]),
        "end": value(found[-1]),
        "kept": value(kept),
    }
    return card(
        "number" if figure else "choice",
        run,
        len(run.steps),
        right,
        scene=words_of("quiz.copied.scene", **fields),
        asks=words_of("quiz.copied.asks", **fields),
        options=options,
        wrong=wrong,
        why=words_of("quiz.copied.why", step=seen.recorded[name], **fields),
        shows=seen.recorded[name],
        figure="time",
        cut=dict(seen.cut),
    )
