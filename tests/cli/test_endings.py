"""The last sentence of a scenario: every number in digits is one that its run shows, or a sum that is right."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from app.run.run import record
from app.scenario.library import LIBRARY
from tests.cli.command import bluecut
from tests.each import each

NUMBER = r"(?<![A-Za-z\d_.])\d+(?![A-Za-z\d_]|\.\d)"
SUM = rf"({NUMBER}(?: \+ {NUMBER})+) = ({NUMBER})"
NAMES = r"FLIP-\d+|FLINK-\d+|Flink \d[\d.]*|\b(?:19|20)\d\d\b"
"""What looks like a number and is a name or a year."""

DERIVED = {
    "acknowledgement-lost": {18 + 5},  # had 5 counted twice
    "how-often": {24 + 9, 3},  # read again without the checkpoint, which holds 24; the ticks that storing takes
    "lossy-network": {60 - (12 + 14 + 23)},
    "regions-on-a-grid": {2 * (24 + 8), 24 + 13},
}
"""What an ending derives from numbers of its run."""

BESIDE = {"crash-both-ways": "millwheel"}
"""The algorithm that an ending compares with that of its run."""


def amounts(value: Any) -> Iterator[tuple[str, int]]:
    """Yield the numbers in a state, each with its name."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from ((name, amount) for _, amount in amounts(each))
    elif isinstance(value, list):
        for each in value:
            yield from amounts(each)
    elif isinstance(value, int):
        yield "", value


def final(told: Any) -> set[int]:
    """Return the numbers in the last state of a run, and their totals by name."""
    found, sums = set(), Counter[str]()
    for value in (*told["final"]["processes"].values(), *told["final"]["channels"].values()):
        for name, amount in amounts(value):
            found.add(amount)
            sums[name] += amount
    return found | set(sums.values())


@pytest.mark.slow
@each("name", LIBRARY.names)
def test_every_number_of_an_ending_is_one_of_its_run(name: str) -> None:
    scenario = LIBRARY.scenario(name)
    run = record(scenario)
    ending = run.caption(len(run.steps))
    assert ending is not None
    counted = final(json.loads(bluecut("run", name, "--json").out)) | DERIVED.get(name, set())
    if beside := BESIDE.get(name):
        told = json.loads(bluecut("run", name, "--algorithm", beside, "--json").out)
        counted.add(told["recovery"]["writes"])
    for language in ("en", "zh"):
        said = re.sub(NAMES, "", getattr(ending, language))
        done = bluecut("run", name, "--lang", language)
        assert (done.code, done.err) == (0, "")
        # Without the numbers of the steps, and without what the author says.
        report = re.sub(r"^ *\d+  |^ *» .*$|\bsteps? [\d–]+|第 [\d–]+ 步", "", done.out, flags=re.MULTILINE)
        shown = counted | {int(number) for number in re.findall(NUMBER, report)}
        for addends, total in re.findall(SUM, said):
            assert sum(int(each) for each in addends.split(" + ")) == int(total)
            shown.add(int(total))
        assert {int(number) for number in re.findall(NUMBER, said)} <= shown, language
