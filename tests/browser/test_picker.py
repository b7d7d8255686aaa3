"""Choosing what counts as state, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import axe
from tests.browser.conftest import PHONE, WIDE, Open

pytestmark = pytest.mark.slow


def test_the_choice_is_part_of_the_address(visit: Open) -> None:
    page = visit("/picker/what-is-state?lang=en", viewport=WIDE)
    page.get_by_label("goods").uncheck()
    page.get_by_role("button", name="Record only these").click()
    expect(page).to_have_url(re.compile(r"keep=cash&keep=views"))
    expect(page.locator("#verdict")).to_contain_text("2 variables come back with another value")
    assert axe(page).violations == []


def test_it_fits_a_phone_and_needs_no_scripts(visit: Open) -> None:
    page = visit("/picker/blue-figure?lang=zh&keep=X1", viewport=PHONE, java_script_enabled=False)
    expect(page.locator("input[type=checkbox]")).to_have_count(6)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
