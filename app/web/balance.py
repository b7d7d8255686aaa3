"""What ``_ledger.html`` gets.

``book`` is the Ledger of a step (see ``app.simulator.ledger``); ``visible`` are the records to show, where they are too
many those that are wrong before others, and ``more`` says how many are left out; ``unmask``: is it said what the two
ways of recovery have in common?
"""

from typing import Any

from app.simulator.ledger import Ledger, Visible, ledger
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
    return {"book": book, "visible": visible, "more": len(book.visible) - len(visible), "unmask": book.restarts > 0}


def selected(book: Ledger) -> tuple[Visible, ...]:
    """The records to show, in their order: all, or where they are too many, what is wrong first."""
    if len(book.visible) <= SHOWN:
        return book.visible
    places = sorted(range(len(book.visible)), key=lambda i: not (book.visible[i].lost or book.visible[i].doubled))
    return tuple(book.visible[i] for i in sorted(places[:SHOWN]))
