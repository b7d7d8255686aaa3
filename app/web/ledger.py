"""The ledger of a run of a dataflow, as a piece of its page.

Beside what ``app.web.balance`` says, ``_ledger.html`` gets here ``guarantees``: the three as a switch, each with the
address of this run under it, see ``switch``; and ``beside``: the address where they stand side by side, or None.
"""

from dataclasses import dataclass, replace
from typing import Any

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.algorithms.registry import algorithm
from app.core.model import BluecutError
from app.simulator.again import again
from app.simulator.ledger import AT_LEAST, AT_MOST, EXACTLY
from app.web.address import canonical
from app.web.balance import balance
from app.web.beside import beside
from app.web.errors import NoSuchStep, answers
from app.web.page import page
from app.web.pages import Shown, Visit

MOST_WORK = 20_000
"""A visitor's own run that took more work than this is not made again for every guarantee."""

LONGEST = 6_000
"""Characters of the longest address that a guarantee leads to."""

router = APIRouter(responses=answers(400, 404))


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A guarantee: its word, the algorithm that gives it, whether it is the one of this run, and where the run is under
    it."""

    name: str
    algorithm: str
    now: bool
    url: str


@router.get("/run/{ref}/ledger", response_class=HTMLResponse)
def ledger(shown: Shown) -> Response:
    """What the failures of this run have done to its result by a step: a piece of the run's page."""
    told = balance(shown.run, shown.address.step)
    if told["book"] is None:
        raise NoSuchStep("only a dataflow has a ledger")
    return page(shown.request, "_ledger.html", **told, **switch(shown))


def switch(shown: Visit) -> dict[str, Any]:
    """The guarantees of a dataflow whose barriers come from a coordinator, all three of which can run here."""
    scenario, here = shown.scenario, shown.address
    now = scenario.algorithm(here.key)
    names = {AT_MOST: "at-most-once", AT_LEAST: "at-least-once", EXACTLY: exact(now, loops=bool(loops(shown)))}
    rules = shown.run.system.algorithm
    if not (rules.COORDINATED or now == names[AT_MOST]) or rules.LOGS or rules.BATCHES or rules.MAPS:
        return {"guarantees": (), "beside": None}
    try:
        found = tuple(guarantee(shown, name, wanted, now) for name, wanted in names.items())
    except BluecutError:
        return {"guarantees": (), "beside": None}
    return {"guarantees": found, "beside": beside(here.ref, names.values(), seed=here.key.seed, lang=here.lang)}


def loops(shown: Visit) -> tuple[str, ...]:
    """The channels that lead back."""
    return shown.scenario.topology.back_edges


def exact(now: str, *, loops: bool) -> str:
    """The algorithm that keeps the state exactly once: the run's own, if it does, or aligned barriers; in a loop those
    would wait for themselves."""
    if now == "at-most-once" or algorithm(now).WRONG is not None or not algorithm(now).COORDINATED:
        return "loops" if loops else "aligned"
    return now


def guarantee(shown: Visit, name: str, wanted: str, now: str) -> Guarantee:
    """One of them. Raises BluecutError where its algorithm cannot run here."""
    here, scenario = shown.address, shown.scenario
    key = canonical(scenario, replace(here.key, algorithm=wanted))
    scenario.system(key)
    if wanted != now and (key.choices or key.drain or key.manual):
        plain = replace(key, choices=(), drain=False, manual=False)
        same = again(shown.run, plain) if shown.run.work <= MOST_WORK else None
        key = same if same is not None and len(replace(here, key=same, step=0).here) <= LONGEST else plain
    return Guarantee(name, wanted, wanted == now, here.here if wanted == now else replace(here, key=key, step=0).here)
