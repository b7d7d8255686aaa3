"""Checkpoint files in the browser: they follow the cursor, on a wide page, on a phone, and without scripts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, WIDE, Open

SAYS = """(said) => {
  const files = document.getElementById("files");
  files.scrollIntoView();
  return files.textContent.includes(said);
}"""


def seen(page: Page, said: str) -> None:
    """Scroll to the files until they say something: what changes above them may push them out of view, unasked for."""
    page.wait_for_function(SAYS, arg=said)


def test_the_files_follow_the_cursor(visit: Open) -> None:
    page = visit("/run/few-keys-change?step=39&lang=en", viewport=WIDE)
    page.locator("#files").scroll_into_view_if_needed()
    full, increments = page.locator(".files-way").first, page.locator(".files-way").last
    expect(increments.locator(".file.delta")).to_have_count(2)
    expect(full.locator(".file.base")).to_have_count(2)
    expect(full.locator(".file.deleted")).to_have_count(4)
    page.keyboard.press("Home")
    seen(page, "No checkpoint has been written yet.")
    page.keyboard.press("End")
    seen(page, "Keys: 12.")
    expect(full.locator(".files-total")).to_contain_text("Keys: 12.")
    expect(increments.locator(".files-total")).to_contain_text("Keys: 6.")


@pytest.mark.slow
def test_what_there_is_now_is_blue_and_what_is_gone_is_not(visit: Open) -> None:
    page = visit("/run/few-keys-change/step/39?lang=en", viewport=WIDE, java_script_enabled=False)
    ground = "e => getComputedStyle(e).backgroundColor"
    assert page.locator(".file.base").first.evaluate(ground) == "rgb(0, 114, 178)"
    assert page.locator(".file.deleted").first.evaluate(ground) == "rgba(0, 0, 0, 0)"


@pytest.mark.slow
def test_on_a_phone_the_files_are_a_tab_that_fits_and_the_newest_are_in_view(visit: Open) -> None:
    page = visit("/run/old-file-needed?step=41&lang=en", viewport=PHONE)
    page.click("#tab-files")
    newest = page.locator(".files-way").first.locator(".file.base").last
    expect(newest).to_be_visible()
    box = newest.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate("document.getElementById('tabs').scrollWidth <= innerWidth")
