"""The guarantees of a dataflow as a switch: this run under each of the three."""

from msgspec.structs import replace

from app.algorithms.registry import algorithm, standing_for
from app.analysis.promise import AT_LEAST, AT_MOST, EXACTLY
from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.run.replay_key import again
from app.run.run import Run
from app.scenario.scenario import Scenario
from app.web.base.templates import Context
from app.web.shared.compare_links import beside
from app.wire.run_url import Address, canonical

MOST_WORK = 20_000
"""The most work of a visitor's own run that is made again for every guarantee."""

LONGEST = 6_000
"""The most characters of an address that a guarantee leads to."""


class Guarantee(Frozen):
    """A guarantee: its word, the algorithm that gives it, whether it is this run's, and the address of the run under
    it."""

    name: str
    algorithm: str
    now: bool
    url: str


def switch(run: Run, scenario: Scenario, here: Address) -> Context:
    """Return what ``_ledger.html`` gets of them: ``guarantees`` with their addresses, and ``beside``, the address that
    shows them side by side, or None. They exist for a dataflow whose barriers come from a coordinator, if all three can
    run."""
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
        found = tuple(_guarantee(run, scenario, here, name, wanted) for name, wanted in names.items())
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


def _guarantee(run: Run, scenario: Scenario, here: Address, name: str, wanted: str) -> Guarantee:
    """Return one of them. Raises BluecutError if its algorithm cannot run here."""
    now = scenario.algorithm(here.key)
    key = canonical(scenario, replace(here.key, algorithm=wanted))
    scenario.system(key)
    if wanted != now and (key.choices or key.drain or key.manual):
        plain = replace(key, choices=(), drain=False, manual=False)
        same = again(run, plain) if run.work <= MOST_WORK else None
        key = same if same is not None and len(replace(here, key=same, step=0).here) <= LONGEST else plain
    return Guarantee(name, wanted, wanted == now, here.here if wanted == now else replace(here, key=key, step=0).here)
