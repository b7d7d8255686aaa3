"""Runs of the same kind with other numbers: the processes, the channels and the algorithm of a scenario of the library,
with other accounts, other payments, another initiator, and another order in which things happen."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from app.core.model.values import Json
from app.course.questions.card import shuffled
from app.forms.yaml_source import Source
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import build
from app.wire.run_url import Address
from app.wire.scenario_link import OWN, canonical, hashed, packed

SYSTEMS = ("three-banks", "queue", "slow-marker", "ring", "star", "complete", "lai-yang-accounts")
"""The scenarios whose systems can be asked about: small, and made of accounts."""

AMOUNTS = (1, 2, 3, 4, 5, 6)
LEAST, MOST = 10, 24
"""What an account has at first."""


def number(rng: Random, least: int, most: int) -> int:
    """Return a number between two, the same on every machine."""
    return least + int(rng.random() * (most - least + 1))


def pick(rng: Random, items: Sequence[object]) -> Any:
    """Return one of the items, the same on every machine."""
    return items[number(rng, 0, len(items) - 1)]


def accounts(name: str, rng: Random) -> dict[str, int]:
    """Return other accounts for the processes of a scenario."""
    return {one: number(rng, LEAST, MOST) for one in LIBRARY.scenario(name).topology.names}


def run_of(name: str, rng: Random) -> tuple[Run, Address]:
    """Return a run of the system of a scenario in which chance decides what happens next, and its address."""
    graph = LIBRARY.scenario(name).topology
    starter = pick(rng, graph.names) if graph.strong else LIBRARY.scenario(name).starter
    return made(
        name,
        accounts(name, rng),
        sorted(shuffled(AMOUNTS, rng)[:3]),
        schedule={"kind": "seeded", "seed": number(rng, 0, 10**6), "moves": 2 * len(graph.names) + 2},
        initiators=[{"process": starter, "at": number(rng, 2, 5)}],
    )


def made(name: str, holds: Mapping[str, int], amounts: Sequence[int], **more: Json) -> tuple[Run, Address]:
    """Return the run of a system in which accounts hold and pay these amounts, and its address. ``more`` says what
    happens, as in a scenario."""
    given = LIBRARY.scenario(name)
    values: dict[str, Json] = {
        "title": given.form.title.model_dump(),
        "topology": {"processes": list(given.topology.names), "channels": list(given.topology.channels)},
        "program": {"kind": "bank", "accounts": dict(holds), "amounts": list(amounts)},
        "algorithm": given.form.algorithm,
        "discipline": given.form.discipline,
        **more,
    }
    text = canonical(values)
    scenario = build(Source(OWN + hashed(text), values, {}))
    run = record(scenario, RunKey())
    return run, Address(packed(text), scenario, run.key)
