"""A graph in layers in a real browser: back channels go around, nothing overlaps."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import PHONE, Open
from tests.browser.test_stage import LAPTOP, clashes, whole
from tests.flows import FLOWS, yaml

pytestmark = pytest.mark.slow


def opened(visit: Open, flow: str, size: ViewportSize) -> Page:
    """Return the page of the run on a flow, once it is complete."""
    page = visit("/healthz", viewport=size, reduced_motion="reduce")
    kept = page.request.post(
        "/api/scenarios", data={"yaml": yaml(flow)}, headers={"Origin": page.url.removesuffix("/healthz")}
    )
    assert kept.ok, kept.text()
    page.goto(kept.json()["url"])
    return whole(page)


BEHIND = """() => {
  const boxes = [...document.querySelectorAll('#stage .node > .box')].map((e) => e.getBoundingClientRect());
  const found = [];
  for (const path of document.querySelectorAll('#stage .tube .edge')) {
    const name = path.parentNode.dataset.channel;
    const matrix = path.getScreenCTM();
    for (let at = 2; at < path.getTotalLength() - 2; at += 4) {
      const p = path.getPointAtLength(at).matrixTransform(matrix);
      const inside = (b) => p.x > b.left + 2 && p.x < b.right - 2 && p.y > b.top + 2 && p.y < b.bottom - 2;
      if (boxes.some(inside)) found.push(name);
    }
  }
  return [...new Set(found)];
}"""


@pytest.mark.parametrize(
    ("name", "size"),
    [
        pytest.param(name, size, id=f"{name}, {kind}")
        for name in FLOWS
        for kind, size in (("laptop", LAPTOP), ("phone", PHONE))
    ],
)
def test_nothing_of_a_flow_covers_anything_else(name: str, size: ViewportSize, visit: Open) -> None:
    page = opened(visit, FLOWS[name], size)
    if name != "many":
        assert page.evaluate(BEHIND) == []
    last = int(page.locator("#timeline").get_attribute("aria-valuemax") or 0)
    assert clashes(page, [*range(3, last, max(1, last // 10)), last]) == {}


def test_what_leads_back_is_dashed_and_goes_around_below(visit: Open) -> None:
    page = opened(visit, FLOWS["loop"], LAPTOP)
    back, onward = page.locator('[data-channel="T->H"]'), page.locator('[data-channel="H->T"]')
    assert back.locator(".edge").evaluate("each => getComputedStyle(each).strokeDasharray") != "none"
    assert onward.locator(".edge").evaluate("each => getComputedStyle(each).strokeDasharray") == "none"
    around = back.locator(".edge").bounding_box()
    boxes = [box for each in page.locator("#stage .node > .box").all() if (box := each.bounding_box())]
    assert around
    assert around["y"] + around["height"] > max(box["y"] + box["height"] for box in boxes)


def test_a_flow_goes_from_left_to_right_and_downwards_where_its_letters_would_be_too_small(visit: Open) -> None:
    def middles(page: Page, *names: str) -> list[tuple[float, float]]:
        boxes = [page.locator(f'[data-process="{name}"] > .box').bounding_box() for name in names]
        return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]

    page = opened(visit, FLOWS["line"], LAPTOP)
    across = middles(page, "J", "H", "T")
    assert [x for x, _ in across] == sorted(x for x, _ in across)
    assert max(y for _, y in across) - min(y for _, y in across) < 2
    page = opened(visit, FLOWS["chain"], {"width": 412, "height": 915})
    page.get_by_role("tab", name="Recorded").click()
    expect(page.locator("#stage svg")).to_be_visible()
    page.wait_for_function("() => document.querySelector('#stage').clientHeight > 300")
    page.wait_for_timeout(300)
    down = middles(page, "s", "map", "count", "filter")
    assert [y for _, y in down] == sorted(y for _, y in down)
    assert max(x for x, _ in down) - min(x for x, _ in down) < 2
