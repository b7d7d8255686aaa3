"""The state diagram in a real browser: by mouse and keys, on a phone, and without scripts."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import axe
from tests.browser.conftest import PHONE, WIDE, Open


def test_a_state_opens_the_run_there_and_a_step_moves_the_ring(visit: Open) -> None:
    page = visit("/diagram/token-back?lang=en", viewport=WIDE)
    expect(page.locator(".state.now")).to_have_attribute("data-state", "1")
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".state.now")).to_have_attribute("data-state", "2")
    assert axe(page).violations == []
    star = page.locator(".state.recorded")
    expect(star).to_have_attribute("aria-label", re.compile("^State 4: .* Recorded by snapshot 1"))
    star.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/run/token-back\?step=4"))


@pytest.mark.slow
def test_it_fits_a_phone_and_needs_no_scripts(visit: Open) -> None:
    page = visit("/diagram/state-that-never-was?lang=zh", viewport=PHONE, java_script_enabled=False)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator(".state")).to_have_count(8)
