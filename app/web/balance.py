"""What ``_ledger.html`` gets.

``book`` is the Ledger of a step (see ``app.simulator.ledger``); ``visible`` are the records to show, where they are too
many those that are wrong before others, and ``more`` says how many are left out; ``unmask`` is what the two ways of
recovery have in common in this run, see ``unmasked``; empty where nothing was repeated.
"""

from typing import Any

from app.core.notes import Discarded
from app.simulator.ledger import Ledger, Visible, ledger
from app.simulator.recovery_cost import resent
from app.simulator.run import Run

SHOWN = 60
"""How many records a ledger shows at most."""


def balance(run: Run, step: int) -> dict[str, Any]:
    """What the template gets for a step; ``book`` is None, and nothing else is there, where the program is no
    dataflow."""
    book = ledger(run, step)
    if book is None:
        return {"book": None}
    visible = selected(book)
    return {"book": book, "visible": visible, "more": len(book.visible) - len(visible), "unmask": unmasked(run, book)}


def unmasked(run: Run, book: Ledger) -> tuple[tuple[str, dict[str, int]], ...]:
    """What was repeated in this run by that step, and what became of it, as keys of the catalogue with their figures:
    first where processes went back, then where messages were sent again or thrown away."""
    again, dropped = resent(run, book.step), thrown(run, book.step)
    work = {"taken": book.taken, "counted": book.counted}
    found = []
    if book.restarts:
        found.append(("ledger.unmask.back", {"restarts": book.restarts, "reread": book.reread, **work}))
    if run.system.algorithm.REPEATS and (again or dropped):
        found.append(("ledger.unmask.known", {"resent": again, "dropped": dropped, **work}))
    return tuple(found)


def thrown(run: Run, step: int) -> int:
    """How many messages were thrown away as known by a step."""
    return sum(isinstance(note, Discarded) for done in run.steps[:step] for note in done.notes)


def selected(book: Ledger) -> tuple[Visible, ...]:
    """The records to show, in their order: all, or where they are too many, what is wrong first."""
    if len(book.visible) <= SHOWN:
        return book.visible
    places = sorted(range(len(book.visible)), key=lambda i: not (book.visible[i].lost or book.visible[i].doubled))
    return tuple(book.visible[i] for i in sorted(places[:SHOWN]))
