"""The algorithms as a form offers them: the right ones, the broken ones, and which of them cannot run on a graph."""

from dataclasses import dataclass

from app.algorithms.registry import ALGORITHMS
from app.core.model import Phrase
from app.simulator.scenario import Scenario, unfit


@dataclass(frozen=True, slots=True)
class Offer:
    """An algorithm; ``reason`` says why it cannot run on the graph, None where it can."""

    name: str
    reason: Phrase | None


@dataclass(frozen=True, slots=True)
class Group:
    """Algorithms under a heading: ``right`` or ``broken``."""

    kind: str
    offers: tuple[Offer, ...]


def offered(scenario: Scenario) -> tuple[Group, ...]:
    """What a form about ``scenario`` offers."""
    graph, program = scenario.topology, scenario.program
    offers = {name: Offer(name, unfit(rules, graph, program)) for name, rules in ALGORITHMS.items()}
    right = tuple(offers[name] for name, rules in ALGORITHMS.items() if rules.WRONG is None)
    broken = tuple(offers[name] for name, rules in ALGORITHMS.items() if rules.WRONG is not None)
    return (Group("right", right), Group("broken", broken))
