"""A cut that is dragged: the verdict follows at once. That it equals the oracle's is tested in ``tests/js``."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, SCREEN, WIDE, Open
from tests.often import some


def handle(page: Page, row: int) -> tuple[float, float]:
    """Return the middle of a cut's handle."""
    box = page.locator(f'[data-handle="{row}"]').bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_dragging_a_cut_over_an_event_changes_the_verdict_and_the_address(visit: Open) -> None:
    page = visit("/cuts/which-cut?lang=en", viewport=WIDE)
    told, arrow = page.locator("#cuts-told"), page.locator("g[data-identity]").first
    expect(told).to_have_text("This cut is consistent: some ordering of these events passes through it.")
    x, y = handle(page, 0)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 200, y, steps=4)
    page.mouse.move(page.locator('[data-event="P:1"]').bounding_box()["x"] - 20, y, steps=4)  # type: ignore[index]
    page.mouse.up()
    expect(told).to_contain_text("not consistent")
    expect(page.locator("#cuts-orphans li")).to_have_text("Q receives m1 before the cut, but P sends it after the cut.")
    expect(arrow).to_have_attribute("data-fate", "orphan")
    expect(arrow.locator("path[transform]")).to_have_count(1)
    assert page.evaluate("new URLSearchParams(location.search).get('cut')") == "0,2,2"
    other = parse_qs(urlsplit(page.locator("#switch").get_attribute("href") or "").query)
    assert (other["cut"], other["lang"]) == (["0,2,2"], ["zh"]), "the other language shows the same cut"
    assert page.evaluate("history.length") == 2, "dragging leaves nothing to go back through"
    expect(page.locator("input[name=cut]").first).to_have_value("0")
    page.click("#cuts-above")
    expect(told).to_contain_text("This cut is consistent")
    assert "cut=1,2,2" in page.url
    expect(page.locator("#cuts-above")).to_be_hidden()
    page.go_back()
    expect(told).to_contain_text("not consistent")
    page.reload()
    expect(arrow).to_have_attribute("data-fate", "orphan")


SMALL = """(least) => [...document.querySelectorAll('#cuts-picture text, .presenter main :is(p, li, a, dt, dd, label)')]
  .filter((e) => e.textContent.trim() && e.checkVisibility())
  .map((e) => [e.textContent, parseFloat(getComputedStyle(e).fontSize) * (e.getScreenCTM?.().d ?? 1)])
  .filter(([, px]) => px < least)"""


@pytest.mark.parametrize("run", some(("which-cut", "three-guarantees", "blue-figure?clocks=1", "star"), 3))
@pytest.mark.parametrize("viewport", [SCREEN, ViewportSize(width=1920, height=1080)])
def test_the_last_row_reads_the_cut(visit: Open, run: str, viewport: ViewportSize) -> None:
    page = visit(f"/cuts/{run}", viewport=viewport)
    page.locator('[data-handle="0"]').focus()
    page.keyboard.press("ArrowLeft")
    cut = page.evaluate("new URLSearchParams(location.search).get('cut')")
    page.keyboard.press("p")
    page.wait_for_selector("body.presenter")
    assert page.evaluate("new URLSearchParams(location.search).get('cut')") == cut
    assert page.evaluate(SMALL, 0.024 * viewport["height"]) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    if "three-guarantees" not in run:
        assert page.locator("#cuts-picture").evaluate("(e) => e.scrollWidth <= e.clientWidth"), "it need not be moved"
    crossing = page.locator("#cuts-crossing").bounding_box()
    assert crossing and crossing["y"] + crossing["height"] <= viewport["height"], "all of it is on the screen"
    page.keyboard.press("b")
    expect(page.locator(".blank")).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator(".blank")).to_be_hidden()
    page.locator(".cuts-event").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator(".cuts-event").first).to_have_attribute("aria-pressed", "false")
    expect(page.locator("body")).to_have_class(re.compile("presenter"))
    page.keyboard.press("Escape")
    page.wait_for_selector("body:not(.presenter)")
    assert page.evaluate("new URLSearchParams(location.search).get('cut')") == cut


@pytest.mark.parametrize("size", ["", "&presenter=1"])
def test_past_is_whole_where_it_stands_above_the_names(visit: Open, size: str) -> None:
    page = visit(f"/cuts/which-cut?lang=en&cut=0,2,2{size}", viewport=SCREEN)
    past = page.locator("[data-sides] text", has_text="PAST").last
    covers = """(text) => {
      const { left, top, height } = text.getBoundingClientRect();
      return document.elementsFromPoint(left + 4, top + height / 2)[0].localName;
    }"""
    past.evaluate("(text) => { text.style.pointerEvents = 'bounding-box'; }")
    assert past.evaluate(covers) == "text"


@pytest.mark.slow
def test_a_cut_can_be_moved_and_heard_with_the_keyboard_alone(visit: Open) -> None:
    page = visit("/cuts/which-cut?cut=0,0,0&lang=en", viewport=WIDE)
    slider = page.get_by_role("slider", name="The cut at Q")
    slider.focus()
    expect(slider).to_have_attribute("aria-valuetext", "before the first event of Q")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "after event 1 of 4. Step 2: Q receives m1 from P→Q")
    expect(page.locator("#cuts-told")).to_contain_text("not consistent")
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuenow", "4")
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuenow", "0")
    expect(page.locator("#cuts-told")).to_contain_text("This cut is consistent")
    page.locator('[data-event="R:1"]').focus()
    expect(page.locator("#cuts-cone")).to_contain_text("Events that could have influenced it: 3.")
    expect(page.locator('[data-event="P:2"]')).to_have_attribute("opacity", "0.25")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert "event=R:1" in page.url
    page.locator("#cuts-clocks").press("Space")
    expect(page.locator('[data-clock="R:1"]')).to_be_visible()
    assert "clocks=1" in page.url
    page.locator("#cuts-instant").press("Home")
    expect(page.locator("#cuts-none")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "how"),
    [
        ("/cuts/which-cut?cut=0,2,1&clocks=1&event=Q:2&lang=en", {"viewport": WIDE}),
        ("/cuts/which-cut?lang=zh", {"viewport": PHONE, "color_scheme": "dark"}),
        ("/swap/slow-marker?swaps=3&lang=zh", {"viewport": PHONE, "color_scheme": "dark"}),
        ("/swap/late-marker?lang=en", {"viewport": WIDE}),
        ("/theorem/slow-marker?lang=en", {"viewport": WIDE}),
        ("/theorem/late-marker?lang=zh", {"viewport": PHONE, "color_scheme": "dark"}),
        ("/theorem/chain-from-b?lang=zh", {"viewport": PHONE}),
        ("/theorem/random-twelve?lang=en", {"viewport": PHONE, "color_scheme": "dark"}),
        ("/blank/three-banks?lang=en", {"viewport": PHONE}),
        ("/blank/three-banks?solution=1&lang=zh", {"viewport": WIDE, "color_scheme": "dark"}),
    ],
)
def test_axe_finds_no_violation_and_the_page_fits(visit: Open, path: str, how: dict[str, object]) -> None:
    page = visit(path, **how)
    assert violations(page, 15) == []
    width = page.evaluate("innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_without_scripts_the_form_shows_another_cut(visit: Open) -> None:
    page = visit("/cuts/which-cut?lang=en", viewport=WIDE, java_script_enabled=False)
    page.locator("#cuts-numbers input[name=cut]").first.fill("0")
    page.locator("#cuts-numbers button").click()
    expect(page.locator("#cuts-orphans li")).to_have_text("Q receives m1 before the cut, but P sends it after the cut.")
    expect(page.locator('[data-fate="orphan"]')).to_have_count(1)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "picture"), [("/cuts/which-cut", "#cuts-picture"), ("/stable", ".stable-thumb")])
def test_in_the_dark_pictures_lie_on_the_page_s_paper(visit: Open, path: str, picture: str) -> None:
    ground = visit(path, color_scheme="dark").locator(picture).first
    expect(ground).to_have_css("background-color", "rgb(27, 31, 36)")
    hollow = ground.locator("circle[fill='#ffffff']").first
    expect(hollow).to_have_css("fill", "rgb(27, 31, 36)")


@pytest.mark.parametrize(
    "path",
    [
        "/cuts/which-cut?cut=1,4,2",
        "/cuts/cut-and-mended?cut=0,1",
        "/cuts/nothing-was-used?cut=0,0,0,0",
        "/cuts/three-guarantees?cut=0,5,2,2,7",
    ],
)
def test_the_script_bends_a_cut_like_the_server(visit: Open, path: str) -> None:
    def pieces(*, script: bool) -> list[str]:
        page = visit(path, java_script_enabled=script)
        line = page.locator('#cuts-picture [data-cut="0"] path').first
        if script:
            expect(page.locator('[data-handle="0"]')).to_have_attribute("role", "slider")
        return re.findall(r"C[-\d. ]+", line.get_attribute("d") or "")

    drawn = pieces(script=False)
    assert drawn and [each.split() for each in pieces(script=True)] == [each.split() for each in drawn]


@pytest.mark.slow
def test_a_finger_drags_a_cut_and_the_page_stays(visit: Open) -> None:
    page = visit("/cuts/blue-figure?lang=en", viewport=PHONE, has_touch=True)
    expect(page.locator('[data-handle="0"]')).to_have_attribute("aria-valuenow", "0")
    x, y = handle(page, 0)
    finger = page.context.new_cdp_session(page)
    for kind, along in (("touchStart", 0), *(("touchMove", 40 * n) for n in range(1, 6)), ("touchEnd", None)):
        points = [] if along is None else [{"x": x + along, "y": y}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(page.locator('[data-handle="0"]')).to_have_attribute("aria-valuenow", "1")
    assert abs(handle(page, 0)[0] - x - 200) < 3
    assert page.evaluate("document.querySelector('.cuts .picture').scrollLeft") == 0
