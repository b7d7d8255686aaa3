"""Who has chosen larger letters in the browser gets them, and a page that still fits."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Open

SIZES = """() => [...document.querySelectorAll("body, body *")]
  .filter((each) => !each.closest("svg, iframe, [hidden]") && each.checkVisibility())
  .map((each) => parseFloat(getComputedStyle(each).fontSize))"""
"""The size of the letters of each element that is not part of a drawing."""
LARGER = "document.documentElement.style.fontSize = '125%'"


@pytest.mark.parametrize(
    "path", ["/", "/search?q=marker", "/history", "/run/blue-figure?step=4", "/challenge/late-marker"]
)
def test_all_letters_follow_the_size_that_the_browser_has(visit: Open, path: str) -> None:
    page = visit(path, viewport=PHONE)
    if page.locator("#lamp").count():
        expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == 15
    # In one go: what is written meanwhile would be in one of the lists only.
    usual, larger = page.evaluate(
        f"() => {{ const sizes = {SIZES}; const usual = sizes(); {LARGER}; return [usual, sizes()]; }}"
    )
    assert [round(size / 1.25, 2) for size in larger] == [round(size, 2) for size in usual]
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
