"""Presenter mode as a lecture needs it: type by the height of the screen, pen, pointer, cover, pauses, full screen."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import SCREEN, Open, whole

QUEUE = "/run/queue?presenter=1"
ASKS = 9
"""The step in which the author of the queue asks what will be in the snapshot."""


def share_of_height(found: Locator) -> float:
    """Return the size of letters in percent of the height of the screen."""
    return float(found.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize) / innerHeight * 100"))


@pytest.mark.parametrize(("width", "height"), [pytest.param(1920, 1080, marks=pytest.mark.slow), (1280, 720)])
def test_the_last_row_reads_sentence_note_title_and_verdict(visit: Open, width: int, height: int) -> None:
    page = whole(visit(f"{QUEUE}&step={ASKS}", viewport={"width": width, "height": height}))
    assert share_of_height(page.locator("#caption")) >= 4
    assert share_of_height(page.locator("#say")) >= 3
    assert share_of_height(page.locator("#tray .chip").first) >= 4
    assert share_of_height(page.locator(".lecture-title")) >= 3
    for part in ("#say", "#caption", "#tray .chip >> nth=0", ".lecture-title", "#stage", "#spacetime"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
    page.keyboard.press("End")
    expect(page.locator(".verdict-line")).to_be_in_viewport(ratio=0.99)
    assert share_of_height(page.locator(".verdict-line")) >= 4


@pytest.mark.slow
def test_without_panels_the_stage_has_more_room(visit: Open) -> None:
    page = whole(visit("/run/blue-figure?step=4"))
    height = "(e) => e.getBoundingClientRect().height"
    box = page.locator("#stage .node .box").first
    before = float(box.evaluate(height))
    page.keyboard.press("h")
    expect(page.locator("#table")).to_be_hidden()
    taller = "before => document.querySelector('#stage .node .box').getBoundingClientRect().height > before"
    page.wait_for_function(taller, arg=before)
    expect(page.locator("#say")).to_be_in_viewport(ratio=0.99)


def test_a_pen_draws_a_pointer_points_and_escape_puts_them_away(visit: Open) -> None:
    page = whole(visit(QUEUE))
    page.keyboard.press("d")
    expect(page.locator("#pen")).to_have_attribute("aria-pressed", "true")
    page.mouse.move(300, 300)
    page.mouse.down()
    page.mouse.move(400, 350, steps=4)
    page.mouse.up()
    expect(page.locator(".ink-line")).to_have_attribute("d", re.compile(r"^M300 300.*L400 350$"))
    page.keyboard.press("l")
    page.mouse.move(500, 200)
    expect(page.locator(".laser")).to_be_visible()
    box = page.locator(".laser").bounding_box()
    assert box and abs(box["x"] + box["width"] / 2 - 500) < 2 and abs(box["y"] + box["height"] / 2 - 200) < 2
    page.keyboard.press("Escape")
    expect(page.locator(".laser")).to_be_hidden()
    expect(page.locator(".ink-line")).to_have_count(0)
    expect(page.locator("body")).to_have_class(re.compile("presenter"))
    page.keyboard.press("Escape")
    expect(page.locator("body")).not_to_have_class(re.compile("presenter"))


def test_the_answer_is_covered_until_it_is_shown(visit: Open) -> None:
    page = whole(visit("/run/blue-figure?presenter=1&step=8"))
    card, table = page.locator("#stage .card").first, page.locator("#table td").first
    page.keyboard.press("h")
    page.keyboard.press("c")
    expect(page.locator("#cover")).to_have_attribute("aria-pressed", "true")
    expect(card).to_be_hidden()
    for told in ("#tray", "#say", "#caption", "#checks"):
        expect(page.locator(told)).to_be_hidden()
    assert table.evaluate("e => getComputedStyle(e).color") == "rgba(0, 0, 0, 0)"
    page.locator("#cover").click()
    expect(card).to_be_visible()
    expect(page.locator("#tray")).to_be_visible()
    assert table.evaluate("e => getComputedStyle(e).color") != "rgba(0, 0, 0, 0)"


def test_the_cover_tells_nothing_of_what_is_wrong(visit: Open) -> None:
    page = whole(visit("/run/late-marker?presenter=1&step=7"))
    told = ("#caption", "#stage .fault", "#stage .wrong-word", ".st-label.st-orphan", ".st-cross")
    for sign in told:
        expect(page.locator(sign).filter(visible=True)).not_to_have_count(0)
    page.keyboard.press("c")
    for sign in told:
        expect(page.locator(sign).filter(visible=True)).to_have_count(0)
    frame = page.locator(".stage").evaluate("e => getComputedStyle(e).borderTopStyle")
    assert frame == "solid", "not the dashes of a wrong snapshot"


@pytest.mark.slow
def test_playing_pauses_where_the_author_asks_but_only_in_a_lecture(visit: Open) -> None:
    page = whole(visit(f"{QUEUE}&step={ASKS - 1}", reduced_motion="reduce"))
    page.locator("#speed").select_option("4")
    page.locator("#play").click()
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(ASKS))
    expect(page.locator("#play")).to_have_attribute("aria-label", re.compile("Play"))
    page.locator("#play").click()
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(ASKS + 1))


@pytest.mark.slow
def test_the_controls_fade_but_never_while_they_have_the_focus(visit: Open) -> None:
    page = visit(QUEUE, reduced_motion="reduce")
    page.clock.install()
    page.reload()
    whole(page)
    page.mouse.move(200, 200)
    opacity = "e => getComputedStyle(e).opacity"
    page.clock.run_for(3_100)
    assert page.locator("#controls").evaluate(opacity) == "0"
    page.mouse.move(240, 220)
    assert page.locator("#controls").evaluate(opacity) == "1"
    page.locator("#play").focus()
    page.clock.run_for(3_100)
    expect(page.locator("body")).to_have_class(re.compile("idle"))
    assert page.locator("#controls").evaluate(opacity) == "1"


@pytest.mark.slow
def test_f_takes_the_whole_screen_and_presents(visit: Open) -> None:
    page = whole(visit("/run/blue-figure"))
    page.evaluate("document.documentElement.requestFullscreen = async () => { window.taken = true; }")
    page.keyboard.press("f")
    expect(page.locator("body")).to_have_class(re.compile("presenter"))
    assert page.evaluate("window.taken") is True
    page.keyboard.press(".")
    hint = page.locator(".blank kbd")
    assert hint.evaluate("e => getComputedStyle(e).animationDelay") == "2s"


@pytest.mark.slow
def test_the_keys_of_a_playlist_are_those_of_the_item_that_it_shows(visit: Open) -> None:
    page = visit("/playlist?item=/lessons/barriers&item=/run/blue-figure?step=3&at=2&lang=en")
    expect(page.frame_locator(".playlist-item").locator("#lamp")).to_have_attribute("data-state", "done")
    page.keyboard.press("ArrowRight")
    expect(page.frame_locator(".playlist-item").locator("#timeline")).to_have_attribute("aria-valuenow", "4")


@pytest.mark.slow
def test_a_step_prints_as_one_page_with_everything_on_it(visit: Open) -> None:
    page = whole(visit("/run/blue-figure?step=6"))
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1000})
    for part in ("#saying", "#stage", "#spacetime", "#table"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
    expect(page.locator("#controls")).to_be_hidden()


@pytest.mark.slow
def test_the_page_of_a_last_step_prints_no_buttons(visit: Open) -> None:
    page = visit("/run/blue-figure/step/8")
    expect(page.locator(".moves")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".button:visible")).to_have_count(0)


@pytest.mark.slow
def test_a_dark_page_prints_as_a_light_one(visit: Open) -> None:
    page = visit("/run/blue-figure?step=3")
    names = "--hatch --tint --line --paper"
    colours = f"'{names}'.split(' ').map((one) => getComputedStyle(document.body).getPropertyValue(one))"
    page.emulate_media(media="print", color_scheme="light")
    light = page.evaluate(colours)
    page.emulate_media(media="screen", color_scheme="dark")
    assert page.evaluate(colours) != light
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(colours) == light


@pytest.mark.slow
def test_at_large_zoom_the_sentence_comes_first_and_the_controls_are_one_row(visit: Open) -> None:
    page = whole(visit("/run/blue-figure?step=4", viewport={"width": 640, "height": 400}))
    saying, stage, controls = (page.locator(part).bounding_box() for part in ("#saying", "#stage", "#controls"))
    assert saying and stage and controls
    assert saying["y"] + saying["height"] <= stage["y"] + 1
    assert controls["height"] <= 60
    expect(page.locator("#caption")).to_be_in_viewport(ratio=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("run", ["colour-blind", "queue", "marker-lost", "two-starters", "ways-home"])
def test_the_verdict_takes_no_height_from_the_picture(visit: Open, run: str) -> None:
    page = whole(visit(f"/run/{run}?step=1&presenter=1", viewport=SCREEN, reduced_motion="reduce"))
    page.wait_for_selector("#stage .node .name")
    before = page.locator("#stage").bounding_box()
    page.keyboard.press("End")
    expect(page.locator(".verdict-line")).to_be_in_viewport(ratio=1)
    expect(page.locator(".moves:visible .button").first).to_be_in_viewport(ratio=1)
    assert page.locator("#stage").bounding_box() == before
