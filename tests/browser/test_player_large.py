"""Large runs: two hundred processes, thousands of steps."""

import json

import pytest
from playwright.sync_api import Page, expect

from app.web.base.store import Store
from app.web.shared import own_scenario
from tests.browser.conftest import Open
from tests.until import PATIENCE

pytestmark = pytest.mark.slow

ENOUGH = 1_000 * PATIENCE
"""How long what is large may take, in milliseconds: seconds of processor time, of which a busy machine has little."""

CROWD = {
    "title": {"en": "Two hundred", "zh": "两百个"},
    "topology": {"random": {"processes": 200, "degree": 3, "seed": 3}},
    "program": {"kind": "bank", "everyone": 100, "amounts": [1, 5]},
    "schedule": {"kind": "seeded", "seed": 4, "moves": 600},
    "initiators": [{"process": "P1", "at": 20}],
    "steps": 4_000,
}
LONG = {
    "title": {"en": "Ten thousand steps", "zh": "一万步"},
    "topology": {"random": {"processes": 12, "degree": 2, "seed": 3}},
    "program": {"kind": "bank", "everyone": 100, "amounts": [1, 5]},
    "schedule": {"kind": "seeded", "seed": 4, "moves": 5_000},
    "initiators": [{"process": "P1", "at": 500}],
    "steps": 20_000,
}

SEEKS = """async () => {
  const timeline = document.getElementById('timeline');
  const box = timeline.getBoundingClientRect();
  const changes = new MutationObserver(() => {});
  const counts = [];
  timeline.setPointerCapture = () => {};
  changes.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  for (let i = 0; i < 60; i += 1) {
    const part = ((i * 7919) % 1000) / 1000;
    const clientX = box.left + 16 + part * (box.width - 32);
    const where = { bubbles: true, clientX, clientY: box.top + 26, pointerId: 1 };
    changes.takeRecords();
    timeline.dispatchEvent(new PointerEvent('pointerdown', where));
    counts.push(changes.takeRecords().length);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  }
  return counts.sort((a, b) => a - b)[30];
}"""


def opened(visit: Open, tmp_path_factory: pytest.TempPathFactory, values: object) -> Page:
    ref = own_scenario.keep(json.loads(json.dumps(values)), Store(tmp_path_factory.mktemp("own")))
    page = visit(f"/run/{ref}")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done", timeout=ENOUGH)
    return page


DIMMED = """async () => {
  const playing = '.stage-picture[data-focus]';
  const begun = new Promise((found, late) => {
    new MutationObserver(() => document.querySelector(playing) && found()).observe(
      document.getElementById('stage'), { subtree: true, attributeFilter: ['data-focus'] });
    setTimeout(() => late(new Error('no step plays')), 60_000);
  });
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  await begun;
  const picture = document.querySelector(playing);
  const aside = picture.querySelectorAll('[data-process]:not([data-about])');
  return [picture.querySelectorAll('[data-about]').length, aside.length, getComputedStyle(aside[0]).opacity];
}"""
"""Looks at once when a step begins to play: on a busy machine it may be over a few frames later."""


def test_two_hundred_processes_are_all_there_and_none_covers_another(
    visit: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = opened(visit, tmp_path_factory, CROWD)
    page.keyboard.press("n")
    expect(page.locator(".node .box")).to_have_count(200, timeout=ENOUGH)
    boxes = page.locator(".node .box").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).map(b => [b.left, b.top, b.right, b.bottom])"
    )
    for i, (left, top, right, bottom) in enumerate(boxes):
        for other_left, other_top, other_right, other_bottom in boxes[i + 1 :]:
            apart = right <= other_left or other_right <= left or bottom <= other_top or other_bottom <= top
            assert apart
    about, all_, faint = page.evaluate(DIMMED)
    assert 0 < about < 40 < all_ and faint == "0.35"
    page.keyboard.press("End")
    expect(page.locator("#stage-section")).to_have_class("stage complete")
    expect(page.locator("#checks .holds")).to_have_count(6)


def test_a_seek_in_ten_thousand_steps_changes_no_more_of_the_page_than_in_few(
    visit: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Compare 247 steps of twelve processes with 10,000: how many changes of the page each redraw makes."""
    long = opened(visit, tmp_path_factory, LONG)
    assert int(long.locator("#timeline").get_attribute("aria-valuemax") or 0) > 10_000
    many = long.evaluate(SEEKS)
    few = visit("/run/random-twelve")
    expect(few.locator("#lamp")).to_have_attribute("data-state", "done")
    some = few.evaluate(SEEKS)
    assert some > 0 and many < 2 * some, f"{many} changes against {some}"


def test_the_log_of_a_long_run_has_few_lines_on_the_page(visit: Open, tmp_path_factory: pytest.TempPathFactory) -> None:
    page = opened(visit, tmp_path_factory, LONG)
    page.keyboard.press("End")
    expect(page.locator("#log .now")).to_be_attached()
    assert page.locator("#log li").count() < 60
