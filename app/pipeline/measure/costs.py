"""The experiments behind the pages Costs and Two ways to recover, measured: ``scenarios/costs/spec.yaml``.

They vary the scenario itself, run after run, in virtual time, and need no Spark. The pages read what is written here
(``app.analysis.cost_runs``).
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise, product
from typing import Any

from jinja2 import Environment, Template

from app.algorithms.registry import ALGORITHMS
from app.analysis.checkpoint_sizes import FULL, INCREMENTAL
from app.analysis.cost_runs import BUSY, CROWD_TICKS, FOLDER, Value
from app.analysis.durations import Durations, durations
from app.analysis.ledger import Ledger, ledger
from app.analysis.recovery_cost import (
    RecoveryCost,
    keys_changed,
    keys_written,
    recovery_cost,
    states_per_item,
)
from app.compact_json import compact
from app.forms.yaml_source import read
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario, load
from app.wire.scenario_link import canonical, packed

SPEC = FOLDER / "spec.yaml"


@dataclass(frozen=True)
class Setting:
    """One scenario of an experiment: the parameters ``at`` which it stands, its ``text``, how many ``seeds`` it is run
    with (None: it has no randomness and one run), and what is to be measured."""

    experiment: str
    at: dict[str, Any]
    text: str
    seeds: int | None
    measures: tuple[str, ...]

    @cached_property
    def scenario(self) -> Scenario:
        """Return the scenario."""
        return load(self.text, self.experiment)

    @property
    def carried(self) -> str:
        """Return the scenario as the JSON that its link carries."""
        return canonical(read(self.text, self.experiment, limit=None).values)

    @cached_property
    def runs(self) -> list[Run]:
        """Return its runs."""
        seeds = range(1, self.seeds + 1) if self.seeds else [None]
        return [record(self.scenario, RunKey(seed=seed)) for seed in seeds]

    def measured(self) -> dict[str, list[Value]]:
        """Return what each of its runs measured."""
        found = [_Found(run) for run in self.runs]
        return {name: [_short(MEASURES[name](one)) for one in found] for name in self.measures}

    def shows(self) -> list[int]:
        """Return the step at which to open each of its runs."""
        return [_shows(run) for run in self.runs]


def settings() -> Iterator[Setting]:
    """Yield all scenarios of all experiments."""
    spec = _spec()
    for name, told in spec.items():
        text = spec[told.get("like", name)]["scenario"]
        for grid in told["grids"]:
            axes = {axis: values for axis, values in grid.items() if axis != "seeds"}
            for values in product(*axes.values()):
                at = {axis: value for axis, value in zip(axes, values, strict=True) if value is not None}
                yield Setting(name, at, _filled(text, at), grid.get("seeds"), tuple(told["measures"]))


def example(experiment: str, **at: object) -> Scenario:
    """Return the scenario of an experiment at any parameters."""
    return load(_filled(_spec()[experiment]["scenario"], at), experiment)


def report() -> str:
    """Make all runs, and return what was measured, as the JSON that the pages read."""
    lines: dict[str, list[str]] = {}
    for one in settings():
        told = {"seeds": one.seeds, "shows": one.shows(), "found": one.measured()}
        line = {"at": one.at, "run": packed(one.carried), **told}
        lines.setdefault(one.experiment, []).append(compact(line))
    parts = (f"{json.dumps(name)}: [\n" + ",\n".join(found) + "\n]" for name, found in lines.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


@cache
def _spec() -> dict[str, Any]:
    values: dict[str, Any] = read(SPEC.read_text("utf-8"), SPEC.name, limit=None).values
    return values


def _filled(text: str, at: dict[str, object]) -> str:
    """Return the text of a scenario at some parameters."""
    return _compiled(text).render(at)


@cache
def _compiled(text: str) -> Template:
    return _TEMPLATES.from_string(text)


_TEMPLATES = Environment(autoescape=False)
_TEMPLATES.globals |= {
    "ALGORITHMS": ALGORITHMS,
    "numbered": lambda letter, count: [f"{letter}{i}" for i in range(1, count + 1)],
    "row": lambda names: [f"{a}->{b}" for a, b in pairwise(names)],
}


# --- what can be measured ------------------------------------------------------------------------------------------


class _Found:
    """What can be read from a run."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @cached_property
    def took(self) -> Durations:
        return durations(self.run)

    @cached_property
    def book(self) -> Ledger:
        book = ledger(self.run)
        assert book is not None  # a dataflow
        return book

    @cached_property
    def paid(self) -> RecoveryCost:
        paid = recovery_cost(self.run)
        assert paid is not None  # a dataflow
        return paid

    @property
    def lasting(self) -> float | None:
        """Return how long a complete checkpoint lasted, on average."""
        lasted = [each.lasts or 0 for each in self.took.complete]
        return sum(lasted) / len(lasted) if lasted else None

    def most(self, measure: str, *, barriers: bool = False) -> Value:
        """Return the most of all complete checkpoints. Batches have no ``barriers``: nothing aligns or is blocked."""
        if barriers and self.run.system.algorithm.DATAFLOW.batches:
            return None
        return max((getattr(each, measure) for each in self.took.complete), default=None)


MEASURES: dict[str, Callable[[_Found], Value]] = {
    "lasts": lambda one: one.lasting,
    "aligns": lambda one: one.most("longest", barriers=True),
    "waits": lambda one: one.most("waited", barriers=True),
    "stored": lambda one: one.most("in_flight"),
    "bytes": lambda one: one.most("size"),
    "uploads": lambda one: one.most("uploading", barriers=True),
    "latency": lambda one: one.took.mean_latency,
    "throughput": lambda one: one.took.throughput,
    "over": lambda one: None if one.took.full else one.took.over,
    "checkpoints": lambda one: len(one.took.checkpoints),
    "early": lambda one: sum(time <= BUSY for time in one.took.visible),
    "crashes": lambda one: len(one.took.outages),
    "struck": lambda one: int(any(each.at <= CROWD_TICKS for each in one.took.outages)),
    "again": lambda one: one.book.again,
    "back": lambda one: sum(each.gone_back for each in one.took.outages),
    "whole": lambda one: one.took.outages[0].lasts if one.took.outages else None,
    "state": lambda one: one.book.state,
    "state-promised": lambda one: one.book.promise.state,
    "output": lambda one: one.book.output,
    "output-promised": lambda one: one.book.promise.output,
    "restarts": lambda one: one.paid.restarts,
    "ids": lambda one: one.paid.ids,
    "states": lambda one: states_per_item(one.run),
    "keys-in-full": lambda one: keys_written(one.run, FULL),
    "keys-as-increments": lambda one: keys_written(one.run, INCREMENTAL),
    "keys-changed": lambda one: keys_changed(one.run),
}
"""What is measured of a run. Times are ticks (see ``app.analysis.durations``); crashes are counted together, and
``whole`` is about the first one. ``over`` is None where a run did not finish."""


def _shows(run: Run) -> int:
    """Return the step in which the first checkpoint is complete; the last one if none ever is."""
    return min((seen.completed for seen in run.history.recordings.values() if seen.completed), default=len(run.steps))


def _short(value: Value) -> Value:
    """Return a value with no more digits than anybody reads."""
    return round(value, 4) if isinstance(value, float) else value
