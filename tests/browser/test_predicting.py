"""At the author's questions the run stops, and visitors say what will come."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.run.run import record
from app.scenario.library import LIBRARY
from app.wire.frames import scene
from tests.browser.conftest import SCREEN, Open

CALM = {"reduced_motion": "reduce"}
QUESTIONS = [
    (scenario.name, int(step), kind)
    for scenario in LIBRARY.scenarios()
    if any(entry.predict for entry in scenario.form.script)
    for step, kind in scene(record(scenario))["predict"].items()
]
SAID = """() => {
  const found = [];
  for (const e of document.querySelectorAll('body *')) {
    const aside = 'script, style, template, [inert], .sizer, .predict, .run-picker, .lecture-title, h1, #live';
    if (e.closest(aside) || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const own = [...e.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE).map((one) => one.nodeValue);
    const told = ['aria-label', 'aria-valuetext', 'title'].map((name) => e.getAttribute(name));
    if (e.localName !== 'option') found.push(...own, ...told);
    if (e.localName === 'select') found.push(e.selectedOptions[0].text);
  }
  return found.filter((text) => text?.trim()).map((text) => text.trim());
}"""
"""Everything that can be seen, or that a screen reader says, besides the question and the run's title."""
TELLING = {
    "complete": r"never|no path|no cut|unusable",
    "consistent": r"consistent|orphan|broken|mistake",
    "messages": r"in flight|in the snapshot\b(?!\?)|crosse[sd]|no part of|belongs to|orphan|mistake",
    "next": r"records next|will record",
    "back": r"rolls? back to|must go|recovery line:",
}
"""Words that would give the answer of a kind away."""
PICTURED = {
    "complete": ".st-cuts, .st-ruin-word, .tray .chip",
    "consistent": ".st-messages, .st-rest, .tray .chip",
    "messages": ".st-messages, .st-rest, .st-label",
    "next": ".st-messages, .st-rest",
    "back": ".st-rest, .st-undone",
}
"""What would give it away in a picture."""


def asked(visit: Open, path: str, **how: object) -> Page:
    """Return a run that has come to a question by a key."""
    page = visit(path, **CALM | how)
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    expect(page.locator(".predict")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".predict")).to_be_visible()
    return page


def options(page: Page, how: str) -> list[str]:
    """Return the options that are marked so."""
    return page.locator(f'.predict [data-chosen="{how}"]').all_inner_texts()


def test_messages_are_chosen_in_the_picture_and_the_run_says_which_it_keeps(visit: Open) -> None:
    page = asked(visit, "/run/queue?step=8")
    expect(page.locator(".predict")).to_contain_text("Which of them will be in the snapshot?")
    expect(page.locator("#spacetime .st-messages")).not_to_be_visible()
    first = page.locator("#stage .message.app").first
    first.click()
    expect(page.locator("#menu")).to_have_count(0)
    assert options(page, "chosen") == ["1"]
    page.locator("#stage .message.app").nth(1).focus()
    page.keyboard.press("Enter")
    assert options(page, "chosen") == ["1", "2"]
    page.locator(".predict [data-option]", has_text="20").click()
    page.get_by_role("button", name="Check").click()
    assert options(page, "right") == ["1", "2", "3"]
    assert options(page, "wrong") == ["20"]
    expect(page.locator(".predict-verdict")).to_contain_text("Not this time. Recorded as in flight: 1, 2, 3.")
    expect(page.locator("#stage .message[data-chosen=right]")).to_have_count(3)
    expect(page.get_by_role("button", name="Play on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".predict")).to_be_hidden()
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", "10")
    expect(page.locator("#stage [data-chosen]")).to_have_count(0)


def test_play_stops_at_a_question_and_no_answer_is_needed(visit: Open) -> None:
    page = visit("/run/late-marker?step=1", **CALM)
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    page.locator("#play").click()
    expect(page.locator(".predict")).to_be_visible()
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play (space)")
    page.locator(".predict [data-option=no]").click()
    expect(page.locator(".predict-verdict.holds")).to_contain_text("Right. It is complete after step 7")
    page.locator("#stage .node").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".predict")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".predict")).to_be_hidden()


@pytest.mark.slow
def test_who_does_not_want_to_be_asked_is_not_and_can_change_that(visit: Open) -> None:
    page = asked(visit, "/run/which-cut?step=4")
    page.locator("#stage [data-process=P]").click()
    assert options(page, "wrong") == ["P"]
    assert options(page, "right") == ["R"]
    page.goto("/run/domino?step=14")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Do not ask again").click()
    expect(page.locator(".predict")).to_be_hidden()
    page.goto("/run/queue?step=8")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", "9")
    expect(page.locator(".predict")).to_be_hidden()
    page.keyboard.press("?")
    page.locator("#predict-on").check()
    page.keyboard.press("Escape")
    expect(page.locator("#help-dialog")).to_be_hidden()
    page.locator("#stage .node").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", "8")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".predict")).to_be_visible()


@pytest.mark.slow
def test_the_question_speaks_chinese(visit: Open) -> None:
    page = asked(visit, "/run/photographs-two?step=1&lang=zh")
    expect(page.locator(".predict")).to_contain_text("这次快照的割集会是一致的吗？")
    page.locator(".predict [data-option=yes]").click()
    expect(page.locator(".predict-verdict.fails")).to_contain_text("割集不一致")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "step", "kind"), QUESTIONS)
def test_while_a_question_is_open_nothing_gives_the_answer_away(name: str, step: int, kind: str, visit: Open) -> None:
    page = asked(visit, f"/run/{name}?step={step - 1}&lang=en", viewport=SCREEN)
    expect(page.locator(f".asking[data-asks={kind}]")).to_be_attached()
    said: list[str] = page.evaluate(SAID)
    assert [text for text in said if re.search(TELLING[kind], text, re.I)] == []
    for part in (PICTURED[kind], ".timeline .mark", "[data-panel=log]", "[data-panel=checks]"):
        expect(page.locator(part).filter(visible=True)).to_have_count(0)
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".asking")).to_have_count(0)
    expect(page.locator("[data-panel=checks]")).to_be_visible()


PLACES = """() => ['#stage', '#spacetime', '#table'].map((part) => {
  const { top, height } = document.querySelector(part).getBoundingClientRect();
  return [part, Math.round(top), Math.round(height)];
})"""


@pytest.mark.slow
@pytest.mark.parametrize("run", ["queue?step=8&presenter=1", "queue?step=8", "domino-stopped?step=16"])
def test_nothing_moves_when_a_question_comes(visit: Open, run: str) -> None:
    page = visit(f"/run/{run}", viewport=SCREEN, **CALM)
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    page.wait_for_selector("#stage .node .name")
    before = page.evaluate(PLACES)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".predict-ask")).to_be_in_viewport(ratio=1)
    expect(page.locator(".predict-does")).to_be_in_viewport(ratio=1)
    assert page.evaluate(PLACES) == before


@pytest.mark.slow
def test_in_a_lecture_the_question_is_as_large_as_a_sentence_and_what_it_asks_about_is_in_sight(visit: Open) -> None:
    page = asked(visit, "/run/queue?step=8&presenter=1", viewport={"width": 1920, "height": 1080})
    size = page.locator(".predict-ask b").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert size >= 0.04 * 1080
    expect(page.locator("#stage .message.app:visible")).to_have_text(["1", "2", "3", "10", "20", "30"])


@pytest.mark.slow
def test_keys_of_one_letter_can_be_turned_off_and_arrows_stay(visit: Open) -> None:
    page = visit("/run/queue?step=3")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    expect(page.locator("body.ready")).to_have_count(1)  # before that, keys do nothing
    page.keyboard.press("?")
    page.locator("#letters-on").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    page.keyboard.press("/")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", "4")
    expect(page.locator("body")).not_to_have_class(re.compile("presenter"))
    assert page.evaluate("document.activeElement.id") != "find-words"
    page.reload()
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    page.keyboard.press("p")
    expect(page.locator("body")).not_to_have_class(re.compile("presenter"))
