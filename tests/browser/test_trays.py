"""Channels in a real browser: the tube stays live, the tray beside it takes the copies, and a message stands where the
space-time diagram says it is."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.until import until

BLUE, QUEUE = "/run/blue-figure", "/run/queue"

STANDING = """() => {
  const numbers = (text) => text.match(/-?[\\d.]+/g).map(Number);
  const found = {};
  for (const pill of document.querySelectorAll('#stage .message:not(.ghost, .part, .word)')) {
    const name = pill.dataset.on;
    const edge = document.querySelector(`#stage [data-channel="${name}"] .edge`);
    const { x, width } = edge.getBBox();
    const [at] = numbers(pill.getAttribute('transform'));
    const [a] = numbers(edge.getAttribute('d'));
    found[pill.dataset.message] = Math.abs(at - a) / width;
  }
  return found;
}"""
"""How far along its channel each message stands, if channels are nearly level."""

DRAWN = """() => {
  const found = {};
  for (const flight of document.querySelectorAll('#spacetime .st-flight:has(.st-body)')) {
    const [done, rest] = ['.st-body', '.st-rest'].map((part) => flight.querySelector(part).getAttribute('d'));
    const ys = (d) => [...d.matchAll(/[ML]-?[\\d.]+ (-?[\\d.]+)/g)].map((each) => Number(each[1]));
    const [from, now] = [ys(done)[0], ys(done).at(-1)];
    if (rest) found[flight.dataset.message] = (now - from) / (ys(rest).at(-1) - from);
  }
  return found;
}"""
"""How far along its line each message of the diagram is drawn that will arrive."""


def at(page: Page, step: int) -> None:
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")  # how far a message is, the whole run says
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(step))


def test_a_closed_channel_stays_live_and_its_tray_is_sealed(visit: Open) -> None:
    page = visit("/run/token-first?step=3", reduced_motion="reduce")
    at(page, 3)
    tube = page.locator('#stage [data-channel="p->q"]')
    expect(tube).to_have_class(re.compile(r"\bclosed\b"))
    colours = "e => getComputedStyle(e).stroke"
    assert tube.locator(".core").evaluate(colours) == page.evaluate(
        "getComputedStyle(document.querySelector('.tube:not(.closed) .core')).stroke"
    )
    sealed = page.locator("#stage .prints .tray").first
    expect(sealed).to_have_css("visibility", "visible")
    blue = page.evaluate("getComputedStyle(document.querySelector('.card .sheet')).fill")
    assert sealed.locator(".solid").evaluate("e => getComputedStyle(e).fill") == blue
    expect(page.locator("#stage .message.app[data-on='p->q']")).to_have_count(1)


@pytest.mark.slow
@pytest.mark.parametrize("step", [7, 9])
def test_messages_stand_in_their_channel_where_the_diagram_draws_them(step: int, visit: Open) -> None:
    page = visit(f"{QUEUE}?step={step}", viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    at(page, step)
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    found: tuple[dict[str, float], dict[str, float]] = {}, {}

    def agree() -> bool:
        nonlocal found
        found = page.evaluate(STANDING), page.evaluate(DRAWN)
        shared = found[0].keys() & found[1].keys()
        return len(shared) >= 3 and all(abs(found[0][message] - found[1][message]) < 0.12 for message in shared)

    until(agree)
    standing = found[0]
    both = standing.keys() & found[1].keys()
    order = sorted(both, key=int)
    assert [*sorted(order, key=lambda message: -standing[message])] == order, "none has passed another"


def test_every_step_moves_every_message_on(visit: Open) -> None:
    page = visit(f"{QUEUE}?step=7", reduced_motion="reduce")
    at(page, 7)
    before = page.evaluate(STANDING)
    page.keyboard.press("ArrowRight")
    at(page, 8)

    def moved() -> bool:
        after = page.evaluate(STANDING)
        return before.keys() <= after.keys() and all(after[message] > before[message] for message in before)

    until(moved)
    page.keyboard.press("ArrowLeft")
    at(page, 7)
    until(lambda: page.evaluate(STANDING) == before)


@pytest.mark.slow
def test_a_process_wears_its_colour_where_the_algorithm_knows_colours(visit: Open) -> None:
    page = visit("/run/lai-yang?step=3", reduced_motion="reduce")
    at(page, 3)
    expect(page.locator("#stage [data-process=P] .colour")).to_have_text("red")
    expect(page.locator("#stage [data-process=Q] .colour")).to_have_text("white")
    still = page.request.get("/run/lai-yang/step/3").text()
    assert still.count('data-colour="red"') == still.count('data-colour="white"') == 2  # for a screen and for a phone
    page.goto("/run/blue-figure")
    expect(page.locator("#stage .node .box")).to_have_count(2)
    expect(page.locator("#stage .colour")).to_have_count(0)


@pytest.mark.slow
def test_in_a_large_graph_all_but_the_neighbours_of_a_process_step_back(visit: Open) -> None:
    page = visit("/run/random-twelve?step=60", reduced_motion="reduce")
    at(page, 60)
    far = page.locator("#stage [data-far]")
    expect(far).to_have_count(0)
    page.locator("#stage [data-process=P9]").focus()
    expect(page.locator("#stage .node[data-far]").first).to_be_attached()
    expect(page.locator("#stage .node[data-process=P9]:not([data-far])")).to_be_attached()
    expect(page.locator('#stage .tube[data-channel="P9->P10"]:not([data-far])')).to_be_attached()
    page.locator("#timeline").focus()
    expect(far).to_have_count(0)
