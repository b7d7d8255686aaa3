"""What safety costs per item while nothing fails, by the length of a pipeline, the size of its state, and its rate.

The functions of the first part return the plain values of a scenario in virtual time, without a title; those of the
second part measure a run of one. Checkpoints are taken every 8 ticks, and a source reads an item each tick unless the
rate is what varies.
"""

from itertools import pairwise
from typing import Any

from app.analysis.checkpoint_sizes import FULL, INCREMENTAL, stores
from app.analysis.experiments import STEPS, Values, ticking
from app.analysis.recovery_cost import catalogues, stored
from app.core.model.notes import Stored, only
from app.core.model.values import Deed, Move
from app.run.run import Run
from app.scenario import state_text

OPERATORS = (3, 5, 9, 17)
KEYS = (2, 4, 8, 16, 32)
GAPS = (16, 8, 4, 2, 1)
"""How many ticks lie between two items."""

ITEMS = 16
EVERY = 8
ROUND_TRIP = 16
"""How many ticks an acknowledgement takes."""


def line(operators: int, algorithm: str) -> Values:
    """Return a source, operators that add up and pass items on, and a sink, all in a row."""
    middle = {f"o{i}": {"sum": "all", "emit": "record"} for i in range(1, operators - 1)}
    return _pipeline(middle, [1] * ITEMS, algorithm)


def table(keys: int, algorithm: str) -> Values:
    """Return one operator that counts by key. Each of the ``keys`` comes once, and then they alternate for 32 items."""
    return _pipeline({"count": {"count": "key"}}, [{f"k{i % keys}": 1} for i in range(keys + 32)], algorithm)


def rate(gap: int) -> Values:
    """Return a pipeline in which items come one per ``gap`` ticks, and an acknowledgement takes 16 ticks."""
    values = _pipeline({"sum": {"sum": "all", "emit": "record"}}, [1] * 32, "millwheel")
    takes = {"commit": 0, "ack": ROUND_TRIP, "resend": 1_000}
    schedule = {"gap": {"constant": gap}, "takes": {name: {"constant": ticks} for name, ticks in takes.items()}}
    return values | {"schedule": ticking() | schedule}


def _pipeline(middle: dict[str, Any], source: list[Any], algorithm: str) -> Values:
    """Return a source of these items, the operators in the ``middle``, and a sink."""
    names = ["s", *middle, "out"]
    return {
        "topology": {"processes": ["JM", *names], "channels": ["JM->s", *(f"{a}->{b}" for a, b in pairwise(names))]},
        "program": {
            "kind": "dataflow",
            "operators": {
                "JM": {"coordinator": True},
                "s": {"source": source},
                **middle,
                "out": {"sink": "idempotent"},
            },
        },
        "algorithm": algorithm,
        "schedule": {**ticking(), "takes": {"upload": {"constant": 1}}},
        "initiators": [{"process": "JM", "at": EVERY, "every": EVERY}] if algorithm == "aligned" else [],
        "steps": STEPS,
    }


# --- measured on a run ---------------------------------------------------------------------------------------------


def _items(run: Run) -> int:
    """Return how many items the run read."""
    return sum(isinstance(step.action, Move) and step.action.detail == Deed.READ for step in run.steps)


def states_per_item(run: Run) -> float:
    """Return how many states of processes were stored per item."""
    return sum(len(stored(run, step)) for step in run.steps) / _items(run)


def keys_in_full(run: Run) -> float:
    """Return how many keys checkpoints wrote per item, where each writes all keys."""
    return _keys(run, FULL)


def keys_as_increments(run: Run) -> float:
    """Return how many keys checkpoints wrote per item, where each writes what has changed."""
    return _keys(run, INCREMENTAL)


def _keys(run: Run, way: str) -> float:
    """Return how many keys checkpoints wrote per item in one ``way``."""
    return sum(file.keys for one in stores(run) or () if one.way == way for file in one.written) / _items(run)


def keys_changed(run: Run) -> float:
    """Return how many keys per item differed, in all states that were stored for single items, from what their process
    had stored before."""
    before: dict[str, dict[state_text.Key, Any]] = {}
    count = 0
    for note in (note for step in run.steps for note in only(Stored, step.notes)):
        now = state_text.keyed(note.state)
        count += sum(before.get(note.process, {}).get(key) != value for key, value in now.items())
        before[note.process] = now
    return count / _items(run)


def ids_at_once(run: Run) -> int:
    """Return how many ids of messages were kept at once, at most."""
    return catalogues([note for step in run.steps for note in step.notes])[0]
