"""The plan of the stage comes from the server: once, and again only for another size."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import PHONE, Open

pytestmark = pytest.mark.slow

LAPTOP: ViewportSize = {"width": 1280, "height": 800}


def opened(visit: Open, size: ViewportSize, run: str = "ring") -> tuple[Page, list[str]]:
    """Return the page of a run, and the addresses of the plans that it has asked for."""
    page = visit("/healthz", viewport=size)
    plans: list[str] = []
    page.on("request", lambda each: plans.append(each.url) if "/plan.json" in each.url else None)
    page.goto(f"/run/{run}")
    return page, plans


def look(page: Page, name: str) -> None:
    """Wait until the stage has that look, by a plan that has arrived."""
    expect(page.locator("#stage svg")).to_have_attribute("data-look", name)


def test_a_page_asks_for_one_plan_even_where_its_height_follows(visit: Open) -> None:
    for size, of in ((LAPTOP, "circle"), (PHONE, "wires")):
        page, plans = opened(visit, size)
        look(page, of)
        page.keyboard.press("End")
        page.wait_for_timeout(400)
        assert len(plans) == 1
        box, host = (page.locator(each).bounding_box() for each in ("#stage svg", "#stage"))
        assert box == host


@pytest.mark.parametrize("run", ["blue-figure", "queue", "slow-task", "domino-stopped"])
def test_a_lecture_asks_for_one_plan_whatever_room_its_picture_gets(visit: Open, run: str) -> None:
    page, plans = opened(visit, LAPTOP, f"{run}?presenter=1")
    expect(page.locator("#stage .node .box").first).to_be_visible()
    page.wait_for_timeout(400)
    assert len(plans) == 1


def test_another_size_brings_another_plan_and_nearly_the_same_none(visit: Open) -> None:
    page, plans = opened(visit, LAPTOP)
    look(page, "circle")
    page.set_viewport_size({"width": 1270, "height": 796})
    page.wait_for_timeout(400)
    assert len(plans) == 1
    page.set_viewport_size(PHONE)
    look(page, "wires")
    page.set_viewport_size(LAPTOP)
    look(page, "circle")
