"""A dataflow, a crash and a recovery in a real browser: chosen by clicks, drawn on the stage, in time and in panels."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, Open, at, described, whole
from tests.browser.test_faults import address
from tests.browser.test_stage import LAPTOP, clashes
from tests.recovering import CRASHED, FLOW, RESTORED, TIGHT

CALM = {"reduced_motion": "reduce"}

PAPER = "e => getComputedStyle(e).getPropertyValue('--paper')"


def opened(visit: Open, text: str, step: int, **how: object) -> Page:
    """Return the run of a scenario at a step."""
    return whole(visit(f"{address(text)}?step={step}", **(CALM | how)))


def node(page: Page, name: str) -> Locator:
    """Return a process on the stage."""
    return page.locator(f'#stage .node[data-process="{name}"]')


def tube(page: Page, name: str) -> Locator:
    """Return a channel on the stage."""
    return page.locator(f'#stage .tube[data-channel="{name}"]')


def told(page: Page) -> dict[str, tuple[str, str]]:
    """Return by process its state and its recorded state, as screen readers read them."""
    found = {}
    for each in described(page).locator("#stage .node").all():
        said = each.get_attribute("aria-label") or ""
        name = each.get_attribute("data-process") or ""
        pattern = rf"{name}: ([^.]*?)(?:\. left the system: [^.]*)?\. Recorded for snapshot 1: (.*?)\. Opens"
        match = re.search(pattern, said)
        assert match, said
        found[name] = (match[1], match[2])
    return found


def test_a_process_crashes_by_a_click_and_all_go_back_by_another(visit: Open) -> None:
    page = opened(visit, FLOW, CRASHED - 1)
    node(page, "s1").click()
    page.locator(".menu a", has_text="crash").click()
    at(whole(page), CRASHED)
    expect(node(page, "s1")).to_have_class(re.compile(r"\bdown\b"))
    expect(page.locator("#say")).to_contain_text("s1 crashes")
    node(page, "s1").click()
    expect(page.locator(".menu a", has_text="Restart everything from the beginning")).to_be_visible()
    page.locator(".menu a", has_text="Restore checkpoint 1").click()
    at(whole(page), RESTORED)
    expect(page.locator("#stage .node.back")).to_have_count(5)
    expect(page.locator("#stage .node.down")).to_have_count(0)
    expect(page.locator("#say strong")).to_have_class("recording")


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_in_micro_batches_a_task_crashes_by_a_click_and_comes_back_alone(visit: Open, lang: str) -> None:
    page = whole(visit(f"/run/micro-batch?step=13&lang={lang}", **CALM))
    node(page, "out").click()
    page.locator(".menu a", has_text="crash" if lang == "en" else "崩溃").click()
    at(whole(page), 14)
    expect(page.locator("#stage .node.down")).to_have_count(1)
    node(page, "out").click()
    again = page.locator(".menu a", has_text="Restart out from what" if lang == "en" else "out 从它存下的")
    expect(again).to_be_visible()
    assert page.locator(".menu a", has_text=re.compile("Restore|恢复检查点")).count() == 0
    again.click()
    at(whole(page), 15)
    expect(page.locator("#say")).to_contain_text("nobody else does" if lang == "en" else "别的进程都不动")
    expect(page.locator("#stage .node.anew")).to_have_count(1)
    expect(page.locator("#stage .node.down")).to_have_count(0)


@pytest.mark.slow
def test_in_micro_batches_the_driver_crashes_by_a_click_and_its_tasks_roll_back(visit: Open) -> None:
    page = whole(visit("/run/micro-batch?step=12", **CALM))
    node(page, "driver").click()
    page.locator(".menu a", has_text="crash").click()
    at(whole(page), 13)
    expect(node(page, "driver")).to_have_class(re.compile(r"\bdown\b"))
    node(page, "driver").click()
    page.locator(".menu a", has_text="Restart everything from the beginning").click()
    at(whole(page), 14)
    expect(page.locator("#say")).to_contain_text("The query restarts from the beginning")
    expect(page.locator("#stage .node.anew")).to_have_count(3)
    expect(node(page, "driver")).not_to_have_class(re.compile(r"\banew\b"))  # it has its logs
    page.locator("#next").scroll_into_view_if_needed()
    expect(page.locator("#next")).to_contain_text("checks its logs for batch 1")


@pytest.mark.slow
def test_a_coordinator_without_logs_cannot_crash_and_says_why(visit: Open) -> None:
    page = opened(visit, FLOW, 3)
    node(page, "JM").click()
    expect(page.locator(".menu [aria-disabled]", has_text="JM crashes")).to_contain_text(
        "the coordinator is assumed never to fail"
    )


@pytest.mark.slow
def test_a_deadlock_is_seen_on_the_stage_and_on_the_badge(visit: Open) -> None:
    page = whole(visit("/run/loop-waits-for-itself?step=12", **CALM))
    expect(page.locator("#tray .chip")).to_contain_text("stuck")
    expect(page.locator("#stage .node.stuck")).to_have_count(2)
    expect(page.locator("#stage .tube.stuck")).to_have_count(2)
    expect(page.locator("#checks .verdict.never")).to_have_count(5)
    expect(page.locator("#checks")).to_contain_text("The checks of this checkpoint can never be decided.")


def test_the_panel_offers_every_way_back_and_nothing_begins_before(visit: Open) -> None:
    page = opened(visit, FLOW, CRASHED)
    page.locator("#next").scroll_into_view_if_needed()
    first = page.locator("#next > .options a")
    expect(first.nth(0)).to_have_text("Restore checkpoint 1 (the latest complete)")
    expect(first.nth(1)).to_have_text("Restart everything from the beginning")
    page.locator("#next .faults summary").click()
    wrong = page.locator("#next .faults a").all_inner_texts()
    assert not any("Restore" in each or "Restart" in each for each in wrong)
    assert "Crash of JM" not in " ".join(wrong)
    assert not any("starts" in each for each in page.locator("#next > .options a").all_inner_texts())


def test_the_restored_state_is_the_blue_one_and_the_same_again_after_a_rewind(visit: Open) -> None:
    page = opened(visit, FLOW, RESTORED)
    states = told(page)
    assert states == {name: (state, state or "no state") for name, (state, _) in states.items()}
    assert states["sum"] == ("13", "13")
    expect(page.locator("#stage .message")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    at(page, CRASHED)
    assert told(page)["sum"] == ("16", "13")
    expect(node(page, "sum")).to_have_class(re.compile(r"\bdown\b"))
    expect(page.locator("#stage .message.app")).to_have_count(2)
    page.keyboard.press("ArrowRight")
    at(page, RESTORED)
    assert told(page) == states
    page.keyboard.press("ArrowRight")
    expect(page.locator("#stage .node.back")).to_have_count(0)


@pytest.mark.slow
def test_motion_ends_where_reduced_motion_does(visit: Open) -> None:
    page = opened(visit, FLOW, CRASHED, reduced_motion="no-preference")
    page.keyboard.press("ArrowRight")
    at(page, RESTORED)
    expect(page.locator("#stage .node.back")).to_have_count(5)
    expect(page.locator("#stage .message")).to_have_count(0)
    expect(page.locator('#stage .back-sheet[visibility="visible"]')).to_have_count(0)


@pytest.mark.slow
def test_what_has_left_the_system_stays_outside(visit: Open) -> None:
    page = opened(visit, FLOW, CRASHED)
    cells = page.locator("#stage .strip.sink .cell")
    expect(cells).to_have_text(["1", "3", "13"])
    page.keyboard.press("ArrowRight")
    at(page, RESTORED)
    expect(cells).to_have_text(["1", "3", "13"])
    box, ledger = node(page, "out").locator(".box").bounding_box(), cells.first.bounding_box()
    assert box and ledger
    assert ledger["y"] >= box["y"] + box["height"], "below the sink, not in it"


@pytest.mark.slow
def test_a_barrier_is_a_bar_and_an_input_that_waits_is_barred(visit: Open) -> None:
    page = opened(visit, FLOW, 3)
    expect(page.locator("#stage .message.marker .bar")).to_have_count(2)
    expect(page.locator("#stage .message.marker").first).to_have_text("1")
    page = opened(visit, FLOW, 8)
    blocked = tube(page, "s1->sum")
    expect(blocked).to_have_class(re.compile(r"\bblocked\b"))
    expect(blocked.locator(".stop")).to_be_visible()
    expect(tube(page, "s2->sum").locator(".stop")).to_be_hidden()
    blocked.hover(position={"x": 20, "y": 8}, force=True)
    expect(blocked).to_have_attribute("aria-label", re.compile("blocked"))
    page = opened(visit, FLOW, 12)
    expect(tube(page, "s1->sum").locator(".stop")).to_be_hidden()


@pytest.mark.slow
def test_a_copy_is_an_outline_until_it_is_stored_and_the_coordinator_hears_of_it(visit: Open) -> None:
    page = opened(visit, FLOW, 12)
    expect(page.locator("#stage .card.storing")).to_have_count(3)
    page.emulate_media(color_scheme="dark")
    assert page.locator("#stage .card.storing .sheet").first.evaluate(PAPER) == "#1b1f24"
    expect(page.locator("#stage .ack.stored")).to_have_count(0)
    expect(page.locator("#table tr.storing")).to_have_count(3)
    page.keyboard.press("ArrowRight")
    at(page, 13)
    expect(page.locator("#stage .card.storing")).to_have_count(2)
    expect(page.locator("#stage .ack.stored")).to_have_count(1)


@pytest.mark.slow
def test_what_was_not_stored_when_its_process_crashed_is_struck_out(visit: Open) -> None:
    page = opened(visit, TIGHT, 7)
    expect(page.locator("#stage .card.struck")).to_have_count(1)
    expect(page.locator("#stage .ack.lost")).to_have_count(1)
    expect(page.locator("#table")).to_contain_text("lost in the crash before it was stored")
    expect(tube(page, "JM->s2")).to_have_class(re.compile(r"\buseless\b"))


@pytest.mark.slow
def test_a_full_channel_and_a_busy_process_can_be_seen(visit: Open) -> None:
    page = opened(visit, TIGHT, 3)
    expect(tube(page, "s1->m").locator(".jam")).to_have_attribute("visibility", "visible")
    expect(node(page, "s1").locator(".sign")).to_have_text("busy")
    expect(page.locator("#say")).to_contain_text("s1 reads a:3")
    expect(node(page, "s1").locator(".strip .read")).to_have_count(1)
    page.locator("#next").scroll_into_view_if_needed()
    expect(page.locator("#next")).to_contain_text("the channel is full")


@pytest.mark.slow
def test_in_time_a_line_says_to_what_all_went_back_and_what_was_taken_back_is_hatched(visit: Open) -> None:
    page = opened(visit, FLOW, CRASHED)
    expect(page.locator("[data-setback]:visible")).to_have_count(0)
    expect(page.locator(".st-bound.st-crash:visible")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    at(page, RESTORED)
    expect(page.locator("[data-setback]:visible")).to_have_count(1)
    expect(page.locator(".st-back-word:visible")).to_have_text("back to checkpoint 1")
    expect(page.locator(".st-undone:visible")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    at(page, CRASHED)
    expect(page.locator("[data-setback]:visible")).to_have_count(0)


@pytest.mark.slow
def test_no_message_has_its_name_on_the_line_at_which_all_rolled_back(visit: Open) -> None:
    page = whole(visit("/run/barrier-overtakes?step=25", reduced_motion="reduce", viewport=LAPTOP))
    boxes = "(found) => found.map((e) => e.getBoundingClientRect()).map((box) => [box.left, box.right])"
    ((left, right),) = page.locator(".st-back-line").evaluate_all(boxes)  # a line without width is not visible
    named = page.locator(".st-labels .st-label:visible").evaluate_all(boxes)
    assert len(named) >= 6
    assert [box for box in named if box[0] < right and box[1] > left] == []


@pytest.mark.slow
@pytest.mark.parametrize("run", ["micro-batch", "continuous", "real-time"])
def test_on_low_lines_what_says_that_all_went_back_covers_no_line(visit: Open, run: str) -> None:
    page = visit(f"/run/{run}?presenter=1&step=999", viewport={"width": 1280, "height": 748})  # below the bar of a room
    word, line = page.locator(".st-back-word:visible"), page.locator(".st-back-line")
    low, high = word.evaluate("e => e.getBoundingClientRect().bottom"), "e => e.getBoundingClientRect().top"
    assert low <= line.evaluate(high)


@pytest.mark.slow
def test_a_snapshot_that_was_given_up_is_struck_wherever_it_is_named(visit: Open) -> None:
    page = opened(visit, FLOW, 4)
    node(page, "JM").click()
    page.locator(".menu .faults a", has_text="Abort checkpoint 1").click()
    at(whole(page), 5)
    expect(page.locator("#tray .chip.struck")).to_have_count(1)
    expect(page.locator("#stage .card.struck")).to_have_count(2)
    expect(page.locator("#table tr.useless")).to_have_count(3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "size"),
    [
        pytest.param(FLOW, LAPTOP, id="flow, laptop"),
        pytest.param(FLOW, PHONE, id="flow, phone"),
        pytest.param(TIGHT, LAPTOP, id="tight, laptop"),
        pytest.param(TIGHT, PHONE, id="tight, phone"),
    ],
)
def test_nothing_covers_anything_else(visit: Open, text: str, size: dict[str, int]) -> None:
    page = opened(visit, text, 0, viewport=size)
    assert clashes(page, list(range(1, 27))) == {}
