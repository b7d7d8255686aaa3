"""The end of a run: the verdict in the place of the sentence; and the words of every step, which move nothing."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE, Open, whole

INSIDE = "e => e.getBoundingClientRect().bottom <= document.querySelector('#saying').getBoundingClientRect().bottom"


def test_a_wrong_run_ends_in_vermillion_with_its_sum_and_shows_where(visit: Open) -> None:
    page = whole(visit("/run/photographs-two?lang=en&step=4"))
    expect(page.locator("#say strong.wrong")).to_have_text("Snapshot 1 is complete, and wrong.")
    expect(page.locator("#last-word")).to_be_hidden()
    page.keyboard.press("End")
    line = page.locator(".verdict-line")
    expect(line).to_have_text("Complete, and wrong.")
    expect(line).to_have_attribute("data-tone", "wrong")
    expect(page.locator(".verdict-sum b")).to_have_text("\u00a0=\u00a02\u00a0≠\u00a01")
    red = line.evaluate("e => getComputedStyle(e).color")
    assert red == page.locator(".verdict-sum b").evaluate("e => getComputedStyle(e).color")
    assert red != page.locator(".verdict-why").evaluate("e => getComputedStyle(e).color")
    expect(page.locator("#saying .moves a")).to_have_text(["See where", "The mistake", "The right run"])
    said = page.locator("#say p")
    assert said.inner_text() == "p receives what q recorded for snapshot 1."
    assert said.evaluate("e => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth")
    page.keyboard.press("p")
    expect(line).to_be_in_viewport(ratio=1)
    page.keyboard.press("p")
    page.get_by_role("link", name="See where").click()
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", "3")
    expect(page.locator("#last-word")).to_be_hidden()


@pytest.mark.slow
def test_a_right_run_ends_with_moves_of_which_one_straightens_the_cut(visit: Open) -> None:
    page = whole(visit("/run/queue?lang=en&step=16"))
    expect(page.locator(".verdict-line")).to_have_attribute("data-tone", "right")
    expect(page.locator(".verdict-sum")).to_have_text("0 + 0 + 60 + [1 2 3]\u00a0=\u00a066")
    page.locator("[data-move=straighten]").click()
    expect(page.locator("#spacetime")).to_be_in_viewport()
    expect(page.locator("#rubber-slider")).to_have_value("100")


@pytest.mark.slow
def test_a_snapshot_that_never_completes_looks_like_none_that_is_complete(visit: Open) -> None:
    page = whole(visit("/run/marker-lost?lang=en&step=6"))
    expect(page.locator(".verdict-line")).to_have_attribute("data-tone", "waiting")
    expect(page.locator(".verdict-why")).to_have_text("P still waits for a marker from Q.")
    expect(page.locator("#tray .chip")).to_contain_text("never completes")
    expect(page.locator("#tray .chip use")).to_have_attribute("href", "#icon-waiting")


TOPS = """() => ["[data-panel=rule]", "[data-panel=table]", "#stage"].map((each) =>
  Math.round(document.querySelector(each).getBoundingClientRect().top))"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["queue", "marker-lost"])
def test_nothing_below_the_words_moves_from_step_to_step(visit: Open, name: str) -> None:
    page = whole(visit(f"/run/{name}?lang=en"))
    steps = int(page.locator("#timeline").get_attribute("aria-valuemax") or 0)
    for presenting in (False, True):
        if presenting:
            page.keyboard.press("p")
        page.keyboard.press("Home")
        found = set()
        for step in range(steps + 1):
            expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(step))
            found.add(tuple(page.evaluate(TOPS)))
            page.keyboard.press("ArrowRight")
        assert len(found) == 1, found


ENDS = (("photographs-two", "zh"), ("blue-figure", "en"), ("only-what-was-used", "en"), ("only-what-was-used", "zh"))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), ENDS)
def test_on_a_phone_nothing_moves_when_the_end_card_comes(visit: Open, name: str, language: str) -> None:
    page = whole(visit(f"/run/{name}?lang={language}", viewport=PHONE, reduced_motion="reduce"))
    time, moves = page.locator("#spacetime"), page.locator("#saying .moves a")
    tops, heights = set(), set()
    for step in range(int(page.locator("#timeline").get_attribute("aria-valuemax") or "0") + 1):
        expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(step))
        tops.add(time.evaluate("e => Math.round(e.getBoundingClientRect().top)"))
        heights.add(page.evaluate("document.documentElement.scrollHeight"))
        page.keyboard.press("ArrowRight")
    expect(page.locator(".verdict-line")).to_be_visible()
    assert len(tops) == len(heights) == 1, (tops, heights)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert all(each.evaluate(INSIDE) for each in moves.all())


@pytest.mark.slow
def test_a_check_tells_what_it_means_and_the_total_what_it_should_be(visit: Open) -> None:
    page = whole(visit("/run/queue?lang=en&step=16"))
    expect(page.locator("#table .total td")).to_have_text("66 = 66")
    expect(page.locator(".meaning")).to_be_hidden()
    chip = page.locator("[data-check=reachable]")
    chip.click()
    expect(page.locator(".meaning")).to_contain_text("Theorem 1")
    page.locator(".meaning button").click()
    expect(page.locator("#rubber-slider")).to_have_value("100")
    chip.click()
    expect(page.locator(".meaning")).to_be_hidden()
    page.goto("/run/photographs-two?lang=en&step=5")
    expect(page.locator("#table .total.wrong td")).to_have_text("2 ≠ 1")


@pytest.mark.slow
def test_the_timeline_shows_whose_snapshot_it_is_and_what_happened(visit: Open) -> None:
    page = whole(visit("/run/two-labels?lang=en"))
    assert page.locator("#timeline .mark.record.hue2").count() > 0
    assert page.locator("#timeline .mark.record:not(.hue2)").count() > 0
    expect(page.locator("#lamp")).to_be_hidden()
    page.locator("#timeline").hover()
    expect(page.locator(".timeline-hint")).to_contain_text("·")
    box = page.locator("#timeline .now").bounding_box()
    bar = page.locator("#timeline").bounding_box()
    assert box and bar and abs(box["x"] - bar["x"]) < 8


@pytest.mark.slow
def test_of_an_unusable_snapshot_no_check_holds(visit: Open) -> None:
    page = whole(visit("/run/crash-unusable?lang=en&step=2"))
    expect(page.locator("#tray .chip")).to_contain_text("unusable")
    expect(page.locator("#checks .verdict.holds")).to_have_count(0)
    expect(page.locator("#checks .verdict.fails")).to_have_count(0)


@pytest.mark.slow
def test_an_open_check_points_at_what_proves_it(visit: Open) -> None:
    page = visit("/run/queue?step=16", viewport=WIDE)
    for check, pale, seen in (
        ("consistent", ".st-markers", ".st-messages"),
        ("channels", ".st-app.st-plain", ".st-app.st-crossing"),
        ("cost", ".st-messages", ".st-markers"),
        ("undisturbed", ".st-cuts", ".st-messages"),
    ):
        chip = page.locator(f"#checks button[data-check={check}]")
        chip.click()
        expect(page.locator(f"#spacetime {pale}").first).to_have_css("opacity", "0.12")
        expect(page.locator(f"#spacetime {seen}").first).to_have_css("opacity", "1")
        chip.click()
        expect(page.locator(f"#spacetime {pale}").first).to_have_css("opacity", "1")
