"""The membership log in the player."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import WIDE, Open, at, whole

pytestmark = pytest.mark.slow


def test_the_log_follows_the_step_that_is_shown(visit: Open) -> None:
    page = whole(visit("/run/joiner-merged?lang=en&step=6", viewport=WIDE))
    log = page.locator("#table .membership li")
    expect(log).to_have_text("Step 2: N joins. Born after the cut: not in the snapshot.")
    page.keyboard.press("ArrowRight")
    at(page, 7)
    expect(log).to_have_text("Step 2: N joins. Merged in afterwards.")
    page.keyboard.press("Home")
    expect(log).to_have_count(0)
