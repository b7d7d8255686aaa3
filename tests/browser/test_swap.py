"""The game of Theorem 1 in the browser: buttons, the keyboard, dragging; and the sheet's button."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import WIDE, Open

pytestmark = pytest.mark.slow


def events(page: Page) -> list[str]:
    """Return the events in their present order."""
    return page.locator(".swap-event").all_text_contents()


def test_the_game_can_be_played_with_buttons_keys_and_by_dragging(visit: Open) -> None:
    page = visit("/swap/slow-marker?lang=en", viewport={"width": 1280, "height": 1400})
    first = events(page)
    assert first[3] == "Q sends 2 on Q→P"
    page.click("#swap-3")
    expect(page.locator(".swap-event").nth(2)).to_have_text("Q sends 2 on Q→P")
    assert page.url.endswith("swaps=3") or "swaps=3&" in page.url
    expect(page.locator("#switch")).to_have_attribute("href", re.compile("swaps=3"))
    page.locator(".swap-card").nth(2).focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".swap-event").nth(1)).to_have_text("Q sends 2 on Q→P")
    expect(page.locator(".swap-card").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")  # the events of Q keep their order
    expect(page.locator("#swap-live")).to_have_text(
        "This swap is not possible. Both are events of Q, and a process’s events keep their order."
    )
    cards = page.locator(".swap-card")
    card, above = cards.nth(5).bounding_box(), cards.nth(2).bounding_box()
    assert card and above and events(page)[5] == "Q sends 3 on Q→P"
    page.mouse.move(card["x"] + 150, card["y"] + 20)
    page.mouse.down()
    page.mouse.move(card["x"] + 150, above["y"] + 20, steps=6)
    page.mouse.up()
    expect(page.locator(".swap-won")).to_contain_text("5 swaps: the fewest possible.")
    assert events(page)[:3] == ["Q sends 1 on Q→P", "Q sends 2 on Q→P", "Q sends 3 on Q→P"]
    expect(page.locator(".swap-list .blue")).to_contain_text("This is the recorded state.")
    won = page.url
    page.go_back()
    expect(page.locator(".swap-won")).to_have_count(0)
    page.go_forward()
    expect(page.locator(".swap-won")).to_be_visible()
    assert page.url == won
    page.click("#swap-reset")
    expect(page.locator("#swap-undo")).to_have_count(0)
    assert events(page) == first


def test_the_sheet_is_printed_on_one_page_by_its_button(visit: Open) -> None:
    page = visit("/blank/three-banks?lang=en", viewport=WIDE)
    page.evaluate("window.print = () => document.body.setAttribute('data-printed', 'yes')")
    page.click("#blank-print")
    expect(page.locator("body")).to_have_attribute("data-printed", "yes")
    for solution in ("", "&solution=1"):
        page.goto(f"/blank/three-banks?lang=en{solution}")
        for size in ("A4", "Letter"):
            pages = page.pdf(format=size, landscape=True).count(b"/Type /Page\n")
            assert pages == 1, (size, solution)


def test_the_tabs_lead_from_a_run_to_its_cut_and_keep_the_step(visit: Open) -> None:
    page = visit("/run/which-cut?step=8&lang=en", viewport=WIDE)
    page.keyboard.press("ArrowRight")
    page.locator("#run-tabs").get_by_role("link", name="Cut").click()
    expect(page).to_have_url(re.compile(r"/cuts/which-cut\?.*step=9"))
    expect(page.locator("#cuts-told")).to_contain_text("This cut is consistent")
    page.locator("#run-tabs").get_by_role("link", name="Run").click()
    expect(page).to_have_url(re.compile(r"/run/which-cut\?.*step=9"))
