"""The glossary, the history and the family tree in a browser; terms in captions."""

import re

import pytest
from playwright.sync_api import expect

from app.course.glossary import GLOSSARY
from tests.browser.axe import fits, violations
from tests.browser.conftest import PHONE, WIDE, Open


@pytest.mark.slow
def test_a_term_in_a_caption_tells_what_it_means_to_the_keyboard_and_leads_to_the_glossary(visit: Open) -> None:
    page = visit("/run/blue-figure?step=4")
    expect(page.locator("#caption .term")).to_have_text(["marker", "record", "channel"])
    page.locator("#say").focus()
    for _ in range(3):
        page.keyboard.press("Shift+Tab")
    hint = page.locator("#hint")
    expect(hint).to_contain_text("A message of the snapshot, not of the program.")
    expect(page.locator("#caption .term").first).to_have_attribute("aria-describedby", "hint")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(hint).to_be_hidden()
    page.locator("#caption .term").last.hover()
    expect(hint).to_contain_text("The one-way connection")
    page.keyboard.press("ArrowRight")
    expect(hint).to_be_hidden()
    expect(page.locator("#say")).to_be_focused()
    page.keyboard.press("Home")
    page.locator("#say .opening .term", has_text="markers").or_(page.locator("#say .opening .term")).first.click()
    expect(page).to_have_url(re.compile(r"/glossary#[a-z-]+$"))
    expect(page.locator(".term-entry:target")).to_be_in_viewport()


@pytest.mark.slow
def test_a_tap_on_a_term_says_what_it_means_and_leaves_the_lesson_where_it_is(visit: Open) -> None:
    page = visit("/lessons/vanishing-token?q=none", viewport=PHONE, has_touch=True)
    term, hint = page.locator("main .term").first, page.locator("#hint")
    term.tap()
    expect(hint).to_contain_text("Something of which there is exactly one")
    expect(term).to_have_attribute("aria-describedby", "hint")
    assert "/lessons/vanishing-token" in page.url and fits(page) and violations(page) == []
    page.locator("h1").tap()
    expect(hint).to_be_hidden()
    term.tap()
    hint.get_by_role("link", name="token").tap()
    expect(page).to_have_url(re.compile("/glossary#token$"))


def test_words_are_looked_for_while_they_are_typed(visit: Open) -> None:
    page = visit("/glossary")
    page.locator("main").get_by_role("searchbox").press_sequentially("zigzag")
    expect(page).to_have_url(re.compile(r"/glossary\?q=zigzag$"))
    expect(page.locator(".term-entry").first).to_have_attribute("id", "zigzag")
    expect(page.locator("#count")).to_contain_text(f"of {len(GLOSSARY.glossary().forms)} terms")
    expect(page.locator("main").get_by_role("searchbox")).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "how"),
    [
        ("/reference", {}),
        ("/glossary", {"viewport": PHONE, "locale": "zh-CN"}),
        ("/history", {"color_scheme": "dark"}),
        ("/family", {"viewport": PHONE}),
    ],
)
def test_axe_finds_nothing_and_the_page_fits(visit: Open, path: str, how: dict[str, object]) -> None:
    page = visit(path, **how)
    assert violations(page) == []
    assert fits(page)


@pytest.mark.slow
def test_the_family_tree_is_a_tree_where_there_is_room_and_a_list_where_not(visit: Open) -> None:
    page = visit("/family")
    parent = page.locator("[data-algorithm='chandy-lamport'] > .kin-card")
    child = page.locator("[data-algorithm='lai-yang'] > .kin-card")
    grandchild = page.locator("[data-algorithm='node-data-silent'] > .kin-card")
    above, below, last = parent.bounding_box(), child.bounding_box(), grandchild.bounding_box()
    assert above and below and last
    assert above["x"] + above["width"] < below["x"] and last["x"] + last["width"] <= WIDE["width"]
    page.set_viewport_size({"width": 390, "height": 844})
    above, below, last = parent.bounding_box(), child.bounding_box(), grandchild.bounding_box()
    assert above and below and last
    assert above["x"] < below["x"] < above["x"] + above["width"] and last["x"] + last["width"] <= PHONE["width"]
