"""The plan of the stage comes from the server: once, and again only for another size."""

from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import PHONE, Open
from tests.until import until

LAPTOP: ViewportSize = {"width": 1280, "height": 800}


def plans(page: Page) -> int:
    """Return how many plans the page has asked for."""
    return int(
        page.evaluate("performance.getEntriesByType('resource').filter((e) => e.name.includes('/plan.json')).length")
    )


def look(page: Page, name: str) -> None:
    """Wait until the stage has that look, by a plan that has arrived."""
    expect(page.locator("#stage svg")).to_have_attribute("data-look", name)
    until(lambda: plans(page))


def test_a_page_asks_for_one_plan_even_where_its_height_follows(visit: Open) -> None:
    for size, of in ((LAPTOP, "circle"), (PHONE, "wires")):
        page = visit("/run/star", viewport=size)
        look(page, of)
        page.keyboard.press("End")
        page.wait_for_timeout(400)
        assert plans(page) == 1
        box, host = (page.locator(each).bounding_box() for each in ("#stage svg", "#stage"))
        assert box == host


def test_another_size_brings_another_plan_and_nearly_the_same_none(visit: Open) -> None:
    page = visit("/run/star", viewport=LAPTOP)
    look(page, "circle")
    page.set_viewport_size({"width": 1270, "height": 796})
    page.wait_for_timeout(400)
    assert plans(page) == 1
    page.set_viewport_size(PHONE)
    look(page, "wires")
    page.set_viewport_size(LAPTOP)
    look(page, "circle")
