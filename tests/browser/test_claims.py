"""The claims in a browser: filters at once, an anchor that is marked, a link that opens at its step; both widths."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, Open

pytestmark = pytest.mark.slow


def unseemly(page: Page) -> list[object]:
    """Return axe's violations, and how much wider than its window the page is."""
    told: list[object] = [*violations(page, 15)]
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return told + ([f"{wider} px too wide"] if wider else [])


def test_claims_are_filtered_found_and_followed_to_the_step_that_shows_them(visit: Open) -> None:
    page = visit("/claims#A20")
    here = page.locator("#A20")
    expect(here).to_be_in_viewport()
    assert here.evaluate("each => each.matches(':target')")
    expect(page.locator(".claim")).to_have_count(20)

    page.get_by_label("Essentials only").check()
    expect(page).to_have_url(re.compile(r"/claims\?know=1$"))
    expect(page.locator(".claim")).to_have_count(18)
    page.get_by_label("Is it true?").select_option("wrong")
    expect(page).to_have_url(re.compile(r"\?holds=wrong&know=1$"))
    expect(page.locator("#count")).to_have_text(re.compile(r"^\d+ of 148 claims: \d+ false\.$"))
    words = page.locator("main").get_by_role("searchbox")
    words.press_sequentially("lock-step resend marker")
    expect(page.get_by_role("link", name="Show all claims")).to_be_visible()
    page.get_by_label("Is it true?").select_option("")
    words.fill("acknowledged")
    expect(page.locator(".claim")).to_have_count(1)
    expect(page.locator("#E34")).to_contain_text("Partly true")
    expect(words).to_be_focused()
    assert unseemly(page) == []

    page.get_by_role("link", name="The lost marker is sent again, step 6").press("Enter")
    expect(page).to_have_url(re.compile(r"/run/resent-marker\?step=6"))
    expect(page.get_by_role("status").filter(has_text="Q records 4. 10 + 4 = 14.")).to_contain_text("step 6 of 11")
    page.go_back()
    expect(page.locator(".claim")).to_have_count(1)
    expect(page.locator("main").get_by_role("searchbox")).to_have_value("acknowledged")


def test_claims_are_read_by_topic_and_page_after_page(visit: Open) -> None:
    page = visit("/claims")
    page.get_by_role("navigation", name="Topics").get_by_role("link", name="The rules").click()
    expect(page).to_have_url(re.compile(r"/claims\?topic=rules$"))
    expect(page.get_by_role("heading", level=2, name="The rules")).to_be_visible()
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(re.compile(r"\?topic=rules&page=2#list$"))
    expect(page.locator(".claim")).to_have_count(17)
    page.get_by_label("Is it true?").select_option("wrong")
    expect(page).to_have_url(re.compile(r"/claims\?topic=rules&holds=wrong$"))
    expect(page.locator(".claim")).to_have_count(3)
    assert unseemly(page) == []


def test_an_address_that_names_a_claim_of_another_page_leads_to_it(visit: Open) -> None:
    page = visit("/claims#E47")
    expect(page).to_have_url(re.compile(r"/claims\?page=\d#E47$"))
    expect(page.locator("li#E47")).to_be_in_viewport()
    page.get_by_role("link", name="C4", exact=True).click()
    expect(page.locator("li#C4")).to_be_in_viewport()


def test_on_a_phone_in_the_dark_in_chinese_and_without_scripts(visit: Open) -> None:
    page = visit("/claims?note=003&lang=zh", viewport=PHONE, color_scheme="dark", locale="zh-CN")
    assert page.locator(".claim").count() == 16
    assert unseemly(page) == []

    page = visit("/claims", viewport=PHONE, java_script_enabled=False)
    page.get_by_label("Source", exact=True).select_option("003")
    page.get_by_label("Essentials only").check()
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".claim")).to_have_count(2)
    expect(page.get_by_label("Essentials only")).to_be_checked()
    page.get_by_role("link", name="E47", exact=True).click()
    expect(page.locator("li#E47")).to_be_in_viewport()
