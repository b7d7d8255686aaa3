"""On the stage: a driver's logs, the ids and copies kept for duplicate removal, and what is recorded but not stored."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, WIDE, Open

BOTH = pytest.mark.parametrize(
    "size", [pytest.param(WIDE, id="wide", marks=pytest.mark.slow), pytest.param(PHONE, id="phone")]
)


def cells(page: Page, name: str) -> list[str]:
    """Return how the cells at the foot of a process are drawn."""
    found: list[str] = page.locator(f'#stage [data-process="{name}"] .cell').evaluate_all(
        "cells => cells.map((cell) => cell.getAttribute('class').replace('cell ', ''))"
    )
    return found


@pytest.mark.slow
@BOTH
def test_the_logs_of_a_driver_stand_below_it_and_are_not_cut(size: dict[str, int], visit: Open) -> None:
    page = visit("/run/micro-batch?step=44&lang=en", viewport=size)
    driver = page.locator('#stage [data-process="driver"]')
    expect(driver.locator(".cell.logged")).to_have_count(2)
    assert driver.locator(".cell.logged").all_text_contents() == ["10–2", "22–3"]
    assert cells(page, "driver") == ["logged", "committed", "logged", "uncommitted"]
    box, log = driver.locator(".box").bounding_box(), driver.locator(".cell.logged").first.bounding_box()
    assert box and log and log["y"] >= box["y"] + box["height"]
    expect(driver).to_have_attribute("aria-label", re.compile("commit log: 1"))
    page.keyboard.press("Home")
    expect(driver.locator(".cell.logged")).to_have_count(0)


@pytest.mark.slow
def test_channels_and_processes_of_a_row_keep_their_distance(visit: Open) -> None:
    page = visit("/run/micro-batch?step=30&lang=en", viewport=WIDE)
    expect(page.locator("#stage .caption-line")).to_have_count(3)  # the plan of the stage is there
    nodes = [one.bounding_box() for one in page.locator("#stage .node .box").all()]
    captions = [one.bounding_box() for one in page.locator("#stage .caption-line").all()]
    assert (len(nodes), len(captions)) == (4, 3)
    for caption in captions:
        for node in nodes:
            assert caption and node
            apart = max(node["x"] - caption["x"] - caption["width"], caption["x"] - node["x"] - node["width"])
            assert apart >= 6, "a ring around a process fits between them"


@BOTH
def test_ids_are_kept_from_when_they_are_saved_and_copies_until_they_are_acknowledged(
    size: dict[str, int], visit: Open
) -> None:
    page = visit("/run/acknowledgement-lost?step=2&lang=en", viewport=size)
    expect(page.locator('#stage [data-process="src"] .cell.unheard')).to_have_count(1)
    assert cells(page, "sum") == []
    page.keyboard.press("ArrowRight")
    expect(page.locator('#stage [data-process="sum"] .cell.known')).to_have_text("1")
    source = page.locator('#stage [data-process="src"]')
    expect(source).to_have_attribute("aria-label", re.compile("sent, not acknowledged: 5"))
    page.keyboard.press("End")
    expect(page.locator("#stage .cell.unheard")).to_have_count(0)


@pytest.mark.slow
def test_a_sink_without_an_id_shows_what_it_has_not_passed_on(visit: Open) -> None:
    page = visit("/run/crash-both-ways?algorithm=millwheel&step=25&lang=en", viewport=WIDE)
    expect(page.locator("#timeline .now")).to_have_text("step 25 of 141")
    expect(page.locator('#stage [data-process="out"] .cell')).to_have_count(1)  # the plan of the stage is there
    assert cells(page, "out") == ["pending"]


@pytest.mark.slow
def test_what_is_below_the_watermark_is_let_go_of(visit: Open) -> None:
    page = visit("/run/low-watermark?step=43&lang=en", viewport=WIDE)
    known = page.locator('#stage [data-process="sum"] .cell.known')
    expect(known.first).to_be_visible()
    before = known.count()
    page.keyboard.press("End")
    expect(known).to_have_count(1)
    assert before > 1


@pytest.mark.slow
def test_what_a_channel_held_is_dashed_until_its_receiver_has_stored_it(visit: Open) -> None:
    page = visit("/run/past-the-jam?step=17&lang=en", viewport=WIDE)
    inside = page.locator("#stage .chip.open, #stage .copy.open, #stage .within.open")
    expect(inside.first).to_be_attached()
    expect(page.locator("#table tr.storing th", has_text="s → double")).to_have_count(1)
    page.keyboard.press("End")
    expect(inside).to_have_count(0)


@pytest.mark.slow
def test_one_can_jump_to_a_return_and_it_is_marked(visit: Open) -> None:
    page = visit("/run/crash-both-ways?lang=en", viewport=WIDE)
    page.locator("#kind-restore").click()
    expect(page.locator("#timeline .mark.restore")).to_have_count(1)
    page.keyboard.press("n")
    expect(page.locator("#timeline .now")).to_have_text("step 45 of 79")
