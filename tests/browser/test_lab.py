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


def test_a_cross_opens_the_run_at_the_step_of_its_snapshot_with_the_check_that_fails(visit: Open) -> None:
    page = visit("/lab?lang=en&algorithm=late-marker")
    ready(page)
    mark = page.locator("#figure-spread svg a.mark:has(.wrong)").first
    step = re.search(r"[?&]step=(\d+)", mark.get_attribute("href") or "")
    assert step
    name = mark.get_attribute("aria-label") or ""
    assert re.match(r"Broken: markers too late, [\w ]+ of \d+, \d+ control messages, run \d+ · breaks: ", name)
    mark.focus()
    expect(page.locator("#figure-spread .figure-told")).to_have_text(name)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/run/1\..*[?&]step={step[1]}&lang=en#checks-\d+$"))
    expect(page.locator("#checks .verdict.fails").first).to_be_in_viewport()
    expect(page.locator("[data-panel=checks]")).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "how"),
    [
        ("/lab?lang=en", {}),
        ("/lab?lang=en", {"viewport": PHONE, "has_touch": True}),
        ("/costs?lang=en", {}),
    ],
    ids=["wide", "phone", "costs"],
)
def test_the_centre_of_every_mark_opens_its_own_run(visit: Open, address: str, how: dict[str, object]) -> None:
    page = visit(address, **how)
    expect(page.locator(".figure svg .mark").first).to_be_attached()
    page.locator("main details").evaluate_all("all => all.forEach((each) => (each.open = true))")
    expect(page.locator(".figure").last.locator("svg .mark").first).to_be_attached()
    for bet in page.locator(".costs-bet").all():
        bet.get_by_role("button").first.click()
    found = page.locator(".figure svg .mark:has(.reach)").evaluate_all(
        """marks => marks.map(mark => {
            mark.scrollIntoView({ block: "center", inline: "center" });
            const at = new DOMPoint(0, 0).matrixTransform(mark.getScreenCTM());
            const hit = document.elementFromPoint(at.x, at.y)?.closest(".mark");
            // On lines that meet, two marks may have one centre: then it opens one of both.
            const to = hit?.querySelector(".reach") && new DOMPoint(0, 0).matrixTransform(hit.getScreenCTM());
            const same = hit === mark || (SHARED && to && Math.hypot(to.x - at.x, to.y - at.y) < 1);
            return same ? "" : mark.getAttribute("aria-label");
        })""".replace("SHARED", "true" if "costs" in address else "false")
    )
    assert len(found) > 10
    assert [each for each in found if each] == []


@pytest.mark.slow
def test_on_a_phone_the_failing_check_is_the_tab_that_is_open(visit: Open) -> None:
    page = visit("/lab?lang=en&algorithm=late-marker", viewport=PHONE)
    ready(page)
    page.locator("#figure-spread svg a.mark:has(.wrong)").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Checks")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#checks .verdict.fails").first).to_be_in_viewport()


@pytest.mark.slow
def test_arrow_keys_go_along_an_algorithm_and_from_one_to_the_next_and_ticks_agree(visit: Open) -> None:
    page = visit("/lab?lang=en")
    ready(page)
    page.locator("#figure-spread svg [tabindex='0']").focus()
    focused = page.locator("#figure-spread .mark:focus")
    first = (focused.get_attribute("aria-label") or "").split(",")[0]
    page.keyboard.press("End")
    assert (focused.get_attribute("aria-label") or "").split(",")[0] == first
    page.keyboard.press("ArrowDown")
    assert (focused.get_attribute("aria-label") or "").split(",")[0] != first
    expect(page.locator(".panels").first.locator(".panel svg .mark").last).to_be_attached()
    drawings = page.locator(".panels").first.locator(".panel svg")
    ticks = drawings.evaluate_all(
        "all => all.map(one => [...one.querySelectorAll('.tick')].map(tick => tick.textContent).join(' '))"
    )
    assert len(ticks) > 4
    assert len(set(ticks)) == 1, "figures with the same scales have the same ticks"


@pytest.mark.slow
def test_filters_are_turned_by_keyboard_and_kept_in_the_address(visit: Open) -> None:
    page = visit("/lab?lang=en")
    ready(page)
    everything = page.locator(POINTS).count()
    page.get_by_label("Measure", exact=True).select_option("duration")
    expect(page.locator("#figure-spread figcaption")).to_have_text("Duration, by algorithm")
    choice = page.get_by_label("Algorithm", exact=True)
    choice.focus()
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile(r"algorithm=chandy-lamport"))
    expect(page).to_have_url(re.compile(r"measure=duration"))
    expect(page.get_by_label("Algorithm", exact=True)).to_be_focused()
    expect(page.locator("#figure-spread svg .row")).to_have_count(1)
    assert 0 < page.locator(POINTS).count() < everything
    expect(page.locator(".panel")).to_have_count(1)

    page.go_back()
    expect(page.locator("#figure-spread svg .row").nth(1)).to_be_attached()
    page.go_forward()
    expect(page.get_by_label("Algorithm", exact=True)).to_have_value("chandy-lamport")


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [
        {"viewport": PHONE, "color_scheme": "dark", "locale": "zh-CN"},
        {"color_scheme": "dark", "locale": "zh-CN"},
        {"viewport": PHONE},
    ],
    ids=["phone, dark, Chinese", "wide, dark, Chinese", "phone"],
)
def test_nobody_is_shut_out_and_nothing_sticks_out(visit: Open, how: dict[str, object]) -> None:
    page = visit("/lab", **how)
    ready(page)
    page.locator(".lab details").evaluate_all("all => all.forEach((each) => (each.open = true))")
    expect(page.locator(".panel svg .mark").last).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert axe(page).violations == []
    inside = "els => els.every(e => e.getBBox().x >= -1)"
    assert page.locator(".figure svg .title").evaluate_all(inside)


@pytest.mark.slow
def test_correct_algorithms_stand_at_zero_and_wrong_ones_do_not(visit: Open) -> None:
    page = visit("/lab?lang=en&discipline=all")
    right, wrong = page.locator(".rates tbody").first, page.locator(".rates tbody").last
    expect(right.locator(".rate-wrong")).to_have_count(0)
    expect(right.locator(".rate-zero a").first).to_contain_text("0%")
    wrong.locator(".rate-wrong a").first.click()
    expect(page).to_have_url(re.compile(r"/run/1\..*step="))


@pytest.mark.slow
def test_a_phone_begins_with_findings_filters_and_one_figure_and_a_finding_opens_the_rest(visit: Open) -> None:
    page = visit("/lab?lang=en", viewport=PHONE)
    ready(page)
    expect(page.locator(".rates")).to_be_hidden()
    top = "e => e.getBoundingClientRect().top + scrollY"
    assert page.locator(".finding h3").first.evaluate(top) < PHONE["height"] / 2
    assert page.locator("#lab-form").evaluate(top) < 2 * PHONE["height"]
    assert page.locator("#figure-spread").evaluate(top) < 3 * PHONE["height"]
    assert page.locator("#lab-jobs").evaluate(top) < 5 * PHONE["height"]
    expect(page.locator(".panel").first).to_be_hidden()
    page.locator(".finding").filter(has_text="per channel").get_by_role("link", name="See the figure").click()
    expect(page.locator("#growth-section")).to_be_in_viewport()
    expect(page.locator(".panel svg .mark").first).to_be_visible()
    page.get_by_role("heading", name="How often is a snapshot wrong?").click()
    expect(page.locator(".rates")).to_be_visible()
    page.get_by_label("Graph", exact=True).select_option("ring")
    expect(page).to_have_url(re.compile("topology=ring"))
    expect(page.locator(".rates")).to_be_visible()  # what was opened stays open


@pytest.mark.slow
def test_without_scripts_there_is_no_empty_box_every_number_is_there_and_the_form_is_sent(visit: Open) -> None:
    page = visit("/lab?lang=en", java_script_enabled=False)
    expect(page.locator("#figure-spread table")).to_be_visible()
    expect(page.locator(".figure-drawing").first).to_be_hidden()
    expect(page.locator(".panel").first).to_contain_text("messages = |E|")
    assert page.locator(".panel").first.evaluate("e => e.getBoundingClientRect().height") < 140
    expect(page.locator(".rates")).to_be_visible()
    expect(page.locator(".finding h3")).to_have_count(3)
    expect(page.get_by_role("link", name="Start your own sweep")).to_have_attribute("href", "/lab/jobs?lang=en")
    page.get_by_label("Graph", exact=True).select_option("ring")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page).to_have_url(re.compile(r"topology=ring"))
    page.locator(".lab-samples summary").click()
    rows = page.locator(".samples tbody tr")
    expect(rows.first.get_by_role("link")).to_have_attribute("href", re.compile(r"^/run/1\..*[?&]step=\d+"))
    assert rows.count() == rows.filter(has_text="ring").count() > 3
