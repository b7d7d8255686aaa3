"""What a visitor needs is in view, whatever the size of the page, with scripts and without."""

import re

import pytest
from playwright.sync_api import expect

from app.web.base.site import SITE
from app.web.shared.run_head import PARTS, TOOLS
from tests.browser.conftest import PHONE, SCREEN, Open
from tests.often import some

TABLET = {"width": 1024, "height": 768}
THREE = "/compare/two-starters?with=merged&with=chandy-lamport&with=spezialetti-kearns"


def test_the_rule_lights_the_lines_of_the_algorithm_that_runs(visit: Open) -> None:
    page = visit("/run/cut-and-mended?step=12")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    assert page.locator("#rule .fired").count() > 2


@pytest.mark.slow
def test_why_a_snapshot_is_of_no_use_is_in_view(visit: Open) -> None:
    page = visit("/run/crash-hangs?step=4", viewport={"width": 1280, "height": 800})
    note = page.locator("#table .wrong-note")
    expect(note).to_be_visible()
    around, box = page.locator("#table").bounding_box(), note.bounding_box()
    assert around and box
    assert around["y"] <= box["y"] and box["y"] + box["height"] <= around["y"] + around["height"]


@pytest.mark.slow
def test_on_a_phone_space_and_time_is_seen_above_the_controls_and_no_tab_is_cut(visit: Open) -> None:
    for path in ("/run/crash-hangs?step=3", "/run/resent-marker?step=6"):
        page = visit(path, viewport=PHONE)
        expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
        drawn, controls = page.locator("#spacetime").bounding_box(), page.locator(".controls").bounding_box()
        assert drawn and controls
        assert controls["y"] - drawn["y"] >= 130
        assert page.evaluate("document.getElementById('tabs').scrollWidth <= innerWidth")


@pytest.mark.slow
def test_a_word_beside_the_channels_is_written_out(visit: Open) -> None:
    page = visit("/run/resent-marker?step=6")
    expect(page.locator("#stage .message.word text")).to_have_text("arrived")


@pytest.mark.slow
def test_what_a_sink_has_prepared_is_called_so(visit: Open) -> None:
    page = visit("/run/commit-after-prepare?step=7", viewport=SCREEN)
    expect(page.locator("#stage .node text.key")).to_have_text("prepared")
    page = visit("/run/commit-after-prepare?step=7", viewport=PHONE)
    expect(page.locator("#stage .node text.value")).to_have_text(["2", "prep.:", "1, 2"])


@pytest.mark.slow
def test_no_line_strikes_through_what_was_lost(visit: Open) -> None:
    page = visit("/run/blue-figure?choices=0:4.3.10.8.0.14.0.17.10.15&step=10")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    label = page.locator(".st-label.st-lost").first.bounding_box()
    rows = [box for each in page.locator(".st-names text").all() if (box := each.bounding_box())]
    assert label and len(rows) == 2
    for row in rows:
        line = row["y"] + row["height"] / 2
        assert not label["y"] + 2 < line < label["y"] + label["height"] - 2


@pytest.mark.slow
def test_three_columns_stand_in_a_row_or_fill_two(visit: Open) -> None:
    page = visit(THREE, viewport=TABLET)
    assert len({box["y"] for each in page.locator(".column").all() if (box := each.bounding_box())}) == 1
    page.set_viewport_size({"width": 820, "height": 1100})
    last, whole = page.locator(".column").last.bounding_box(), page.locator(".columns").bounding_box()
    assert last and whole
    assert last["width"] > whole["width"] * 0.9


@pytest.mark.slow
def test_on_a_phone_the_table_of_a_comparison_keeps_its_labels(visit: Open) -> None:
    page = visit(f"{THREE}&lang=zh", viewport=PHONE)
    label, wide = page.locator(".counted tbody tr[data-row] th").first, page.locator(".wide")
    before = label.bounding_box()
    assert before and before["width"] >= 100
    wide.evaluate("each => { each.scrollLeft = 400 }")
    assert wide.evaluate("each => each.scrollLeft") > 0
    after = label.bounding_box()
    assert after and abs(after["x"] - before["x"]) < 2


@pytest.mark.slow
def test_a_challenge_offers_no_faults(visit: Open) -> None:
    page = visit("/challenge/late-marker")
    page.locator("#stage .node").first.click()
    expect(page.locator(".menu")).to_be_visible()
    assert page.locator(".menu a").count() > 0
    assert page.locator(".faults").count() == 0


@pytest.mark.slow
def test_without_scripts_the_player_shows_the_picture_and_the_way_to_the_page(visit: Open) -> None:
    page = visit("/run/blue-figure?step=3", java_script_enabled=False)
    expect(page.locator("#stage img")).to_be_visible()
    for empty in ("#panels", ".controls", ".time"):
        expect(page.locator(empty)).to_be_hidden()
    page.get_by_role("link", name="step 3 as a page").click()
    assert "/run/blue-figure/step/3" in page.url


@pytest.mark.slow
def test_on_a_phone_the_pictures_of_a_step_are_whole_or_can_be_swiped(visit: Open) -> None:
    page = visit("/run/three-banks/step/9", viewport=PHONE)
    whole = "each => each.scrollWidth <= each.clientWidth + 1"
    swiped = "each => each.tabIndex === 0 && getComputedStyle(each).overflowX === 'auto'"
    assert page.locator(".picture").first.evaluate(whole)
    for picture in page.locator(".picture").all():
        assert picture.evaluate(whole) or picture.evaluate(swiped)
    assert page.locator("html").evaluate(whole)


@pytest.mark.slow
def test_in_the_dark_a_drawing_has_dark_paper_and_dark_ink_on_amber(visit: Open) -> None:
    page = visit("/lessons/blue-figure", color_scheme="dark")
    fills = "each => each.map((e) => Math.max(...getComputedStyle(e).fill.match(/[0-9]+/g).map(Number)))"
    assert max(page.locator(".asked-picture pattern rect").evaluate_all(fills)) < 128
    assert max(page.locator(".asked-picture [data-kind=marker] text").evaluate_all(fills)) < 64
    assert min(page.locator(".asked-picture [data-process] text").evaluate_all(fills)) > 128
    page.goto("/run/queue/step/9")  # k has changed, and a phase has a name
    assert min(page.locator("[data-process] text").evaluate_all(fills)) > 128
    assert max(page.locator("[data-phase=propagating] text, .picture pattern rect").evaluate_all(fills)) < 128
    ground = page.locator(".picture").first.evaluate("each => getComputedStyle(each).backgroundColor")
    assert max(map(int, re.findall("[0-9]+", ground)[:3])) < 64


@pytest.mark.parametrize("name", some(["vanishing-token", "blue-figure", "four-fates"], 3))
def test_on_a_phone_the_words_of_a_lesson_are_whole_above_its_buttons(visit: Open, name: str) -> None:
    page = visit(f"/lessons/{name}", viewport=PHONE)
    words, buttons = page.locator(".beat-words:visible").bounding_box(), page.locator("#beats-end").bounding_box()
    assert words and buttons
    assert words["y"] + words["height"] <= buttons["y"]


@pytest.mark.slow
def test_the_card_of_the_next_lesson_keeps_its_words_off_its_edges(visit: Open) -> None:
    page = visit("/lessons/blue-figure?end=1")
    card, words = page.locator(".lesson-onward-card"), page.locator(".lesson-onward-card > :last-child > *")
    whole = card.bounding_box()
    assert whole
    for word in words.all():
        box = word.bounding_box()
        assert box and box["y"] - whole["y"] >= 8 and whole["x"] + whole["width"] - (box["x"] + box["width"]) >= 12
        assert whole["y"] + whole["height"] - (box["y"] + box["height"]) >= 8


@pytest.mark.slow
def test_on_a_phone_every_card_has_its_picture_and_a_paper_the_whole_of_its_own(visit: Open) -> None:
    page = visit("/reference", viewport=PHONE)
    pictures = page.locator(".theory-picture > *").all()
    assert len(pictures) == 6
    for picture in pictures:
        expect(picture).to_be_visible()
    page.goto("/assign/paper?q=every&key=k")
    assert page.locator(".asked-picture").evaluate("each => each.scrollWidth <= each.clientWidth")


@pytest.mark.slow
def test_the_lessons_of_a_unit_stand_in_one_row(visit: Open) -> None:
    page = visit("/lessons", viewport=SCREEN)
    rows = "each => new Set([...each.children].map((e) => e.getBoundingClientRect().y)).size"
    assert {unit.evaluate(rows) for unit in page.locator(".lessons-list").all()} == {1}


@pytest.mark.slow
def test_the_places_in_the_header_stay_where_they_are(visit: Open) -> None:
    page = visit("/learn")
    before = page.locator(".top-links a").evaluate_all("each => each.map((e) => e.getBoundingClientRect().x)")
    page.goto("/reference")
    assert page.locator(".top-links a").evaluate_all("each => each.map((e) => e.getBoundingClientRect().x)") == before


@pytest.mark.slow
def test_a_total_of_several_quantities_that_is_right_is_not_said_twice(visit: Open) -> None:
    page = visit("/run/hash-ring?step=10")
    expect(page.locator("#table .total td")).to_have_text("k05=1, k25=1, k41=1, k66=1, k88=1")
    page.goto("/run/queue?step=16")
    expect(page.locator("#table .total td")).to_contain_text("66 = 66")


EVERY = (
    *("/", "/search?q=marker", "/playlist", "/lab/jobs", "/run/random-twelve?step=40", "/embed/queue"),
    *("/assign?q=every", "/assign/sheet?q=every&for=me", "/assign/read?q=every&key=k", "/assign/paper?q=every&key=k"),
    *("/lessons/blue-figure", "/lessons/blue-figure?end=1", "/lessons/barriers/by-hand", "/challenge/late-marker"),
    *("/algorithms/chandy-lamport", "/run/queue/step/9", "/run/queue/find"),
    *(address for place in SITE for address in (place.address, *place.pages.values())),
    *(f"/{tool}/queue" for tool in (*TOOLS, *(part for parts in PARTS.values() for part in parts[1:]))),
)


NIGHTLY = (
    *("/write", "/claims", "/states/queue", "/swap/queue", "/monitor/queue", "/assign?q=every", "/lab/jobs", "/spark"),
)


def test_pages_that_are_mostly_tested_by_night_open(visit: Open) -> None:
    page = visit("/quiz/queue")
    for path in NIGHTLY:
        page.goto(path)
        expect(page.locator("h1")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_page_is_wider_than_a_phone(visit: Open, language: str) -> None:
    page = visit("/quiz", viewport=PHONE)
    wide = {}
    for path in EVERY:
        page.goto(f"{path}{'&' if '?' in path else '?'}lang={language}")
        if (width := page.evaluate("document.documentElement.scrollWidth")) > PHONE["width"]:
            wide[path] = width
    assert wide == {}


INSIDE = """() => {
  const found = [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility()
    && /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight + 1);
  return [found.length, found.filter((each) => found.some((other) => other !== each && other.contains(each))).length];
}"""
"""How much scrolls, and how much of it inside of what scrolls."""


@pytest.mark.slow
@pytest.mark.parametrize("run", ["barriers-wait?step=12", "random-twelve?step=60"])
def test_nothing_scrolls_inside_of_what_scrolls(visit: Open, run: str) -> None:
    page = visit(f"/run/{run}", viewport=SCREEN)
    expect(page.locator("#log .now")).to_be_attached()
    scrolls, inside = page.evaluate(INSIDE)
    assert scrolls and not inside
