"""The pages without a pointer: nothing happens before it is meant, and the focus stays where the work is."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open

RUN = "/run/blue-figure?step=3"


def ready(page: Page) -> None:
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def with_menu(visit: Open) -> Page:
    """Return a run on which the menu of P1 is open."""
    page = visit("/run/blue-figure")
    ready(page)
    page.locator("[data-process=P1]").focus()
    press(page, "Enter")
    expect(page.locator(".menu a").first).to_be_focused()
    return page


def test_keys_go_through_a_list_before_its_button_leads_on(visit: Open) -> None:
    page = visit(RUN)
    ready(page)
    before, button = page.url, page.locator("#picks .apply")
    page.locator("#algorithm").focus()
    press(page, "ArrowDown", "ArrowDown")
    assert page.url == before
    expect(page.locator("#algorithm")).to_be_focused()
    assert (button.bounding_box() or {"width": 0})["width"] > 30
    chosen = page.locator("#algorithm").input_value()
    press(page, "Tab", "Tab")
    expect(button).to_be_focused()
    press(page, "Enter")
    page.wait_for_url(f"**/run/blue-figure?algorithm={chosen}&**")
    expect(page.locator("#algorithm")).to_be_focused()


@pytest.mark.slow
def test_a_press_on_a_list_leads_on_at_once(visit: Open) -> None:
    page = visit(RUN)
    ready(page)
    page.locator("#algorithm").select_option("venkatesan")
    page.wait_for_url("**/run/blue-figure?algorithm=venkatesan&**")
    ready(page)
    expect(page.locator("body")).to_be_focused()  # the arrow keys step


@pytest.mark.slow
def test_the_levels_of_writing_wait_for_their_button(visit: Open) -> None:
    page = visit("/write")
    page.locator("#write-level").focus()
    press(page, "ArrowDown")
    press(page, "Tab", "Enter")
    page.wait_for_url("**/write?level=3")
    expect(page.locator("#write-level")).to_be_focused()


@pytest.mark.slow
def test_what_is_chosen_in_a_menu_of_the_stage_leaves_the_focus_at_its_process(visit: Open) -> None:
    page = with_menu(visit)
    press(page, "Enter")
    page.wait_for_url("**step=1**")
    expect(page.locator("[data-process=P1]")).to_be_focused()


@pytest.mark.slow
def test_tab_leaves_a_menu_of_the_stage_from_what_it_is_about(visit: Open) -> None:
    page = with_menu(visit)
    press(page, "Tab")
    expect(page.locator(".menu")).to_be_hidden()
    expect(page.locator("[data-process=P2]")).to_be_focused()


@pytest.mark.slow
def test_a_promise_that_is_switched_off_keeps_the_focus(visit: Open) -> None:
    page = visit("/run/blue-figure")
    ready(page)
    page.locator("#switches").scroll_into_view_if_needed()
    promise = page.get_by_role("switch", name="Channels keep the order")
    promise.focus()
    press(page, "Enter")
    guess = page.get_by_role("group", name="Channels keep the order Would this run survive without it?")
    expect(guess.get_by_role("button").first).to_be_focused()
    press(page, "Enter", "Enter")
    page.wait_for_url("**discipline=any**")
    expect(promise).not_to_be_checked()
    expect(promise).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/run/blue-figure?step=4", "/compare/blue-figure", "/lessons/vanishing-token"])
def test_at_a_large_zoom_nothing_that_has_the_focus_is_behind_a_bar(visit: Open, address: str) -> None:
    page = visit(address, viewport={"width": 320, "height": 256})
    hidden = page.evaluate(
        """() => {
          const found = [];
          for (const each of document.querySelectorAll("main :is(a, button, summary, input, select, [tabindex='0'])")) {
            if (each.closest(".controls, .tabs, .bar, #beats-end, [inert], svg") || !each.checkVisibility()) continue;
            each.focus();
            const box = each.getBoundingClientRect();
            const [x, y] = [box.left + Math.min(box.width, innerWidth) / 2, box.top + Math.min(box.height, 40) / 2];
            const on = document.elementFromPoint(Math.min(x, innerWidth - 1), y);
            const behind = on?.closest(".controls, .tabs, .bar, #beats-end");
            if (document.activeElement === each && behind) found.push(each.outerHTML.slice(0, 90));
          }
          return found;
        }"""
    )
    assert hidden == []


@pytest.mark.slow
def test_what_is_done_is_said_once_and_what_each_algorithm_has_done_with_it(visit: Open) -> None:
    page = visit("/compare/blue-figure")
    expect(page.locator("body")).to_have_class("comparing ready")
    press(page, "ArrowRight", "ArrowRight")
    aloud = page.locator("#said-aloud")
    expect(aloud).to_contain_text("Event 2 of 4")
    expect(aloud).to_contain_text("Chandy–Lamport: step 3 of 8")
    assert (
        page.locator("[role=status]:not(#said-aloud), [aria-live=polite]").count() == 1
    )  # and the search in the header


@pytest.mark.slow
def test_arrows_in_the_seed_wait_for_the_button_and_a_typed_one_does_not(visit: Open) -> None:
    page = visit("/run/random-twelve", viewport={"width": 1900, "height": 900})
    ready(page)
    before = page.url
    page.locator("#seed").focus()
    press(page, "ArrowUp", "ArrowUp")
    assert page.url == before
    press(page, "7", "Tab")
    page.wait_for_url("**seed=*7")
    expect(page.locator("#seed")).to_be_focused()
