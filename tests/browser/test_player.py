"""The player in a real browser: every control does what it says."""

import re
import struct
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from app.core.oracle.checks import CHECKS, Check
from tests.benchmarks.busy import busy
from tests.browser.conftest import PHONE, Open, Show, at, whole
from tests.until import until

BLUE = "/run/blue-figure"
STEPS = 8


def step_of(page: Page) -> int:
    """Return the step that the timeline shows."""
    return int(page.locator("#timeline").get_attribute("aria-valuenow") or -1)


# --- the run arrives ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_run_opens_at_its_beginning_and_arrives_whole(visit: Open) -> None:
    page = whole(visit(BLUE))
    at(page, 0)
    expect(page.locator("#caption")).to_have_text("Where in the snapshot will M be?")
    expect(page.locator("#timeline")).to_have_attribute("aria-valuemax", str(STEPS))


def test_a_link_opens_the_very_step(visit: Open) -> None:
    page = visit(f"{BLUE}?step=4")
    at(page, 4)
    expect(page.locator("#say")).to_contain_text("P2 records.")
    expect(page.locator("[data-channel='P1->P2']")).to_have_class(re.compile("closed"))
    expect(page.locator("[data-channel='P2->P1']")).to_have_class(re.compile("recording"))


@pytest.mark.slow
def test_few_files_are_requested_and_the_stream_once_until_its_end(visit: Open) -> None:
    asked: list[str] = []
    page = visit("about:blank")
    page.on("request", lambda request: None if request.url.startswith("data:") else asked.append(request.url))
    page.goto(BLUE)
    whole(page)
    page.wait_for_timeout(4_000)
    assert 4 <= len(asked) <= 12, asked
    assert len([url for url in asked if "/blue-figure/events" in url]) == 1


# --- playing ------------------------------------------------------------------------------------------------------


def test_play_goes_on_by_itself_and_pause_stops_it(visit: Open) -> None:
    page = whole(visit(BLUE))
    page.locator("#speed").select_option("4")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-label", re.compile("Pause"))
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", re.compile("[2-8]"))
    page.locator("#play").click()
    stopped = step_of(page)
    page.wait_for_timeout(900)
    assert step_of(page) == stopped


@pytest.mark.slow
def test_play_stops_at_the_end(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=6"))
    page.locator("#speed").select_option("4")
    page.locator("#play").click()
    at(page, STEPS)
    expect(page.locator("#play")).to_have_attribute("aria-label", re.compile("Play"))


def test_buttons_step_forward_and_back_to_the_ends(shown: Show) -> None:
    page = shown("blue-figure", 0)
    for button, step in (("forward", 1), ("forward", 2), ("back", 1), ("last", STEPS), ("first", 0)):
        page.locator(f"#{button}").click()
        at(page, step)
    expect(page.locator("#back")).to_have_attribute("aria-disabled", "true")


def test_keys_and_clickers_do_the_same_as_buttons(shown: Show) -> None:
    page = shown("blue-figure", 0)
    keys = ("ArrowRight", 1), ("PageDown", 2), ("ArrowLeft", 1), ("PageUp", 0), ("End", STEPS), ("Home", 0)
    for key, step in (*keys, ("n", 1), ("n", 4), ("Shift+N", 1)):
        page.keyboard.press(key)
        at(page, step)
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", re.compile("Pause"))
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", re.compile("Play"))


def test_the_timeline_can_be_dragged_and_used_with_keys(shown: Show) -> None:
    page = shown("blue-figure", 0)
    box = page.locator("#timeline").bounding_box()
    assert box
    middle = box["y"] + 26
    page.mouse.move(box["x"] + 20, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, middle, steps=5)
    at(page, STEPS // 2)
    page.mouse.move(box["x"] + box["width"] - 5, middle, steps=5)
    page.mouse.up()
    at(page, STEPS)
    page.locator("#timeline").focus()
    page.keyboard.press("ArrowDown")
    at(page, STEPS - 1)
    expect(page.locator("#timeline")).to_have_attribute("aria-valuetext", f"step {STEPS - 1} of {STEPS} · terminating")


@pytest.mark.slow
def test_the_legend_has_the_kinds_that_the_timeline_marks_and_no_other(visit: Open) -> None:
    for run, kinds in (("domino", {"record", "message", "restore"}), ("no-token", {"record", "complete", "marker"})):
        page = whole(visit(f"/run/{run}"))
        named = page.locator(".controls [data-kind]").evaluate_all("(all) => all.map((one) => one.dataset.kind)")
        marked = page.locator("#timeline .mark").evaluate_all("(all) => all.map((one) => one.classList[1])")
        assert kinds == set(named) == set(marked), run


@pytest.mark.slow
def test_a_kind_of_the_legend_is_marked_alone_and_what_keys_go_to(shown: Show) -> None:
    page = shown("blue-figure", 0)
    marks = page.locator("#timeline .mark")
    every = marks.count()
    for kind, steps in (("record", [1, 4]), ("marker", [4, 7]), ("complete", [7])):
        page.keyboard.press("Home")
        page.locator(f"#kind-{kind}").click()
        expect(page.locator(".kinds [aria-pressed=true]:visible")).to_have_count(1)
        expect(marks).to_have_count(len(steps))
        expect(page.locator(f"#timeline .mark.{kind}")).to_have_count(len(steps))
        for step in steps:
            page.keyboard.press("n")
            at(page, step)
    page.locator("#kind-marker").click()
    page.keyboard.press("N")
    at(page, 4)
    page.locator("#kind-marker").click()
    expect(marks).to_have_count(every)
    page.keyboard.press("N")
    at(page, 1)


def test_the_log_and_the_sentence_lead_to_their_step(shown: Show) -> None:
    page = shown("blue-figure", 0)
    page.locator("#log button", has_text="P2 records.").click()
    at(page, 4)
    expect(page.locator("#log .now")).to_contain_text("P2 records.")


@pytest.mark.slow
def test_the_log_of_a_long_run_shows_a_part_and_those_before_and_after_it(visit: Open) -> None:
    page = whole(visit("/run/slow-task?step=30"))
    numbers = page.locator("#log .number")
    expect(numbers).to_have_text([str(step) for step in range(21, 41)])
    expect(page.locator("#log .now .number")).to_have_text("30")
    page.locator("#log").get_by_role("button", name="Later").click()
    expect(numbers).to_have_text([str(step) for step in range(41, 48)])
    expect(page.locator("#log .place")).to_have_text("41–47 of 47")
    expect(page.locator("#log").get_by_role("button", name="Later")).to_be_disabled()
    at(page, 30)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#log .now .number")).to_have_text("31")


def test_the_log_of_a_long_run_finds_words(visit: Open) -> None:
    page = whole(visit("/run/slow-task?step=30"))
    box, lines = page.get_by_label("Find in the log"), page.locator("#log .lines .text")
    box.fill("M1 report")
    expect(page.locator("#log .place")).to_have_text(re.compile(r"Found: \d+"))
    texts = lines.all_inner_texts()
    assert texts and all("m1" in text and "report" in text for text in texts)
    number = int(page.locator("#log .number").last.inner_text())
    lines.last.click()
    at(page, number)
    expect(page.locator("#log .now")).to_contain_text("report of m1")
    box.fill("no such words")
    expect(page.locator("#log .place")).to_have_text("Found: 0")
    box.fill("")
    expect(page.locator("#log .now .number")).to_have_text(str(number))


@pytest.mark.slow
def test_without_scripts_the_log_leads_to_the_steps_before_and_after(visit: Open) -> None:
    page = visit("/run/slow-task/step/30", java_script_enabled=False)
    assert page.locator(".log").evaluate("(e) => e.scrollHeight <= e.clientHeight")
    page.get_by_role("link", name="Later").click()
    expect(page.locator(".log .now")).to_have_attribute("value", "40")


# --- what is shown ------------------------------------------------------------------------------------------------


def test_the_recorded_state_is_that_of_the_blue_figure(shown: Show) -> None:
    page = shown("blue-figure", 7)
    rows = page.locator("#table tbody tr")
    expect(rows).to_have_text(["P1X1=1, Y1=2, Z1=3", "P2X2=4, Y2=5, Z2=6", "P1 → P2∅", "P2 → P1M"])
    expect(page.locator("#stage-section")).to_have_class(re.compile("complete"))
    expect(page.locator("#checks .holds")).to_have_count(4)


def test_the_live_process_goes_on_while_its_copy_stays(shown: Show) -> None:
    page = shown("blue-figure", 2)
    expect(page.locator("[data-process=P1]")).to_have_attribute(
        "aria-label", re.compile(r"X1=10.*recorded|X1=10.*X1=1,", re.IGNORECASE)
    )
    expect(page.locator(".card").first).to_contain_text("X1=1")


def test_the_executed_lines_of_the_rule_are_marked(shown: Show) -> None:
    page = shown("blue-figure", 4)
    expect(page.locator("#rule .fired")).to_have_text(
        [
            "on a marker from channel c:",
            "if not recorded yet:",
            "record own state",
            "state of c := empty",
            "send a marker on every output",
        ]
    )


def test_a_broken_variant_shows_its_wrong_line_and_its_witness(visit: Open) -> None:
    page = whole(visit("/run/late-marker"))
    expect(page.locator("#rule .wrong")).to_contain_text("the mistake")
    page.keyboard.press("End")
    expect(page.locator("#checks .fails").first).to_contain_text("fails")
    witness = page.locator("#checks .witness").first
    expect(witness).to_contain_text("Orphan")
    witness.locator("button").click()
    expect(page.locator("#timeline")).not_to_have_attribute("aria-valuenow", str(step_of(page) + 1_000))
    assert step_of(page) > 0


@pytest.mark.slow
def test_a_snapshot_that_cannot_complete_says_whom_it_cannot_reach(visit: Open) -> None:
    page = whole(visit("/run/chain-from-b"))
    page.keyboard.press("End")
    expect(page.locator("#checks")).to_contain_text("never completes: no path leads to A")


@pytest.mark.slow
def test_what_cannot_happen_says_why(shown: Show) -> None:
    page = shown("blue-figure", 4)
    page.locator("#next").scroll_into_view_if_needed()
    expect(page.locator("#next .waits")).to_contain_text("a FIFO channel delivers its first message first")


def test_the_tray_chooses_whose_recording_is_shown(visit: Open) -> None:
    page = whole(visit("/run/ring-five"))
    page.keyboard.press("End")
    chips = page.locator("#tray button")
    expect(chips).to_have_count(2)
    chips.first.click()
    expect(page.locator("#table-of")).to_have_text("#1")
    expect(page.locator("#stage-section")).to_have_attribute("data-hue", "1")
    chips.last.click()
    expect(page.locator("#table-of")).to_have_text("#2")
    expect(page.locator("#stage-section")).to_have_attribute("data-hue", "2")


def test_a_sentence_has_the_colour_of_the_snapshot_that_it_is_about(visit: Open) -> None:
    page = whole(visit("/run/two-labels?step=11"))
    said = page.locator("#say p > span")
    expect(page.locator("#stage-section")).to_have_attribute("data-hue", "2")
    expect(said.first).to_contain_text("The marker closes")
    expect(page.locator("#say .hue2")).to_have_count(0)
    page.goto(page.url.replace("two-labels?step=11", "ring-five?step=3"))
    expect(said.first).to_contain_text("P3 starts snapshot 2")
    expect(page.locator("#say .hue2")).to_have_count(1)


# --- addresses ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_address_names_the_step(shown: Show) -> None:
    page = shown("blue-figure", 0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"step=2$"))
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"/run/blue-figure$"))


def test_sharing_gives_a_permanent_link_that_opens_the_step(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=4"))
    page.locator("#share").click()
    link = page.locator("#share-link").input_value()
    assert re.search(r"[?&]v=[0-9]+-[0-9a-f]+", link)
    assert "step=4" in link
    frame = page.locator("#share-frame").input_value()
    assert "/embed/blue-figure" in frame
    code = page.locator("#share-code")  # what a phone is pointed at is this very step
    assert re.search(r"step%3D4\b", code.get_attribute("src") or "")
    expect(code).to_have_js_property("complete", True)
    assert code.evaluate("each => each.naturalWidth") > 0
    page.keyboard.press("Escape")
    expect(page.locator("#share-dialog")).not_to_be_visible()
    page.goto(link)
    at(page, 4)


def test_a_step_can_be_saved_as_a_picture_for_slides(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=4"))
    page.locator("#share").click()
    with page.expect_download() as saved:
        page.locator("#share-png").click()
    assert saved.value.suggested_filename == "blue-figure-4.png"
    picture = saved.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    drawn = page.locator("#share-picture").evaluate("async each => (await (await fetch(each.href)).text())")
    size = re.search(r'width="(\d+)" height="(\d+)"', drawn)
    assert size
    assert struct.unpack(">II", picture[16:24]) == tuple(2 * int(each) for each in size.groups())


def test_the_language_changes_and_the_step_stays(visit: Open) -> None:
    page = whole(visit(BLUE))
    page.keyboard.press("n")
    page.keyboard.press("n")
    at(page, 4)
    page.locator("#switch").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    at(page, 4)
    expect(page.locator("#say")).to_contain_text("P2 记录")
    page.locator("#switch").click()
    at(page, 4)
    expect(page.locator("#say")).to_contain_text("P2 records")


def test_delivering_a_message_on_the_stage_branches_and_back_returns(visit: Open) -> None:
    page = whole(visit(BLUE))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    at(page, 3)
    page.locator("a.message.app").click()
    page.get_by_role("menuitem", name="P1 receives M").click()
    expect(page).to_have_url(re.compile(r"choices=3"))
    at(page, 4)
    expect(page.locator("#say")).to_contain_text("P1 receives M")
    page.go_back()
    expect(page).to_have_url(re.compile(r"/run/blue-figure\?(?!.*choices).*step=3"))
    at(page, 3)


def test_a_snapshot_starts_where_a_process_is_clicked(visit: Open) -> None:
    page = whole(visit(BLUE))
    page.locator("[data-process=P2]").click()
    page.get_by_role("menuitem", name="P2 starts a snapshot").click()
    expect(page).to_have_url(re.compile("choices="))
    at(page, 1)
    expect(page.locator("#say")).to_contain_text("P2 starts snapshot 1.")


def test_interventions_need_no_mouse(visit: Open) -> None:
    page = whole(visit(BLUE))
    page.locator("[data-process=P1]").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).not_to_be_visible()
    expect(page.locator("[data-process=P1]")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="P1 starts a snapshot").wait_for()
    for _ in range(8):
        if page.evaluate("document.activeElement.textContent") == "P1 starts a snapshot":
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text("P1 starts snapshot 1.")


def test_what_could_happen_next_happens_on_a_click(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=4"))
    page.locator("#next").scroll_into_view_if_needed()
    page.locator("#next a", has_text="P1 receives M").click()
    at(page, 5)
    expect(page.locator("#say")).to_contain_text("P1 receives M")


def test_another_algorithm_is_another_run(visit: Open) -> None:
    page = whole(visit(BLUE))
    page.locator("#algorithm").select_option("photographs")
    expect(page).to_have_url(re.compile("algorithm=photographs"))
    expect(page.locator("#rule")).to_contain_text("and nothing else")


@pytest.mark.slow
def test_a_branch_says_where_it_began_and_leads_back(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=3"))
    expect(page.locator("#branch")).to_have_count(0)
    page.locator("a.message.app").click()
    page.get_by_role("menuitem", name="P1 receives M").click()
    strip = page.locator("#branch")
    expect(strip).to_contain_text("Your branch from step 3")
    strip.locator("a").click()
    expect(page).to_have_url(re.compile(r"/run/blue-figure\?step=3$"))
    expect(page.locator("#branch")).to_have_count(0)


@pytest.mark.slow
def test_another_run_says_what_differs_and_keeps_the_step(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=4"))
    page.locator("#algorithm").select_option("photographs")
    expect(page.locator("#branch")).to_contain_text("Photographs, uncoordinated instead of Chandy–Lamport")
    at(page, 4)
    page.goto(f"{BLUE}?algorithm=photographs&lang=zh")
    expect(page.locator("#branch")).to_contain_text("返回原来的运行")


@pytest.mark.slow
def test_a_broken_variant_that_does_no_harm_says_where_the_harm_is_seen(visit: Open) -> None:
    for query, seen in (("algorithm=late-marker", "late-marker"), ("discipline=any", "non-fifo-lost")):
        page = whole(visit(f"{BLUE}?{query}"))
        page.keyboard.press("End")
        expect(page.locator("#checks .fails")).to_have_count(0)
        expect(page.locator("#checks .broken")).to_contain_text("this run does not show it")
        page.locator("#checks .broken a").click()
        expect(page).to_have_url(re.compile(f"/run/{seen}"))
        whole(page).keyboard.press("End")
        expect(page.locator("#checks .fails").first).to_be_visible()
        expect(page.locator("#checks .broken")).to_have_count(0)
    page = whole(visit(BLUE))
    page.keyboard.press("End")
    expect(page.locator("#checks .broken")).to_have_count(0)


@pytest.mark.slow
def test_the_stable_property_has_a_name(visit: Open) -> None:
    for scenario, name in (
        ("token-late", "the token is lost"),
        ("phantom-deadlock", "deadlock"),
        ("phantom-termination", "terminated"),
    ):
        page = whole(visit(f"/run/{scenario}"))
        page.keyboard.press("End")
        expect(page.locator("#checks")).to_contain_text(name)


@pytest.mark.slow
def test_a_message_behind_the_head_says_why_it_waits(shown: Show) -> None:
    page = shown("blue-figure", 4)
    page.locator(".message.marker").click()
    expect(page.locator(".menu")).to_contain_text("a FIFO channel delivers its first message first")
    page.locator("#say").click()
    expect(page.locator(".menu")).not_to_be_visible()


def test_a_complete_but_wrong_snapshot_has_no_blue_frame(visit: Open) -> None:
    page = whole(visit("/run/late-marker"))
    page.keyboard.press("End")
    frame = page.locator("#stage-section")
    expect(frame).to_have_class(re.compile("complete wrong"))
    expect(frame).to_have_css("border-top-style", "dashed")
    expect(page.locator("#tray")).to_contain_text("complete, but wrong")


@pytest.mark.slow
def test_collecting_is_told_apart_from_the_rules(shown: Show) -> None:
    page = shown("blue-figure", 8)
    expect(page.locator("#rule-note")).to_have_text("No rule: parts are collected")


PRESS = """([key, times]) => {
  for (let left = times; left; left -= 1) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }
}"""


@pytest.mark.parametrize(
    "offers", [pytest.param(False, id="closed"), pytest.param(True, id="open", marks=pytest.mark.slow)]
)
def test_rewinding_hundreds_of_steps_asks_the_server_for_nothing(visit: Open, offers: bool) -> None:
    page = whole(visit("/run/random-twelve", viewport=PHONE))
    if offers:
        page.locator("#tab-next").click()
        expect(page.locator("#next a").first).to_be_visible()
        page.locator("#say").click(position={"x": 2, "y": 2})  # the arrow keys are the tabs’ no more
        page.wait_for_load_state("networkidle")  # the plan of a stage whose size has changed
    asked: list[str] = []

    def watch(request: Request) -> None:
        # Chromium requests the page's icon from the page itself whenever the address changes.
        if not request.url.startswith("data:"):
            asked.append(request.url)

    page.on("request", watch)
    page.keyboard.press("End")
    end = int(page.locator("#timeline").get_attribute("aria-valuemax") or 0)
    at(page, end)
    for key, step in (("ArrowLeft", 0), ("PageDown", end), ("ArrowLeft", 0))[: 3 if offers else 1]:
        page.evaluate(PRESS, [key, end])  # within the page: a round trip for each takes longer than the step
        at(page, step)
    page.wait_for_timeout(500)
    # An open list of what can happen is asked for where the cursor rests: at the end, and where the machine is slow.
    others = [url for url in asked if "/next?" not in url]
    assert others == [] and len(asked) <= (20 if offers else 0)


# --- presenting ---------------------------------------------------------------------------------------------------


def scrolls(page: Page) -> tuple[bool, bool]:
    """Does the page scroll sideways, and down?"""
    across, down = page.evaluate(
        "[document.documentElement.scrollWidth > innerWidth, document.documentElement.scrollHeight > innerHeight]"
    )
    return across, down


@pytest.mark.slow
def test_presenter_mode_fits_a_projector_without_scrolling(visit: Open) -> None:
    page = whole(visit(BLUE))
    assert scrolls(page) == (False, False)
    page.keyboard.press("p")
    expect(page).to_have_url(re.compile("presenter=1"))
    for step in range(STEPS + 1):
        at(page, step)
        assert scrolls(page) == (False, False)
        box, controls = page.locator("#say").bounding_box(), page.locator("#controls").bounding_box()
        assert box and controls and box["y"] + box["height"] <= controls["y"] <= 720
        page.keyboard.press("PageDown")
    assert page.locator(".verdict-line").evaluate("e => parseFloat(getComputedStyle(e).fontSize)") >= 24
    expect(page.locator("#table")).not_to_be_visible()
    page.keyboard.press("h")
    expect(page.locator("#table")).to_be_visible()
    assert scrolls(page) == (False, False)
    page.keyboard.press("Escape")
    expect(page.locator("body")).not_to_have_class(re.compile("presenter"))


@pytest.mark.slow
def test_the_presenter_turns_from_both_views_to_one_and_the_other(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=7&presenter=1"))
    stage, time = page.locator("#stage"), page.locator("#spacetime")
    expect(stage).to_be_visible()
    expect(time).to_be_visible()
    assert scrolls(page) == (False, False)
    page.keyboard.press("v")
    expect(page).to_have_url(re.compile("view=stage"))
    expect(time).not_to_be_visible()
    page.locator("#view").click()
    expect(page).to_have_url(re.compile("view=time"))
    expect(stage).not_to_be_visible()
    expect(page.locator("#rubber-slider")).to_be_visible()
    expect(page.locator(".lecture-title")).to_be_visible()
    name = page.locator(".st-names text").first.bounding_box()
    assert name and name["height"] >= 22
    page.reload()
    expect(time).to_be_visible()
    expect(stage).not_to_be_visible()
    page.keyboard.press("v")
    expect(page).not_to_have_url(re.compile("view="))
    expect(stage).to_be_visible()


@pytest.mark.slow
def test_the_presenter_with_panels_shows_the_lines_that_fired_and_all_checks(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=7&presenter=1&view=both"))
    page.keyboard.press("h")
    for part in ("#say", "#rule .fired >> nth=0", "#rule .fired >> nth=-1", "#table", "#checks .verdict >> nth=-1"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
    assert scrolls(page) == (False, False)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["b", "."])
def test_a_key_blanks_the_screen_as_in_lessons_and_any_key_brings_it_back(visit: Open, key: str) -> None:
    page = whole(visit(f"{BLUE}?presenter=1"))
    page.keyboard.press(key)
    expect(page.locator(".blank")).to_be_visible()
    page.keyboard.press(key)
    expect(page.locator(".blank")).not_to_be_visible()
    at(page, 0)


def test_a_question_mark_lists_the_keys(shown: Show) -> None:
    page = shown("blue-figure", 0)
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_contain_text("presenter mode")
    page.keyboard.press("Escape")
    expect(page.locator("#help-dialog")).not_to_be_visible()
    page.locator("#help").click()
    expect(page.locator("#help-dialog")).to_be_visible()
    page.keyboard.press("Escape")


# --- for everybody ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_without_motion_the_end_of_a_step_is_there_at_once(visit: Open) -> None:
    page = whole(visit(BLUE, reduced_motion="reduce"))
    page.keyboard.press("ArrowRight")
    at(page, 1)
    marker = page.locator(".message.marker")
    first = marker.get_attribute("transform")
    page.wait_for_timeout(250)
    assert marker.get_attribute("transform") == first
    expect(marker).not_to_have_attribute("opacity", re.compile("."))


def test_with_motion_a_marker_travels(shown: Show) -> None:
    """Its places are collected in the page: a frame moves it by at most a sixth of its way, however slow frames are."""
    page = shown("blue-figure", 0)
    page.evaluate(
        """() => {
          window.seen = new Set();
          const look = () => {
            const marker = document.querySelector(".message.marker");
            if (marker) window.seen.add(marker.getAttribute("transform"));
          };
          const where = { subtree: true, childList: true, attributeFilter: ["transform"] };
          new MutationObserver(look).observe(document.getElementById("stage"), where);
        }"""
    )
    page.keyboard.press("ArrowRight")
    at(page, 1)
    for _ in range(200):
        if page.evaluate("window.seen.size") > 3:
            return
        page.wait_for_timeout(50)
    raise AssertionError(page.evaluate("[...window.seen]"))


@pytest.mark.slow
def test_the_step_is_told_to_those_who_listen(shown: Show) -> None:
    page = shown("blue-figure", 0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#live")).to_contain_text("step 1 of 8. P1 copies its variables")


def test_a_phone_shows_stage_words_and_controls_on_one_screen(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=4", viewport=PHONE))
    assert scrolls(page)[0] is False
    expect(page.locator("#caption")).to_be_in_viewport(ratio=1)
    for part in ("#stage", "#say", "#play", "#timeline", "#help"):
        box = page.locator(part).bounding_box()
        assert box, part
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= PHONE["height"], part
        assert box["x"] + box["width"] <= PHONE["width"], part
    sentence, picture = page.locator("#say").bounding_box(), page.locator("#stage").bounding_box()
    assert sentence and picture and sentence["y"] < picture["y"]
    page.get_by_role("tab", name="Recorded").click()
    expect(page.locator("#table")).to_be_visible()
    expect(page.locator("#spacetime")).not_to_be_visible()
    assert scrolls(page)[0] is False


@pytest.mark.slow
def test_a_phone_has_a_menu_and_tabs_at_its_lower_edge_and_cuts_no_text(visit: Open) -> None:
    page = whole(visit("/run/widget-trade", viewport=PHONE))
    tabs = page.locator("#tabs").bounding_box()
    assert tabs and abs(tabs["y"] + tabs["height"] - PHONE["height"]) < 1
    expect(page.locator("#caption")).to_have_text("Do the books balance?")
    assert page.locator("#say").evaluate("e => e.scrollHeight <= e.clientHeight + 1")
    page.locator("#top-menu summary").click()
    for link in ("/learn", "/scenarios", "/editor"):
        expect(page.locator(f".top-sheet a[href='{link}']")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#more summary").click()
    page.locator("#more-kind-complete").click()
    page.locator("#next-kind").click()
    expect(page.locator("#say")).to_contain_text("complete")
    page.locator("#more-algorithm").select_option("photographs")
    expect(page).to_have_url(re.compile("algorithm=photographs"))


@pytest.mark.slow
def test_the_menu_needs_no_script(visit: Open) -> None:
    page = visit(BLUE, viewport=PHONE, java_script_enabled=False)
    page.locator("#more summary").click()
    page.locator("#more-algorithm").select_option("photographs")
    page.locator("#more-picks .apply").click()
    expect(page).to_have_url(re.compile("algorithm=photographs"))


@pytest.mark.slow
def test_a_phone_lying_has_stage_and_controls_and_space_and_time_in_a_tab(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=4", viewport={"width": 844, "height": 390}))
    assert scrolls(page) == (False, False)
    for part in ("#stage", "#controls", "#play", "#timeline", "#tabs"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    expect(page.locator("#spacetime")).not_to_be_visible()
    page.get_by_role("tab", name="Time").click()
    expect(page.locator("#spacetime")).to_be_in_viewport(ratio=1)


def test_without_javascript_there_is_the_sentence_and_a_way_on(visit: Open) -> None:
    page = visit(f"{BLUE}?step=4", java_script_enabled=False)
    expect(page.locator("#say")).to_contain_text("P2 records.")
    link = page.locator("noscript a, .banner a").first
    expect(link).to_have_attribute("href", re.compile(r"/run/blue-figure/step/4"))
    link.click()
    expect(page.locator("main")).to_contain_text("P2 records.")


def test_an_embedded_run_has_stage_and_controls_and_nothing_else(visit: Open) -> None:
    page = whole(visit("/embed/blue-figure?step=4"))
    at(page, 4)
    page.keyboard.press("ArrowRight")
    at(page, 5)
    expect(page.locator("#panels")).to_have_count(0)
    expect(page.locator("#open-run")).to_have_attribute("href", re.compile("step=5"))
    assert scrolls(page) == (False, False)
    page.set_viewport_size({"width": 390, "height": 844})  # and it fills a phone
    foot = "document.querySelector('.controls').getBoundingClientRect().bottom"
    until(lambda: abs(page.evaluate(foot) - 844) <= 1)


def test_a_lost_connection_is_told_and_can_be_tried_again(visit: Open) -> None:
    page = visit("about:blank")
    page.route("**/blue-figure/events**", lambda route: route.fulfill(status=204))
    page.goto(BLUE)
    lost = page.get_by_role("alert")
    expect(lost).to_contain_text("The server is not responding. You can still watch the steps that have arrived.")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "failed")
    page.unroute("**/blue-figure/events**")
    lost.get_by_role("button", name="Try again").click()
    whole(page)
    expect(lost).to_have_count(0)


# --- the timeline's marks, the invitation, the way to the editor ---------------------------------------------------


@pytest.mark.slow
def test_a_step_of_two_kinds_has_a_large_mark_and_a_small_one(shown: Show) -> None:
    page = shown("blue-figure", 0)
    kinds = page.locator("#timeline .mark").evaluate_all(
        "all => all.map((each) => [each.classList[1], /scale/.test(each.getAttribute('transform'))])"
    )
    assert kinds.count(["record", False]) == 2 and kinds.count(["complete", False]) == 1
    assert kinds.count(["marker", True]) == 2, "the markers that made P2 record and the snapshot complete"


@pytest.mark.slow
def test_no_two_marks_of_a_long_run_cover_each_other(visit: Open) -> None:
    page = visit(busy(12, 500))
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    large = page.locator("#timeline .mark:not([transform*=scale])").evaluate_all(
        "all => all.map((each) => Number(/translate\\((\\d+)/.exec(each.getAttribute('transform'))[1]))"
    )
    assert 10 < len(large) < 100
    places = sorted(large)
    assert all(b - a >= 12 for a, b in pairwise(places))


def test_before_the_first_step_stand_the_cast_and_the_question(shown: Show) -> None:
    page = shown("blue-figure", 0)
    expect(page.locator("#say .opening")).to_contain_text("P1 has the variables X1, Y1 and Z1")
    expect(page.locator("#say .opening")).not_to_contain_text("Where in the snapshot")
    expect(page.locator("#caption")).to_have_text("Where in the snapshot will M be?")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#say .opening")).to_have_count(0)


@pytest.mark.slow
def test_a_step_that_is_asked_for_before_it_has_arrived_is_made_when_it_has(browser: Browser, server: str) -> None:
    with browser.new_context(base_url=server) as context:
        page = context.new_page()
        late: list[Route] = []
        page.route("**/events?*", lambda route: late.append(route))
        page.goto(BLUE)
        expect(page.locator("#caption")).to_have_text("Where in the snapshot will M be?")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        at(page, 0)
        late[0].continue_()
        at(page, 2)
        page.keyboard.press("ArrowLeft")
        at(page, 1)


@pytest.mark.slow
@pytest.mark.parametrize("path", [f"{busy(12, 600)}?step=600", "/compare/random-twelve?beat=40"])
def test_the_address_keeps_a_step_that_is_still_to_come(browser: Browser, server: str, path: str) -> None:
    with browser.new_context(base_url=server) as context:
        page = context.new_page()
        late: list[Route] = []
        page.route("**/events?*", lambda route: late.append(route))
        page.goto(path)
        expect(page.locator("body.ready")).to_have_count(1)
        page.wait_for_timeout(500)  # longer than a step must rest before the address names it
        asked = path.split("?")[1]
        assert asked in page.url
        page.locator("#switch").click()
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
        assert asked in page.url


@pytest.mark.slow
def test_the_scenario_can_be_edited_from_here(visit: Open) -> None:
    page = visit(f"{BLUE}?step=3", viewport={"width": 1600, "height": 900})
    page.locator("#edit").click()
    expect(page).to_have_url(re.compile("/editor\\?from=blue-figure"))


@pytest.mark.slow
def test_the_header_covers_nothing_of_itself(visit: Open) -> None:
    page = visit("/run/random-twelve")
    for width in (1280, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        middle = page.locator("#picks").bounding_box()
        share = page.locator("#share").bounding_box()
        assert middle and share and middle["x"] + middle["width"] <= share["x"] + 1, width


@pytest.mark.slow
def test_the_choices_are_as_wide_as_their_names_where_there_is_room(visit: Open) -> None:
    whole = """select => {
      const name = document.createElement("span");
      const { fontFamily, fontSize, fontWeight } = getComputedStyle(select);
      Object.assign(name.style, { fontFamily, fontSize, fontWeight });
      name.style.position = "absolute";
      name.textContent = select.selectedOptions[0].text;
      document.body.append(name);
      return name.getBoundingClientRect().width < select.clientWidth;
    }"""
    page = visit("/run/hash-ring?discipline=any&lang=en", viewport={"width": 1680, "height": 800})
    algorithm, discipline = (page.locator(f"#{name}") for name in ("algorithm", "discipline"))
    page.locator("body.ready").wait_for()  # without scripts there is a button, too
    assert algorithm.evaluate(whole) and discipline.evaluate(whole)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert discipline.evaluate(whole)
    for each in (algorithm, discipline):
        expect(each).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_a_check_that_only_the_server_knows_is_shown(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    witness = {"fault": "state", "process": "p"}
    monkeypatch.setitem(CHECKS, "novel", Check("novel", "I7", "is it new?", lambda of: (False, witness)))
    page = visit("/run/token-back?algorithm=unlabelled&step=99")
    expect(page.locator("#checks .verdict.fails", has_text="check.novel.name")).to_be_visible()
    expect(page.locator("#checks .witness", has_text="p would be in a different one")).to_be_visible()
