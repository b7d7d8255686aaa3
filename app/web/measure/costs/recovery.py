"""Claims about the two ways to recover from a crash, beside the results of runs: ``/recovery``.

The claims are common ones (pros and cons of checkpoints and of removing duplicates); every figure is counted from a
run, none is written down here. What a claim omits is beside it. The figures below them show what was measured once
(``app.analysis.cost_runs``).

``/recovery?on=NAME&lang=``: the library scenario on which both run. A process must crash in it.

What ``recovery.html`` gets
---------------------------
``sides`` (the names of the two algorithms) ``claims`` (see Claim) ``chosen`` and ``offered`` (scenarios: name, title)
``compare`` (URL of the two panes) ``figure`` (what longer pipelines change) ``items`` (figures of the cost per item)
"""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from pydantic import StringConstraints
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.analysis.cost_runs import along, mean
from app.analysis.ledger import Ledger, ledger
from app.analysis.recovery_cost import RecoveryCost, recovery_cost
from app.core.model.value import Frozen
from app.pictures.chart import Axis, Figure, Series
from app.run.run import Run
from app.scenario.library import Unknown
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.web.base.errors import answers
from app.web.base.language import language, named
from app.web.base.templates import Context, page
from app.web.measure.costs.drawn import Drawn
from app.web.shared.compare_links import beside
from app.web.shared.crash_scenarios import SIDES, crash_scenarios
from app.web.shared.run_table import until
from app.wire.run_url import canonical
from app.words.catalogues import word
from app.words.guarantee_words import verdict

FIRST = "crash-both-ways"

ROUND_TRIP = 16
"""How many ticks an acknowledgement takes in ``rate``."""

router = APIRouter(responses=answers(400, 404))


class Side(Frozen):
    """What one run paid, and what it preserved."""

    paid: RecoveryCost
    book: Ledger


class Measured(Frozen):
    """One thing counted in both runs: ``key`` names it; ``better`` is the place of the smaller figure, None if they are
    equal or not comparable."""

    key: str
    cells: tuple[str, str]
    better: int | None = None


class Claim(Frozen):
    """A claim ``of`` one of the two by its place or of both (None), and the figures for it."""

    key: str
    of: int | None
    measured: tuple[Measured, ...]


@router.get("/recovery", response_class=HTMLResponse)
def recovery(request: Request, on: Annotated[str, StringConstraints(max_length=80), Parameter()] = FIRST) -> Response:
    """Return the claims and the figures. Raises Unknown if no process crashes in the scenario."""
    spoken, known = language(request), crash_scenarios()
    scenario = next((one for one in known if one.name == on), None)
    if scenario is None:
        raise Unknown("no scenario is called {name!r}", name=on[:40])
    sides = [_side(request, scenario, name) for name in SIDES]
    context: Context = {
        "sides": SIDES,
        "claims": _claims(sides[0], sides[1], spoken),
        "chosen": scenario.name,
        "offered": [(one.name, getattr(one.form.title, spoken)) for one in known],
        "compare": beside(scenario.name, SIDES, lang=named(request)),
        "figure": _longer(Drawn(spoken, named(request), "claim")),
        "items": _items(Drawn(spoken, named(request), "claim.item")),
    }
    return page(request, "recovery.html", **context)


def _side(request: Request, scenario: Scenario, name: str) -> Side:
    """Return the run of a scenario under an algorithm, counted."""
    run: Run = request.app.state.runs.recorded(scenario, canonical(scenario, RunKey(algorithm=name))).run
    cost, book = recovery_cost(run), ledger(run)
    assert cost is not None and book is not None  # a dataflow
    return Side(cost, book)


# --- what is said, and what was counted ---------------------------------------------------------------------------


def _claims(back: Side, alone: Side, spoken: str) -> tuple[Claim, ...]:
    """Return the claims in order, with the figures of rolling back together and of recovering alone."""

    def each(key: str, figure: Callable[[Side], int]) -> Measured:
        return _less(key, figure(back), figure(alone))

    def said(key: str, words: Callable[[Side], str]) -> Measured:
        return Measured(key, (words(back), words(alone)))

    each_record = [round(one.paid.writes / one.paid.records, 1) if one.paid.records else 0 for one in (back, alone)]
    return (
        Claim(
            "same",
            None,
            (
                said("state", lambda s: verdict(s.book.state, s.book.promise.state, spoken)),
                said("output", lambda s: verdict(s.book.output, s.book.promise.output, spoken)),
            ),
        ),
        Claim("overhead", 0, (each("writes", lambda s: s.paid.writes), each("bytes", lambda s: s.paid.size))),
        Claim("light", 0, (each("words", lambda s: s.paid.words),)),
        Claim("global", 0, (each("restarts", lambda s: s.paid.restarts), each("redone", lambda s: s.paid.redone))),
        Claim("larger", 0, (_less("longest", *(_restarts(name) for name in SIDES)),)),
        Claim("storage", 1, (each("ids", lambda s: s.paid.ids), each("collected", lambda s: s.paid.collected))),
        Claim("record", 1, (_less("each-record", each_record[0], each_record[1]),)),
        Claim(
            "local",
            1,
            (
                each("replayed", lambda s: s.paid.replayed),
                each("resent", lambda s: s.paid.resent),
                _total(back.paid, alone.paid, spoken),
            ),
        ),
        Claim(
            "idempotent",
            None,
            (
                said("ran", lambda s: word("claim.ran", spoken, taken=s.book.taken, counted=s.book.counted)),
                said("dropped", lambda s: str(s.paid.dropped)),  # neither number is better
            ),
        ),
    )


def _less(key: str, first: float, second: float) -> Measured:
    """Return two figures of which the smaller is better."""
    better = None if first == second else int(second < first)
    return Measured(key, (f"{first:,g}", f"{second:,g}"), None if key == "collected" else better)


def _total(first: RecoveryCost, second: RecoveryCost, spoken: str) -> Measured:
    """Return the steps from the last crash until all was whole again."""
    ends = [one.whole[-1] if one.whole else 0 for one in (first, second)]
    if None in ends:
        return Measured("whole", (until(ends[0], spoken), until(ends[1], spoken)))
    return _less("whole", ends[0] or 0, ends[1] or 0)


def _restarts(name: str) -> float:
    """Return how many operators roll back in the longest pipeline in which one crashes."""
    return mean(list(along("longer", "operators", algorithm=name).values())[-1], "restarts") or 0


def _longer(draw: Drawn) -> Figure:
    """Return how many operators roll back in pipelines of several lengths in which one crashes."""
    series = (
        draw.line(word(f"algorithm.{name}", draw.spoken), along("longer", "operators", algorithm=name), "restarts")
        for name in SIDES
    )
    return _figure(draw, "longer", "figure", *series)


def _figure(draw: Drawn, name: str, key: str, *series: Series) -> Figure:
    """Return a figure whose title and axes have the words of ``key``."""
    x, y = (Axis(draw.word(f"{key}.{side}")) for side in ("x", "y"))
    return draw.figure(name, key, x, y, *series)


def _items(draw: Drawn) -> tuple[Figure, ...]:
    """Return what an item costs, by the length of a pipeline, the size of its state, and its rate."""
    back, local = (along("keys", "count", algorithm=name) for name in SIDES)
    rates = {ROUND_TRIP // ticks: found for ticks, found in along("rate", "ticks").items()}
    return (
        _figure(
            draw,
            "item-operators",
            "operators",
            *(
                draw.line(draw.word(way), along("operators", "count", algorithm=name), "states")
                for way, name in zip(("rollback", "local"), SIDES, strict=True)
            ),
        ),
        _figure(
            draw,
            "item-keys",
            "keys",
            draw.line(draw.word("full"), back, "keys-in-full"),
            draw.line(draw.word("incremental"), back, "keys-as-increments"),
            draw.line(draw.word("local"), local, "keys-changed"),
        ),
        _figure(draw, "item-rate", "rate", draw.line(draw.word("local"), rates, "ids")),
    )
