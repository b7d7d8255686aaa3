"""Presenter mode: what is in a process and on a channel is written so large that the last row reads it."""

from itertools import cycle

import pytest
from playwright.sync_api import ViewportSize, expect

from app.run.run import record
from app.scenario.library import LIBRARY
from tests.browser.conftest import PATIENCE, SCREEN, Open, whole
from tests.browser.test_lecture import ASKS
from tests.browser.test_stage import WALK, clashes
from tests.often import some

LEAST = 0.024
"""Of the height of the screen."""
SMALL = """(least) => [...document.querySelectorAll('.stage-picture text')]
  .filter((e) => e.textContent && e.checkVisibility({ visibilityProperty: true }))
  .map((e) => [e.textContent, parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().d])
  .filter(([, px]) => px < least - 0.05)"""
RUNS = (
    *("barriers-wait?step=6", "rollback-of-seven?step=6", "three-banks?step=6", "regions-on-a-grid?step=40"),
    *("few-keys-change?step=9", "star?step=9", "hash-ring?step=9", "blue-figure?step=8", "chain-from-a?step=4"),
    *("queue?step=9", "random-twelve?step=9", "lai-yang?step=5", "widget-trade?step=5"),
    *("loop-logged?step=20", "three-guarantees?step=23", "past-the-jam?step=20", "node-idle?step=6"),
    *("three-tokens?step=11", "domino-stopped?step=14", "lineage?step=20", "slow-task?step=20"),
)
"""The ordinary run takes the first one."""


@pytest.mark.parametrize("run", some(RUNS, 21))
def test_the_last_row_reads_all_letters_in_the_picture(visit: Open, run: str) -> None:
    page = whole(visit(f"/run/{run}&presenter=1", viewport={"width": 1920, "height": 1080}))
    page.wait_for_selector("#stage .node .name")
    page.wait_for_function(f"(least) => ({SMALL})(least).length === 0", arg=LEAST * 1080, timeout=8000)


FULL: ViewportSize = {"width": 1920, "height": 1080}
FEW = [each.name for each in LIBRARY.scenarios() if len(each.topology.names) <= 12]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "viewport"), [*zip(FEW, cycle((SCREEN, FULL)), strict=False)])
def test_the_last_row_reads_all_letters_of_every_run(visit: Open, name: str, viewport: ViewportSize) -> None:
    """Each run of at most twelve processes on one of the screens, in turn."""
    steps = len(record(LIBRARY.scenario(name)).steps)
    seen = [*range(3, steps, max(4, steps // 12)), steps]
    page = whole(visit(f"/run/{name}?presenter=1", viewport=viewport, reduced_motion="reduce"))
    page.wait_for_selector("#stage .node .name")
    least = LEAST * viewport["height"]
    walk = WALK.replace("OVERLAPS", SMALL)
    # The opening has few letters: only with those of a step is it certain that the plan for this size is there.
    page.evaluate(walk, [seen[:1], least, PATIENCE])
    page.wait_for_function(f"(least) => ({SMALL})(least).length === 0", arg=least, timeout=8000)
    small = page.evaluate(walk, [seen, least, PATIENCE])
    assert {step: texts for step, texts in zip(seen, small, strict=True) if texts} == {}


SEEN = """(e) => {
  const { x, y, width, height } = e.getBoundingClientRect();
  return e.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
NEAREST = """() => {
  const { right } = document.querySelector('#stage .node.acts .ring').getBoundingClientRect();
  const chips = [...document.querySelectorAll('#stage .print .chip rect')].map((e) => e.getBoundingClientRect().x);
  return chips.length === 4 ? Math.min(...chips.map((x) => Math.abs(x - right))) : 0;
}"""
LOW = (
    *("domino-stopped?step=15", "loop-logged?step=20", "two-starters?step=12", "three-tokens?step=12"),
    *("commit-after-prepare?step=20", "born-after?step=10"),
)


@pytest.mark.slow
@pytest.mark.parametrize("run", LOW)
def test_letters_are_as_large_on_a_lower_screen(visit: Open, run: str) -> None:
    page = whole(visit(f"/run/{run}&presenter=1", viewport={"width": 1280, "height": 800}))
    page.wait_for_selector("#stage .node .name")
    page.wait_for_function(f"(least) => ({SMALL})(least).length === 0", arg=LEAST * 800, timeout=8000)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "step"), [("domino-stopped", 19), ("commit-after-complete", 11)])
def test_the_longest_sentence_takes_no_room_from_the_picture_on_a_lower_screen(
    visit: Open, name: str, step: int
) -> None:
    page = whole(visit(f"/run/{name}?step={step - 1}&presenter=1", viewport=SCREEN, reduced_motion="reduce"))
    page.wait_for_selector("#stage .node .name")
    before = page.locator("#stage").bounding_box()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(step))
    page.wait_for_function(f"(least) => ({SMALL})(least).length === 0", arg=LEAST * 800, timeout=8000)
    assert page.locator("#stage").bounding_box() == before


@pytest.mark.slow
@pytest.mark.parametrize("name", ["widget-trade", "chain-from-a", "three-banks", "barriers-wait", "work-done", "star"])
def test_large_letters_cover_nothing_on_a_low_screen(visit: Open, name: str) -> None:
    page = whole(visit(f"/run/{name}?presenter=1", viewport=SCREEN, reduced_motion="reduce"))
    assert clashes(page, list(range(3, 8))) == {}


@pytest.mark.slow
def test_the_word_on_what_crashed_stays_below_its_copy(visit: Open) -> None:
    page = whole(visit("/run/crash-both-ways?presenter=1", viewport=FULL, reduced_motion="reduce"))
    page.wait_for_selector("#stage .node .name")
    assert clashes(page, [44]) == {}


@pytest.mark.slow
def test_below_a_row_the_diagram_has_a_line_and_a_name_for_each_process(visit: Open) -> None:
    page = whole(visit("/run/two-starters?step=7&presenter=1", viewport=SCREEN))
    expect(page.locator(".st-names text")).to_have_text(["A", "B", "C"])


@pytest.mark.slow
def test_five_in_a_row_have_the_whole_run_below_them(visit: Open) -> None:
    page = whole(visit("/run/past-the-jam?step=39&presenter=1", viewport={"width": 1920, "height": 1080}))
    stage, time = (page.locator(each).bounding_box() for each in ("#stage", "#spacetime"))
    assert stage and time and time["y"] > stage["y"] + stage["height"] - 1 and time["width"] > 1800


def test_a_copy_says_all_that_was_recorded(visit: Open) -> None:
    page = whole(visit("/run/node-idle?step=6&presenter=1", viewport={"width": 1920, "height": 1080}))
    expect(page.locator("#stage .card text")).to_have_text(["", "work=0 mail·", "", "work=1 mail·"])


@pytest.mark.slow
def test_the_word_on_a_message_is_whole_or_its_initial(visit: Open) -> None:
    page = whole(visit("/run/token-outrun?step=1", viewport=SCREEN))
    words = page.locator("#stage .message.control text")
    expect(words).to_have_text(["token", "token"])
    page.keyboard.press("p")
    expect(words).to_have_text(["T", "T"])


PAGES = ("vanishing-token?q=stop", "which-cut?q=orphan", "four-fates", "barriers")


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_a_lesson_fits_the_screen_of_a_lecture(visit: Open, path: str) -> None:
    page = visit(f"/lessons/{path}")
    page.locator(".lesson-present").click()
    page.wait_for_selector(".presenting .asked-picture svg:visible")
    for size in (FULL, SCREEN):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), size
        switch = page.locator("#switch").bounding_box()
        assert switch and switch["x"] + switch["width"] <= size["width"] - 12, size


@pytest.mark.slow
@pytest.mark.parametrize(("question", "language"), [("order", "en"), ("channel", "en"), ("makers", "zh")])
def test_the_last_row_reads_the_lines_of_a_program_on_a_lower_screen(visit: Open, question: str, language: str) -> None:
    page = visit(f"/lessons/bug-hunt?q={question}&presenter=1&lang={language}", viewport=SCREEN)
    lines = page.locator(".asked-options-bug .asked-option:visible")
    sizes = lines.evaluate_all("each => each.map((e) => parseFloat(getComputedStyle(e).fontSize))")
    assert len(sizes) > 12 and min(sizes) >= LEAST * 800
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


REVEALED = (
    *(("vanishing-token?q=stop", SCREEN), ("blue-figure?q=possible", SCREEN), ("two-cameras?q=regions", SCREEN)),
    *(("bug-hunt?q=order", SCREEN), ("bug-hunt?q=green", FULL), ("bug-hunt?q=order&lang=zh", FULL)),
)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "viewport"), REVEALED)
def test_the_answer_to_a_question_fits_the_screen_of_a_lecture(visit: Open, path: str, viewport: ViewportSize) -> None:
    page = visit(f"/lessons/{path}&presenter=1", viewport=viewport)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.locator(".asked-reveal").click()
    expect(page.locator(".graded-why")).to_be_in_viewport(ratio=1)
    expect(page.locator("#lesson-next")).to_be_in_viewport(ratio=1)
    page.wait_for_selector(".playing .reveal-frame")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.slow
def test_large_letters_leave_the_queue_in_sight_that_is_asked_about(visit: Open) -> None:
    page = whole(visit("/run/queue?step=9&presenter=1", viewport=SCREEN))
    expect(page.locator("#stage .message.app:visible")).to_have_text(["1", "2", "3", "10"])


@pytest.mark.slow
def test_what_is_recorded_of_a_short_channel_stands_off_the_ring_of_its_process(visit: Open) -> None:
    page = whole(visit("/run/past-the-jam?step=20&presenter=1", viewport={"width": 1280, "height": 800}))
    page.wait_for_function(f"(least) => ({SMALL})(least).length === 0", arg=LEAST * 800, timeout=8000)
    page.wait_for_selector("#stage .node.acts .ring")
    assert page.evaluate(NEAREST) > 3


@pytest.mark.slow
def test_beside_the_picture_the_table_stays_where_it_is_and_covers_nothing(visit: Open) -> None:
    page = whole(visit("/run/queue?step=3&presenter=1", viewport=SCREEN, reduced_motion="reduce"))
    page.keyboard.press("h")
    expect(page.locator("#table")).to_be_visible()
    tops = set()
    for step in range(4, 17):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(step))
        if step == ASKS:
            expect(page.locator(".predict")).to_be_visible()
        table = page.locator("#table").bounding_box()
        assert table
        tops.add(round(table["y"]))
        assert page.locator("[data-panel=rule] h2").evaluate(SEEN)
    assert len(tops) == 1


@pytest.mark.slow
def test_four_in_a_row_with_a_way_back_have_the_diagram_below_them_and_all_badges(visit: Open) -> None:
    page = whole(visit("/run/loop-logged?step=20&presenter=1", viewport=SCREEN, reduced_motion="reduce"))
    page.wait_for_selector("#stage [data-level]")
    expect(page.locator("#stage .print .chip")).to_have_count(4)
    page.wait_for_function("document.querySelector('#spacetime').clientWidth > 1200")
    page.wait_for_function(f"(least) => ({SMALL})(least).length === 0", arg=LEAST * 800, timeout=8000)
    assert clashes(page, [20]) == {}


@pytest.mark.slow
def test_beside_seven_processes_the_diagram_has_a_third_of_the_width(visit: Open) -> None:
    page = whole(visit("/run/lineage?step=20&presenter=1", viewport=SCREEN))
    page.wait_for_function("document.querySelector('#stage svg').dataset.flow === '5'")
    box = page.locator("#spacetime").bounding_box()
    assert box and box["width"] > 1280 / 3


@pytest.mark.slow
def test_no_chip_of_five_snapshots_is_cut(visit: Open) -> None:
    page = whole(visit("/run/old-file-needed?step=40&presenter=1", viewport=SCREEN))
    expect(page.locator("#tray .chip")).to_have_count(5)
    assert page.locator("#tray").evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.slow
def test_the_word_on_a_fault_stays_within_its_outline(visit: Open) -> None:
    page = whole(visit("/run/loop-forgotten?step=20&presenter=1", viewport={"width": 1920, "height": 1080}))
    page.wait_for_selector("#stage [data-level]")
    page.wait_for_function(f"(least) => ({SMALL})(least).length === 0", arg=LEAST * 1080, timeout=8000)
    fault = page.locator("#stage .print .fault")
    word, outline = fault.locator("text").bounding_box(), fault.locator("rect").bounding_box()
    assert word and outline
    assert word["x"] + word["width"] < outline["x"] + outline["width"] - 2


CUT_OFF = """() => {
  const pane = document.querySelector('#spacetime .st-window');
  const whole = pane.ownerSVGElement;
  const edge = whole.getBoundingClientRect().x + pane.x.baseVal.value * whole.getScreenCTM().a;
  return [...document.querySelectorAll('#spacetime .st-future-word')]
    .filter((e) => e.checkVisibility({ opacityProperty: true }))
    .filter((e) => e.getBoundingClientRect().x < edge - 0.5).length;
}"""


@pytest.mark.slow
def test_the_word_future_is_whole_or_left_out(visit: Open) -> None:
    page = visit("/run/end-counts?step=12&presenter=1", viewport=SCREEN, reduced_motion="reduce")
    page.wait_for_selector("#spacetime .st-future-word", state="attached")
    assert page.evaluate(CUT_OFF) == 0


@pytest.mark.slow
def test_a_run_that_nearly_fits_is_shown_from_its_beginning(visit: Open) -> None:
    page = visit("/run/domino?step=22&presenter=1", viewport=SCREEN, reduced_motion="reduce")
    page.wait_for_selector("#spacetime svg.spacetime")
    assert page.locator("#spacetime svg.st-scrolls").count() == 0
    expect(page.locator("#spacetime .st-label", has_text="m1")).to_be_visible()


COVERED = """() => {
  const overlap = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]) > 1;
  const hit = (a, b) => overlap(a, b, "left", "right") && overlap(a, b, "top", "bottom");
  const texts = [...document.querySelectorAll('.stage-picture :is(.card, .inside) text')].filter((e) => e.textContent);
  return [...document.querySelectorAll('.stage-picture .corner')].flatMap((one) =>
    texts.filter((text) => hit(one.getBoundingClientRect(), text.getBoundingClientRect())).map((e) => e.textContent));
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random-twelve", "few-keys-change", "rollback-of-seven"])
@pytest.mark.parametrize("query", ["", "&presenter=1"])
def test_the_numbers_of_other_snapshots_cover_nothing(visit: Open, name: str, query: str) -> None:
    page = visit(f"/run/{name}?step=999{query}", viewport=SCREEN, reduced_motion="reduce")
    page.wait_for_selector(".stage-picture .corner")
    assert page.evaluate(COVERED) == []


@pytest.mark.slow
def test_the_line_of_now_begins_below_the_words_of_a_cut_that_is_near(visit: Open) -> None:
    page = visit("/run/blue-figure?step=1&presenter=1", viewport=SCREEN, reduced_motion="reduce")
    expect(page.locator("#spacetime .st-future-word")).to_be_visible()
    line, word = (page.locator(f"#spacetime {one}").bounding_box() for one in (".st-now", ".st-future-word"))
    assert line and word
    assert line["y"] >= word["y"] + word["height"] - 2
    page = visit("/run/blue-figure?step=8&presenter=1", viewport=SCREEN, reduced_motion="reduce")
    line, word = (page.locator(f"#spacetime {one}").bounding_box() for one in (".st-now", ".st-now-word"))
    assert line and word and line["y"] <= word["y"] + 4
