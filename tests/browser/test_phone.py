"""What is there for a finger: words, menus and fields on a screen that is touched."""

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
TOUCHED = {"has_touch": True, "is_mobile": True}


@pytest.mark.parametrize(("how", "says"), [({"viewport": PHONE, **TOUCHED}, "button after it"), ({}, "or → to begin")])
def test_a_run_without_a_story_names_only_what_is_there_to_begin_with(
    visit: Open, how: dict[str, object], says: str
) -> None:
    page = visit(f"/run/{packed(canonical(BARE))}", **how)
    expect(page.locator("#say")).to_contain_text(says)
