"""What ``_ledger.html`` gets.

``book`` is the Ledger of a step (see ``app.analysis.ledger``); ``visible`` are the items to show; if there are too
many, wrong ones come before others, and ``more`` counts those left out; ``unmask`` is what the two ways of recovery
have in common in this run, see ``unmasked``; empty if nothing was repeated.
"""

from app.analysis.ledger import Ledger, Visible, ledger
from app.analysis.recovery_cost import resent
from app.core.model.notes import Discarded
from app.run.run import Run
from app.web.base.templates import Context

SHOWN = 60
"""The most items that a ledger shows."""


def balance(run: Run, step: int) -> Context:
    """Return what the template gets for a step; if the program is not a dataflow, ``book`` is None and is all there
    is."""
    book = ledger(run, step)
    if book is None:
        return {"book": None}
    visible = _selected(book)
    return {"book": book, "visible": visible, "more": len(book.visible) - len(visible), "unmask": _unmasked(run, book)}


def _unmasked(run: Run, book: Ledger) -> tuple[tuple[str, dict[str, int]], ...]:
    """Return what was repeated in this run by that step, and the results, as catalogue keys with their figures: first
    for rollbacks, then for messages sent again or discarded."""
    again = resent(run, book.step)
    dropped = sum(isinstance(note, Discarded) for done in run.steps[: book.step] for note in done.notes)
    work = {"taken": book.taken, "counted": book.counted}
    found = []
    if book.restarts:
        found.append(("ledger.unmask.back", {"restarts": book.restarts, "reread": book.reread, **work}))
    if run.system.algorithm.RECOVERY.repeats and (again or dropped):
        found.append(("ledger.unmask.known", {"resent": again, "dropped": dropped, **work}))
    return tuple(found)


def _selected(book: Ledger) -> tuple[Visible, ...]:
    """Return the items to show, in their order: all, or if there are too many, the wrong ones first."""
    if len(book.visible) <= SHOWN:
        return book.visible
    places = sorted(range(len(book.visible)), key=lambda i: not (book.visible[i].lost or book.visible[i].doubled))
    return tuple(book.visible[i] for i in sorted(places[:SHOWN]))
