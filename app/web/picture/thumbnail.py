"""A scenario in small, for cards: its graph and, where its run is quickly made, what its first snapshot cuts."""

from dataclasses import dataclass

from app.core.model import BluecutError
from app.simulator.key import RunKey
from app.simulator.run import record
from app.simulator.scenario import Scenario
from app.web.picture.geometry import Content, Link, Plan, arrange
from app.web.picture.marks import TONES
from app.web.picture.paths import Point

WIDTH, HEIGHT = 320, 180
QUICK = 400
"""Steps of a run that is made for a thumbnail."""
MANY = 24


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """What the template draws: the plan, which processes were recorded, and how many messages each channel holds in
    the recorded state."""

    plan: Plan
    names: tuple[str, ...]
    channels: tuple[str, ...]
    recorded: frozenset[str]
    crossing: dict[str, int]
    broken: bool
    tone: str


def thumbnail(scenario: Scenario) -> Thumbnail:
    """The scenario in small."""
    topology = scenario.topology
    places = [Point(*topology.layout[name]) for name in topology.names]
    order = topology.process_order
    links = [
        Link(order[c.source], order[c.target], f"{c.target}->{c.source}" in topology.channels)
        for c in topology.channels.values()
    ]
    plan = arrange(places, links, WIDTH, HEIGHT, Content(0, 0, 1, 2))
    recorded, crossing, broken = cut(scenario)
    return Thumbnail(plan, topology.names, tuple(topology.channels), recorded, crossing, broken, TONES[0])


def cut(scenario: Scenario) -> tuple[frozenset[str], dict[str, int], bool]:
    """Who recorded for the first snapshot, how many messages cross its cut by channel, and whether a check failed."""
    try:
        run = record(scenario, RunKey(), most=QUICK)
    except BluecutError:
        return frozenset(), {}, False
    for number, verdict in run.verdicts.items():
        seen = run.history.recordings[number]
        whole = len(seen.cut) == len(scenario.topology.names)
        crossing = run.history.crossing(seen.cut) if whole else {}
        return frozenset(seen.recorded), {c: len(m) for c, m in crossing.items()}, bool(verdict.broken)
    return frozenset(), {}, False
