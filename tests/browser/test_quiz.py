"""A session with the keyboard alone: a wrong answer, a second try, a right one, and the score."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import axe
from tests.browser.conftest import Open

pytestmark = pytest.mark.slow


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if wanted.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError("Tab never comes there")


def commit(page: Page) -> None:
    """Submit the chosen answer."""
    tab_to(page, page.locator(".asked-doors button[type=submit]"))
    page.keyboard.press("Enter")


def test_what_applies_is_ticked_or_that_nothing_does(visit: Open) -> None:
    page = visit("/quiz/queue?kinds=content&lang=en")
    boxes = page.locator("#asked .asked-options input[type=checkbox]")
    nothing = page.get_by_label("None of these")
    page.locator(".asked-doors button[type=submit]").click()
    assert "or that nothing does" in boxes.first.evaluate("box => box.validationMessage")
    boxes.first.check()
    nothing.check()
    expect(boxes.first).not_to_be_checked()
    boxes.first.check()
    expect(nothing).not_to_be_checked()
    nothing.check()
    page.locator(".asked-doors button[type=submit]").click()
    expect(page.locator("#asked")).to_have_attribute("data-given", "[]")


def test_a_sitting_by_the_keyboard_alone(visit: Open) -> None:
    page = visit("/quiz/queue?kinds=recorder&kinds=content&lang=en")
    score = page.locator("#score-said")
    expect(score).to_have_text("0 answered")
    # Who records next? Not i, it has.
    tab_to(page, page.locator("input[name=answer]").first)
    page.keyboard.press("Space")
    commit(page)
    expect(page.locator("#asked")).to_have_attribute("data-right", "0")
    expect(page.locator("#graded")).to_be_focused()
    expect(score).to_have_text("0 of 1 right at first try")
    assert page.locator(".graded-why").count() == 0
    # Again, and this time k. The first try is what counts.
    tab_to(page, page.locator(".asked-retry"))
    page.keyboard.press("Enter")
    expect(page.locator("#graded")).to_have_count(0)
    tab_to(page, page.locator("input[name=answer]").first)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    commit(page)
    expect(page.locator("#asked")).to_have_attribute("data-right", "1")
    expect(page.locator(".graded-why")).to_contain_text("Step 6: k records.")
    expect(score).to_have_text("0 of 1 right at first try")
    assert axe(page).violations == []
    # The next one: what will be recorded in k→j? 1, 2 and 3, which come first.
    tab_to(page, page.locator("#graded .asked-onward"))
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Question 2")
    tab_to(page, page.locator("input[name=answer]").first)
    for press in ("Space", "Tab", "Space", "Tab", "Space"):
        page.keyboard.press(press)
    commit(page)
    expect(page.locator("#asked")).to_have_attribute("data-right", "1")
    expect(score).to_have_text("1 of 2 right at first try")
    # The address is the page with the result; loading it again counts nothing twice.
    page.reload()
    expect(page.locator("#asked")).to_have_attribute("data-right", "1")
    expect(score).to_have_text("1 of 2 right at first try")
    tab_to(page, page.locator("#score-reset"))
    page.keyboard.press("Enter")
    expect(score).to_have_text("0 answered")


def test_a_round_of_ten_ends_with_a_review_and_another_run_has_a_score_of_its_own(visit: Open) -> None:
    page = visit("/quiz/queue?n=10&lang=en")
    expect(page.locator(".quiz-round")).to_have_text("Round 1 · 10 of 10")
    expect(page.locator("#round")).to_be_hidden()
    field = page.locator("#asked input[name=answer]").first
    if field.get_attribute("type") == "text":
        field.fill("999")
    else:
        field.check()
    page.locator("#asked button[type=submit]").click()
    expect(page.locator("#round")).to_be_visible()
    expect(page.locator("#graded .asked-onward")).to_have_attribute("href", "#round")
    expect(page.locator("#round .round-kinds li")).to_have_count(1)
    expect(page.locator("#round .round-kinds b")).to_have_css("white-space", "nowrap")
    right = page.locator("#asked").get_attribute("data-right") == "1"
    assert page.locator(".round-again").is_visible() != right
    expect(page.locator("#round .button-first")).to_have_attribute("href", re.compile("n=11"))
    expect(page.get_by_role("link", name="Next question")).to_have_count(0)  # the way on is the review
    if not right:
        expect(page.locator(".pin-run")).to_have_count(0)
        page.get_by_role("link", name="Show the answer").click()
    expect(page.locator(".pin-run")).to_have_css("opacity", "1")  # what the run says fades in
    assert axe(page).violations == []
    for other in ("/quiz/ring?lang=en", "/quiz/queue?kinds=check&lang=en"):
        page.goto(other)
        expect(page.locator("#score output")).to_have_text("0 answered")


def test_where_there_are_few_questions_the_round_is_as_long(visit: Open) -> None:
    page = visit("/quiz/queue?kinds=markers&lang=en")
    expect(page.locator(".quiz-round")).to_have_text("Round 1 · 1 of 1")
    page.locator("#asked input[name=answer]").first.fill("999")
    page.locator("#asked button[type=submit]").click()
    expect(page.locator("#graded .asked-onward")).to_have_attribute("href", "#round")
    expect(page.locator("#round .round-kinds li")).to_have_count(1)


def test_what_was_wrong_is_done_again_one_after_the_other(visit: Open) -> None:
    page = visit("/quiz/queue?kinds=copied&lang=en")
    again = page.locator("#round .round-again a")
    for number in (1, 2):
        page.goto(f"/quiz/queue?kinds=copied&lang=en&n={number}")
        page.locator("#asked input[name=answer]").fill("999")
        page.locator("#asked button[type=submit]").click()
        expect(page.locator("#score output")).to_have_text(f"0 of {number} right at first try")
    expect(again).to_have_count(2)
    page.goto("/quiz/queue?kinds=copied&lang=en&n=1")
    expect(page.locator("#round")).to_be_hidden()
    for answer in range(40):
        page.locator("#asked input[name=answer]").fill(str(answer))
        page.locator("#asked button[type=submit]").click()
        expect(page.locator("#asked")).to_have_attribute("data-given", f'"{answer}"')
        if page.locator("#asked").get_attribute("data-right") == "1":
            break
        page.locator(".asked-retry").click()
        expect(page.locator("#graded")).to_have_count(0)
    expect(again).to_have_count(1)
    expect(page.locator("#graded .asked-onward")).to_have_attribute("href", "#round")
    expect(page.locator("#round .button-first")).to_have_attribute("href", re.compile(r"n=3\b"))
    expect(page.locator("#round .quiz-doors a").last).to_have_attribute("href", re.compile("kinds=copied&lang=en"))
    expect(page.locator("#score output")).to_have_text("0 of 2 right at first try")
