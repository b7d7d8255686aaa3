"""The lattice of global states and the page of stable properties in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe, fits
from tests.browser.conftest import PHONE, Open

pytestmark = pytest.mark.slow


def chosen(page: Page) -> str:
    """Return the state that the picture and the heading agree on."""
    dot = page.locator(".lattice .dot.chosen")
    expect(dot).to_have_count(1)
    name = dot.get_attribute("data-state") or ""
    expect(page.locator("#here-title")).to_have_text(f"State {name}")
    return name


def test_states_are_gone_through_by_mouse_and_keys_and_the_address_follows(visit: Open) -> None:
    page = visit("/states/state-that-never-was?lang=en", viewport={"width": 1280, "height": 800})
    assert chosen(page) == "0,1"
    page.locator('.lattice .dot[data-state="1,1"]').click()
    expect(page).to_have_url(re.compile(r"at=1,1"))
    assert chosen(page) == "1,1"
    expect(page.locator("#verdict")).to_have_text("The run was in it after step 3.")
    expect(page.locator("#state-desc")).to_have_text("p in “B”, q in “D”, on p→q: m, on q→p: m'")
    expect(page.locator(".lattice .dot.chosen")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#here-title")).not_to_have_text("State 1,1")
    assert chosen(page) in ("1,2", "2,1")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#here-title")).to_have_text("State 2,2")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#here-title")).to_have_text("State 1,2")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#here-title")).to_have_text("State 2,1")
    expect(page.locator("#switch")).to_have_attribute("href", re.compile(r"at=2%2C1|at=2,1"))
    assert page.locator('.lattice .dot[tabindex="0"]').count() == 1
    page.go_back()
    page.go_back()
    expect(page.locator("#here-title")).to_have_text("State 2,2")
    page.locator(".states-next a", has_text="receives").first.click()
    expect(page.locator("#said")).to_contain_text("State")
    assert axe(page).violations == []
    page.locator('.states-snapshot a[data-state="0,1"]').click()
    expect(page.locator("#here-title")).to_have_text("State 0,1")
    page.get_by_role("link", name="Open a run through this state").click()
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    expect(page).to_have_url(re.compile(r"step=1"))


def test_a_sample_fits_a_phone_and_every_state_is_a_link_without_scripts(visit: Open) -> None:
    page = visit("/states/random-twelve?lang=en", viewport=PHONE, java_script_enabled=False)
    assert fits(page)
    expect(page.locator("#sample")).to_be_visible()
    page.locator(".states-next a").first.click()
    expect(page.locator("#here-title")).to_contain_text("State ")
    expect(page).to_have_url(re.compile(r"/states/random-twelve\?at="))


def test_a_question_about_two_processes_is_asked_by_a_form(visit: Open) -> None:
    page = visit("/stable/state-that-never-was?lang=en", viewport=PHONE)
    assert fits(page)
    page.get_by_label("Can it be that").select_option(label="p: A")
    page.get_by_label("while").select_option(label="q: D")
    page.get_by_label("and nothing is in flight on").select_option(label="p → q")
    page.get_by_role("button", name="Ask").first.click()
    expect(page.locator("#asked")).to_have_text("p in “A” while q in “D”. Nothing is in flight on p→q.")
    expect(page.locator('[data-answer="really"]')).to_contain_text("At no moment.")
    assert fits(page)
    assert axe(page).violations == []
    page.locator('[data-answer="possibly"] a').first.click()
    expect(page.locator("#here-title")).to_have_text("State 0,1")


def test_the_real_deadlock_is_readable_in_the_dark(visit: Open) -> None:
    page = visit("/stable/real-deadlock?lang=zh", viewport={"width": 1280, "height": 800}, color_scheme="dark")
    assert page.locator(".net .knot.stuck").count() == 7
    assert axe(page).violations == [] and fits(page)
