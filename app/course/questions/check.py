"""Does a check of the oracle hold for a snapshot? Asked before the last process records."""

from collections.abc import Iterator

from app.algorithms.registry import DESCRIPTIONS
from app.core.oracle.checks import CHECKS
from app.core.oracle.history import RECEIVE
from app.course.phrases import both, words_of
from app.course.question import Answer, Question
from app.course.questions.card import Subject, card, choices, titled
from app.course.reasons.recording import marker
from app.course.run_facts import Snapshot
from app.run.run import Run
from app.scenario.format import Words
from app.words import witness_words as witness

LEVEL = 3


def subjects(run: Run) -> Iterator[Subject]:
    """Yield the snapshots with each of their checks that is decided."""
    for number, verdict in run.verdicts.items():
        if run.history.recordings[number].recorded:
            for check in CHECKS:
                if verdict.checks[check] is not None:
                    yield number, check


def _holding(run: Run, number: int, check: str) -> Words:
    """Say what to count if a check holds."""
    seen, graph = run.history.recordings[number], run.system.topology
    history, cut = seen.life or run.history, dict(seen.cut)
    received = sum(event.kind == RECEIVE and history.inside(event, cut) for event in history.events)
    fields: dict[str, object] = {
        "received": received,
        "crossing": sum(map(len, history.crossing(cut).values())),
        "inside": sum(cut.values()),
        "channels": len(graph.channels),
        "processes": len(graph.names),
        "total": Snapshot(run, number).total,
        "marker": marker(run),
    }
    return words_of(f"check.{check}.quiz.fails", **fields)


def _failing(run: Run, number: int, check: str) -> Words:
    """Say where to look for a check that fails."""
    witness, seen = run.verdicts[number].witnesses[check], run.history.recordings[number]
    about = witness.get("message") if isinstance(witness.get("message"), dict) else witness
    name = about.get("channel") or about.get("process") or ""
    ends = run.system.topology.channels.get(name)
    fields = {
        "name": name,
        "source": ends.source if ends else "",
        "target": ends.target if ends else "",
        "inside": sum(seen.cut.values()),
        "marker": marker(run),
    }
    return words_of(f"check.{check}.quiz.holds", recorded=witness.get("recorded"), total=witness.get("total"), **fields)


def ask(run: Run, number: int, check: str) -> Question:
    """Does it hold?"""
    seen, verdict, rules = run.history.recordings[number], run.verdicts[number], run.system.algorithm
    holds, shows = verdict.checks[check] is True, verdict.since[check]
    tempting: dict[Answer, str] = {}
    if check == "consistent" and not holds and verdict.checks["conserved"]:
        tempting["holds"] = "M24"
    elif check == "consistent" and holds and (doubt := DESCRIPTIONS[rules.NAME].doubt):
        tempting["fails"] = doubt
    if holds:
        why = words_of(f"check.{check}.quiz.why", snapshot=titled(run, number), marker=marker(run))
    else:
        why = both(lambda language: witness.witness_sentence(verdict.witnesses[check], language))
    return card(
        "choice",
        run,
        max(0, min(shows, max(seen.recorded.values())) - 1),
        "holds" if holds else "fails",
        asks=words_of(f"check.{check}.quiz.asks", snapshot=titled(run, number), marker=marker(run)),
        options=choices("check", "holds", "fails"),
        tempting=tempting,
        wrong=lambda _: _holding(run, number, check) if holds else _failing(run, number, check),
        why=why,
        shows=shows,
    )
