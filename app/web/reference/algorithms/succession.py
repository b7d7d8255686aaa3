"""From Chandy–Lamport to barriers: the same rules side by side, each with its cost on one pipeline.

What ``_succession.html`` gets
------------------------------
``succession``  Succession, or None on unrelated pages
"""

from typing import get_args

from starlette.requests import Request

from app.algorithms.description import Row
from app.algorithms.registry import DESCRIPTIONS
from app.analysis.cost import cost
from app.core.model import recorded_state
from app.core.model.value import Frozen
from app.run.run import Run
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.base.language import language, named
from app.web.shared.compare_links import beside
from app.wire.run_url import Address, canonical
from app.words.catalogues import readable, word

SCENARIO = "barriers-wait"
COLUMNS = tuple(name for name, description in DESCRIPTIONS.items() if description.succession)
ROWS: tuple[Row, ...] = get_args(Row)
JOINING = "sum"
"""The process whose two inputs the rules are about."""


class Cell(Frozen):
    """A rule under one algorithm, and its cost in the run, if that can be counted."""

    rule: str
    counted: str = ""
    url: str = ""


class Succession(Frozen):
    """The table: its ``columns`` are algorithms, its ``rows`` (name, cells). ``title`` of the pipeline on which it is
    measured, and the address that shows all of it side by side."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    title: str
    compare: str


def succession(request: Request) -> Succession:
    """Return the table, counted from the runs of one scenario under each algorithm."""
    spoken, lang = language(request), named(request)
    scenario = LIBRARY.scenario(SCENARIO)
    counted: dict[str, dict[str, str]] = {}
    urls: dict[str, str] = {}
    for name in COLUMNS:
        key = canonical(scenario, RunKey(name))
        run = request.app.state.runs.recorded(scenario, key).run
        counted[name] = _figures(run, spoken)
        step = run.history.recordings[run.system.first].completed
        urls[name] = Address(SCENARIO, scenario, key, lang=lang).of_step(step)
    rows = tuple(
        (
            row,
            tuple(
                Cell(word(f"succession.{row}.{name}", spoken), counted[name].get(row, ""), urls[name])
                for name in COLUMNS
            ),
        )
        for row in ROWS
    )
    return Succession(COLUMNS, rows, getattr(scenario.form.title, spoken), beside(SCENARIO, COLUMNS, lang=lang))


def _figures(run: Run, spoken: str) -> dict[str, str]:
    """Return the countable costs of a run, by row."""
    paid, number = cost(run), run.system.first
    taken = paid.snapshots[0]
    view = run.system.program.view
    recorded = view(recorded_state.parts(run.system, run.end, number)[JOINING].state)
    final = view(run.end.states[JOINING])
    return {
        "travels": word("succession.travels.counted", spoken, count=taken.controls),
        "records": word("succession.records.counted", spoken, process=JOINING, state=readable(recorded, spoken)),
        "meanwhile": word("succession.meanwhile.counted", spoken, steps=paid.blocked, items=paid.held),
        "channels": word("succession.channels.counted", spoken, count=taken.messages),
        "ends": word("succession.ends.counted", spoken, count=taken.steps),
        "restart": word("succession.restart.counted", spoken, process=JOINING, state=readable(final, spoken)),
    }
