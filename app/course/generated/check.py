"""Does a check of the oracle hold for a snapshot? Asked before the last process records."""

from collections.abc import Iterator

from app.core.oracle import CHECKS
from app.course.generated.card import Subject, card, choices, titled, told
from app.course.offered import both
from app.course.question import Answer, Question
from app.narration import witness
from app.simulator.run import Run
from app.view.address import Address

NAME = "check"


def subjects(run: Run) -> Iterator[Subject]:
    """Snapshots and those of their checks that are decided."""
    for number, verdict in run.verdicts.items():
        if run.history.recordings[number].recorded:
            for check in CHECKS:
                if verdict.checks[check] is not None:
                    yield number, check


def ask(run: Run, address: Address, subject: Subject) -> Question:
    """Does it hold?"""
    number, check = subject
    seen, verdict, rules = run.history.recordings[number], run.verdicts[number], run.system.algorithm
    holds, shows = verdict.checks[check] is True, verdict.since[check]
    tempting: dict[Answer, str] = {}
    if check == "consistent" and not holds and verdict.checks["conserved"]:
        tempting["holds"] = "M24"
    elif check == "consistent" and holds and rules.NAME == "unaligned":
        tempting["fails"] = "M20"
    elif check == "consistent" and holds:
        tempting["fails"] = "M14"
    if holds:
        why = told(f"quiz.check.why.{check}", snapshot=titled(run, number))
    else:
        why = both(lambda language: witness.told(check, verdict.witnesses[check], language))
    return card(
        NAME,
        "choice",
        run,
        address,
        max(0, min(shows, max(seen.recorded.values())) - 1),
        "holds" if holds else "fails",
        asks=told(f"quiz.check.asks.{check}", snapshot=titled(run, number)),
        options=choices(NAME, "holds", "fails"),
        tempting=tempting,
        why=why,
        shows=shows,
    )
