"""A pipeline of any length in which one operator crashes: to see how the length matters.

A coordinator and a source, operators that pass items on, a sum, a sink. Two items go through, then a checkpoint, then
two more; the operator in the middle crashes with the last of them, and one item is still to come.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from app.analysis.recovery_cost import RecoveryCost, recovery_cost
from app.forms.yaml_source import Source
from app.run.run import record
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario, build

LENGTHS = (3, 5, 9, 17, 33)
"""How many operators there are, including the source and the sink."""


def pipeline(operators: int) -> Scenario:
    """Return a pipeline of so many operators, at least three."""
    middle = [f"o{i}" for i in range(1, operators - 1)]
    names = ["src", *middle, "out"]
    channels = [f"{a}->{b}" for a, b in pairwise(names)]
    return build(
        Source(
            f"pipeline-{operators}",
            {
                "title": {"en": f"A pipeline of {operators} operators", "zh": f"{operators} 个算子的流水线"},
                "topology": {"processes": ["JM", *names], "channels": ["JM->src", *channels]},
                "program": {
                    "kind": "dataflow",
                    "operators": {
                        "JM": {"coordinator": True},
                        "src": {"source": [1, 2, 3, 4, 5]},
                        **{name: {"sum": "all", "emit": "record"} for name in middle},
                        "out": {"sink": "idempotent"},
                    },
                },
                "algorithm": "aligned",
                "script": list(_script(names, channels, middle[len(middle) // 2])),
            },
            {},
        )
    )


def _script(names: list[str], channels: list[str], falls: str) -> Iterator[dict[str, Any]]:
    """Yield what happens: two items, a checkpoint, two items, and a crash."""
    for _ in range(2):
        yield {"read": "src"}
        yield from ({"deliver": channel} for channel in channels)
    yield {"start": "JM"}
    yield from ({"deliver": channel} for channel in ("JM->src", *channels))
    yield from ({"wake": name} for name in names)
    for channels_of in (channels, channels[: names.index(falls)]):
        yield {"read": "src"}
        yield from ({"deliver": channel} for channel in channels_of)
    yield {"crash": falls}
    yield {"restore": "latest"}


@cache
def paid(operators: int, algorithm: str) -> RecoveryCost:
    """Return what the pipeline pays under an algorithm."""
    scenario = pipeline(operators)
    found = recovery_cost(record(scenario, RunKey(algorithm=None if algorithm == "aligned" else algorithm)))
    assert found is not None
    return found
