"""Growth curves: what one step, event or follower costs as runs, graphs, snapshots, rows and audiences grow.

    .venv/bin/uv run --frozen --group test --group spark python -m tests.benchmarks.growth [CURVE …]

Each value is processor time, the least of ROUNDS; a horizontal line means that the cost of one does not depend on how
many there are. The curves are drawn by the product's own figures in Chromium, into ``docs/growth``.
"""

import asyncio
import gc
import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from playwright.sync_api import sync_playwright

from app.algorithms.registry import algorithm
from app.core.kernel.step import step
from app.core.model.system import System
from app.core.model.topology import Topology, named
from app.core.model.values import Move
from app.pictures.chart import Axis, Figure, Point, Series
from app.pipeline.rows.tables import batches, shares
from app.pipeline.verify.arrays.verifier import answers
from app.programs.bank import Bank, freeze
from app.run.run import Run, record
from app.scenario.scenario import Scenario, load
from app.schedules.delay import Delay
from app.schedules.protocol import Entry, Initiator
from app.schedules.timed import Timed
from app.web.base.templates import script
from app.web.shared.encoded_run import Recorded
from tests.benchmarks.busy import busy
from tests.benchmarks.events import events
from tests.benchmarks.result import Result
from tests.benchmarks.workload import TOKENS, workload_on
from tests.chromium import FLAGS, chromium
from tests.served import served

MANY = 2_000
"""How many streams a cost for each follower is measured with, at least."""
ROUNDS = 3
FOLDER = Path(__file__).parents[2] / "docs" / "growth"
MESSAGES = 20_000

PAGE = """<!doctype html><html lang="en">
<link rel="stylesheet" href="/static/css/base.css"><link rel="stylesheet" href="/static/css/figure.css">
<style>main {{ padding: 16px; }} .figure {{ display: block; }} .figure-told {{ display: none; }}</style>
<main><figure class="figure" id="figure-{key}"><div class="figure-drawing" data-hint=""></div>
<script type="application/json" class="data-figure">{value}</script></figure></main>
<script src="/static/vendor/d3/d3.min.js"></script>
<script type="module" src="/static/js/plot/plot.js"></script></html>"""

Cost = Callable[[int], float]
"""Returns the microseconds of processor time that one costs where there are so many."""


Line = tuple[tuple[int, ...], Cost]
"""The sizes of a line, and how to measure there."""


@dataclass(frozen=True)
class Curve:
    """What grows along ``of``, the unit of cost (``each``), and its lines by name."""

    of: str
    each: str
    lines: dict[str, Line]


def _spent(work: Callable[[], object]) -> float:
    """Return the seconds of processor time of some work, without what earlier work left behind."""
    gc.collect()
    began = time.process_time()
    work()
    return time.process_time() - began


def _graph(processes: int, degree: int) -> Topology:
    names = [f"P{i + 1}" for i in range(processes)]
    return Topology(names, named("random", names, seed=4, degree=degree))


def _kernel(topology: Topology, messages: int = MESSAGES, snapshots: int = 1) -> float:
    """Return the cost of a step of the kernel alone: nothing is kept, nothing judged."""
    load, one = workload_on(topology, messages), freeze(1)
    (first, process), last = load.start, load.sends[-1][0]
    bank = Bank(dict.fromkeys(topology.names, freeze(TOKENS)), (one,))
    system = System(topology, bank, algorithm("chandy-lamport"), collect=False)
    schedule = Timed(
        system,
        2,
        delay=Delay(0, 4),
        one_per_sender=True,
        entries=tuple(Entry(Move(topology.channels[c].source, c, one), at) for at, c in load.sends),
        initiators=tuple(Initiator(process, first + i * (last - first) // snapshots) for i in range(snapshots)),
    )
    steps = 0

    def run() -> None:
        nonlocal steps
        world = system.begin()
        while action := schedule.next(world):
            world, notes = step(system, world, action)
            schedule.saw(action, world, notes)
            steps += 1

    return 1e6 * _spent(run) / steps


def _banks(*, processes: int = 10, degree: int = 3, steps: int = 8_000, snapshots: int = 3) -> Scenario:
    text = {
        "title": {"en": "banks", "zh": "银行"},
        "topology": {"random": {"processes": processes, "degree": degree, "seed": 4}},
        "program": {"kind": "bank", "everyone": 1_000, "amounts": [1, 2]},
        "schedule": {"kind": "timed", "seed": 3, "moves": steps},
        "initiators": [{"process": "P1", "at": 10 + i * steps // (8 * snapshots)} for i in range(snapshots)],
        "steps": steps,
    }
    return load(json.dumps(text), "banks")


def _judged(scenario: Scenario) -> float:
    """Return the cost of a step that is recorded and judged."""
    runs: list[Run] = []

    def work() -> None:
        runs.append(record(scenario))
        assert runs[0].verdicts

    return 1e6 * _spent(work) / len(runs[0].steps)


def _told(scenario: Scenario) -> float:
    """Return the cost of a step as a frame in JSON."""
    run = record(scenario)
    assert run.verdicts
    return 1e6 * _spent(lambda: Recorded(run).events(None, zipped=False)) / len(run.steps)


def _verified(millions: int) -> float:
    """Return the cost of an event whose rows are verified in one process, without Spark."""
    files = shares(batches(events(millions)))
    return _spent(lambda: [list(answers(each, rows=False)) for each in files]) / millions


def _followed(followers: int) -> float:
    """Return what a follower costs the server: all read the same run of 1,000 steps at the same time, as often as it
    takes for processor time, which is counted in hundredths of a second."""
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(there,))
    server.start()
    try:
        address = urlsplit(here.recv())
        path = f"{busy(12, 1_000)}/events"
        asyncio.run(_read_all(address.hostname or "", address.port or 0, path, 1))  # the run is computed once
        before = psutil.Process(server.pid).cpu_times()
        times = max(1, MANY // followers)
        for _ in range(times):
            asyncio.run(_read_all(address.hostname or "", address.port or 0, path, followers))
        after = psutil.Process(server.pid).cpu_times()
    finally:
        here.send("enough")
        server.join()
    return 1e6 * (after.user + after.system - before.user - before.system) / (times * followers)


def _serve(there: Connection) -> None:
    with served() as address:
        there.send(address)
        there.recv()


async def _read_all(host: str, port: int, path: str, followers: int) -> None:
    async def follow() -> None:
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head.splitlines()[0], head
        while not (chunk := await reader.readline()).startswith(b"0"):  # of the chunked encoding, the last is empty
            await reader.readexactly(int(chunk, 16) + 2)
        writer.close()

    await asyncio.gather(*(follow() for _ in range(followers)))


SMALL, MIDDLE = (300, 1_000, 3_000, 10_000, 20_000), (10, 30, 100, 200)
LINKS, STARTS = (100, 300, 1_000, 2_000), (1, 2, 4, 8, 16)
EDGES, WIDE = (100, 300, 1_000, 3_000, 9_900), (10, 30, 100, 300, 1_000, 3_000, 10_000)


def _lines(kernel: Line, judged: Callable[[int], Scenario], sizes: tuple[int, ...]) -> dict[str, Line]:
    return {
        "kernel alone": kernel,
        "recorded and judged": (sizes, lambda n: _judged(judged(n))),
        "frames and JSON": (sizes, lambda n: _told(judged(n))),
    }


CURVES = {
    "steps": Curve(
        "steps of a run",
        "µs a step",
        _lines(((*SMALL, 100_000), lambda n: _kernel(_graph(10, 3), n // 2)), lambda n: _banks(steps=n), SMALL),
    ),
    "processes": Curve(
        "processes",
        "µs a step",
        _lines(
            (WIDE, lambda n: _kernel(_graph(n, 3), max(MESSAGES, 10 * n))), lambda n: _banks(processes=n), MIDDLE
        ),
    ),
    "channels": Curve(
        "channels between 100 processes",
        "µs a step",
        _lines(
            (EDGES, lambda n: _kernel(_graph(100, n // 100))), lambda n: _banks(processes=100, degree=n // 100), LINKS
        ),
    ),
    "snapshots": Curve(
        "snapshots of a run",
        "µs a step",
        _lines((STARTS, lambda n: _kernel(_graph(10, 3), snapshots=n)), lambda n: _banks(snapshots=n), STARTS),
    ),
    "events": Curve("millions of events", "µs an event", {"whole files": ((1, 2, 5, 10), _verified)}),
    "followers": Curve("followers of one run of 1,000 steps", "µs a follower", {
        "the whole stream": ((30, 100, 300, 1_000), _followed),
    }),
}  # fmt: skip


def measured(curve: Curve) -> Iterator[tuple[str, list[tuple[int, float]]]]:
    """Yield each line of a curve: its name, and its sizes with what one costs."""
    for line, (sizes, cost) in curve.lines.items():
        yield line, [(size, min(cost(size) for _ in range(ROUNDS))) for size in sizes]


def figure(name: str, curve: Curve, lines: dict[str, list[tuple[int, float]]]) -> Figure:
    """Return the figure of a curve: sizes are logarithmic, costs begin at zero."""
    most = 1.1 * max(cost for points in lines.values() for _, cost in points)
    series = tuple(Series(line, tuple(Point(x, round(y, 3)) for x, y in points)) for line, points in lines.items())
    return Figure(
        name, f"{curve.each}, by {curve.of}", Axis(curve.of, scale="log"), Axis(curve.each, domain=(0, most)), series
    )


def draw(figures: list[Figure]) -> None:
    """Draw figures in Chromium, each into a file of its own."""
    FOLDER.mkdir(exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 760, "height": 600}, device_scale_factor=2)
        for each in figures:
            page.goto(f"{address}/healthz")
            page.set_content(PAGE.format(key=each.key, value=script(each.value("en"))))
            page.locator(".figure-drawing svg .axes").wait_for()
            page.locator("main").screenshot(path=FOLDER / f"{each.key}.png")
        browser.close()


def main() -> list[Result]:
    """Measure, print a table a curve, and draw."""
    found, figures = [], []
    for name in sys.argv[1:] or CURVES:
        curve, lines = CURVES[name], {}
        for line, points in measured(curve):
            lines[line] = points
            costs = "  ".join(f"{size:,}: {cost:,.3g}" for size, cost in points)
            print(f"{name}, {curve.each}, {line}: {costs}", flush=True)
            growth = points[-1][1] / min(cost for _, cost in points)
            sizes = f"{points[0][0]:,} to {points[-1][0]:,}"
            found.append(Result(f"{line}, {sizes} {curve.of}: the last against the least", growth, "ratio"))
        figures.append(figure(name, curve, lines))
    draw(figures)
    return found


if __name__ == "__main__":
    main()
