"""The page that compares algorithms: stages in step, by buttons, keys and slider; the same figures as the runs'."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.analysis.alignment import beats
from app.analysis.cost import controls
from app.pictures.render import stage_in_words
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.browser.axe import axe, violations
from tests.browser.conftest import PHONE, Open, described
from tests.browser.test_back_row import LEAST, SMALL

LAPTOP = {"width": 1280, "height": 800}
NAMES = ("chandy-lamport", "photographs", "late-marker", "no-channels")
FOUR = "/compare/three-banks?lang=en&" + "&".join(f"with={name}" for name in NAMES)


def runs() -> list[Run]:
    scenario = LIBRARY.scenario("three-banks")
    return [record(scenario, RunKey(algorithm=a if a != scenario.form.algorithm else None)) for a in NAMES]


def whole(page: Page) -> Page:
    """Return the page once all runs are there."""
    expect(page.locator("body.ready")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.locator("#forward")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Home")
    expect(page.locator("#back")).to_have_attribute("aria-disabled", "true")
    return page


def steps(page: Page) -> list[int]:
    """Return the step that each column shows."""
    return [int(text.split()[1]) for text in page.locator(".column-state").all_inner_texts()]


def states(page: Page) -> list[list[str]]:
    """Return the labels of the processes on each stage."""
    found: list[list[str]] = described(page).evaluate(
        """() => [...document.querySelectorAll('.column .looking-on')].map((stage) =>
          [...stage.querySelectorAll('[data-process]')].map((one) => one.getAttribute('aria-label').split('. ')[0]))"""
    )
    return found


@pytest.mark.slow
def test_all_stages_stand_at_the_same_application_event(visit: Open) -> None:
    page = whole(visit(FOUR, viewport=LAPTOP, reduced_motion="reduce"))
    made = runs()
    together = beats(made)
    for beat in range(together.last + 1):
        expect(page.locator("#beat")).to_have_js_property("value", str(beat))
        assert steps(page) == [found[beat] for found in together.steps]
        if beat <= together.events:
            assert all(found == states(page)[0] for found in states(page)), beat
        counted = page.locator(".column-count b").all_inner_texts()
        assert counted == [str(controls(run)[at[beat]]) for run, at in zip(made, together.steps, strict=True)]
        page.keyboard.press("ArrowRight")


@pytest.mark.slow
def test_keys_buttons_and_the_slider_lead_all_columns(visit: Open) -> None:
    page = whole(visit(FOUR, viewport=LAPTOP))
    together = beats(runs())
    at = page.locator("#beat")
    for key, beat in (("ArrowRight", 1), ("PageDown", 2), ("ArrowLeft", 1), ("End", together.last), ("Home", 0)):
        page.keyboard.press(key)
        expect(at).to_have_js_property("value", str(beat))
    page.locator("#forward").click()
    expect(page.locator("#said")).to_have_text("Event 1 of 6: N1 sends 3 on N1→N2")
    page.locator("#back").click()
    expect(page.locator("#said")).to_have_text("Before the first application event")
    at.fill("4")
    assert steps(page) == [found[4] for found in together.steps]
    at.focus()
    page.keyboard.press("ArrowRight")
    expect(at).to_have_js_property("value", "5")
    expect(page.locator(".column-run").first).to_have_attribute(
        "href", re.compile(rf"[?&]step={together.steps[0][5]}$")
    )


@pytest.mark.slow
def test_playing_moves_every_column_until_the_end(visit: Open) -> None:
    page = whole(visit("/compare/blue-figure?lang=en&with=chandy-lamport&with=photographs"))
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause (space)")
    expect(page.locator("#beat")).not_to_have_js_property("value", "0")
    page.keyboard.press("Space")
    page.locator("body").click(position={"x": 700, "y": 20})
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play (space)")


@pytest.mark.slow
def test_the_address_carries_the_beat_also_into_the_other_language(visit: Open) -> None:
    page = whole(visit(FOUR, viewport=LAPTOP))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_url("**beat=3*")
    page.locator("#switch").click()
    expect(page.locator("#beat")).to_have_js_property("value", "3")
    expect(page.locator("#said")).to_contain_text("第 3 个事件，共 6 个")


def test_a_lecture_has_large_letters_and_keeps_the_beat(visit: Open) -> None:
    page = visit("/compare/blue-figure?lang=en&with=chandy-lamport&with=no-channels&beat=3", viewport=LAPTOP)
    expect(page.locator("body.ready")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("p")  # at once: the address changes only when the cursor rests
    expect(page).to_have_url(re.compile("beat=4&presenter=1$"))
    expect(page.locator("body.ready.presenter")).to_have_count(1)
    expect(page.locator(".column-state")).to_contain_text(["step 6 of", "step 6 of"])
    page.wait_for_function(f"(least) => ({SMALL})(least).length === 0", arg=LEAST * 800, timeout=8000)
    said = page.locator("main :is(h2 a, .column-order, .column-count b, .column-state, .agreement p, #said):visible")
    sizes = said.evaluate_all("(all) => all.map((e) => parseFloat(getComputedStyle(e).fontSize))")
    assert len(sizes) == 10 and min(sizes) >= LEAST * 800
    assert page.evaluate("document.querySelector('.bar').getBoundingClientRect().bottom <= innerHeight")
    page.keyboard.press("b")
    expect(page.locator(".blank")).to_be_visible()
    page.keyboard.press("b")
    assert axe(page).violations == []
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("beat=4$"))
    expect(page.locator(".top")).to_be_visible()


@pytest.mark.slow
def test_a_complete_snapshot_has_its_frame_and_a_wrong_one_another(visit: Open) -> None:
    page = whole(visit(FOUR, viewport=LAPTOP))
    verdicts = page.locator(".column-verdict")
    assert [each.is_visible() for each in verdicts.all()] == [False] * 4, "nobody has seen anything yet"
    page.keyboard.press("End")
    assert [each.is_visible() for each in verdicts.all()] == [True] * 4
    page.keyboard.press("ArrowLeft")
    assert not all(each.is_visible() for each in verdicts.all())
    page.keyboard.press("End")
    classes = [each.get_attribute("class") or "" for each in page.locator(".column").all()]
    assert ["complete" in each for each in classes] == [True] * 4
    assert ["wrong" in each for each in classes] == [False, True, False, True]


def test_the_form_asks_for_another_comparison(visit: Open) -> None:
    page = visit("/compare/three-banks?lang=en&with=chandy-lamport")
    page.locator("#choose summary").click()
    page.locator("select[name=with]").nth(1).select_option("photographs")
    page.locator("select[name=order]").nth(1).select_option("any")
    page.locator("#choose button").click()
    page.wait_for_url("**/compare/three-banks?with=chandy-lamport&with=photographs~any&lang=en")
    expect(page.locator(".column")).to_have_count(2)


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nothing_is_wider_than_the_screen_and_the_bar_is_in_sight(size: dict[str, int], visit: Open) -> None:
    page = whole(visit(FOUR, viewport=size))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bar = page.locator("#bar").bounding_box()
    assert bar and bar["y"] + bar["height"] <= size["height"] + 1
    boxes = [each.bounding_box() for each in page.locator(".column .host").all()]
    assert len({(round(box["width"]), round(box["height"])) for box in boxes if box}) == 1
    if size is LAPTOP:
        assert len({round(box["x"]) for box in boxes if box}) == 2, "two by two"
    else:
        assert len({round(box["x"]) for box in boxes if box}) == 1, "one below the other"


@pytest.mark.slow
def test_without_javascript_the_stills_and_the_table_are_there(visit: Open) -> None:
    page = visit(FOUR, java_script_enabled=False, viewport=LAPTOP)
    expect(page.locator(".column noscript img, .column img")).to_have_count(4)
    expect(page.locator("tr[data-row=controls] td").first).to_have_text("6")


FACES: dict[str, tuple[str, dict[str, Any]]] = {
    "compared": (FOUR + "&beat=5", {"viewport": LAPTOP}),
    "dark": (FOUR + "&beat=99", {"viewport": LAPTOP, "color_scheme": "dark"}),
    "phone": (FOUR + "&beat=3&lang=zh", {"viewport": PHONE}),
    "apart": ("/compare/ring-five?with=chandy-lamport&with=venkatesan", {"viewport": LAPTOP}),
    "family": ("/algorithms", {"viewport": LAPTOP}),
    "family on a phone": ("/algorithms", {"viewport": PHONE, "color_scheme": "dark"}),
    "broken": ("/algorithms/late-marker", {"color_scheme": "dark"}),
    "meanings": ("/algorithms/merged?lang=zh", {}),
}


@pytest.mark.slow
@pytest.mark.parametrize("face", FACES)
def test_axe_finds_no_violation(visit: Open, face: str) -> None:
    path, how = FACES[face]
    page = visit(path, **how)
    if "/compare/" in path:
        expect(page.locator("body.ready")).to_have_count(1)
        page.wait_for_timeout(400)
    assert violations(page, 15) == []


@pytest.mark.slow
def test_a_stage_can_be_read_in_words_and_follows_the_cursor(visit: Open) -> None:
    page = whole(visit(FOUR, viewport=LAPTOP, reduced_motion="reduce"))
    words = page.locator('[data-place="0"] .column-words')
    assert words.bounding_box() == {**(words.bounding_box() or {}), "width": 1, "height": 1}
    words.locator("summary").press("Enter")
    run, at = runs()[0], beats(runs()).steps[0]
    for beat in (0, 1, 3):
        page.locator("#beat").fill(str(beat))
        first = stage_in_words(run, at[beat], "en")[0]
        expect(words.locator("li").first).to_have_text(f"{first.name}: {'; '.join(first.parts)}")
    expect(page.locator('[data-place="1"] .column-words li')).to_have_count(0)
