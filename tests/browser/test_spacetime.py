"""The space-time diagram in a real browser: what it shows, how to operate it, and the rubber band."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.benchmarks.busy import busy
from tests.browser.conftest import SCREEN, Open, Show, at, whole

BLUE = "/run/blue-figure"
M = "#spacetime .st-messages [data-message]"
EDGE = "(word) => word.getBoundingClientRect().left - word.closest('svg').getBoundingClientRect().left"
"""How far a word begins from the left edge of its picture or window."""


def pull(page: Page, percent: int) -> None:
    """Straighten the cut by hand."""
    page.locator("#rubber-slider").fill(str(percent))


def middles(found: Locator) -> list[float]:
    """Return the x of the middles of visible elements."""
    boxes = [each.bounding_box() for each in found.all()]
    return [box["x"] + box["width"] / 2 for box in boxes if box]


def tips(page: Page) -> list[tuple[float, float]]:
    """Return where each application message starts and where it ends, as x."""
    paths = [each.get_attribute("d") or "" for each in page.locator(f"{M} .st-body").all() if each.is_visible()]
    found = []
    for path in paths:
        start, end = re.findall(r"[ML](-?[\d.]+) ", path)
        found.append((float(start), float(end)))
    return found


def stroke(found: Locator) -> float:
    """Return the width of a line as it is drawn."""
    return float(found.evaluate("(line) => parseFloat(getComputedStyle(line).strokeWidth)"))


# --- what it shows ------------------------------------------------------------------------------------------------


def test_every_process_has_a_line_with_its_name(shown: Show) -> None:
    page = shown("three-banks", 5)
    expect(page.locator("#spacetime .st-names text")).to_have_text(["N1", "N2", "N3"])


ENDS = "(found) => found.map((e) => e.getBoundingClientRect()).map(({ left, right }) => [right, left])"


@pytest.mark.slow
def test_the_past_has_its_name_even_before_an_early_cut(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=5&presenter=1", viewport={"width": 1280, "height": 800}))
    past = page.locator("#spacetime .st-past-word")
    expect(past).to_have_attribute("opacity", "1")
    assert float(past.evaluate(EDGE)) > 0
    page = whole(visit("/run/barriers-wait?step=12&presenter=1", viewport={"width": 1280, "height": 800}))
    words = page.locator("#spacetime").locator(".st-past-word, .st-future-word")
    expect(words).to_have_count(2)
    assert words.evaluate_all("(found) => found.map((word) => word.getAttribute('opacity'))") == ["1", "1"]
    (past, _), (_, future) = sorted(words.evaluate_all(ENDS))
    assert past + 4 < future
    proof = visit("/theorem", viewport={"width": 1280, "height": 800}).locator(".proof-figure .picture").first
    expect(proof.get_by_text("PAST")).to_be_visible()
    wide = "(box) => box.firstElementChild.clientWidth / (box.clientWidth - 16)"
    assert abs(float(proof.evaluate(wide)) - 1) < 0.01, "the drawing is as wide as its place"


@pytest.mark.slow
def test_a_message_sent_early_has_its_whole_name_on_a_phone(visit: Open) -> None:
    page = whole(visit("/run/domino?step=8", viewport={"width": 390, "height": 844}))
    name = page.locator("#spacetime .st-labels text", has_text="m1")
    assert float(name.evaluate(EDGE)) >= 0


@pytest.mark.slow
def test_the_cut_is_dotted_until_every_process_has_recorded(shown: Show) -> None:
    page = shown("blue-figure", 3)
    loose, firm = page.locator(".st-chosen .st-loose"), page.locator(".st-chosen .st-firm")
    assert loose.get_attribute("d")
    before = firm.get_attribute("d") or ""
    page.keyboard.press("ArrowRight")
    at(page, 4)
    expect(loose).to_have_attribute("d", "")
    assert len(firm.get_attribute("d") or "") > len(before) > 0


@pytest.mark.slow
def test_a_cut_is_a_double_line_and_a_long_run_fits_as_a_whole(shown: Show) -> None:
    page = shown("blue-figure", 8)
    widths = [stroke(page.locator(f".st-chosen .st-{part}")) for part in ("halo", "firm", "core")]
    assert widths[0] > widths[1] > 2 * widths[2] > 0
    assert stroke(page.locator(f"{M} .st-body")) < widths[1] / 2
    expect(page.locator("#fit")).to_be_hidden()
    page = shown("random-twelve", 247)
    first = page.locator(".st-axis text", has_text=re.compile("^20$")).filter(visible=True)
    expect(first).to_have_count(0)
    page.keyboard.press("w")
    expect(page.locator("#fit")).to_have_attribute("aria-pressed", "true")
    expect(first).to_have_count(1)
    # Every record of both snapshots, the messages that cross the cut, and of the rest one faint web.
    expect(page.locator(".st-record").filter(visible=True)).to_have_count(24)
    drawn = page.locator("#spacetime .st-flight").filter(visible=True)
    assert drawn.count() == page.locator("#spacetime .st-flight.st-crossing").filter(visible=True).count() > 0
    assert (page.locator(".st-web").get_attribute("d") or "").count("M") > 100
    page.locator("#fit").click()
    expect(page.locator(".st-web")).to_have_attribute("d", "")


def test_a_message_that_crosses_the_cut_is_drawn_as_channel_state_from_the_step_that_decides_it(shown: Show) -> None:
    page = shown("blue-figure", 3)
    expect(page.locator(f"{M}:visible")).to_have_class(re.compile("st-crossing"))
    page = shown("three-banks", 2)
    expect(page.locator(f"{M}.st-crossing:visible")).to_have_count(0)
    page = shown("three-banks", 15)
    expect(page.locator(f"{M}.st-crossing:visible")).to_have_count(2)


def test_what_has_not_happened_is_not_there(shown: Show) -> None:
    page = shown("blue-figure", 2)
    expect(page.locator(f"{M}:visible")).to_have_count(0)
    expect(page.locator("#spacetime .st-record:visible")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.locator("#spacetime .st-record:visible")).to_have_count(2)
    page.keyboard.press("Home")
    at(page, 0)
    expect(page.locator("#spacetime .st-record:visible")).to_have_count(0)


@pytest.mark.slow
def test_a_name_stands_beside_its_arrow_also_where_a_link_begins_in_the_middle(visit: Open) -> None:
    page = whole(visit("/run/token-first?step=3"))
    name = page.locator("#spacetime .st-labels text").filter(has_text="T")
    middle = float(name.get_attribute("x") or "nan")
    page.keyboard.press("End")
    at(page, 6)
    ((start, end),) = tips(page)
    assert start < middle < (start + end) / 2

    page = whole(visit("/run/token-first"))
    page.keyboard.press("End")
    at(page, 6)
    assert float(name.get_attribute("x") or "nan") == middle


@pytest.mark.slow
def test_the_cut_hides_no_marker(visit: Open) -> None:
    page = whole(visit("/run/token-first?step=6"))
    expect(page.locator("#spacetime .st-diamond")).to_have_count(2)
    in_front = """() => { const cut = document.querySelector("#spacetime .st-chosen");
        return [...document.querySelectorAll("#spacetime .st-diamond")].every(
            (one) => cut.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING); }"""
    assert page.evaluate(in_front)


@pytest.mark.slow
def test_now_moves_with_the_step(shown: Show) -> None:
    page = shown("blue-figure", 2)
    before = middles(page.locator("#spacetime .st-now"))
    page.keyboard.press("End")
    at(page, 8)
    assert middles(page.locator("#spacetime .st-now"))[0] > before[0] + 100


def test_after_a_jump_the_diagram_follows_the_picture(shown: Show) -> None:
    page = shown("blue-figure", 8)
    after = middles(page.locator("#spacetime .st-now"))[0]
    page.locator("#timeline").click(position={"x": 12, "y": 9})
    at(page, 0)
    expect(page.locator("#spacetime [aria-busy]")).to_have_count(0)
    assert middles(page.locator("#spacetime .st-now"))[0] < after - 100


@pytest.mark.slow
def test_a_long_run_is_seen_through_a_window_that_follows_now(shown: Show) -> None:
    page = shown("random-twelve", 200)
    host = page.locator("#spacetime").bounding_box()
    now = middles(page.locator("#spacetime .st-now"))[0]
    assert host and host["x"] < now < host["x"] + host["width"]
    page.locator("#spacetime").hover()
    page.mouse.wheel(-4_000, 0)
    expect(page.locator("#spacetime .st-axis text", has_text=re.compile("^2$"))).to_be_visible()
    page.keyboard.press("ArrowRight")
    at(page, 201)
    expect(page.locator("#spacetime .st-axis text", has_text=re.compile("^200$"))).to_be_visible()


@pytest.mark.slow
def test_a_window_moved_by_hand_stays_while_the_pointer_lights_things_up(shown: Show) -> None:
    page = shown("random-twelve", 200)
    page.locator("#spacetime").hover()
    page.mouse.wheel(-4_000, 0)
    second = page.locator("#spacetime .st-axis text", has_text=re.compile("^2$"))
    expect(second).to_be_visible()
    page.locator("#spacetime .st-event[data-step='8']").hover()
    expect(page.locator("#spacetime .st-lit")).not_to_have_count(0)
    expect(second).to_be_visible()


@pytest.mark.slow
def test_among_many_lines_only_what_leads_somewhere_in_the_window_is_drawn(visit: Open) -> None:
    page = whole(visit(f"{busy(60, 800)}?step=400"))
    expect(page.locator("#spacetime .st-name-acting")).to_have_count(1)
    expect(page.locator("#spacetime .st-line-acting")).not_to_have_attribute("d", "")
    events = page.locator("#spacetime .st-event:visible").count()
    arrows = page.locator(f"{M}:visible").count()
    assert 0 < arrows <= events


# --- how to operate it --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_message_under_the_pointer_lights_up_in_both_views(shown: Show) -> None:
    page = shown("blue-figure", 3)
    dot = page.locator("#spacetime .st-event.st-send:visible")
    dot.hover()
    expect(page.locator("#spacetime .st-flight.st-lit")).to_have_count(1)
    expect(page.locator("#stage .message.lit")).to_have_count(1)
    page.mouse.move(5, 5)
    expect(page.locator(".st-lit, #stage .message.lit")).to_have_count(0)
    page.locator("#stage .message.app").hover()
    expect(page.locator("#spacetime .st-flight.st-lit")).to_have_count(1)


def test_a_click_on_an_event_goes_to_its_step(shown: Show) -> None:
    page = shown("blue-figure", 8)
    page.locator("#spacetime .st-event.st-send:visible").click()
    at(page, 3)
    page.keyboard.press("End")
    page.locator("#spacetime .st-record[data-step='4']").click()
    at(page, 4)


@pytest.mark.slow
def test_events_can_be_walked_and_opened_with_the_keyboard(shown: Show) -> None:
    page = shown("blue-figure", 8)
    expect(page.locator("#spacetime [tabindex='0']")).to_have_count(1)
    page.locator("#spacetime [tabindex='0']").focus()
    for _ in range(9):
        page.keyboard.press("ArrowLeft")
    focused = page.locator("#spacetime :focus")
    expect(focused).to_have_attribute("aria-label", "Step 1: P1 records its state")
    page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("aria-label", "Step 2: P1 changes its state")
    page.keyboard.press("Enter")
    at(page, 2)


# --- the rubber band ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_rubber_band_says_why_it_cannot_be_pulled_yet(visit: Open, shown: Show) -> None:
    page = shown("blue-figure", 0)
    expect(page.locator("#rubber-slider")).to_be_disabled()
    expect(page.locator("#rubber-note")).to_have_text("There is no cut yet: no snapshot has begun.")
    page = shown("blue-figure", 3)
    expect(page.locator("#rubber-slider")).to_be_disabled()
    expect(page.locator("#rubber-note")).to_contain_text("P2 still to record. It is complete after step 4.")
    page = whole(visit("/run/chain-from-b"))
    page.keyboard.press("End")
    expect(page.locator("#rubber-note")).to_contain_text("it ends without a recording by A")


def test_the_cut_becomes_a_straight_line_through_the_recorded_state(shown: Show) -> None:
    page = shown("three-banks", 15)
    records = page.locator("#spacetime .st-records .st-square")
    before = middles(records)
    assert max(before) - min(before) > 50
    pull(page, 100)
    after = middles(records)
    assert len(after) == 3 and max(after) - min(after) < 1
    expect(page.locator("#spacetime .st-chip:visible text")).to_have_text(["1", "5", "2"])
    expect(page.locator("#rubber-note")).to_contain_text("still a legal run")
    pull(page, 0)
    assert middles(records) == before


@pytest.mark.slow
def test_while_the_cut_is_pulled_every_arrow_points_to_the_right(shown: Show) -> None:
    page = shown("three-banks", 15)
    for percent in (100, 80, 50, 20, 0):
        pull(page, percent)
        assert len(tips(page)) == 3
        assert all(end > start for start, end in tips(page))


@pytest.mark.slow
def test_pre_and_post_events_stand_on_their_sides_of_the_straight_cut(visit: Open) -> None:
    page = whole(visit("/run/state-that-never-was"))
    page.keyboard.press("End")
    pull(page, 100)
    line = middles(page.locator("#spacetime .st-records .st-square"))[0]
    before = middles(page.locator("#spacetime .st-badge:not(.st-post)"))
    after = middles(page.locator("#spacetime .st-badge.st-post"))
    assert before and after
    assert max(before) < line < min(after)


def test_an_inconsistent_cut_cannot_be_straightened_and_says_why(visit: Open) -> None:
    page = whole(visit("/run/photographs-two"))
    page.keyboard.press("End")
    expect(page.locator(f"{M}.st-orphan .st-cross")).to_be_visible()
    expect(page.locator("#rubber-slider")).to_be_disabled()
    expect(page.locator("#rubber-note")).to_contain_text("cannot be straightened: T on p→q")
    expect(page.locator(".rubber-wrong")).to_have_count(1)


@pytest.mark.slow
def test_a_snapshot_of_no_use_has_no_solid_cut_and_nothing_to_straighten(visit: Open) -> None:
    page = whole(visit("/run/crash-hangs?step=2"))
    line, word = page.locator("#spacetime .st-chosen .st-firm"), page.locator("#spacetime .st-ruin-word")
    slider = page.locator("#rubber-slider")
    dashes = "(line) => getComputedStyle(line).strokeDasharray"
    assert line.evaluate(dashes) == "none"
    expect(word).to_be_hidden()
    page.keyboard.press("End")
    at(page, 4)
    expect(page.locator("#spacetime .st-chosen")).to_have_class(re.compile("st-void"))
    expect(word).to_have_text("unusable")
    assert line.evaluate(dashes) != "none"
    expect(page.locator("#spacetime .st-past")).to_be_hidden()
    expect(slider).to_be_disabled()
    expect(page.locator("#rubber-note")).to_contain_text("no moment to straighten")
    page.goto("/run/marker-lost?step=6")
    whole(page)
    expect(page.locator("#tray")).to_contain_text("never completes")
    expect(page.locator("#spacetime .st-chosen")).to_have_class(re.compile("st-void"))
    expect(word).to_have_text("never completes")
    expect(slider).to_be_disabled()


@pytest.mark.slow
def test_the_button_pulls_the_band_and_lets_it_go(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=8", reduced_motion="reduce"))
    button = page.locator("#rubber button")
    button.click()
    expect(page.locator("#rubber output")).to_have_text("100%")
    expect(button).to_have_text("Let go")
    button.click()
    expect(page.locator("#rubber output")).to_have_text("0%")


@pytest.mark.slow
def test_who_takes_no_part_does_not_keep_the_cut_from_being_pulled(visit: Open) -> None:
    for path in ("/run/born-after?step=6", "/run/leave-in-order?step=7"):
        page = whole(visit(path))
        expect(page.locator("#rubber-slider")).to_be_enabled()
        assert page.locator(".st-chosen .st-loose").get_attribute("d") == ""
        pull(page, 100)
        expect(page.locator("#rubber-note")).to_contain_text("legal run")


@pytest.mark.slow
def test_only_who_still_has_to_record_is_waited_for(visit: Open) -> None:
    page = whole(visit("/run/born-after?step=1"))
    expect(page.locator("#rubber-note")).to_have_text(
        "The cut is not complete yet: Q still to record. It is complete after step 5."
    )


@pytest.mark.slow
def test_stepping_back_before_the_cut_is_whole_lets_the_band_go(shown: Show) -> None:
    page = shown("blue-figure", 8)
    pull(page, 100)
    page.keyboard.press("Escape")
    page.locator("#first").click()
    at(page, 0)
    expect(page.locator("#rubber-slider")).to_be_disabled()
    expect(page.locator("#rubber output")).to_have_text("0%")


@pytest.mark.slow
def test_the_diagram_speaks_chinese(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=4&lang=zh"))
    expect(page.locator("#spacetime .st-past-word")).to_have_text("过去")
    expect(page.locator("#rubber label")).to_have_text("拉直割集")


@pytest.mark.slow
def test_a_cut_is_not_straightened_across_what_is_sent_again(visit: Open) -> None:
    page = whole(visit("/run/lineage?step=43"))
    expect(page.locator(f"{M}.st-orphan")).to_have_count(0)
    expect(page.locator("#rubber-slider")).to_be_disabled()
    expect(page.locator("#rubber-note")).to_contain_text("sent again only after the cut")
    expect(page.locator(".rubber-wrong")).to_have_count(0)


@pytest.mark.slow
def test_home_and_end_leave_the_focus_in_the_diagram(shown: Show) -> None:
    page = shown("three-banks", 9)
    page.locator("#spacetime .st-event:visible").last.focus()
    for key, event in (("Home", "beginning"), ("End", "last"), ("Home", "beginning")):
        page.keyboard.press(key)
        last = page.locator("#timeline").get_attribute("aria-valuemax") if event == "last" else "0"
        expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(last))
        expect(page.locator("#spacetime [aria-busy]")).to_have_count(0)
        expect(
            page.locator("#spacetime svg" if event == "beginning" else "#spacetime [tabindex='0']").first
        ).to_be_focused()


CONTRAST = """(tick) => {
  const level = (text) => text.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0.05);
  let around = tick.closest('.time');
  while (getComputedStyle(around).backgroundColor === 'rgba(0, 0, 0, 0)') around = around.parentElement;
  const ground = level(getComputedStyle(around).backgroundColor);
  const ink = level(getComputedStyle(tick).fill);
  return [Math.max(ink, ground) / Math.min(ink, ground), getComputedStyle(tick).opacity];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_numbers_of_later_steps_can_be_read(visit: Open, scheme: str) -> None:
    page = whole(visit(f"{BLUE}?step=3", color_scheme=scheme))
    later = page.locator("#spacetime .st-later").filter(visible=True)
    expect(later).to_have_count(5)
    contrast, opacity = later.first.evaluate(CONTRAST)
    assert contrast >= 4.5 and opacity == "1"


COVERED = """() => {
  const boxes = (name) => [...document.querySelectorAll(`#spacetime ${name}`)].filter((each) => each.checkVisibility())
    .map((each) => [each.textContent, each.getBoundingClientRect()]);
  const meets = (a, b) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top < a.bottom - 3;
  const dots = boxes('.st-dot');
  return boxes('.st-label').filter(([, label]) => dots.some(([, dot]) => meets(label, dot))).map(([name]) => name);
}"""
"""The names of messages that cover an event."""


def test_where_lines_are_near_to_each_other_no_name_covers_an_event(visit: Open) -> None:
    page = whole(visit("/run/crash-both-ways?step=20", viewport=SCREEN))
    expect(page.locator("#spacetime .st-label").filter(visible=True)).to_have_count(11)
    assert page.evaluate(COVERED) == []
