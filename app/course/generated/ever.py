"""Was the system ever in the state that a snapshot has recorded?"""

from collections.abc import Iterator

from app.course.facts import Facts
from app.course.generated.card import LONGEST, Subject, card, choices, complete, told
from app.course.generated.state import option, recorded, small
from app.course.question import Answer, Question
from app.simulator.run import Run
from app.view.address import Address

NAME = "ever"


def subjects(run: Run) -> Iterator[Subject]:
    """The complete snapshots of small systems."""
    if small(run):
        for number, _ in complete(run):
            if len(option("it", run, recorded(run, number)).text.en) <= LONGEST:
                yield (number,)


def ask(run: Run, address: Address, subject: Subject) -> Question:
    """Was it ever so?"""
    (number,) = subject
    seen, there = run.history.recordings[number], Facts(run).same_as(number)
    reachable = run.verdicts[number].checks["reachable"]
    tempting: dict[Answer, str] = {} if there else {"yes": "M2"}
    fields = {"snapshot": number, "state": option("it", run, recorded(run, number)).text}
    reason = ("yes" if there[0] else "begin") if there else "no" if reachable else "wrong"
    return card(
        NAME,
        "choice",
        run,
        address,
        len(run.steps),
        "yes" if there else "no",
        asks=told("quiz.ever.asks", **fields),
        options=choices(NAME, "yes", "no"),
        tempting=tempting,
        why=told(f"quiz.ever.why.{reason}", step=there[0] if there else 0, **fields),
        shows=there[0] if there else seen.completed or 0,
        figure="time",
        cut=dict(seen.cut),
    )
