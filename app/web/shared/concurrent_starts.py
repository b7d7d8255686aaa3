"""The meaning of several simultaneous starts: one merged snapshot, one snapshot each, or a region each."""

from app.algorithms.registry import ALGORITHMS, DESCRIPTIONS
from app.core.model.algorithm import AnyAlgorithm
from app.scenario.library import LIBRARY
from app.scenario.scenario import Scenario, unfit

MEANINGS = {
    name: meaning
    for meaning in ("merged", "labelled", "regions")
    for name, description in DESCRIPTIONS.items()
    if description.simultaneous == meaning
}
"""The algorithms that stand for the three meanings."""


def meaning(rules: AnyAlgorithm) -> str | None:
    """Return what overlapping starts mean to an algorithm; None if they cannot happen, or mean nothing."""
    if rules.NAME in MEANINGS:
        return MEANINGS[rules.NAME]
    return "labelled" if rules.LABELLED and not rules.SERIAL and rules.WRONG is None else None


def initiators(scenario: Scenario) -> tuple[str, ...]:
    """Return the processes that the author lets start snapshots, each once; none if every process has to start
    alone."""
    form = scenario.form
    if ALGORITHMS[form.algorithm].KIND.alone:
        return ()
    starting = [entry.start for entry in form.script if entry.start is not None]
    starting += [initiator.process for initiator in form.initiators]
    return tuple(dict.fromkeys(starting))


def example() -> Scenario | None:
    """Return a library scenario with two initiators that can show all three meanings, the best first."""
    known = [ALGORITHMS[name] for name in MEANINGS]
    fit = [
        scenario
        for scenario in LIBRARY.scenarios()
        if len(initiators(scenario)) == 2
        and not any(unfit(rules, scenario.topology, scenario.program) for rules in known)
    ]
    order = [*reversed(MEANINGS), *ALGORITHMS]
    return min(fit, key=lambda scenario: order.index(scenario.form.algorithm), default=None)
