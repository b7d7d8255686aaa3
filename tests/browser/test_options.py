"""After every step, the browser offers the same next actions as the kernel, in the same order."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from playwright.sync_api import Page

from app.algorithms.registry import ALGORITHMS
from app.core.enabled import abandons, enabled, faults, options
from app.core.kernel import step
from app.core.model import Crash, Leave
from app.core.system import DISCIPLINES, System
from app.simulator.key import RunKey
from app.simulator.library import LIBRARY
from app.simulator.run import Run, record
from app.view.action import text
from app.view.frames import frames, scene
from tests.browser.conftest import PATIENCE
from tests.browser.drawer import Drawer
from tests.tiny import scenario

OPTIONS = """
async ([scripts, wire]) => {
  const { begin, fold } = await import(`${scripts}/run/scene.js`);
  const { faults, options } = await import(`${scripts}/run/options.js`);
  const [scene, frames] = JSON.parse(wire);
  const scenes = [begin(scene)];
  for (const frame of frames) scenes.push(fold(scenes.at(-1), frame));
  return JSON.stringify(
    scenes.map((at) => [...options(at), ...faults(at)].map(({ action, reason }) => [action, reason]))
  );
}
"""
KEYS = [
    *(RunKey(discipline=discipline) for discipline in DISCIPLINES),
    *(RunKey(algorithm=algorithm) for algorithm in ("late-marker", "photographs", "unlabelled")),
]


@pytest.fixture(scope="module")
def page(drawer: Drawer) -> Iterator[Page]:
    """Yield a page whose modules are called. They compute and store nothing, so one page is enough for all tests."""
    page = drawer.take()
    page.set_default_timeout(PATIENCE)
    page.goto("/run/blue-figure")
    yield page
    drawer.put_back(page.context)


def modules(page: Page) -> str:
    """Return where the page's modules are."""
    script = page.locator('script[type="module"]').first.get_attribute("src") or ""
    return re.sub(r"/[^/]+$", "", script)


def offered(page: Page, scripts: str, run: Run) -> list[list[list[str | None]]]:
    """Return what the browser offers before the first step and after each. It travels as one text both ways:
    thousands of values per run would be transferred one by one."""
    wire = json.dumps([scene(run), list(frames(run))])
    answer: list[list[list[str | None]]] = json.loads(page.evaluate(OPTIONS, [scripts, wire]))
    return answer


def told(run: Run) -> list[list[list[str | None]]]:
    """Return what the kernel offers before the first step and after each: what can happen, and what can go wrong."""
    show = run.system.program.show
    worlds = [run.world(number) for number in range(len(run.steps) + 1)]
    return [
        [[text(action, show), reason] for action, reason in options(run.system, world)]
        + [[text(fault, show), None] for fault in faults(run.system, world)]
        for world in worlds
    ]


SOME = 7
"""How many scenarios are tried with one page."""


@pytest.mark.parametrize("first", range(0, len(LIBRARY.names()), SOME))
def test_the_browser_offers_what_the_kernel_offers(page: Page, first: int) -> None:
    scripts = modules(page)
    for name in LIBRARY.names()[first : first + SOME]:
        for key in KEYS:
            run = record(LIBRARY.scenario(name), key, most=60)
            assert offered(page, scripts, run) == told(run), (name, key)


WILD = """
    topology: {processes: [A, B, C, N], channels: [A->B, B->A, B->C, C->B, A->C, C->A, N->B, B->N]}
    newcomers: {N: B}
    program:
      kind: machine
      first: {A: a, B: a, C: a, N: a}
      edges:
        A: [{from: a, to: b, send: m, on: A->B}, {from: b, to: a, send: n, on: A->B}]
        B:
          - {from: a, to: b, receive: m, on: A->B}
          - {from: b, to: a, receive: n, on: A->B}
          - {from: a, to: a, send: k, on: B->C}
          - {from: b, to: b, send: k, on: B->A}
        C: [{from: a, to: a, receive: k, on: B->C}, {from: a, to: a, send: m, on: C->B}]
"""
"""B receives m and n from A in turn, so that some messages are refused; N may join through B."""

CLOSED = WILD.replace("C, N]", "C]").replace(", N->B, B->N", "").replace("newcomers: {N: B}", "").replace(", N: a", "")
"""The same for algorithms that need a channel between every two processes: a newcomer has few."""


FLOW = """
    topology:
      processes: [JM, s1, s2, m, sum, out]
      channels: [JM->s1, JM->s2, s1->m, s1->sum, s2->sum, m->sum, sum->out]
    program:
      kind: dataflow
      operators:
        JM: {coordinator: true}
        s1: {source: [1, 2, 3, 4, 5, 6, 7, 8]}
        s2: {source: [10, 20, 30, 40, 50], ends: true}
        m: {map: {times: 2}}
        sum: {sum: all, emit: result}
        out: {sink: transactional}
    capacity: 2
"""
"""Channels are short, so that what is read has to wait; a transaction is prepared, and committed."""

LINE = FLOW.replace("JM->s2, s1->m, s1->sum, s2->sum, m->sum, sum->out", "s1->m, m->out").replace("s2, m, sum,", "m,")
LINE = LINE.replace("transactional", "plain")
LINE = "\n".join(line for line in LINE.splitlines() if not line.strip().startswith(("s2:", "sum:")))
"""The same for an algorithm without stateful operators and transactions: in one line."""

FREE = FLOW.replace("[JM, s1", "[s1").replace("JM->s1, JM->s2, ", "").replace("        JM: {coordinator: true}\n", "")
"""The same for algorithms without a coordinator."""

BACK = """
    topology: {ring: 3}
    program: {kind: bank, everyone: 9, amounts: [1, 2]}
    recovery: true
"""
"""A bank that recovers as a whole, or process by process."""


def wilds(algorithm: str) -> list[str]:
    """Return where an algorithm is tried: where it can run, and where it recovers."""
    rules = ALGORITHMS[algorithm]
    if rules.GRAPH == "rooted":
        return [LINE if algorithm == "continuous" else FLOW]
    if not rules.SNAPSHOTS:
        return [FREE]
    return [CLOSED if rules.GRAPH == "complete" else WILD, *([BACK] if rules.RECOVERY != "none" else [])]


def wandering(system: System, seed: int, steps: int) -> tuple[tuple[int, int], ...]:
    """Return arbitrary choices, including faults; processes leave only in the second half."""
    draw, world = Random(seed), system.begin()
    chosen = []
    for number in range(steps):
        possible = enabled(system, world)
        if not possible:
            break
        ordinary = sum(1 for _, reason in options(system, world) if reason is None)
        index = draw.randrange(ordinary) if ordinary and draw.random() < 0.7 else draw.randrange(len(possible))
        if isinstance(possible[index], Crash | Leave) and not system.recovers and number < steps // 2:
            index = 0
        chosen.append((number, index))
        world, _ = step(system, world, possible[index])
    return tuple(chosen)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_browser_offers_what_the_kernel_offers_after_any_faults(page: Page, algorithm: str) -> None:
    scripts = modules(page)
    rules = ALGORITHMS[algorithm]
    happened: set[str] = set()
    for text_ in wilds(algorithm):
        wild = scenario(text_)
        for discipline in DISCIPLINES if text_ in (WILD, CLOSED) else ("any" if text_ == FREE else "fifo",):
            for seed in range(6):
                key = RunKey(algorithm=algorithm, discipline=discipline, manual=True)
                system = record(wild, key).system
                run = record(wild, replace(key, choices=wandering(system, seed, 40)))
                happened |= {type(done.action).__name__ for done in run.steps}
                for number, (seen, possible) in enumerate(zip(offered(page, scripts, run), told(run), strict=True)):
                    assert seen == possible, (discipline, seed, number)
    if rules.RECOVERY != "none":
        back = {"rollback": {"Restore"}, "local": {"Restart"}, "retry": {"Restore", "Restart"}}[rules.RECOVERY]
        assert happened >= {"Crash"} | back
    if abandons(rules):
        assert "Abandon" in happened
    if algorithm == "chandy-lamport":
        assert happened >= {"Drop", "Duplicate", "Overtake", "Cut", "Mend", "Crash", "Join", "Leave"}
