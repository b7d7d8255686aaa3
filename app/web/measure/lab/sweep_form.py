"""The form of a sweep: what a visitor may ask for, and the resulting spec.

The command accepts far larger specs (see ``bluecut sweep``); here they are bounded, because the machine is shared. The
spec is that of ``app.pipeline.sweep.spec``, which the command reads; nothing of the pipeline is loaded here.
"""

import re
from collections.abc import Callable, Iterable
from math import prod
from typing import Any

from app.algorithms.registry import ALGORITHMS, FIRST, standing_for
from app.core.model.system import DISCIPLINES
from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json, Phrase
from app.forms.whole_number import whole_number

SHAPES = ("ring", "chain", "star", "grid", "complete", "random", "join")
PROGRAMS = ("bank", "token", "dataflow")
OF_DATAFLOWS = ("chain", "join")
"""The shapes of a dataflow; ``join`` is for dataflows alone."""

LEAST, MOST = 2, 12
"""The number of processes in a system."""

SIZES = 4
CHOSEN = 6
"""The most sizes, and the most algorithms, that one sweep may compare."""

SEEDS = 200
RUNS = 2_000
LONGEST = 40
"""The longest text of a field of numbers."""

SHAPE, SIZE, PROGRAM = Phrase("Shapes"), Phrase("Processes"), Phrase("Program")
ALGORITHM, ORDER, SEED = Phrase("Algorithms"), Phrase("Order of delivery"), Phrase("Seeds")
"""The names of the fields on the page."""

FIELDS = ("topologies", "algorithms", "disciplines")
"""The fields with several choices."""

COUNTED = ("topologies", "sizes", "algorithms", "disciplines", "seeds")
"""The fields whose numbers of values are multiplied."""


class Wish(Frozen):
    """The content of the form, right or wrong: texts as they were written, and ticked choices."""

    topologies: tuple[str, ...] = ("ring", "complete")
    sizes: str = "3, 5"
    program: str = "bank"
    algorithms: tuple[str, ...] = (FIRST, standing_for("mistake"))
    disciplines: tuple[str, ...] = ("fifo",)
    seeds: str = "20"


def wish(pairs: Iterable[tuple[str, str]]) -> Wish:
    """Return the posted form. A missing field was left empty."""
    filled: dict[str, Any] = {name: () if name in FIELDS else "" for name in Wish.__struct_fields__}
    for name, value in pairs:
        if name in FIELDS and value not in filled[name]:
            filled[name] += (value[:LONGEST],)
        elif name in filled and name not in FIELDS:
            filled[name] = value[: LONGEST + 1]
    return Wish(**filled)


def again(values: dict[str, Any]) -> Wish:
    """Return the form that produced a spec; if the form cannot express the spec, its initial values."""
    try:
        filled = Wish(
            tuple(name if isinstance(name, str) else next(iter(name)) for name in values["topologies"]),
            ", ".join(str(size) for size in values["sizes"]),
            values["programs"][0],
            tuple(values["algorithms"]),
            tuple(values["disciplines"]),
            str(values["seeds"]),
        )
        return filled if judged(filled).fits else Wish()
    except (KeyError, TypeError, IndexError, StopIteration):
        return Wish()


class Judged(Frozen):
    """The resulting sweep. ``wrong`` are the mistakes by field, in the order of the form, ``amounts`` how many values
    each multiplied field has, by field and only if it is right. They include the runs of combinations that do not fit,
    which the command leaves out."""

    values: dict[str, Json]
    amounts: dict[str, int]
    wrong: dict[str, BluecutError]

    @property
    def runs(self) -> int | None:
        """Return the largest possible number of runs; None if a multiplied field is wrong."""
        return prod(self.amounts.values()) if len(self.amounts) == len(COUNTED) else None

    @property
    def fits(self) -> bool:
        """May it be started?"""
        return not self.wrong


def judged(asked: Wish) -> Judged:
    """Return what is allowed, and what is not, or not here: each field alone, then all together."""
    values: dict[str, Json] = {}
    wrong: dict[str, BluecutError] = {}

    readers: dict[str, Callable[[], Json]] = {
        "topologies": lambda: _shapes(asked.topologies, asked.program),
        "sizes": lambda: _numbers(asked.sizes),
        "programs": lambda: _known(PROGRAM, (asked.program,), PROGRAMS),
        "seeds": lambda: _number(SEED, asked.seeds.strip(), 1, SEEDS),
        "disciplines": lambda: _known(ORDER, asked.disciplines, DISCIPLINES),
        "algorithms": lambda: _chosen(asked.algorithms),
    }
    for field, read in readers.items():
        try:
            values[field] = read()
        except BluecutError as error:
            wrong[field] = error
    amounts = {
        name: value if isinstance(value, int) else len(value)
        for name in COUNTED
        if isinstance(value := values.get(name), int | list)
    }
    found = Judged(values, amounts, wrong)
    if found.runs is not None and found.runs > RUNS:
        wrong["runs"] = BluecutError(
            "this would be {runs:,} runs; at most {most:,} here: take fewer seeds, sizes or algorithms, "
            "or run bluecut sweep on a machine of your own",
            runs=found.runs,
            most=RUNS,
        )
    return found


def spec(asked: Wish) -> dict[str, Json]:
    """Return the values of the spec. Raises BluecutError for the first that is not allowed, or not here."""
    found = judged(asked)
    for error in found.wrong.values():
        raise error
    topologies = found.values["topologies"]
    return found.values | {
        "topologies": [{"random": {"degree": 2}} if name == "random" else name for name in topologies]
    }


def _shapes(topologies: tuple[str, ...], program: str) -> list[str]:
    """Return the shapes. Raises BluecutError if there are none, or one is unknown, or not for this program."""
    found = _known(SHAPE, topologies, SHAPES)
    if program == "dataflow":
        if unfit := tuple(name for name in found if name not in OF_DATAFLOWS):
            raise BluecutError("{field}: a dataflow is a chain or a join, not {shape}", field=SHAPE, shape=unfit)
    elif "join" in found:
        raise BluecutError("{field}: join is a shape for dataflows alone", field=SHAPE)
    return found


def _chosen(algorithms: tuple[str, ...]) -> list[str]:
    """Return the algorithms. Raises BluecutError if they are none, unknown or too many."""
    found = _known(ALGORITHM, algorithms, tuple(ALGORITHMS))
    if len(found) > CHOSEN:
        raise BluecutError(
            "{field}: {count} are chosen; at most {most}", field=ALGORITHM, count=len(found), most=CHOSEN
        )
    return found


def _known(field: Phrase, chosen: tuple[str, ...], names: tuple[str, ...]) -> list[str]:
    """Return the choices, in the order of ``names``. Raises BluecutError if there are none, or one is unknown."""
    if not any(chosen):
        raise BluecutError("{field}: nothing is chosen; choose at least one", field=field)
    for name in chosen:
        if name not in names:
            raise BluecutError("{field}: unknown {name!r}; one of {known}", field=field, name=name, known=names)
    return [name for name in names if name in chosen]


def _numbers(text: str) -> list[int]:
    """Return the sizes in a text, the smallest first. Raises BluecutError."""
    words = re.split(r"[\s,;，、；]+", text.strip())
    if len(text) > LONGEST or not any(words):
        raise BluecutError("{field}: write one to {most} numbers, such as 3, 5", field=SIZE, most=SIZES)
    found = sorted({_number(SIZE, word, LEAST, MOST) for word in words if word})
    if len(found) > SIZES:
        raise BluecutError("{field}: {count} numbers; at most {most}", field=SIZE, count=len(found), most=SIZES)
    return found


def _number(field: Phrase, text: str, least: int, most: int) -> int:
    """Return a whole number between two others. Raises BluecutError."""
    value = whole_number(text, digits=9)
    if value is None or not least <= value <= most:
        raise BluecutError(
            "{field}: must be a whole number from {least} to {most}, not {got!r}",
            field=field,
            least=least,
            most=most,
            got=text[:LONGEST],
        )
    return int(value)
