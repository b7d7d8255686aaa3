"""The header at every width, the search in it, the choice of a run, and the home page with its figure."""

import re
from functools import partial

import pytest
from playwright.sync_api import Route, expect

from app.pictures.layout.text_width import measure
from app.scenario.library import LIBRARY
from app.words.catalogues import word
from tests.browser.axe import fits, violations
from tests.browser.conftest import PHONE, SCREEN, WIDE, Open
from tests.until import until

EDGES = """shown => shown.map((each) => {
  const { left, right } = each.getBoundingClientRect();
  return [left, right, each.textContent];
})"""


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_header_is_whole_at_every_width(visit: Open, language: str) -> None:
    for path in (f"/scenarios?lang={language}", f"/run/random-twelve?lang={language}"):
        page = visit(path)
        for width in (1920, 1440, 1280, 1101, 1001, 900, 768, 761, 760, 390):
            page.set_viewport_size({"width": width, "height": 800})
            until(partial(fits, page))
            shown = page.locator(".top-row :is(a, input, summary):visible, .run-does > :visible")
            for left, right, words in shown.evaluate_all(EDGES):
                assert left >= 0 and right <= width, (width, words)
            tabs = page.locator("#run-tabs")
            if width >= 1001 and tabs.count():
                assert tabs.evaluate("e => e.scrollWidth <= e.clientWidth"), width
        page.locator("#top-menu summary").click()
        for each in page.locator(".top-sheet a").all():
            expect(each).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(page.locator("#top-menu summary")).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/write", "/claims", "/quiz/blue-figure", "/blank/blue-figure"])
def test_on_a_phone_the_second_row_shows_where_one_is(visit: Open, path: str) -> None:
    page = visit(path, viewport=PHONE)
    expect(page.locator(":is(.within, .run-tabs) [aria-current]")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_the_player_needs_no_scrolling(visit: Open) -> None:
    page = visit("/run/blue-figure", viewport={"width": 1280, "height": 720})
    for part in (".run-tab >> nth=-1", "#algorithm", "#more", "#say", "#timeline"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


CUT = """(each) => each.filter((e) => {
  if (e.localName !== 'select') return e.scrollHeight > e.clientHeight || e.scrollWidth > e.clientWidth;
  const shown = e.offsetWidth;
  e.style.flex = 'none';
  const whole = e.offsetWidth;
  e.style.flex = '';
  return whole > shown;
}).map((e) => e.selectedOptions?.[0].text ?? e.textContent)"""
"""Which titles and choices are cut."""


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_title_or_choice_of_a_run_is_cut(visit: Open, language: str) -> None:
    forms = {name: LIBRARY.scenario(name).form for name in LIBRARY.names()}
    titles = {name: getattr(form.title, language) for name, form in forms.items()}
    long = {name: measure(title, 1) for name, title in titles.items()}
    chosen = {
        name: measure(
            word(f"algorithm.{form.algorithm}", language) + word(f"discipline.{form.discipline}", language), 1
        )
        for name, form in forms.items()
    }
    both = {name: chosen[name] + long[name] / 2 for name in forms}
    page = visit("about:blank", viewport=SCREEN)
    for name in {each: None for by in (long, chosen, both) for each in sorted(by, key=by.__getitem__)[-2:]}:
        page.goto(f"/run/{name}?lang={language}")
        expect(page.locator("#run-picker summary b")).to_have_text(titles[name])
        for width in (1280, 1401, 1441, 1600, 1800):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.locator("#run-picker summary b, .run-does select:visible").evaluate_all(CUT) == [], width


def test_the_search_answers_while_one_types_and_the_keyboard_reaches_everything(visit: Open) -> None:
    page = visit("/run/blue-figure?lang=en", viewport=WIDE)
    page.keyboard.press("/")
    expect(page.locator("#find-words")).to_be_focused()
    page.keyboard.type("标记")
    found = page.locator("#find-found")
    expect(found.locator("a").first).to_contain_text("marker")
    assert violations(page) == []
    page.keyboard.press("ArrowDown")
    expect(found.locator("a").first).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    expect(found).to_be_hidden()
    expect(page.locator("#find-words")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/search\?q="))
    expect(page.locator("main .found-group").first).to_be_visible()


@pytest.mark.slow
def test_what_is_typed_before_the_search_is_loaded_is_looked_for_all_the_same(visit: Open) -> None:
    page = visit("/learn")
    held: list[Route] = []
    page.route("**/htmx.min.js", lambda route: held.append(route))
    page.keyboard.press("/")
    page.keyboard.type("token")
    until(lambda: page.title() and held)  # to ask the page for something lets the route be called
    held[0].continue_()
    expect(page.locator("#find-found a").first).to_be_visible()


@pytest.mark.slow
def test_the_menu_of_a_run_repeats_nothing_and_is_never_empty(visit: Open) -> None:
    page = visit("/run/blue-figure", viewport={"width": 1280, "height": 720})
    page.locator("#more summary").click()
    expect(page.locator(".more-sheet :is(select, input):visible")).to_have_count(0)
    expect(page.locator(".more-sheet a:visible")).to_have_text(["Edit", re.compile("Lesson 3")])
    expect(page.locator("#edit")).to_be_hidden()
    page.set_viewport_size({"width": 1600, "height": 900})
    expect(page.locator(".more-sheet a:visible")).to_have_text([re.compile("Lesson 3")])
    expect(page.locator("#edit")).to_be_visible()
    page.goto("/challenge/late-marker")
    expect(page.locator("#more")).to_be_hidden()
    page.set_viewport_size({"width": 900, "height": 700})
    expect(page.locator("#more")).to_be_visible()


@pytest.mark.slow
def test_another_run_is_found_by_typing_and_opens_in_the_same_tool(visit: Open) -> None:
    page = visit("/cuts/which-cut?lang=en", viewport=WIDE)
    page.locator("#run-picker summary").click()
    expect(page.locator("#run-filter")).to_be_focused()
    page.keyboard.type("three banks")
    expect(page.locator(".run-others li:visible")).to_have_text(["Three banks"])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/cuts/three-banks"))


@pytest.mark.slow
def test_a_tool_that_cannot_be_used_says_why_to_the_keyboard(visit: Open) -> None:
    page = visit("/run/domino?lang=en", viewport=WIDE)
    tab = page.locator(".run-tab.off")
    tab.focus()
    assert "no snapshot" in tab.evaluate("e => getComputedStyle(e, '::after').content")
    expect(tab).to_have_css("text-decoration-line", "none")


@pytest.mark.slow
def test_on_a_wide_screen_the_header_begins_where_the_page_does(visit: Open) -> None:
    page = visit("/lessons?lang=en", viewport={"width": 1920, "height": 1080})

    def left(part: str) -> float:
        box = page.locator(part).bounding_box()
        assert box
        return box["x"]

    assert left(".brand") == left("h1") == left(".within a:visible >> nth=0") + 10


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", [{"viewport": PHONE, "color_scheme": "dark"}, {"viewport": {"width": 1280, "height": 800}}]
)
def test_the_home_page_fits_plays_and_can_be_stopped(visit: Open, how: dict[str, object]) -> None:
    page = visit("/?lang=en", **how)
    assert fits(page) and violations(page) == []
    if how["viewport"] != PHONE:
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    said = page.locator("#home-said")
    expect(said).to_contain_text("P1", timeout=15_000)
    expect(page.locator("#icon-camera")).to_have_count(1)
    before = said.text_content()
    expect(said).not_to_have_text(before or "", timeout=15_000)
    assert page.evaluate("document.activeElement === document.body")
    assert page.locator(".home-live").evaluate("e => e.inert")
    page.get_by_role("button", name="Pause").click()
    stopped = said.text_content()
    page.wait_for_timeout(3_000)
    expect(said).to_have_text(stopped or "")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.slow
def test_with_reduced_motion_and_without_scripts_the_home_page_is_still(visit: Open) -> None:
    page = visit("/?lang=en", reduced_motion="reduce")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.wait_for_timeout(3_000)
    expect(page.locator("#home-said")).to_have_text("Blue is a copy. The system itself never stopped.")
    page = visit("/?lang=en", java_script_enabled=False)
    expect(page.locator("#stage svg")).to_be_visible()
    expect(page.locator("#home-pause")).to_be_hidden()
    expect(page.locator(".home-doors a").first).to_be_visible()


@pytest.mark.slow
def test_the_home_page_knows_where_the_visitor_was(visit: Open) -> None:
    page = visit("/run/three-banks?lang=en&step=2")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", "3")
    page.goto("/?lang=en")
    link = page.locator("#home-on a")
    expect(link).to_have_text("Three banks")
    link.click()
    expect(page).to_have_url(re.compile(r"/run/three-banks\?.*step=3"))
