"""Random dataflows, and runs of them in which processes crash at random."""

from random import Random
from typing import Any

from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.values import Crash, Deliver, Move, Restart, Restore, Start, Wake
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from tests.properties.evaluator import BASE
from tests.tiny import made

ITEMS = 4
"""The most items; their values are powers of BASE, and a map moves them by as many places."""

FLOWING: tuple[dict[str, Any], ...] = (
    {},
    {"map": {"times": BASE**ITEMS}},
    {"filter": {"above": 1}},
    {"route": "key"},
    {"sum": "all", "emit": "record"},
    {"sum": "key", "emit": "record"},
)
"""Operators after which values still distinguish items."""

TELLING: tuple[dict[str, Any], ...] = (
    *FLOWING,
    {"sum": "all"},
    {"sum": "all"},
    {"sum": "key"},
    {"count": "all"},
    {"sum": "all", "filter": {"below": BASE**2}},
    {"sum": "all", "map": {"plus": 1}},
)
"""Operators some of which send what they keep, so that values depend on the order."""

SINKS = ("plain", "idempotent", "transactional", "batch")


def flow(rng: Random, *, telling: bool, sinks: tuple[str, ...] = SINKS, maps: bool = False) -> dict[str, Any]:
    """Return one or two sources, up to three operators in any acyclic graph whose paths split and merge, and one or two
    sinks. With ``maps``, stateless partitions."""
    count = rng.randint(1, 2)
    sources = [f"s{i}" for i in range(1, count + 1)]
    middle = [f"o{i}" for i in range(1, rng.randint(1, 3) + 1)]
    places = iter(range(ITEMS))
    keys = "abcd" if rng.random() < 0.7 else "abab"
    each = [rng.randint(1, ITEMS // count) for _ in sources]
    operators: dict[str, Any] = {"JM": {"coordinator": True}}
    for name, size in zip(sources, each, strict=True):
        operators[name] = {"source": [{keys[i]: BASE**i} for i in (next(places) for _ in range(size))]}
    links: list[tuple[str, str]] = []
    kinds = FLOWING[:3] if maps else TELLING if telling else FLOWING
    moved = 0
    for i, name in enumerate(middle):
        before = [*sources, *middle[:i]]
        chosen = rng.sample(before, 1 if maps else min(len(before), rng.randint(1, 3)))
        links += [(one, name) for one in before if one in chosen]
        operators[name] = dict(rng.choice(kinds))
        if len(chosen) == 2 and rng.random() < 0.15:
            operators[name] = {"join": "key"}
        moved += "times" in operators[name].get("map", {})
        if moved > 1 and "map" in operators[name]:
            operators[name] = {}
    ends = ["out"] if maps or rng.random() < 0.7 else ["out", "end"]
    for name in [*sources, *middle]:
        targets = [end for end in ends if rng.random() < 0.3]
        if not any(source == name for source, _ in links) and (rng.random() < 0.7 or maps or name in sources):
            targets = targets or [rng.choice(ends)]
        links += [(name, end) for end in targets]
    if maps:
        ends, links = parted(links)
    ends = [end for end in ends if any(target == end for _, target in links)]
    operators |= {end: {"sink": rng.choice(sinks)} for end in ends}
    names = ["JM", *sources, *middle, *ends]
    return {
        "topology": {
            "processes": names,
            "channels": [*(f"JM->{one}" for one in sources), *(f"{a}->{b}" for a, b in links)],
        },
        "program": {"kind": "dataflow", "operators": operators},
        "algorithm": "aligned",
    }


def parted(links: list[tuple[str, str]]) -> tuple[list[str], list[tuple[str, str]]]:
    """Give every process with a sink a sink of its own: then each process has one input."""
    found = [(a, f"out{i}" if b in ("out", "end") else b) for i, (a, b) in enumerate(dict.fromkeys(links))]
    return [b for _, b in found if b.startswith("out")], found


def wandered(values: dict[str, Any], algorithm: str, seed: int, crashes: int = 2) -> Run:
    """Return a run with arbitrary choices, including some crashes; then everything continues to its end."""
    rng = Random(f"{seed} {algorithm}")
    scenario = made(values)
    return record(scenario, RunKey(algorithm=algorithm, choices=choices(scenario, algorithm, rng, crashes)))


def choices(scenario: Scenario, algorithm: str, rng: Random, crashes: int) -> tuple[tuple[int, int], ...]:
    """Return the visitor's choices."""
    system = scenario.system(RunKey(algorithm=algorithm))
    world, made_ = system.begin(), list[tuple[int, int]]()
    for at in range(70):
        possible = enabled(system, world)
        kinds: tuple[type, ...] = (Deliver, Move, Wake, Start, Crash) if crashes else (Deliver, Move, Wake, Start)
        kinds = (
            (Restore, Restart) if world.down else (Start,) if not at and system.algorithm.DATAFLOW.batches else kinds
        )
        fitting = [i for i, action in enumerate(possible) if isinstance(action, kinds)]
        fitting = [i for i in fitting if not isinstance(possible[i], Crash) or rng.random() < 0.1] or fitting
        fitting = [i for i in fitting if not isinstance(possible[i], Start) or rng.random() < 0.3] or fitting
        if world.down and isinstance(possible[fitting[-1]], Restore):
            fitting = fitting[-1:]  # the latest
        if not fitting:
            break
        index = rng.choice(fitting)
        crashes -= isinstance(possible[index], Crash)
        world, _ = step(system, world, possible[index])
        made_.append((at, index))
    return tuple(made_)
