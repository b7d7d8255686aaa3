"""The stage in a real browser: whatever it shows, nothing covers anything else."""

from itertools import cycle

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from app.run.run import record
from app.scenario.library import LIBRARY
from tests.browser.conftest import PATIENCE, PHONE, Open

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
TOLERANCE = 2
"""Pixels by which two boxes may overlap: half a stroke each."""
SCENARIOS = [scenario.name for scenario in LIBRARY.scenarios()]

OVERLAPS = """(tolerance) => {
  const shown = (e) => getComputedStyle(e).visibility !== 'hidden' && e.getAttribute('opacity') !== '0';
  const kinds = {
    node: '.node > .box', card: '.card > .sheet', corner: '.corner rect, .sign rect',
    message: '.message:not(.ghost) > g > .body, .message > g > .sheet', more: '.more .body',
    badge: '.print .chip rect, .print .fault rect',
    caption: '.caption-line > text, .caption-line .copy rect, .caption-line .fault rect',
  };
  const found = [];
  for (const [kind, selector] of Object.entries(kinds)) {
    for (const e of document.querySelectorAll(selector.split(', ').map((one) => `.stage-picture ${one}`).join(', '))) {
      if (!shown(e)) continue;
      const box = e.getBoundingClientRect();
      if (!box.width) continue;
      const owner = e.closest('[data-process], [data-on]');
      const what = owner?.dataset.process ?? owner?.dataset.message ?? '';
      const sides = [box.left, box.top, box.right, box.bottom];
      found.push({ kind, what, sides, text: e.parentNode.textContent.slice(0, 20) });
    }
  }
  const clashes = [];
  const dense = document.querySelector('#stage [data-look="grid"], #stage[data-look="grid"]');
  const small = new Set(['message', 'more']);
  found.forEach((a, i) => {
    for (const b of found.slice(i + 1)) {
      // A corner, or a word on what the process does, sits on its edge on purpose.
      if ([a.kind, b.kind].sort().join() === 'corner,node') continue;
      // Among so many channels small messages, and their numbers, may cross each other; they never cover a process.
      if (dense && small.has(a.kind) && small.has(b.kind)) continue;
      const across = Math.min(a.sides[2], b.sides[2]) - Math.max(a.sides[0], b.sides[0]);
      const down = Math.min(a.sides[3], b.sides[3]) - Math.max(a.sides[1], b.sides[1]);
      if (across <= tolerance || down <= tolerance) continue;
      const both = [a, b].map(({ kind, what, text }) => `${kind} ${what} '${text}'`).join(' and ');
      clashes.push(`${both}: ${across.toFixed(1)} by ${down.toFixed(1)}`);
    }
  });
  const host = document.querySelector('#stage').getBoundingClientRect();
  for (const { kind, what, text, sides } of found) {
    const out = Math.max(host.left - sides[0], host.top - sides[1], sides[2] - host.right, sides[3] - host.bottom);
    if (out > tolerance) clashes.push(`${kind} ${what} '${text}' is ${out.toFixed(1)} outside`);
  }
  return clashes;
}"""


def whole(page: Page) -> Page:
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done", timeout=30_000)
    return page


def clashes(page: Page, steps: list[int]) -> dict[int, list[str]]:
    """Return the overlaps by step; the page visits each of them."""
    seen: list[list[str]] = page.evaluate(WALK.replace("OVERLAPS", OVERLAPS), [steps, TOLERANCE, PATIENCE])
    return {step: there for step, there in zip(steps, seen, strict=True) if there}


WALK = """async ([steps, tolerance, patience]) => {
  const overlaps = OVERLAPS;
  const timeline = document.getElementById('timeline');
  timeline.setPointerCapture = () => {};
  const key = (name) => timeline.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
  const now = () => Number(timeline.getAttribute('aria-valuenow'));
  const drawn = () => new Promise((done) => requestAnimationFrame(done));
  const seen = [];
  for (const step of steps) {
    if (step === 0) key('Home');
    for (let left = 400; now() < step && left; left -= 1) key('ArrowUp');
    for (let left = 400; now() > step && left; left -= 1) key('ArrowDown');
    for (const begun = performance.now(); now() !== step; await drawn()) {
      if (performance.now() - begun > patience) throw new Error(`at step ${now()} instead of ${step}`);
    }
    await drawn();
    await drawn();
    seen.push(overlaps(tolerance));
  }
  return seen;
}"""
"""Visits one step after another within the page, without a round trip for each."""


SIZES = {"laptop": LAPTOP, "phone": PHONE}
SIZED = [
    pytest.param(name, size, marks=[pytest.mark.slow] if place % 83 else [])
    for place, (name, size) in enumerate(zip(SCENARIOS, cycle(SIZES), strict=False))
]
"""Every scenario at one of the sizes; by day two of them, one at each size."""


@pytest.mark.parametrize(("name", "size"), SIZED)
def test_no_label_message_or_process_covers_another(name: str, size: str, visit: Open) -> None:
    """Each scenario at one of the sizes, in turn."""
    steps = len(record(LIBRARY.scenario(name)).steps)
    some = range(steps + 1) if steps <= 16 else [*range(3, steps, steps // 12), steps]
    page = whole(visit(f"/run/{name}", viewport=SIZES[size], reduced_motion="reduce"))
    assert clashes(page, list(some)) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "written"),
    [
        ("/run/crash-both-ways?step=30", {"324"}),
        ("/run/marker-by-marker?step=12", {"b✓ d· f·", "a✓ e✓ g·", "c✓ h·"}),
        ("/run/crash-both-ways/step/30", {"324"}),
        ("/run/marker-by-marker/step/12", {"b✓ d· f·"}),
        ("/lessons/barriers/by-hand", {"100", "200"}),
    ],
)
def test_a_number_is_whole_and_a_copy_says_all_that_was_recorded(address: str, written: set[str], visit: Open) -> None:
    page = visit(address, viewport=LAPTOP)
    for said in written:
        expect(page.locator("svg text").filter(visible=True).get_by_text(said, exact=True).first).to_be_visible()


@pytest.mark.slow
def test_on_a_phone_a_state_that_is_a_sentence_has_two_lines(visit: Open) -> None:
    page = whole(visit("/run/phantom-deadlock?step=1&lang=en", viewport=PHONE))
    expect(page.locator("#stage [data-process=P] .value")).to_have_text(["waits", "for r"])
    expect(page.locator("#stage [data-recorded=P] text").last).to_have_text("waits for r")
