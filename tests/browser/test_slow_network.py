"""Scripts, pages and answers that come late: what the visitor has entered or chosen meanwhile counts."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import Open, bring, whole
from tests.browser.test_presses import Held

SCRIPTS = re.compile(r"/static/.*\.js")


Late = Callable[[str, str], tuple[Page, Held]]


@pytest.fixture
def late(browser: Browser, server: str) -> Iterator[Late]:
    """Yield a function that opens a page in a new context while its scripts are held back, and waits for an element."""
    with browser.new_context(base_url=server, locale="en-GB") as context:

        def opened(path: str, ready: str) -> tuple[Page, Held]:
            page = context.new_page()
            scripts = Held(page, SCRIPTS, count=99)
            page.goto(path, wait_until="commit")
            expect(page.locator(ready)).to_be_visible()
            return page, scripts

        yield opened


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "field", "text", "address"),
    [
        ("/scenarios", "main input[type=search]", "token", "q=token"),
        ("/glossary", "#q", "marker", "q=marker"),
        ("/claims", "#claims-holds", "wrong", "holds=wrong"),
        ("/lab", "#choose-measure", "duration", "measure=duration"),
        ("/run/blue-figure", "#algorithm", "late-marker", "late-marker"),
        ("/costs", "#turn-slow", "9", "slow=9"),
        ("/cuts/blue-figure?cut=1,1", "main input[type=number] >> nth=0", "2", "cut=2"),
    ],
)
def test_what_is_entered_before_the_scripts_are_there_counts(
    late: Late, path: str, field: str, text: str, address: str
) -> None:
    page, scripts = late(path, field)
    one = page.locator(field)
    if one.evaluate("each => each instanceof HTMLSelectElement"):
        one.select_option(text)
    else:
        one.fill(text)
    scripts.release()
    expect(page).to_have_url(re.compile(re.escape(address)))


@pytest.mark.slow
def test_words_typed_in_the_header_before_the_scripts_are_there_are_looked_for(late: Late) -> None:
    page, scripts = late("/learn", "#find-words")
    page.locator("#find-words").press_sequentially("tok")
    scripts.release()
    expect(page.locator("#find-found a").first).to_be_visible()


@pytest.mark.slow
def test_text_typed_in_the_editor_before_its_script_is_there_is_checked_and_kept(late: Late) -> None:
    page, scripts = late("/editor", "#editor-text")
    page.locator("#editor-text").press_sequentially("broken: [")
    scripts.release()
    expect(page.locator("#editor-text[aria-invalid=true]")).to_be_visible()
    page.reload()
    expect(page.locator("#editor-text")).to_have_value(re.compile(r"broken: \["))


@pytest.mark.slow
def test_after_going_back_the_scripts_of_a_page_work(visit: Open) -> None:
    page = visit("/scenarios?lesson=8")
    page.locator("main input[type=search]").fill("bank")
    page.wait_for_url("**q=bank**")
    page.go_back()
    expect(page.locator("main input[type=search]")).to_have_value("")
    chip = page.locator(".chip").first
    chip.click()
    page.wait_for_url(lambda address: "lesson=8" not in address)


@pytest.mark.slow
def test_the_last_of_two_clicks_counts(visit: Open) -> None:
    page = whole(visit("/run/blue-figure?step=2"))
    bring(page, "#next", "a")
    held: list[Route] = []
    page.route(re.compile("/branch|/learn"), lambda route: held.append(route))
    for link in ("#next a", ".top-links a"):
        page.locator(link).first.click(no_wait_after=True)
        page.wait_for_timeout(300)
    assert len(held) == 2
    for each in held:
        each.continue_()
        page.wait_for_timeout(300)
    page.wait_for_url("**/learn**")


@pytest.mark.slow
def test_going_back_a_list_names_the_run_that_is_shown(visit: Open) -> None:
    page = visit("/run/blue-figure")
    page.locator("#algorithm").select_option("late-marker")
    page.wait_for_url("**late-marker**")
    page.go_back()
    page.wait_for_url(lambda address: "late-marker" not in address)
    expect(page.locator("#algorithm")).to_have_value("chandy-lamport")


@pytest.mark.slow
def test_a_link_within_the_page_of_a_challenge_does_not_load_it_again(visit: Open) -> None:
    page = visit("/challenge/non-fifo-lost")
    expect(page.locator("body.ready")).to_have_count(1)
    page.evaluate("window.loaded = 1")
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    assert page.evaluate("window.loaded") == 1


@pytest.mark.slow
def test_answers_that_are_not_sent_yet_are_there_in_the_other_language(visit: Open) -> None:
    page = visit("/assign/sheet?q=every&for=me")
    for language in ("en", "zh-CN"):
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.locator("[name=name]").fill("Ada")
        page.locator("button[type=submit]").last.click()
        box = page.locator("form[data-unsent] input[type=checkbox]").nth(1)
        if language == "en":
            box.check()
            page.locator("#switch").click()
    expect(box).to_be_checked()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/scenarios", "/claims", "/glossary"])
def test_words_whose_answer_is_late_are_there_in_the_other_language(visit: Open, path: str) -> None:
    page = visit(path)
    page.route(lambda url: "q=" in url and "lang=zh" not in url, lambda route: None)
    page.locator("main input[type=search]").press_sequentially("token")
    page.locator("#switch").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(page.locator("main input[type=search]")).to_have_value("token")


@pytest.mark.slow
def test_what_is_chosen_and_not_answered_is_not_judged_by_another_language(visit: Open) -> None:
    page = visit("/lessons/blue-figure?q=caught")
    page.locator(".asked-form input[name=answer]").first.check()
    page.locator("#switch").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(page.locator(".asked-form [type=submit]").first).to_be_visible()
    expect(page.locator("#graded")).to_have_count(0)


@pytest.mark.slow
def test_a_number_that_is_being_typed_when_the_scripts_come_leads_nowhere_yet(late: Late) -> None:
    page, scripts = late("/run/random-twelve", "#more summary")
    page.locator("#more summary").click()
    page.locator("#more-seed").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("4")
    scripts.release()
    expect(page.locator("body.ready")).to_have_count(1)
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("seed=42"))


@pytest.mark.slow
def test_a_tick_set_before_the_scripts_are_there_stays_beside_those_stored(visit: Open) -> None:
    page = visit("/assign/sheet?q=every&for=me")
    boxes = page.locator("form[data-unsent] input[type=checkbox]")
    page.locator("[name=name]").fill("Ada")
    page.locator("button[type=submit]").last.click()
    boxes.nth(0).check()
    page.goto("/assign/sheet?q=every&for=me")
    page.locator("[name=name]").fill("Ada")
    scripts = Held(page, SCRIPTS, count=99)
    page.locator("button[type=submit]").last.click(no_wait_after=True)
    boxes.nth(1).check()
    expect(boxes.nth(0)).not_to_be_checked()  # what is stored is not entered yet
    scripts.release()
    for each in (0, 1):
        expect(boxes.nth(each)).to_be_checked()
