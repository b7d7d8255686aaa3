"""The experiments behind the page of costs: small dataflows in virtual time, each with one parameter that varies.

Every function returns the plain values of a scenario, without a title. Times are ticks. The parameters:

- ``straggler``: how long one task takes per item;
- ``interval``: how far apart checkpoints are, what one costs, how often something fails;
- ``crowd``: how many processes there are, each of which may fail;
- ``storage``: how long storing takes, beside the work or instead of it;
- ``tides``: whether there are quiet times, and whether checkpoints wait for them.
"""

from itertools import pairwise
from math import exp, sqrt
from typing import Any

from app.algorithms.registry import ALGORITHMS
from app.core.model.algorithm import Kind

Values = dict[str, Any]

SLOW = (1, 3, 5, 7, 9, 11, 13, 15)
INTERVALS = (4, 8, 12, 16, 24, 32, 48)
PRICES = (1, 3, 5, 7)
MEANS = (40, 80, 120, 160)
SIZES = (4, 8, 12, 16)
STORING = (2, 8, 14, 20, 26, 32)
SEEDS, CROWD_SEEDS = 20, 12
"""How many runs with random crashes each point of ``interval`` and of ``crowd`` has: seeds 1, 2, …"""

INTERVAL_RECORDS = 120
CROWD_RECORDS = 16
CROWD_MEAN = 160
"""The mean time, in ticks, between crashes of each process of the crowd."""

BUSY, QUIET = 40, 40
TIDES_RECORDS = 130
QUIET_STARTS = (44, 124, 204)
"""When the checkpoints that wait for a quiet time start."""

MOMENTS = (10, 20, 30, 40, 60, 80, 90, 100, 110, 120, 140, 160)
"""When the process crashes in ``tides``."""

STORAGE_MOMENTS = (45, 55, 65, 75)
"""When the sum crashes in ``storage``: spread over the interval between its checkpoints, at 40 and 80."""

STEPS = 6_000
"""Where a run stops that never ends because it crashes too often."""

TAKES = {
    "timeout": {"constant": 12},
    "upload": {"constant": 3},
    "speculate": {"constant": 12},
    "copy": {"constant": 8},
    **{word: {"constant": 1} for word in ("commit", "write", "finish", "report", "trigger")},
}


def straggler(slow: int, algorithm: str = "aligned", *, crash: int | None = None, falls: str = "sum") -> Values:
    """Return two sources of 24 items that meet in a sum; between one of them and the sum is a task that takes ``slow``
    ticks per item. Channels hold 5 items. The coordinator starts a checkpoint at 16; one that runs batches begins at
    once, and where each process saves by itself all do at 16. ``crash`` is when the process ``falls`` crashes, two
    ticks before it is back."""
    rules = ALGORITHMS[algorithm]
    names = ["JM", "s1", "s2", "slow", "sum", "out"]
    starting = names[1:] if rules.KIND is Kind.PRIVATE else names[:1] if rules.KIND is not Kind.ITEMS else []
    values: Values = {
        "topology": {
            "processes": names,
            "channels": ["JM->s1", "JM->s2", "s1->sum", "s2->slow", "slow->sum", "sum->out"],
        },
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True, "batch": 8},
                "s1": {"source": [1] * 24},
                "s2": {"source": [10] * 24},
                "slow": {"map": {"times": 1}},
                "sum": {"sum": "all"},
                "out": {"sink": "idempotent"},
            },
        },
        "algorithm": algorithm,
        "capacity": 5,
        "schedule": {**ticking(), "service": {"slow": slow}, "takes": TAKES},
        "initiators": [{"process": name, "at": 1 if rules.LOGS else 16} for name in starting],
        "steps": STEPS,
    }
    if crash is not None:
        everybody = rules.RECOVERY == "rollback" or (rules.RECOVERY == "retry" and falls == names[0])
        back = {"restore": "latest"} if everybody else {"restart": falls}
        values["script"] = [{"at": crash, "crash": falls}, {"at": crash + 2, **back}]
    return values


def interval(every: int | None, price: int, mean: int | None) -> Values:
    """Return a source of 120 items and a sink, with a checkpoint after every ``every`` ticks of work, for which each
    process stops for ``price`` ticks; the sink crashes on average once in ``mean`` ticks and is back in the next. None
    means no checkpoints or no crashes."""
    schedule = {**ticking(), "put_off": {"constant": price}, "stops": ["upload"]}
    if mean is not None:
        schedule["failures"] = {"mean": mean, "processes": ["out"], "back": 1}
    return {
        "topology": {"processes": ["JM", "source", "out"], "channels": ["JM->source", "source->out"]},
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True},
                "source": {"source": [1] * INTERVAL_RECORDS},
                "out": {"sink": "idempotent"},
            },
        },
        "algorithm": "aligned",
        "schedule": schedule,
        "initiators": [{"process": "JM", "at": every, "every": every + price}] if every else [],
        "steps": STEPS,
    }


def model(every: float, price: int, mean: int) -> float:
    """Return what checkpoints and crashes cost, as a share of the work: a stop per interval, and half an interval and a
    tick per crash. Source: J. W. Young, CACM 17(9), 1974."""
    return price / every + (every / 2 + 1) / mean


def young(price: int, mean: int) -> float:
    """Return the interval that costs least by that model: the root of 2·price·mean."""
    return sqrt(2 * price * mean)


def crowd(size: int, algorithm: str = "aligned") -> Values:
    """Return a source of 16 items, a sink, and processes between them, ``size`` in a row altogether; each may crash. A
    checkpoint every 8 ticks."""
    names = ["s", *(f"P{i}" for i in range(1, size - 1)), "out"]
    line = [f"{a}->{b}" for a, b in pairwise(names)]
    return {
        "topology": {"processes": ["JM", *names], "channels": ["JM->s", *line]},
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True},
                "s": {"source": [1] * CROWD_RECORDS},
                "out": {"sink": "idempotent"},
            },
        },
        "algorithm": algorithm,
        "schedule": {
            **ticking(),
            "takes": TAKES,
            "failures": {"mean": CROWD_MEAN, "processes": names, "back": 1},
        },
        "initiators": [{"process": "JM", "at": 8, "every": 8}] if ALGORITHMS[algorithm].KIND is not Kind.ITEMS else [],
        "steps": STEPS,
    }


def alone(ticks: int) -> float:
    """Return the probability that one process of the crowd crashes within so many ticks."""
    return 1 - exp(-ticks / CROWD_MEAN)


def some(size: int, ticks: int) -> float:
    """Return the probability that any of ``size`` processes does: one less the probability that none does."""
    return 1 - (1 - alone(ticks)) ** size


def storage(storing: int, *, stops: bool, crash: int | None = None) -> Values:
    """Return 80 items that go through a sum, with a checkpoint every 40 ticks; storing a part takes ``storing`` ticks,
    and the process either stops for it or continues."""
    values: Values = {
        "topology": {"processes": ["JM", "s", "sum", "out"], "channels": ["JM->s", "s->sum", "sum->out"]},
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True},
                "s": {"source": [1] * 80},
                "sum": {"sum": "all"},
                "out": {"sink": "idempotent"},
            },
        },
        "algorithm": "aligned",
        "schedule": {**ticking(), "put_off": {"constant": storing}},
        "initiators": [{"process": "JM", "at": 40, "every": 40}],
        "steps": STEPS,
    }
    if stops:
        values["schedule"]["stops"] = ["upload"]
    if crash is not None:
        values["script"] = [{"at": crash, "crash": "sum"}, {"at": crash + 1, "restore": "latest"}]
    return values


def tides(*, wait: bool, quiet: bool, crash: int | None = None) -> Values:
    """Return a source whose items come each tick for 40 ticks, and then, where there are ``quiet`` times, for 40 ticks
    only every eighth. A checkpoint stops each process for 4 ticks. There is one every 16 ticks, or they ``wait`` for
    the beginning of a quiet time."""
    values: Values = {
        "topology": {"processes": ["JM", "s", "out"], "channels": ["JM->s", "s->out"]},
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True},
                "s": {"source": [1] * TIDES_RECORDS},
                "out": {"sink": "idempotent"},
            },
        },
        "algorithm": "aligned",
        "schedule": {**ticking(), "put_off": {"constant": 4}, "stops": ["upload"]},
        "steps": STEPS,
    }
    if quiet:
        values["schedule"]["phases"] = [
            {"ticks": BUSY, "gap": {"constant": 1}},
            {"ticks": QUIET, "gap": {"constant": 8}},
        ]
    if not wait:
        values["initiators"] = [{"process": "JM", "at": 16, "every": 16}]
    elif quiet:
        values["initiators"] = [{"process": "JM", "at": at} for at in QUIET_STARTS]
    if crash is not None:
        values["script"] = [{"at": crash, "crash": "out"}, {"at": crash + 1, "restore": "latest"}]
    return values


def ticking() -> Values:
    """Return a schedule in which a message arrives one tick after it was sent, and a source reads an item each tick."""
    return {"kind": "timed", "delay": {"constant": 0}, "gap": {"constant": 1}}
