"""The ledger in the browser: it follows the cursor, and a guarantee leads to the run under it."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE, Open, bring


def test_the_ledger_follows_the_cursor(visit: Open) -> None:
    page = visit("/run/three-guarantees?step=35&lang=en", viewport=WIDE)
    bring(page, "#ledger", ".ledger-verdict")
    verdicts = page.locator("#ledger .ledger-verdict")
    expect(verdicts.first).to_contain_text("some items more than once")
    expect(verdicts.first).to_contain_text("promised: at least once")
    expect(page.locator("#ledger tr.wrong")).to_have_count(6)
    page.keyboard.press("Home")
    expect(verdicts.first).to_contain_text("not decided")
    expect(page.locator("#ledger tr.wrong")).to_have_count(0)
    page.keyboard.press("End")
    expect(verdicts.last).to_contain_text("some items more than once")


@pytest.mark.slow
def test_on_a_phone_the_ledger_is_a_tab_and_fits(visit: Open) -> None:
    page = visit("/run/plain-sink-twice?step=15&lang=zh", viewport=PHONE)
    page.click("#tab-ledger")
    expect(page.locator("#ledger tr.wrong")).to_contain_text("s.3")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    small = "e => e.getBoundingClientRect().height < 44"
    assert not any(page.locator("#ledger .ledger-switch .button").nth(i).evaluate(small) for i in range(3))


@pytest.mark.slow
def test_a_guarantee_leads_to_the_run_under_it(visit: Open) -> None:
    page = visit("/run/three-guarantees?step=35&lang=en", viewport=WIDE)
    bring(page, "#ledger", ".ledger-verdict")
    page.get_by_role("link", name="exactly once").click()
    page.wait_for_url("**algorithm=aligned**")
    page.keyboard.press("End")
    bring(page, "#ledger", ".ledger-verdict")
    expect(page.locator("#ledger .ledger-verdict").first).to_contain_text("each item once")
    expect(page.locator("#ledger [aria-current]")).to_have_text("exactly once")
