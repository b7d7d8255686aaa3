"""The chart of snapshots over time in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import axe
from tests.browser.conftest import PHONE, WIDE, Open

pytestmark = pytest.mark.slow


def test_a_point_opens_the_run_where_its_snapshot_is_complete(visit: Open) -> None:
    page = visit("/monitor/meter-readings?lang=en", viewport=WIDE)
    points = page.locator(".figure-drawing a.mark")
    expect(points).to_have_count(5)
    assert axe(page).violations == []
    page.locator("#of").select_option("A")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile("of=A"))
    expect(points).to_have_count(5)
    points.first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/run/meter-readings\?step=21"))


def test_on_a_phone_and_without_scripts_the_numbers_are_in_a_table(visit: Open) -> None:
    page = visit("/monitor/meter-readings?lang=zh", viewport=PHONE, java_script_enabled=False)
    expect(page.locator(".figure-numbers tbody tr")).to_have_count(5)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
