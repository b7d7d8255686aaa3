"""The browser says of every step that the same can happen next as the kernel does, in the same order."""

import json
import re

import pytest

from app.core.enabled import faults, options
from app.core.system import DISCIPLINES
from app.simulator.key import RunKey
from app.simulator.library import LIBRARY
from app.simulator.run import Run, record
from app.view.frames import frames, scene, text
from tests.browser.conftest import Open

OPTIONS = """
async ([scripts, scene, frames]) => {
  const { begin, fold } = await import(`${scripts}/run/scene.js`);
  const { faults, options } = await import(`${scripts}/run/options.js`);
  const scenes = [begin(scene)];
  for (const frame of frames) scenes.push(fold(scenes.at(-1), frame));
  return scenes.map((at) => [...options(at), ...faults(at)].map(({ action, reason }) => [action, reason]));
}
"""
KEYS = [
    *(RunKey(discipline=discipline) for discipline in DISCIPLINES),
    *(RunKey(algorithm=algorithm) for algorithm in ("late-marker", "photographs", "unlabelled")),
]


def told(run: Run) -> list[list[list[str | None]]]:
    """What the kernel offers before the first step and after each: what can happen, and what can go wrong."""
    show = run.system.program.show
    worlds = [run.world(number) for number in range(len(run.steps) + 1)]
    return [
        [[text(action, show), reason] for action, reason in options(run.system, world)]
        + [[text(fault, show), None] for fault in faults(run.system, world)]
        for world in worlds
    ]


@pytest.mark.parametrize("name", LIBRARY.names())
def test_the_browser_offers_what_the_kernel_offers(visit: Open, name: str) -> None:
    page = visit("/run/blue-figure")
    script = page.locator('script[type="module"]').first.get_attribute("src") or ""
    scripts = re.sub(r"/[^/]+$", "", script)
    for key in KEYS:
        run = record(LIBRARY.scenario(name), key, most=60)
        wire = json.loads(json.dumps([scene(run), list(frames(run))]))
        assert page.evaluate(OPTIONS, [scripts, *wire]) == told(run), key
