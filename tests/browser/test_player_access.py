"""The player's accessibility: axe finds nothing, in any state of the page."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.axe import axe, violations
from tests.browser.conftest import PHONE, Open, described

FACES: dict[str, tuple[str, dict[str, Any]]] = {
    "beginning": ("/run/blue-figure", {}),
    "recording": ("/run/blue-figure?step=4", {}),
    "complete": ("/run/blue-figure?step=8", {}),
    "chinese": ("/run/blue-figure?step=4&lang=zh", {"locale": "zh-CN"}),
    "dark": ("/run/ring-five?step=20", {"color_scheme": "dark"}),
    "violated": ("/run/late-marker?step=99", {}),
    "crowded": ("/run/random-twelve?step=120", {}),
    "presenter": ("/run/blue-figure?step=4&presenter=1", {}),
    "phone": ("/run/blue-figure?step=4", {"viewport": PHONE}),
    "embedded": ("/embed/blue-figure?step=4", {}),
}


@pytest.mark.slow
@pytest.mark.parametrize("face", FACES)
def test_axe_finds_no_violation(visit: Open, face: str) -> None:
    path, how = FACES[face]
    page = visit(path, **how)
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    assert violations(page, 15) == []


def test_axe_finds_no_violation_in_menu_and_dialogs(visit: Open) -> None:
    page = visit("/run/blue-figure?step=2")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    for opener, opened in (("#help", "dialog[open]"), ("#share", "dialog[open]"), ("[data-process=P1]", ".menu")):
        page.locator(opener).click()
        expect(page.locator(opened)).to_be_visible()
        assert [each["id"] for each in axe(page, opened).violations] == []
        page.keyboard.press("Escape")


@pytest.mark.slow
def test_every_control_is_reached_by_the_tab_key_and_shows_it(visit: Open) -> None:
    page = visit("/run/blue-figure?step=3")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    page.wait_for_timeout(300)
    wanted = {
        "first",
        "back",
        "play",
        "forward",
        "last",
        "timeline",
        "kind-record",
        "speed",
        "presenter",
        "help",
        "share",
    }
    wanted |= {"P1", "P2", "message on P1->P2", "message on P2->P1"}
    reached = set()
    for _ in range(110):
        page.keyboard.press("Tab")
        name, outlined = page.evaluate(
            """() => {
              const e = document.activeElement;
              const style = getComputedStyle(e);
              const drawn = e.closest('svg') !== null;
              const message = e.dataset.on && `message on ${e.dataset.on}`;
              return [e.id || e.dataset.process || message, drawn || parseFloat(style.outlineWidth) >= 2];
            }"""
        )
        assert outlined, name
        reached.add(name)
    assert wanted <= reached


DESCRIBES = """() => {
  const picture = document.querySelector('.stage-picture');
  const timeline = document.getElementById('timeline');
  const { left, width, top } = timeline.getBoundingClientRect();
  timeline.setPointerCapture = () => {};
  const press = (part) => timeline.dispatchEvent(new PointerEvent(
    'pointerdown', { bubbles: true, clientX: left + part * width, clientY: top + 9, pointerId: 1 }));
  const waits = () => picture.getAttribute('aria-busy');
  const label = () => picture.querySelector('.node').getAttribute('aria-label');
  press(0.9);
  const before = label();
  press(0.6);
  const jumped = [waits(), label() === before];
  picture.querySelector('.node .box').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  return [...jumped, waits(), label() === before];
}"""


@pytest.mark.slow
def test_what_nobody_sees_is_written_when_somebody_points_into_the_picture_and_not_for_a_jump(visit: Open) -> None:
    page = described(visit("/run/three-banks?step=0"))
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    assert page.evaluate(DESCRIBES) == ["true", True, None, False]


UNNAMED = """() => [...document.querySelectorAll('button[aria-label], a[href][aria-label]')]
  .filter((e) => e instanceof HTMLElement && e.checkVisibility() && e.innerText.trim().length > 1)
  .map((e) => [e.getAttribute('aria-label'), e.textContent.replace(/\\s+/g, ' ').trim()])
  .filter(([name, text]) => !name.toLowerCase().includes(text.toLowerCase()))"""


@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_name_of_a_control_contains_the_words_that_are_seen_on_it(visit: Open, language: str) -> None:
    page = visit(f"/run/two-labels?step=9&lang={language}")
    expect(page.locator("#tray .chip")).to_have_count(2)
    assert page.evaluate(UNNAMED) == []
