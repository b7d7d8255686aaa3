"""The algorithms as a form offers them, by kind, and those that cannot run on a graph.

A kind is ``right``, ``limited`` (right, but only for some operators, or with a promise weaker than exactly once) or
``broken``.
"""

from app.algorithms.registry import ALGORITHMS
from app.analysis.promise import EXACTLY
from app.core.model.algorithm import AnyAlgorithm
from app.core.model.values import Phrase
from app.scenario.scenario import Scenario, unfit

KINDS = ("right", "limited", "broken")


def offered(scenario: Scenario) -> dict[str, dict[str, Phrase | None]]:
    """Return what a form about ``scenario`` offers: by kind, of each algorithm the reason why it cannot run on the
    graph, None if it can."""
    return {
        one: {name: unfit(ALGORITHMS[name], scenario.topology, scenario.program) for name in names}
        for one, names in grouped().items()
    }


def grouped() -> dict[str, list[str]]:
    """Return the names of the algorithms by kind."""
    return {one: [name for name, rules in ALGORITHMS.items() if kind(rules) == one] for one in KINDS}


def kind(rules: AnyAlgorithm) -> str:
    """Return the kind of an algorithm."""
    if rules.WRONG is not None:
        return "broken"
    return "limited" if rules.DATAFLOW.itemwise or rules.PROMISE not in (EXACTLY, None) else "right"
