"""The table from Chandy–Lamport to barriers on a screen and on a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import axe
from tests.browser.conftest import PHONE, WIDE, Open

pytestmark = pytest.mark.slow


def test_the_table_is_read_by_rule_and_on_a_phone_each_cell_names_its_algorithm(visit: Open) -> None:
    page = visit("/algorithms/aligned?lang=en#from-markers", viewport=WIDE)
    expect(page.locator(".succession-table tbody tr")).to_have_count(8)
    expect(page.locator(".succession-table .of").first).to_be_hidden()
    assert axe(page).violations == []
    page.set_viewport_size(PHONE)
    expect(page.locator(".succession-table .of").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
