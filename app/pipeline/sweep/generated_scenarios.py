"""The scenarios that a sweep makes: networks of accounts or tokens, and small dataflows, in virtual time.

Scenarios are plain values, as a link carries them. Times are in ticks.
"""

from collections.abc import Mapping
from itertools import pairwise
from math import isqrt
from typing import Any

from app.algorithms.registry import ALGORITHMS
from app.core.model.algorithm import Kind
from app.core.model.values import BluecutError, Json
from app.forms.fields import SNAPSHOTS
from app.pipeline.sweep.spec import GridForm, RandomForm
from app.words.catalogues import LANGUAGES, word

MOVES, STARTS, STEPS = 20, 2, 2_000
"""The defaults of a spec: moves per process, snapshots per run, and steps per run."""

BALANCE = 100
AMOUNTS = (3, 7)
"""What an account has at first, and what it pays; chosen so that few payments never add up to another one."""

SERVICE = 5
"""How many ticks a slow task takes for an item."""

TAKES = {
    "timeout": {"constant": 12},
    "upload": {"constant": 3},
    "speculate": {"constant": 12},
    "copy": {"constant": 8},
    **{step: {"constant": 1} for step in ("commit", "write", "finish", "report", "trigger")},
}
"""How many ticks the steps of an algorithm take."""

RAREST, JOINED = 3, 6
"""The fewest processes of a dataflow in a chain (coordinator, source, sink) and of one with a join."""

Combination = Mapping[str, Any]
"""One value of each axis of a grid: topology, size, program, algorithm, discipline, delay, interval, loss and
duplication."""


def scenario(part: GridForm, one: Combination) -> dict[str, Json]:
    """Return the values of a combination's scenario. Raises BluecutError if it does not fit."""
    made = _dataflow(part, one) if one["program"] == "dataflow" else _network(part, one)
    return {"title": {language: _title(one, language) for language in LANGUAGES}, **made, **_faults(one)}


def _title(one: Combination, language: str) -> str:
    shape = "random" if isinstance(one["topology"], RandomForm) else one["topology"]
    return word(
        "sweep.title",
        language,
        program=word(f"sweep.program.{one['program']}", language),
        topology=word(f"sweep.topology.{shape}", language),
        size=one["size"],
        algorithm=word(f"algorithm.{one['algorithm']}", language),
    )


def label(one: Combination) -> str:
    """Return the shape with its numbers, as in tables: ``ring``, ``random-2``."""
    given = one["topology"]
    if not isinstance(given, RandomForm):
        return str(given)
    return f"random-{given.random.degree}" + (f"-{given.random.seed}" if given.random.seed != 1 else "")


def name(part: GridForm, one: Combination) -> str:
    """Return the scenario's name in tables."""
    crashes = f"-crashes-{part.crashes}" if one["program"] == "dataflow" and part.crashes else ""
    faults = "".join(f"-{fault}-{percent}" for fault, percent in _faults(one).items())
    return f"{label(one)}-{one['size']}-{one['program']}{crashes}{faults}" + ("-seeded" if _seeded(part) else "")


def _seeded(part: GridForm) -> bool:
    """Is each step drawn, without virtual time?"""
    return part.schedule == "seeded"


def _faults(one: Combination) -> dict[str, int]:
    """Return what channels do to messages, in a scenario's form; nothing if they are reliable."""
    return {fault: one[fault] for fault in ("loss", "duplication") if one[fault]}


def _network(part: GridForm, one: Combination) -> dict[str, Json]:
    """Return processes that pay each other, or pass a token on. The first one starts the snapshots; if each process
    must start on its own, all do."""
    size, rules = one["size"], ALGORITHMS[one["algorithm"]]
    if one["topology"] == "join":
        raise BluecutError("join is a shape for dataflows")
    starting = [f"P{i + 1}" for i in range(size if rules.KIND.alone else 1)]
    times = [one["interval"] * (i + 1) for i in range(part.snapshots or STARTS)]
    if len(starting) * len(times) > SNAPSHOTS:
        raise BluecutError(
            "{count} starts, since every process starts by itself; at most {most}",
            count=len(starting) * len(times),
            most=SNAPSHOTS,
        )
    program: dict[str, Json] = {"kind": "token", "holders": {"P1": 1}}
    if one["program"] == "bank":
        program = {"kind": "bank", "everyone": BALANCE, "amounts": list(AMOUNTS)}
    given = one["topology"]
    graph: dict[str, Json] = {given: size}
    if given == "grid":
        graph = _meshed(size)
    elif isinstance(given, RandomForm):
        graph = {"random": {"processes": size, "degree": given.random.degree, "seed": given.random.seed}}
    return {
        "topology": graph,
        "program": program,
        "algorithm": one["algorithm"],
        "discipline": one["discipline"],
        "schedule": {
            "kind": "seeded" if _seeded(part) else "timed",
            "moves": (part.moves or MOVES) * size,
            **({} if _seeded(part) else {"delay": _travels(one["delay"])}),
        },
        **({"collect": False} if _seeded(part) else {}),  # a run is as long as bluecut explore counts it
        "initiators": [{"process": process, "at": at} for at in times for process in starting],
        "steps": part.steps or STEPS,
    }


def _meshed(size: int) -> dict[str, Json]:
    """Return a grid of ``size`` processes, listed row by row: each is connected to its neighbours to the right and
    below, both ways. A row is as long as there are rows, or one longer; the last row may be shorter."""
    names, width = [f"P{i + 1}" for i in range(size)], isqrt(size - 1) + 1
    right = [(i, i + 1) for i in range(size - 1) if (i + 1) % width]
    below = [(i, i + width) for i in range(size - width)]
    pairs = [pair for a, b in sorted(right + below) for pair in ((a, b), (b, a))]
    return {"processes": [*names], "channels": [f"{names[a]}->{names[b]}" for a, b in pairs]}


def _dataflow(part: GridForm, one: Combination) -> dict[str, Json]:
    """Return sources, a sum and a sink, with a coordinator. There is a checkpoint after each interval, or one per
    process if each saves on its own; an engine that runs batches starts at once, and the interval counts
    the items of a batch."""
    size, rules, records = one["size"], ALGORITHMS[one["algorithm"]], part.moves or MOVES
    if one["topology"] not in ("chain", "join"):
        raise BluecutError("a dataflow is a chain or a join")
    joined = one["topology"] == "join"
    if size < (least := JOINED if joined else RAREST):
        raise BluecutError("such a dataflow has at least {least} processes", least=least)
    operators: dict[str, Json] = {
        "JM": {"coordinator": True, **({"batch": one["interval"]} if rules.DATAFLOW.logs else {})}
    }
    service: dict[str, int] = {}
    if joined:
        slow = [f"T{i + 1}" for i in range(size - 5)]
        names = ["JM", "s1", "s2", *slow, "sum", "out"]
        links = [("JM", "s1"), ("JM", "s2"), ("s1", "sum"), *pairwise(["s2", *slow, "sum", "out"])]
        operators |= {"s1": {"source": [1] * records}, "s2": {"source": [10] * records}}
        operators |= {task: {"map": {"times": 1}} for task in slow}
        operators |= {"sum": {"sum": "all"}}
        service = dict.fromkeys(slow, SERVICE)
    else:
        tasks = [f"T{i + 1}" for i in range(size - RAREST)]
        names = ["JM", "s", *tasks, "out"]
        links = list(pairwise(names))
        operators |= {"s": {"source": [1] * records}, **{task: {"sum": "all"} for task in tasks[:1]}}
    operators["out"] = {"sink": "idempotent"}
    schedule: dict[str, Json] = {
        "kind": "timed",
        "delay": _travels(one["delay"]),
        "gap": {"constant": 1},
        "takes": TAKES,
    }
    if _seeded(part):
        raise BluecutError("a dataflow needs virtual time")
    if service:
        schedule["service"] = service
    if part.crashes:
        schedule["failures"] = {"mean": part.crashes, "processes": names[1:], "back": 1}
    starting = names[1:] if rules.KIND is Kind.PRIVATE else names[:1] if rules.KIND is not Kind.ITEMS else []
    again = {"at": 1} if rules.DATAFLOW.logs else {"at": one["interval"], "every": one["interval"]}
    return {
        "topology": {"processes": names, "channels": [f"{a}->{b}" for a, b in links]},
        "program": {"kind": "dataflow", "operators": operators},
        "algorithm": one["algorithm"],
        "discipline": one["discipline"],
        **({"capacity": 5} if joined else {}),
        "schedule": schedule,
        "initiators": [{"process": process, **again} for process in starting],
        "steps": part.steps or STEPS,
    }


def _travels(delay: tuple[int, int]) -> dict[str, Json]:
    """Return how long messages travel, in a scenario's form."""
    low, high = delay
    return {"constant": low} if low == high else {"uniform": [low, high]}
