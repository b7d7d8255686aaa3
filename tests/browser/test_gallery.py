"""The gallery in a browser: filters at once, back and forward, keyboard, phone, and without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, Open


def names(page: Page) -> list[str | None]:
    return [link.get_attribute("href") for link in page.locator(".card-link").all()]


@pytest.mark.slow
def test_filters_combine_and_the_back_button_undoes_them_one_by_one(visit: Open) -> None:
    page = visit("/scenarios")
    everything = names(page)
    lesson, assumption = page.get_by_label("Lesson", exact=True), page.get_by_label("Assumption", exact=True)

    lesson.select_option("8")
    expect(page).to_have_url(re.compile(r"/scenarios\?lesson=8$"))
    expect(page.locator(".chip")).to_have_count(1)
    eighth = names(page)
    assert 0 < len(eighth) < len(everything)
    expect(assumption.locator("option[value=clocks]")).to_be_disabled()

    assumption.focus()
    assumption.select_option("any-order")
    expect(page).to_have_url(re.compile(r"\?assumption=any-order&lesson=8$"))
    expect(page.locator(".chip")).to_have_count(2)
    both = names(page)
    assert 0 < len(both) < len(eighth)
    expect(page.locator("#count")).to_have_text(f"{len(both)} of {len(everything)} scenarios")
    expect(assumption).to_be_focused()

    page.go_back()
    expect(page.locator(".chip")).to_have_count(1)
    expect(page.get_by_label("Assumption", exact=True)).to_have_value("")
    expect(page.get_by_label("Lesson", exact=True)).to_have_value("8")
    assert names(page) == eighth

    page.go_back()
    expect(page.locator(".chip")).to_have_count(0)
    assert names(page) == everything

    page.go_forward()
    expect(page.get_by_label("Lesson", exact=True)).to_have_value("8")
    page.get_by_label("Algorithm", exact=True).select_option("late-marker")
    expect(page.locator(".card-link")).to_have_count(2)


def test_words_are_looked_for_while_they_are_typed_and_the_field_keeps_them(visit: Open) -> None:
    page = visit("/scenarios?lesson=3")
    field = page.locator("main").get_by_role("searchbox")
    field.press_sequentially("blue figure")
    expect(page).to_have_url(re.compile(r"\?q=blue\+figure&lesson=3$"))
    expect(field).to_be_focused()
    field.press_sequentially(" xyzzy")
    expect(page.get_by_role("link", name="Show all scenarios")).to_be_visible()
    page.get_by_role("link", name="Show all scenarios").click()
    expect(page).to_have_url(re.compile(r"/scenarios$"))
    expect(page.locator("main").get_by_role("searchbox")).to_have_value("")


@pytest.mark.slow
def test_a_chip_is_taken_away_with_the_keyboard_and_the_count_is_next(visit: Open) -> None:
    page = visit("/scenarios?lesson=8&assumption=any-order")
    page.get_by_role("link", name="Lesson: 8. Breaking the promises. Remove this filter").press("Enter")
    expect(page).to_have_url(re.compile(r"\?assumption=any-order$"))
    expect(page.get_by_label("Lesson", exact=True)).to_have_value("")
    expect(page.locator("#count")).to_be_focused()


@pytest.mark.slow
def test_on_a_phone_the_filters_are_folded_and_count_themselves(visit: Open) -> None:
    page = visit("/scenarios", viewport=PHONE)
    lesson = page.get_by_label("Lesson", exact=True)
    expect(lesson).to_be_hidden()
    page.locator(".filters summary").click()
    lesson.select_option("5")
    expect(page.locator("#filters-active")).to_have_text("1")
    expect(lesson).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.slow
def test_the_page_is_short_and_a_lesson_opens(visit: Open) -> None:
    page = visit("/scenarios", viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollHeight") < 3_500
    expect(page.locator(".start-link").filter(visible=True)).to_have_count(6)
    expect(page.locator(".card-link").filter(visible=True)).to_have_count(0)
    page.locator(".shelf summary").first.click()
    expect(page.locator(".card-link").filter(visible=True).first).to_be_visible()


@pytest.mark.slow
def test_time_passes_in_a_picture_that_is_pointed_at(visit: Open) -> None:
    page = visit("/scenarios")
    run = page.locator(".start .thumb-run").first
    name = "(run) => getComputedStyle(run).animationName"
    assert run.evaluate(name) == "none"
    page.locator(".start .card").first.hover()
    assert run.evaluate(name) == "thumb-run"
    page.locator(".start-link").nth(1).focus()
    assert page.locator(".start .thumb-run").nth(1).evaluate(name) == "thumb-run"
    calm = visit("/scenarios", reduced_motion="reduce")
    calm.locator(".start .card").first.hover()
    assert calm.locator(".start .thumb-run").first.evaluate(name) == "none"


@pytest.mark.slow
def test_the_form_works_without_javascript(visit: Open) -> None:
    page = visit("/scenarios", java_script_enabled=False)
    page.get_by_label("Lesson", exact=True).select_option("8")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".chip")).to_have_count(1)
    expect(page.get_by_label("Lesson", exact=True)).to_have_value("8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "how"),
    [
        ("/scenarios", {}),
        ("/scenarios?lesson=8&assumption=any-order", {"color_scheme": "dark"}),
        ("/scenarios?lesson=8&q=xyzzy&lang=zh", {"viewport": PHONE, "locale": "zh-CN"}),
    ],
)
def test_axe_finds_no_violation(visit: Open, path: str, how: dict[str, object]) -> None:
    page = visit(path, **how)
    assert violations(page, 15) == []
