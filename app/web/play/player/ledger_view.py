"""The ledger of a dataflow's run, a piece of its page: what its failures have done to its result by a step, and its
guarantees as a switch: this run under each of the three.

What ``_ledger.html`` gets
--------------------------
``book``       the Ledger of a step (see ``app.analysis.ledger``)
``visible``    the items to show; if there are too many, wrong ones come before others, and ``more`` counts those left
               out
``unmask``     what the two ways of recovery have in common in this run, see ``_unmasked``; empty if nothing was
               repeated
``holds``      says of what is shown and promised whether every item counts exactly once
``guarantees`` the three, see Guarantee; ``beside``: the address that shows them side by side, or None
"""

from fastapi import APIRouter
from msgspec.structs import replace
from starlette.responses import HTMLResponse, Response

from app.algorithms.registry import algorithm, standing_for
from app.analysis.ledger import Ledger, Visible
from app.analysis.ledger import ledger as ledger_of
from app.analysis.promise import AT_LEAST, AT_MOST, EXACTLY, holds
from app.analysis.recovery_cost import resent
from app.core.model.notes import Discarded
from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.forms.fields import STEPS
from app.run.replay_key import again
from app.run.run import Run
from app.web.base.errors import NoSuchStep, answers
from app.web.base.templates import Context, page
from app.web.shared.compare_links import beside
from app.web.shared.visit import Visit, VisitedRun
from app.wire.run_url import canonical

SHOWN = 60
"""The most items that a ledger shows."""

MOST_WORK = 20_000
"""The most work of a visitor's own run that is made again for every guarantee."""

LONGEST = 6_000
"""The most characters of an address that a guarantee leads to."""

router = APIRouter(responses=answers(400, 404))


class Guarantee(Frozen):
    """A guarantee: its word, the algorithm that gives it, whether it is this run's, and the address of the run under
    it."""

    name: str
    algorithm: str
    now: bool
    url: str


@router.get("/run/{ref}/ledger", response_class=HTMLResponse)
def ledger(shown: VisitedRun) -> Response:
    """Return how the failures of this run have affected its result by a step: a piece of the run's page."""
    told = balance(shown)
    if told["book"] is None:
        raise NoSuchStep("only a dataflow has a ledger")
    return page(shown.request, "_ledger.html", **told)


def balance(shown: Visit) -> Context:
    """Return what the template gets for the step; if the program is not a dataflow, ``book`` is None and is all there
    is."""
    book = ledger_of(shown.run, shown.address.step)
    if book is None:
        return {"book": None}
    visible = _selected(book)
    whole: Context = {"book": book, "holds": holds, "visible": visible, "more": len(book.visible) - len(visible)}
    return whole | {"unmask": _unmasked(shown.run, book), **_switch(shown)}


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


def _switch(shown: Visit) -> Context:
    """Return the guarantees, and where they stand side by side. They exist for a dataflow whose barriers come from a
    coordinator, if all three can run."""
    run, scenario, here = shown.run, shown.scenario, shown.address
    now = scenario.algorithm(here.key)
    names = {
        AT_MOST: standing_for("at-most-once"),
        AT_LEAST: standing_for("at-least-once"),
        EXACTLY: exact(now, loops=bool(scenario.topology.back_edges)),
    }
    rules, flow = run.system.algorithm, run.system.algorithm.DATAFLOW
    if not (rules.COORDINATED or now == names[AT_MOST]) or flow.logs or flow.batches or flow.maps:
        return {"guarantees": (), "beside": None}
    try:
        found = tuple(_guarantee(shown, name, wanted) for name, wanted in names.items())
    except BluecutError:
        return {"guarantees": (), "beside": None}
    return {"guarantees": found, "beside": beside(here.ref, names.values(), seed=here.key.seed, lang=here.lang)}


def exact(now: str, *, loops: bool) -> str:
    """Return the algorithm that keeps the state exactly once: the run's own, if it does, or aligned barriers; in a loop
    those would wait for themselves."""
    rules = algorithm(now)
    if now == standing_for("at-most-once") or rules.WRONG is not None or not rules.COORDINATED:
        return standing_for("exactly-once-in-loops" if loops else "exactly-once")
    return now


def _guarantee(shown: Visit, name: str, wanted: str) -> Guarantee:
    """Return one of them: from the end of this run, it leads to the end of the other one. Raises BluecutError if its
    algorithm cannot run here."""
    run, scenario, here = shown.run, shown.scenario, shown.address
    now = scenario.algorithm(here.key)
    key = canonical(scenario, replace(here.key, algorithm=wanted))
    scenario.system(key)
    if wanted != now and (key.choices or key.drain or key.manual):
        plain = replace(key, choices=(), drain=False, manual=False)
        same = again(run, plain) if run.work <= MOST_WORK else None
        key = same if same is not None and len(replace(here, key=same, step=0).here) <= LONGEST else plain
    there = replace(here, key=key, step=STEPS if here.step >= shown.steps else 0)
    return Guarantee(name, wanted, wanted == now, here.here if wanted == now else there.here)
