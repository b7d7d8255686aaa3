"""On a phone nothing is written in letters smaller than 11 px, on any page, in either language.

Two things are exempt. A stage with more than twelve processes is a map: its names are as large as they have room, and a
tap on a process tells everything about it. A thumbnail on a card is an ornament: it is hidden from screen readers and
cannot be clicked by itself.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from app.run.run import record
from app.scenario.library import LIBRARY
from tests.browser.conftest import PATIENCE, PHONE, Open
from tests.browser.test_fits import EVERY
from tests.browser.test_stage import SCENARIOS, WALK, whole

pytestmark = pytest.mark.slow

LEAST = 11

SMALL = """(least) => {
  const exempt = 'script, style, noscript, template, title, desc, defs, option, [inert], .sizer, [data-look="grid"]';
  const clipped = (e) => {
    for (let up = e; up && up !== document.body; up = up.parentElement) {
      if (up.getAttribute('opacity') === '0') return true;
      if (getComputedStyle(up).clipPath !== 'none' && up.getBoundingClientRect().width < 3) return true;
    }
    return false;
  };
  const found = {};
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const said = text.nodeValue.trim();
    const e = text.parentElement;
    if (!said || e.closest(exempt)) continue;
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { width, height } = range.getBoundingClientRect();
    if (width < 1 || height < 1 || clipped(e)) continue;
    const scale = e instanceof SVGElement ? Math.hypot(e.getScreenCTM().c, e.getScreenCTM().d) : 1;
    const px = parseFloat(getComputedStyle(e).fontSize) * scale;
    if (px < least - 0.1) found[said.slice(0, 30)] = Number(px.toFixed(1));
  }
  return found;
}"""
"""What is written too small: {text: its size in px}."""

SAMPLE = (
    *("/lessons/four-fates?q=channel", "/lessons/vanishing-token?q=stop", "/lessons/which-cut?q=orphan"),
    *("/lessons/barriers/by-hand", "/lessons/paying?q=slow", "/run/queue/step/9", "/spark"),
    *("/states/queue", "/blank/queue", "/editor"),
)
PLAYED = ("queue?step=9", "born-after?step=6", "two-labels?step=9", "slow-task?step=16", "domino?step=9")


def small(page: Page) -> dict[str, float]:
    """Return what is written too small on a page."""
    found: dict[str, float] = page.evaluate(SMALL, LEAST)
    return found


def test_letters_can_be_read_on_a_phone(visit: Open) -> None:
    page = visit("/quiz", viewport=PHONE)
    found = {}
    for path in SAMPLE:
        page.goto(path)
        found[path] = small(page)
    for path in PLAYED:
        page = whole(visit(f"/run/{path}", viewport=PHONE))
        expect(page.locator("#stage .node").first).to_be_visible()
        found[path] = small(page)
    assert {path: texts for path, texts in found.items() if texts} == {}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_letters_can_be_read_on_a_phone_on_every_page(visit: Open, language: str) -> None:
    page = visit("/lessons", viewport=PHONE)
    found = {}
    for path in [*EVERY, *lessons(page)]:
        page.goto(f"{path}{'&' if '?' in path else '?'}lang={language}", wait_until="networkidle")
        found[path] = small(page)
    assert {path: texts for path, texts in found.items() if texts} == {}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_letters_can_be_read_on_a_phone_in_every_run(visit: Open, name: str, language: str) -> None:
    steps = len(record(LIBRARY.scenario(name)).steps)
    some = range(steps + 1) if steps <= 12 else [*range(3, steps, steps // 10), steps]
    page = whole(visit(f"/run/{name}?lang={language}", viewport=PHONE, reduced_motion="reduce"))
    expect(page.locator("#stage .node").first).to_be_visible()
    seen = page.evaluate(WALK.replace("OVERLAPS", SMALL), [[*some], LEAST, PATIENCE])
    assert {step: texts for step, texts in zip(some, seen, strict=True) if texts} == {}


def lessons(page: Page) -> Iterator[str]:
    """Yield the addresses of all pages of all lessons."""
    for lesson in dict.fromkeys(re.findall(r'href="(/lessons/[a-z-]+)', page.content())):
        page.goto(lesson)
        yield from page.locator(".lesson-pages a").evaluate_all("each => each.map((e) => e.getAttribute('href'))")
