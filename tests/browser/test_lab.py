"""The Lab in a browser: figures whose points open runs, filters by keyboard, phone, no scripts, both languages."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.conftest import PHONE, Open

POINTS = "#figure-spread svg a.mark"


def ready(page: Page) -> None:
    """Wait until the figures are drawn."""
    expect(page.locator(POINTS).first).to_be_visible()


def test_a_point_opens_the_run_at_the_step_of_its_snapshot(visit: Open) -> None:
    page = visit("/lab?lang=en")
    ready(page)
    mark = page.locator(POINTS).first
    step = re.search(r"[?&]step=(\d+)", mark.get_attribute("href") or "")
    assert step
    mark.focus()
    expect(page.locator("#figure-spread .figure-told")).to_contain_text("processes")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/run/1\."))
    expect(page).to_have_url(re.compile(rf"[?&]step={step[1]}(&|$)"))


def test_arrow_keys_go_along_an_algorithm_and_from_one_to_the_next(visit: Open) -> None:
    page = visit("/lab?lang=en")
    ready(page)
    page.locator("#figure-spread svg [tabindex='0']").focus()
    focused = page.locator("#figure-spread .mark:focus")
    first = (focused.get_attribute("aria-label") or "").split(" · ")[0]
    page.keyboard.press("End")
    assert (focused.get_attribute("aria-label") or "").split(" · ")[0] == first
    page.keyboard.press("ArrowDown")
    assert (focused.get_attribute("aria-label") or "").split(" · ")[0] != first


def test_filters_are_turned_by_keyboard_and_kept_in_the_address(visit: Open) -> None:
    page = visit("/lab?lang=en")
    ready(page)
    everything = page.locator(POINTS).count()
    page.get_by_label("Measure", exact=True).select_option("controls")
    expect(page.locator("#figure-spread figcaption")).to_have_text("Control messages, by algorithm")
    choice = page.get_by_label("Algorithm", exact=True)
    choice.focus()
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile(r"algorithm=chandy-lamport"))
    expect(page).to_have_url(re.compile(r"measure=controls"))
    expect(page.get_by_label("Algorithm", exact=True)).to_be_focused()
    expect(page.locator("#figure-spread svg .row")).to_have_count(1)
    assert 0 < page.locator(POINTS).count() < everything
    expect(page.locator(".panel")).to_have_count(1)

    page.go_back()
    expect(page.locator("#figure-spread svg .row").nth(1)).to_be_attached()
    page.go_forward()
    expect(page.get_by_label("Algorithm", exact=True)).to_have_value("chandy-lamport")


@pytest.mark.parametrize(
    "how",
    [{"locale": "en-GB"}, {"viewport": PHONE, "color_scheme": "dark"}, {"viewport": PHONE, "locale": "zh-CN"}],
    ids=["wide", "phone, dark", "phone, Chinese"],
)
def test_nobody_is_shut_out_and_nothing_sticks_out(visit: Open, how: dict[str, object]) -> None:
    page = visit("/lab", **how)
    ready(page)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert axe(page).violations == []
    inside = "els => els.every(e => e.getBBox().x >= -1)"
    assert page.locator(".figure svg .title").evaluate_all(inside)


def test_correct_algorithms_stand_at_zero_and_wrong_ones_do_not(visit: Open) -> None:
    page = visit("/lab?lang=en")
    right, wrong = page.locator(".rates tbody").first, page.locator(".rates tbody").last
    expect(right.locator(".rate-wrong")).to_have_count(0)
    expect(right.locator(".rate-zero a").first).to_contain_text("0 %")
    wrong.locator(".rate-wrong a").first.click()
    expect(page).to_have_url(re.compile(r"/run/1\..*step="))


def test_without_scripts_the_form_is_sent_and_a_table_has_all_points(visit: Open) -> None:
    page = visit("/lab?lang=en", java_script_enabled=False)
    page.get_by_label("Graph", exact=True).select_option("ring")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page).to_have_url(re.compile(r"topology=ring"))
    page.locator(".lab-samples summary").click()
    rows = page.locator(".samples tbody tr")
    expect(rows.first.get_by_role("link")).to_have_attribute("href", re.compile(r"^/run/1\..*[?&]step=\d+"))
    assert rows.count() == rows.filter(has_text="ring").count() > 3
