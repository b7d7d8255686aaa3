"""Promises turned off, the shortest run that breaks, and challenges lost and won by clicks."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, Open

ADDRESS = re.compile


def ready(page: Page) -> None:
    """Wait until the page shows the whole run."""
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")


def choose(page: Page, what: str, steps: int) -> None:
    """Let something happen, and wait until it has."""
    page.locator("#next a", has_text=what).first.click()
    expect(page.locator("#challenge")).to_have_attribute("data-steps", str(steps))
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(steps))
    expect(page.locator("#log li, #log [data-step]").last).to_be_attached()
    page.wait_for_timeout(200)


def open_switches(page: Page) -> None:
    page.locator("#switches").scroll_into_view_if_needed()
    expect(page.locator(".promise-switch").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}], ids=["phone", "wide"])
def test_a_link_to_the_promises_opens_them(visit: Open, size: ViewportSize) -> None:
    page = visit("/run/blue-figure#switches-title", viewport=size)
    expect(page.locator("#tab-switches")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".promise-switch").first).to_be_in_viewport()
    expect(page.locator('[data-panel="switches"]')).to_be_focused()


@pytest.mark.slow
def test_what_the_panel_says_of_a_switch_is_what_its_run_shows(visit: Open) -> None:
    page = visit("/run/blue-figure?step=4")
    ready(page)
    open_switches(page)
    row = page.locator(".promise", has_text="Channels are recorded")
    told = row.locator(".promise-told")
    expect(told).to_be_hidden()
    row.get_by_role("switch").click()
    expect(row.get_by_role("button", name="It survives")).to_be_focused()
    row.get_by_role("button", name="It survives").click()
    expect(row).to_contain_text("Not as you said.")
    expect(told).to_contain_text("Without it, this run breaks")
    expect(row).to_contain_text("Not recorded: M crosses the cut")
    row.get_by_role("switch").click()
    page.wait_for_url(ADDRESS("algorithm=no-channels"))
    ready(page)
    expect(page.locator(".verdict.fails").first).to_be_visible()
    open_switches(page)
    row = page.locator(".promise", has_text="Channels are recorded")
    expect(row.get_by_role("switch")).to_have_attribute("aria-checked", "false")
    row.get_by_role("switch").focus()
    page.keyboard.press(" ")
    page.wait_for_url(lambda url: "algorithm=" not in url)


@pytest.mark.slow
def test_a_run_that_survives_leads_to_one_that_breaks(visit: Open) -> None:
    page = visit("/run/token-late")
    ready(page)
    open_switches(page)
    row = page.locator(".promise", has_text="The marker leaves before anything else")
    row.get_by_role("button", name="It survives").click()
    expect(row).to_contain_text("As you said.")
    row.get_by_role("link", name="Find the shortest run that breaks").click()
    page.wait_for_url(ADDRESS("algorithm=late-marker&choices="))
    ready(page)
    expect(page.locator(".verdict.fails").first).to_be_visible()


@pytest.mark.slow
def test_a_challenge_is_lost_and_won_by_clicks_without_another_page(visit: Open) -> None:
    page = visit("/challenge/non-fifo-lost")
    ready(page)
    page.evaluate("window.samePage = true")
    for steps, what in enumerate(("P sends 1", "P starts a snapshot", "Q receives 1", "marker"), 1):
        choose(page, what, steps)
    expect(page.locator("#challenge")).to_have_attribute("data-state", "open")
    expect(page.locator("#challenge")).to_contain_text("nothing is wrong with it")
    assert page.evaluate("window.samePage") is True
    page.get_by_role("link", name="Start again").click()
    page.wait_for_url(lambda url: "choices" not in url)
    ready(page)
    page.locator("#challenge [role=status]").evaluate("region => { region.same = true; }")
    for steps, what in enumerate(("P sends 1", "P starts a snapshot", "marker"), 1):
        choose(page, what, steps)
    expect(page.locator("#challenge")).to_have_attribute("data-state", "won")
    announced = page.locator("#challenge [role=status]")
    expect(announced).to_contain_text("Goal reached in 3 steps")
    assert announced.evaluate("region => region.same"), "a region that is replaced is not read aloud"
    expect(page.locator("#challenge")).to_contain_text("Goal reached in 3 steps")
    expect(page.locator("#challenge")).to_contain_text("The explorer knows no shorter way.")
    won = page.url
    page.goto("/challenge")
    expect(page.locator("#challenges-done")).to_have_text("1 of 9 done in this browser")
    page.goto(won)
    expect(page.locator("#challenge")).to_have_attribute("data-state", "won")
    expect(page.locator("#challenge")).to_contain_text("The explorer knows no shorter way.")


def test_on_a_phone_nothing_is_cut_from_the_sentence_of_a_challenge_that_is_won(visit: Open) -> None:
    page = visit("/challenge/photographs-none?lang=zh", viewport=PHONE)
    ready(page)
    for steps, what in enumerate(("q 发起快照", "p 经 p→q 发送 T", "p 发起快照"), 1):
        choose(page, what, steps)
    expect(page.locator("#challenge")).to_have_attribute("data-state", "won")
    expect(page.locator("#say")).to_contain_text("却没有记下")
    assert page.locator(".saying").first.evaluate("one => one.scrollHeight <= one.clientHeight")


@pytest.mark.slow
def test_somebody_else_s_win_is_seen_and_not_counted(visit: Open) -> None:
    page = visit("/challenge/non-fifo-lost?choices=0:0.2.1&step=3")
    ready(page)
    expect(page.locator("#challenge")).to_have_attribute("data-state", "won")
    expect(page.locator("#challenge-compare")).to_be_visible()
    page.goto("/challenge")
    expect(page.locator("#challenges-done")).to_have_text("")


@pytest.mark.slow
def test_a_page_with_a_result_begins_at_the_result(visit: Open) -> None:
    page = visit("/challenge/non-fifo-lost")
    ready(page)
    page.get_by_role("link", name="It cannot be done").press("Enter")
    page.wait_for_url("**/answer?*")
    expect(page.locator(".challenge-stands")).to_contain_text("It can be done in 3 steps.")
    expect(page.locator(".challenge-stands")).to_be_focused()


@pytest.mark.slow
def test_back_takes_a_choice_back(visit: Open) -> None:
    page = visit("/challenge/late-marker")
    ready(page)
    choose(page, "P starts a snapshot", 1)
    choose(page, "P sends 1", 2)
    page.go_back()
    expect(page.locator("#challenge")).to_have_attribute("data-steps", "1")
    page.go_forward()
    expect(page.locator("#challenge")).to_have_attribute("data-steps", "2")


def test_a_message_on_the_stage_can_be_delivered_in_place(visit: Open) -> None:
    page = visit("/challenge/late-marker")
    ready(page)
    choose(page, "P sends 1", 1)
    page.evaluate("window.samePage = true")
    page.wait_for_timeout(800)
    page.locator("#stage [data-message]").first.click()
    page.get_by_role("menuitem", name="Q receives 1").click()
    expect(page.locator("#challenge")).to_have_attribute("data-steps", "2")
    assert page.evaluate("window.samePage") is True
    expect(page.locator("#say")).to_contain_text("Q receives 1")


@pytest.mark.slow
def test_a_choice_at_an_earlier_step_is_another_run(visit: Open) -> None:
    page = visit("/challenge/late-marker")
    ready(page)
    choose(page, "P starts a snapshot", 1)
    choose(page, "P sends 1", 2)
    page.locator("#back").click()
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", "1")
    page.wait_for_timeout(800)
    page.locator("#next a", has_text="P sends its postponed markers").click()
    expect(page.locator("#challenge")).to_have_attribute("data-steps", "2")
    expect(page.locator("#say")).to_contain_text("marker")


@pytest.mark.slow
def test_what_cannot_be_done_is_right_to_be_called_so(visit: Open) -> None:
    page = visit("/challenge/token-late")
    ready(page)
    page.get_by_role("link", name="It cannot be done").click()
    expect(page.locator("#challenge")).to_contain_text("Right, it cannot be done.")
    expect(page.locator("#challenge")).to_contain_text("there are 64 states")
    page.goto("/challenge")
    expect(page.locator(".challenge-card.done")).to_have_count(1)


@pytest.mark.slow
def test_a_branch_keeps_the_place_of_the_visitor(visit: Open) -> None:
    page = visit("/run/blue-figure?step=2", viewport=PHONE)
    ready(page)
    page.locator("#tab-next").click()
    page.locator("#next a").first.click()
    page.wait_for_url(ADDRESS("choices="))
    ready(page)
    expect(page.locator("#tab-next")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#next a").first).to_be_focused()


FACES: dict[str, tuple[str, dict[str, object]]] = {
    "switches": ("/run/late-marker?step=7", {}),
    "switches on a phone": ("/run/blue-figure", {"viewport": PHONE, "color_scheme": "dark"}),
    "list": ("/challenge", {}),
    "challenge": ("/challenge/late-marker", {}),
    "won": ("/challenge/late-marker?choices=0:2.1.0.0.0.0.0&step=7", {"color_scheme": "dark"}),
    "answer on a phone": ("/challenge/token-late/answer?claim=1&lang=zh", {"viewport": PHONE}),
    "proof": ("/run/token-late/find", {"color_scheme": "dark"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("face", FACES)
def test_axe_finds_no_violation(visit: Open, face: str) -> None:
    path, how = FACES[face]
    page = visit(path, **how)
    if "switches" in face:
        ready(page)
        if how:
            page.locator("#tab-switches").click()
        open_switches(page)
    assert violations(page, 12) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["photographs-none", "late-marker"])
def test_on_a_phone_in_landscape_what_can_happen_next_is_in_view(visit: Open, name: str) -> None:
    page = visit(f"/challenge/{name}?lang=en", viewport={"width": 844, "height": 390})
    expect(page.locator("#next a").first).to_be_in_viewport(ratio=1)
    expect(page.locator("#next a").nth(1)).to_be_in_viewport(ratio=1)
    assert page.locator("#stage").bounding_box()["height"] > 100  # type: ignore[index]


@pytest.mark.slow
def test_what_nobody_sees_offers_nothing_of_another_step(visit: Open) -> None:
    page = visit("/run/blue-figure?lang=en", viewport={"width": 1280, "height": 800})
    page.locator("#next").scroll_into_view_if_needed()
    expect(page.locator("#next a").first).to_be_visible()
    page.locator(".panels").evaluate("panels => (panels.scrollTop = 0)")
    expect(page.locator("#next")).not_to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#next a")).to_have_count(0)
    page.locator("#next").scroll_into_view_if_needed()
    expect(page.locator("#next a").first).to_have_attribute("href", re.compile("[?&]step=1"))
