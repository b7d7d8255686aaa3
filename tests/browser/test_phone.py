"""What is there for a finger: words, menus and fields on a screen that is touched."""

import re
from itertools import pairwise
from operator import itemgetter

import pytest
from playwright.sync_api import expect

from app.wire.scenario_link import canonical, packed
from tests.browser.conftest import PHONE, Open

BARE = {
    "title": {"en": "Tiny", "zh": "小"},
    "topology": {"processes": ["p", "q"], "channels": ["p->q", "q->p"]},
    "program": {"kind": "token", "holders": {"p": 1}},
}
"""A scenario that tells no story."""
LOW = {"width": 844, "height": 390}
TOUCHED = {"has_touch": True, "is_mobile": True}


@pytest.mark.parametrize(("how", "says"), [({"viewport": PHONE, **TOUCHED}, "button after it"), ({}, "or → to begin")])
def test_a_run_without_a_story_names_only_what_is_there_to_begin_with(
    visit: Open, how: dict[str, object], says: str
) -> None:
    page = visit(f"/run/{packed(canonical(BARE))}", **how)
    expect(page.locator("#say")).to_contain_text(says)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_in_landscape_a_run_has_its_menu_and_the_search_in_one_row(visit: Open, language: str) -> None:
    page = visit(f"/run/blue-figure?step=4&lang={language}", viewport=LOW, **TOUCHED)
    doors = page.locator(".brand, .find-door, #switch, #run-picker summary, .run-does > :visible, #top-menu summary")
    boxes = [box for each in doors.all() if (box := each.bounding_box())]
    assert len(boxes) == 8
    assert all(one["x"] + one["width"] <= other["x"] for one, other in pairwise(sorted(boxes, key=itemgetter("x"))))
    assert max(box["x"] + box["width"] for box in boxes) <= LOW["width"]
    header = page.locator(".top").bounding_box()
    assert header and header["height"] < 50
    expect(page.locator("#run-tabs [aria-current]")).to_be_in_viewport(ratio=1)
    page.locator("#top-menu summary").click()
    expect(page.locator(".top-sheet .top-place").first).to_be_in_viewport()
    page.locator("#top-menu summary").click()
    page.locator(".find-door").click()
    expect(page).to_have_url(re.compile("/search"))


def test_the_editor_begins_with_the_picture_and_names_each_field_by_what_it_is_of(visit: Open) -> None:
    page = visit("/editor", viewport=PHONE, **TOUCHED)
    picture, text = page.locator(".editor-right").bounding_box(), page.locator(".editor-left").bounding_box()
    assert picture and text and picture["y"] + picture["height"] <= text["y"]
    fields = page.locator("#editor-form :is(input:not([type=hidden]), select)")
    names = fields.evaluate_all("each => each.map((field) => field.ariaLabel)")
    assert len(names) > 10 and len(set(names)) == len(names)
    for name in ("Name of A", "A→B: From", "line 1 of the script: Where"):
        expect(page.get_by_label(name, exact=True)).to_be_visible()
