"""The phases of a snapshot in the player: below the diagram, under the timeline, by mouse and keys."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import WIDE, Open, at, whole

pytestmark = pytest.mark.slow


def test_the_ribbon_grows_with_the_run_and_says_what_happens_in_a_phase(visit: Open) -> None:
    page = whole(visit("/run/three-banks?lang=en", viewport=WIDE))
    bands = page.locator(".st-phase:not([display])")
    expect(bands).to_have_count(0)
    page.keyboard.press("End")
    at(page, 15)
    expect(bands).to_have_count(4)
    expect(page.locator(".ends b")).to_have_text("step 15 of 15 · collecting")
    page.locator(".st-propagating rect").hover()
    tip = page.locator(".st-phase-tip")
    expect(tip).to_have_text("Phase: propagating, steps 4–7. The other processes record, one after another.")
    page.locator(".st-terminating rect").click()
    at(page, 8)
    expect(bands).to_have_count(3)
    expect(page.locator(".st-terminating")).to_have_attribute("aria-label", re.compile("since step 8|steps 8"))


def test_a_phase_can_be_reached_by_keys(visit: Open) -> None:
    page = whole(visit("/run/three-banks?lang=zh&step=9", viewport=WIDE))
    page.locator("#spacetime [tabindex='0']").focus()
    for _ in range(40):
        if page.locator(".st-propagating:focus").count():
            break
        page.keyboard.press("ArrowRight")
    expect(page.locator(".st-propagating")).to_be_focused()
    expect(page.locator(".st-phase-tip")).to_contain_text("阶段：传播，第 4–7 步")
    page.keyboard.press("Enter")
    at(page, 4)


def test_the_timeline_shows_the_phases_of_the_snapshot_that_is_picked(visit: Open) -> None:
    page = whole(visit("/run/cut-and-mended?lang=en&step=34", viewport=WIDE))
    expect(page.locator(".track .band")).to_have_count(3)
    page.locator("#tray button").first.click()
    expect(page.locator(".track .band")).to_have_count(2)
    expect(page.locator(".track .band.torn title")).to_contain_text("aborted in step 10")


def test_a_challenge_tells_no_phases_ahead(visit: Open) -> None:
    page = visit("/challenge/late-marker?lang=en", viewport=WIDE)
    expect(page.locator("#timeline")).to_be_visible()
    expect(page.locator(".track .band")).to_have_count(0)
