"""Which events of a process are inside the cut of a snapshot: told from what was recorded of it."""

from collections.abc import Iterator

from app.core.model.recorded_state import parts
from app.course.options import happened
from app.course.phrases import value, words_of
from app.course.question import Option, Question
from app.course.questions.card import MOST_OPTIONS, Subject, card, complete, distinct, events_of
from app.course.questions.live import states, views
from app.course.reasons.cut import of_snapshot
from app.course.run_facts import marked
from app.run.run import Run

LEVEL = 1


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the snapshots with each process whose recorded state says after how many events it was recorded."""
    if run.system.program.EAGER:
        return
    for number, seen in complete(run):
        recorded = parts(run.system, run.end, number)
        for name, mine in events_of(run, seen).items():
            if not 1 < len(mine) <= MOST_OPTIONS:
                continue
            options = [Option(marked(event), happened(run, event)) for event in mine]
            if not distinct(options):
                continue
            found, kept = views(run, mine), run.system.program.view(recorded[name].state)
            if len(states(found)) == len(found) and found[seen.cut[name]] == kept and distinct(states(found)):
                yield number, name


def ask(run: Run, number: int, name: str) -> Question:
    """Which are inside?"""
    seen = run.history.recordings[number]
    mine = events_of(run, seen)[name]
    found = views(run, mine)
    said = {marked(event): happened(run, event) for event in mine}
    cut, reason = of_snapshot(run, number), "why" if seen.cut[name] else "none"
    fields = {"process": name, "snapshot": number, "kept": value(found[seen.cut[name]]), "begin": value(found[0])}
    return card(
        "set",
        run,
        seen.completed or 0,
        tuple(marked(event) for event in mine if event.index <= seen.cut[name]),
        asks=words_of("quiz.inside.asks", **fields),
        options=[Option(name, text) for name, text in said.items()],
        wrong=lambda one: cut.event(said[one], one),
        lacking=cut.left_out,
        why=words_of(
            f"quiz.inside.{reason}",
            count=seen.cut[name],
            step=seen.recorded[name],
            **fields,
        ),
        shows=seen.recorded[name],
    )
