"""While the cut is straight, the stage shows the run that could have been."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open

NEVER = "/run/state-that-never-was?step=8"
CALM = {"reduced_motion": "reduce"}


def straight(page: Page) -> Page:
    """Return the page with a straight cut."""
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    page.locator("#rubber button").click()
    expect(page.locator("body.imagined")).to_be_attached()
    return page


def state(page: Page) -> list[str]:
    """Return what the stage shows of the processes."""
    return page.locator("#stage .node .inside").all_text_contents()


def head(page: Page) -> float:
    """Return where the playhead is."""
    return float(page.locator(".st-head-line").bounding_box()["x"])  # type: ignore[index]


def test_the_stage_shows_the_recorded_state_and_a_playhead_runs_through_the_legal_run(visit: Open) -> None:
    page = visit(NEVER, **CALM)
    page.wait_for_selector("#stage .node .name")
    real = state(page)
    straight(page)
    could = page.locator(".could")
    expect(could).to_contain_text("A moment that could have been")
    expect(could).to_contain_text("exactly the recorded one")
    assert state(page) == ["pA", "qD"]
    assert state(page) != real
    expect(page.locator("#stage .card:visible")).to_have_count(2)
    expect(page.locator("#stage")).to_have_attribute("inert", "")
    at = head(page)
    page.keyboard.press("ArrowRight")
    expect(could).to_contain_text("Event 2 of 4, after the line: step 2 of the real run.")
    assert head(page) > at
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    expect(could).to_contain_text("Event 1 of 4, before the line: step 3 of the real run.")
    assert head(page) < at
    expect(page.locator("#stage .card:visible")).to_have_count(0)
    page.keyboard.press("End")
    assert state(page) == real
    assert "step=8" in page.url
    page.keyboard.press("Escape")
    expect(page.locator("body.imagined")).to_have_count(0)
    expect(could).to_be_hidden()
    assert state(page) == real
    expect(page.locator("#stage")).not_to_have_attribute("inert", "")


@pytest.mark.slow
def test_play_begins_at_the_beginning_and_a_jump_in_the_real_run_lets_go(visit: Open) -> None:
    page = straight(visit("/run/three-banks?step=15", **CALM))
    page.locator("#speed").select_option("4")
    page.locator("#play").click()
    expect(page.locator(".could")).to_contain_text("before the line")
    expect(page.locator(".could")).to_contain_text("after the line")
    page.locator("#timeline").click(position={"x": 30, "y": 20})
    expect(page.locator("body.imagined")).to_have_count(0)
    expect(page.locator("#rubber output")).to_have_text("0%")


@pytest.mark.slow
def test_nothing_moves_under_the_pointer_while_the_cut_is_pulled(visit: Open) -> None:
    page = visit(NEVER)
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    slider, diagram = page.locator("#rubber-slider"), page.locator("#spacetime")
    places = []
    for percent in (0, 10, 49, 50, 90, 100):
        slider.fill(str(percent))
        places.append((slider.bounding_box(), diagram.bounding_box()))
    assert all(place == places[0] for place in places)
    wide = diagram.bounding_box()
    assert places[0][0] and wide
    assert places[0][0]["width"] > wide["width"] / 2


@pytest.mark.slow
def test_a_run_that_goes_back_could_have_been_another_too(visit: Open) -> None:
    page = visit("/run/backup", **CALM)
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    page.keyboard.press("End")
    page.locator("#rubber-slider").fill("100")
    expect(page.locator("body.imagined")).to_have_count(1)
    expect(page.locator(".could")).to_contain_text("exactly the recorded one")
    page.locator("#last").click()
    expect(page.locator(".could")).to_contain_text("after the line")
    page.keyboard.press("Escape")
    expect(page.locator("body.imagined")).to_have_count(0)
