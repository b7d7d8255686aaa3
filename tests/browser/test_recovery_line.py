"""Uncoordinated checkpoints in a real browser: their names, the recovery line, its orphans and its table."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Open, whole

ORPHAN = "#spacetime .st-flight.st-orphan:not([display=none])"
LINE = "#spacetime .st-recovery-line:not([display=none])"
NAMES = "#spacetime .st-checkpoint:not([display=none])"


def cells(page: Page) -> list[list[str]]:
    """Return the rows of the table."""
    return [row.locator("th, td").all_inner_texts() for row in page.locator("#table tbody tr").all()]


@pytest.mark.slow
def test_every_checkpoint_has_its_name_on_the_line_of_its_process(visit: Open) -> None:
    page = whole(visit("/run/domino?step=14"))
    expect(page.locator(NAMES)).to_have_text(["p1", "q1", "p2", "q2"])
    expect(page.locator(LINE)).to_have_count(0)
    assert cells(page) == [["P", "p1 p2"], ["Q", "q1 q2"]]


@pytest.mark.slow
def test_the_cascade_is_seen_step_by_step_each_with_its_orphan(visit: Open) -> None:
    page = whole(visit("/run/domino?step=16"))
    expect(page.locator(LINE)).to_have_count(1)
    for orphan in ("m4", "m4", "m3", "m2", "m1"):
        expect(page.locator(ORPHAN)).to_have_count(1)
        expect(page.locator("#spacetime .st-label.st-orphan")).to_have_text(f"orphan {orphan}")
        page.keyboard.press("ArrowRight")
    expect(page.locator(ORPHAN)).to_have_count(0)


@pytest.mark.slow
def test_the_table_says_how_far_each_must_fall_and_what_it_has_cost(visit: Open) -> None:
    page = whole(visit("/run/domino?step=16"))
    assert cells(page) == [["P", "p1 p2", "p2", "after p2"], ["Q", "q1 q2", "?", "after q2"]]
    expect(page.locator("#table s")).to_have_count(0)
    expect(page.locator("#spacetime .st-recovery-word")).to_have_text("back so far")
    page.keyboard.press("End")
    expect(page.locator("#table s")).to_have_text(["p1", "p2", "q1", "q2"])
    expect(page.locator("#spacetime .st-recovery-word")).to_have_text("recovery line: the beginning")
    expect(page.locator("#table p")).to_contain_text("Further rollbacks: 5; events lost: 10")
    assert cells(page) == [["P", "p1 p2", "start", "start", "5"], ["Q", "q1 q2", "start", "start", "5"]]
    expect(page.locator("#checks")).to_contain_text("exactly to the recovery line")


def test_the_line_goes_through_the_checkpoints_that_fit(visit: Open) -> None:
    page = whole(visit("/run/domino-stopped?step=99"))
    expect(page.locator("#spacetime .st-recovery-word")).to_have_text("recovery line")
    expect(page.locator("#table .on-line")).to_have_text(["p2", "q2"])
    assert cells(page)[2] == ["R", "–", "stays", "–", "0"]


COVERED = """([line, names]) => {
  const path = [...document.querySelectorAll(line)].at(-1);
  const all = Array.from({ length: path.getTotalLength() }, (_, i) => path.getPointAtLength(i));
  const points = all.map((each) => each.matrixTransform(path.getScreenCTM()));
  const shown = [...document.querySelectorAll(names)].filter((e) => /^[pq]\\d/.test(e.textContent));
  const covered = shown.filter((e) => {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    return points.some(({ x, y }) => x > left - 2 && x < right + 2 && y > top + 3 && y < bottom - 3);
  });
  return [shown.length, covered.map((e) => e.textContent)];
}"""


@pytest.mark.slow
def test_the_line_covers_no_name_of_a_checkpoint(visit: Open) -> None:
    page = whole(visit("/run/domino-stopped?step=99", reduced_motion="reduce"))
    assert page.evaluate(COVERED, [f"{LINE} .st-firm", NAMES]) == [4, []]
    for moves in ("m=back:P.2&m=back:Q.2", "m=back:P.1&m=back:Q.1&m=stay:R", "m=back:P.2&m=back:Q.1&m=back:R.0"):
        page.goto(f"/lessons/after-the-crash/by-hand?{moves}")
        assert page.evaluate(COVERED, ["#hand [data-cut] path:first-child", "#hand text"]) == [4, []]


@pytest.mark.slow
def test_a_visitor_takes_a_checkpoint_from_the_menu_of_what_could_happen(visit: Open) -> None:
    page = whole(visit("/run/domino?step=2"))
    page.get_by_role("button", name="Q takes a checkpoint of its own").first.click()
    whole(page)
    expect(page.locator("#say")).to_contain_text("Q takes a checkpoint of its own, q1")


@pytest.mark.slow
def test_on_a_phone_the_table_fits(visit: Open) -> None:
    page = whole(visit("/run/domino?step=22&lang=zh", viewport=PHONE))
    page.get_by_role("tab").nth(1).click()
    table = page.locator("#table table")
    expect(table).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = table.bounding_box()
    assert box and box["x"] + box["width"] <= PHONE["width"]
