"""The parts of the page of costs: each draws what one experiment measured, around the visitor's settings."""

from collections.abc import Callable, Mapping, Sequence

from app.algorithms.registry import ALGORITHMS
from app.analysis.cost_runs import (
    BUSY,
    CROWD_MEAN,
    CROWD_TICKS,
    Measured,
    Value,
    alone,
    along,
    extra,
    mean,
    model,
    runs,
    some,
    young,
)
from app.core.model.value import Frozen
from app.forms.json_shape import number
from app.pictures.chart import Axis, Cell, Figure, Point, Series, Table, four_digits
from app.web.measure.costs.drawn import Drawn, percent
from app.web.measure.costs.query import MEASURES, Query
from app.words.catalogues import word
from app.words.guarantee_words import promised, result

SHARES = (10, 30, 50, 70, 90)
"""Of the runs with a crash, in percent: the choices of a bet."""

UNITS = {"lasts": "ticks", "aligns": "ticks", "waits": "records", "stored": "records", "latency": "ticks"}


class Bet(Frozen):
    """What visitors guess before they see a part: a ``question`` and its ``choices``. ``right`` are those that the
    measurements give, several if they are equal."""

    question: str
    choices: tuple[str, ...]
    right: tuple[str, ...]


class Part(Frozen):
    """One part of the page: what is ``said`` first, at the settings; a ``table`` with its ``caption`` and the headings
    over its columns (``above``: text and width); ``figures``; paragraphs ``about`` them; and a table of all ``runs``.
    If there is a ``bet``, all of it is covered until the visitor has made it.
    """

    said: tuple[Cell, ...] = ()
    table: Table | None = None
    caption: str = ""
    above: tuple[tuple[str, int], ...] = ()
    figures: tuple[Figure, ...] = ()
    about: tuple[tuple[Cell, ...], ...] = ()
    runs: Table | None = None
    bet: Bet | None = None


def _largest(question: str, found: Mapping[str, float]) -> Bet:
    """Return the bet on which of some values is the largest."""
    return Bet(question, tuple(found), tuple(name for name, value in found.items() if value == max(found.values())))


def _larger(question: str, found: Mapping[str, float], neither: str) -> Bet:
    """Return the bet on which of two values is larger, or ``neither``."""
    bet = _largest(question, found)
    return Bet(question, (*bet.choices, neither), bet.right if len(bet.right) == 1 else (neither,))


def _straggler(query: Query, draw: Drawn) -> Part:
    """Draw a slow task: its effect on checkpoints, algorithm by algorithm."""
    lines, rows, lasts = [], [], dict[str, float]()
    for name, found in along("straggler", "algorithm").items():
        label = word(f"algorithm.{name}", draw.spoken)
        lines.append(draw.line(label, along("straggler", "slow", algorithm=name), query.measure))
        here = [one for one in found if one.at["slow"] == query.slow]
        lasts[label] = mean(here, "lasts") or 0
        rows.append((Cell(label), *(draw.cell(here, measure) for measure in MEASURES)))
    measure = f"measure.{query.measure}"
    y = Axis(draw.word(measure), draw.word(f"unit.{UNITS[query.measure]}"))
    head = (draw.word("column.algorithm"), *(draw.word(f"measure.{name}") for name in MEASURES))
    return Part(
        bet=_largest(draw.word("straggler.bet"), lasts),
        table=Table(head, tuple(rows), 1),
        caption=draw.word("straggler.here", ticks=query.slow),
        figures=(draw.figure("straggler", measure, draw.axis("slow", "ticks"), y, *lines),),
    )


def _interval(query: Query, draw: Drawn) -> Part:
    """Draw how often: checkpoints cost time, and so do crashes, which fewer checkpoints make more expensive."""
    found = along("interval", "every", price=query.price, mean=query.mean)
    seeds = len(next(iter(found.values())))
    more = extra()

    def ticks(every: Value | None) -> str:
        return f"{every} {draw.word('unit.ticks')}"

    def longer(over: float) -> float:
        return round(more(over), 1)

    def formula(every: float) -> Point:
        return Point(round(every, 1), percent()(model(every, query.price, query.mean)))

    measured = draw.line(draw.word("interval.measured", count=seeds), found, "over", longer)
    shares = [(point.y, point) for point in measured.points if number(point.y)]
    share, best = min(shares, key=lambda each: each[0], default=(None, None))
    least = young(query.price, query.mean)
    return Part(
        bet=Bet(draw.word("interval.bet"), tuple(map(ticks, found)), (ticks(best.x),)) if best else None,
        said=(
            Cell(draw.word("interval.best", every=best.x, share=share), best.href)
            if best
            else Cell(draw.word("interval.none")),
            Cell(draw.word("interval.young", ticks=round(least, 1))),
        ),
        figures=(
            draw.figure(
                "interval",
                "interval.figure",
                draw.axis("interval", "ticks"),
                draw.axis("extra", "%"),
                measured,
                Series(draw.word("interval.formula"), tuple(formula(every) for every in found)),
                draw.line(draw.word("interval.stops"), along("calm", "every", price=query.price), "over", longer),
                Series(draw.word("interval.rule"), (formula(least),), "point"),
            ),
        ),
        about=((Cell(draw.word("interval.about", seeds=seeds)),),),
        runs=Table(
            (draw.word("axis.interval"), *(draw.word("seed", seed=seed) for seed in range(1, seeds + 1))),
            tuple(
                (Cell(str(every)), *(draw.cell([one], "over", "%", longer) for one in each))
                for every, each in found.items()
            ),
            1,
        ),
    )


def _storage(query: Query, draw: Drawn) -> Part:
    """Draw how to store: it takes time, alongside the work or instead of it."""
    ways, rows, cost = [], [], dict[str, float]()
    for way, stops in (("beside", False), ("instead", True)):
        found = along("storage", "storing", stops=stops, crash=None)
        ways.append(draw.line(draw.word(f"storage.{way}"), found, "over"))
        rows.append((Cell(draw.word(f"storage.{way}")), draw.cell(found[query.storing], "over")))
        cost[draw.word(f"storage.{way}")] = mean(found[query.storing], "over") or 0
    crashed = {
        storing: [one for one in each if "crash" in one.at]
        for storing, each in along("storage", "storing", stops=False).items()
    }
    lasts = mean(runs("storage", storing=query.storing, stops=False, crash=None), "lasts")
    about = [Cell(draw.word("storage.lasts", ticks=four_digits(lasts)))] if lasts is not None else []
    about.append(Cell(draw.word("storage.crashes") + word("step.colon", draw.spoken)))
    for one in crashed[query.storing]:
        about += [Cell(f"{one.at['crash']} → {one.found['again']}", draw.url(one)), Cell("·")]
    x = draw.axis("storing", "ticks")
    again = draw.line(draw.word("axis.replay"), crashed, "again")
    return Part(
        bet=_larger(draw.word("storage.bet", ticks=query.storing), cost, draw.word("bet.neither")),
        table=Table((draw.word("storage.way"), draw.word("column.over")), tuple(rows), 1),
        figures=(
            draw.figure("storage", "storage.figure", x, draw.axis("over", "ticks"), *ways),
            draw.figure("replay", "storage.replay", x, draw.axis("replay"), again),
        ),
        about=(tuple(about[:-1]),),
    )


def _tides(query: Query, draw: Drawn) -> Part:
    """Draw when: at an interval, or only in quiet times."""
    lines, rows, most = [], [], dict[str, float]()
    for way, wait in (("regular", False), ("waiting", True)):
        found = along("tides", "crash", wait=wait, quiet=query.quiet)
        calm = found.pop(None)
        name = draw.word(f"tides.{way}")
        lines.append(draw.line(name, found, "again"))
        worst = max((one for each in found.values() for one in each), key=lambda one: one.number("again") or 0)
        most[name] = worst.number("again") or 0
        numbers = (draw.cell(calm, measure) for measure in ("checkpoints", "early", "over"))
        rows.append((Cell(name), *numbers, draw.cell([worst], "again")))
    keys = ("tides.way", "tides.count", "tides.early", "column.over", "tides.most")
    return Part(
        bet=_larger(draw.word("tides.bet"), most, draw.word("bet.neither")),
        table=Table(tuple(draw.word(key, busy=BUSY) for key in keys), tuple(rows), 1),
        figures=(draw.figure("tides", "tides.figure", draw.axis("moment", "ticks"), draw.axis("replay"), *lines),),
        about=((Cell(draw.word("tides.about")),),),
    )


def _crowd(query: Query, draw: Drawn) -> Part:
    """Draw how large: the more processes, the more often one of them crashes, and the more work that undoes."""
    works, rows, links = [], [], []
    for name in along("crowd", "algorithm"):
        by_size, points = along("crowd", "size", algorithm=name), list[Point]()
        way = draw.word(f"crowd.{ALGORITHMS[name].RECOVERY.way}")
        for size, each in by_size.items():
            points += draw.line(way, {size: each}, "again", percent(size * CROWD_TICKS)).points
        works.append(Series(way, tuple(points)))
        found = by_size[query.size]
        crashes, back = (sum(one.number(measure) or 0 for one in found) for measure in ("crashes", "back"))
        share = four_digits(percent(crashes * query.size)(back)) + "%" if crashes else draw.word("none")
        rows.append((Cell(way), Cell(share), draw.cell(found, "again", "%", percent(query.size * CROWD_TICKS))))
        links.append((Cell(way), *(draw.cell([one], "crashes") for one in found)))
    chances = [_chance(size, each, draw) for size, each in along("crowd", "size", algorithm=name).items()]
    seeds = len(found)
    formula = tuple(Point(point.x, _likely(int(point.x or 0))) for point in chances)
    here = next(point.y for point in chances if point.x == query.size and number(point.y))
    near = min(SHARES, key=lambda share: abs(share - float(here)))
    head = (draw.word("column.seeds"), *(draw.word("seed", seed=seed) for seed in range(1, seeds + 1)))
    x = draw.axis("size")
    chance = Figure(
        "crowd",
        draw.word("crowd.figure", ticks=CROWD_TICKS),
        x,
        draw.axis("chance", "%"),
        (
            Series(draw.word("crowd.measured", count=seeds), tuple(chances), "point"),
            Series(draw.word("crowd.formula"), formula),
        ),
    )
    said = draw.word("crowd.here", size=query.size, measured=here, some=_likely(query.size), seeds=seeds)
    return Part(
        bet=Bet(draw.word("crowd.bet", size=query.size), tuple(f"{one}%" for one in SHARES), (f"{near}%",)),
        said=(Cell(said),),
        table=Table(tuple(draw.word(key) for key in ("column.algorithm", "crowd.back", "crowd.share")), tuple(rows), 1),
        figures=(chance, draw.figure("again", "crowd.again", x, draw.axis("again", "%"), *works)),
        runs=Table(head, tuple(links), 1),
    )


def _chance(size: int, found: Sequence[Measured], draw: Drawn) -> Point:
    """Return the share of the runs with a crash while the source reads; it opens one of them. Crashes do not depend on
    the algorithm."""
    struck = [one for one in found if one.found["struck"]]
    told = draw.word("crowd.of", count=len(struck), seeds=len(found))
    return Point(size, percent(len(found))(len(struck)), draw.url([*struck, *found][0]), told)


def _likely(size: int) -> float:
    return percent()(some(size, CROWD_TICKS))


CALM = ("lasts", "aligns", "waits", "stored", "bytes", "uploads", "latency", "throughput")
CRASHED = ("again", "back", "whole")


def _dashboard(query: Query, draw: Drawn) -> Part:
    """Compare all algorithms on one pipeline."""
    (driver,) = runs("dashboard", falls="JM")
    tick = driver.at["crash"]
    rows = []
    for name in along("dashboard", "algorithm", falls="sum"):
        calm, crashed = (runs("dashboard", algorithm=name, falls="sum", crash=crash) for crash in (None, tick))
        kept = [_kept(crashed[0].found, what, draw) for what in ("state", "output")]
        numbers = (*(draw.cell(calm, key) for key in CALM), *(draw.cell(crashed, key) for key in CRASHED))
        rows.append((Cell(word(f"algorithm.{name}", draw.spoken), f"/algorithms/{name}"), *numbers, *kept))
    (busy,) = runs("dashboard", busy=True)
    keys = [f"measure.{key}" if key in MEASURES else f"column.{key}" for key in (*CALM, *CRASHED, "state", "output")]
    return Part(
        table=Table((draw.word("column.algorithm"), *(draw.word(key) for key in keys)), tuple(rows), 1),
        above=((draw.word("dashboard.calm"), len(CALM)), (draw.word("dashboard.crashed"), len(CRASHED) + 2)),
        about=(
            (
                Cell(draw.word("dashboard.idle", tick=tick, busy=busy.at["crash"], again=busy.found["again"])),
                Cell(draw.word("dashboard.idle.run", busy=busy.at["crash"]), draw.url(busy)),
            ),
            (
                Cell(draw.word("dashboard.driver", tick=tick)),
                Cell(draw.word("dashboard.driver.run", back=driver.found["back"]), draw.url(driver)),
            ),
            (Cell(draw.word("dashboard.about")),),
        ),
    )


def _kept(found: Mapping[str, Value], what: str, draw: Drawn) -> Cell:
    """Return what a run shows of state or output, and what is promised."""
    shown, promise = (None if value is None else str(value) for value in (found[what], found[f"{what}-promised"]))
    return Cell(f"{result(shown, draw.spoken)}\n{promised(promise, draw.spoken)}")


PARTS: dict[str, Callable[[Query, Drawn], Part]] = {
    "straggler": _straggler,
    "interval": _interval,
    "storage": _storage,
    "tides": _tides,
    "crowd": _crowd,
    "dashboard": _dashboard,
}
"""The parts of the page in order."""


def leads() -> dict[str, dict[str, object]]:
    """Return what the text before a part says in numbers."""
    (driver,) = runs("dashboard", falls="JM")
    crowd = {"ticks": CROWD_TICKS, "mean": CROWD_MEAN, "alone": four_digits(percent()(alone(CROWD_TICKS)))}
    return {"crowd": crowd, "dashboard": {"slow": driver.at["slow"], "crash": driver.at["crash"]}}
