"""What the experiments behind the pages of costs measured: a shipped file, written by ``bluecut costs``.

It is read here and nowhere simulated again; ``scenarios/costs/spec.yaml`` says what the experiments and their
parameters are, and ``app.pipeline.measure.costs`` what their measures are.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import exp, sqrt
from typing import Any

from app.core.model.value import Frozen
from app.paths import SCENARIOS

FOLDER = SCENARIOS / "costs"
FILE = FOLDER / "measured.json"

BUSY = 40
"""How long the first busy time of ``tides`` lasts, in ticks."""

CROWD_TICKS, CROWD_MEAN = 16, 160
"""How long the source of ``crowd`` reads, an item a tick, and the mean time between crashes of each process."""

Value = int | float | str | None


class Measured(Frozen):
    """A measured run: the parameters ``at`` which its scenario stands, the ``ref`` of its scenario, its seed if it has
    randomness, the step that ``shows`` its first checkpoint complete (the last step if it has none), and what was
    ``found``."""

    at: Mapping[str, Any]
    ref: str
    seed: int | None
    shows: int
    found: Mapping[str, Value]

    def number(self, measure: str) -> float | None:
        """Return what was measured in numbers; None where there was nothing to measure."""
        value = self.found[measure]
        return None if isinstance(value, str) else value


@cache
def _all() -> dict[str, tuple[Measured, ...]]:
    """Return all runs by experiment, in the order of the spec."""
    told = json.loads(FILE.read_bytes())
    return {name: tuple(run for line in lines for run in _runs_of(line)) for name, lines in told.items()}


def _runs_of(line: Mapping[str, Any]) -> list[Measured]:
    seeds = range(1, line["seeds"] + 1) if line["seeds"] else [None]
    values = zip(*line["found"].values(), strict=True)
    return [
        Measured(line["at"], line["run"], seed, shows, dict(zip(line["found"], each, strict=True)))
        for seed, shows, each in zip(seeds, line["shows"], values, strict=True)
    ]


def runs(experiment: str, **at: object) -> tuple[Measured, ...]:
    """Return the runs of an experiment at some parameters; None is where a parameter is not given."""
    return tuple(one for one in _all()[experiment] if all(one.at.get(name) == value for name, value in at.items()))


def along(experiment: str, axis: str, **at: object) -> dict[Any, tuple[Measured, ...]]:
    """Return the runs at some parameters by the values of another one, in order."""
    found: dict[Any, list[Measured]] = {}
    for one in runs(experiment, **at):
        found.setdefault(one.at.get(axis), []).append(one)
    return {value: tuple(each) for value, each in found.items()}


def mean(found: Sequence[Measured], measure: str) -> float | None:
    """Return the mean over some runs; None if there was nothing to measure in one of them."""
    values = [value for one in found if (value := one.number(measure)) is not None]
    if not values or len(values) < len(found):
        return None
    return values[0] if len(values) == 1 else sum(values) / len(values)


def nearest(found: Sequence[Measured], measure: str) -> Measured:
    """Return the run that is nearest to the mean; of several, the first."""
    wanted = mean(found, measure) or 0
    return min(found, key=lambda one: abs((one.number(measure) or 0) - wanted))


def extra() -> Callable[[float], float]:
    """Return the function that says how much longer than the work alone a run of ``interval`` took, in percent."""
    (bare,) = runs("bare")
    alone = bare.number("over") or 0
    return lambda over: 100 * (over - alone) / alone


# --- the formulas beside the measurements ---------------------------------------------------------------------------


def model(every: float, price: int, mean: int) -> float:
    """Return what checkpoints and crashes cost, as a share of the work: a stop per interval, and half an interval and a
    tick per crash. Source: J. W. Young, CACM 17(9), 1974."""
    return price / every + (every / 2 + 1) / mean


def young(price: int, mean: int) -> float:
    """Return the interval that costs least by that model: the root of 2·price·mean."""
    return sqrt(2 * price * mean)


def alone(ticks: int) -> float:
    """Return the probability that one process of the crowd crashes within so many ticks."""
    return 1 - exp(-ticks / CROWD_MEAN)


def some(size: int, ticks: int) -> float:
    """Return the probability that any of ``size`` processes does: one less the probability that none does."""
    return 1 - (1 - alone(ticks)) ** size
