"""Scripts, pages and answers that come late: what the visitor has entered or chosen meanwhile counts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import Open, bring, whole


def late(browser: Browser, server: str, path: str, *, ready: str) -> tuple[Page, Callable[[], None]]:
    """Open a page whose scripts are held back, and return it once ``ready`` is there, with what lets them come."""
    page = browser.new_context(base_url=server, locale="en-GB").new_page()
    scripts: list[Route] = []
    held = True

    def hold(route: Route) -> None:
        if held:
            scripts.append(route)
        else:
            route.continue_()

    def arrive() -> None:
        nonlocal held
        held = False
        for each in scripts:
            each.continue_()

    page.route(re.compile(r"/static/.*\.js"), hold)
    page.goto(path, wait_until="commit")
    expect(page.locator(ready)).to_be_visible()
    return page, arrive


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
    browser: Browser, server: str, path: str, field: str, text: str, address: str
) -> None:
    page, arrive = late(browser, server, path, ready=field)
    one = page.locator(field)
    if one.evaluate("each => each instanceof HTMLSelectElement"):
        one.select_option(text)
    else:
        one.fill(text)
    arrive()
    expect(page).to_have_url(re.compile(re.escape(address)))
    page.context.close()


@pytest.mark.slow
def test_words_typed_in_the_header_before_the_scripts_are_there_are_looked_for(browser: Browser, server: str) -> None:
    page, arrive = late(browser, server, "/learn", ready="#find-words")
    page.locator("#find-words").press_sequentially("tok")
    arrive()
    expect(page.locator("#find-found a").first).to_be_visible()
    page.context.close()


@pytest.mark.slow
def test_text_typed_in_the_editor_before_its_script_is_there_is_checked_and_kept(browser: Browser, server: str) -> None:
    page, arrive = late(browser, server, "/editor", ready="#editor-text")
    page.locator("#editor-text").press_sequentially("broken: [")
    arrive()
    expect(page.locator("#editor-text[aria-invalid=true]")).to_be_visible()
    page.reload()
    expect(page.locator("#editor-text")).to_have_value(re.compile(r"broken: \["))
    page.context.close()


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
def test_a_number_that_is_being_typed_when_the_scripts_come_leads_nowhere_yet(browser: Browser, server: str) -> None:
    page, arrive = late(browser, server, "/run/random-twelve", ready="#more summary")
    page.locator("#more summary").click()
    page.locator("#more-seed").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("4")
    arrive()
    expect(page.locator("body.ready")).to_have_count(1)
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("seed=42"))
    page.context.close()


@pytest.mark.slow
def test_a_tick_set_before_the_scripts_are_there_replaces_the_stored_one(browser: Browser, server: str) -> None:
    path = "/assign/sheet?q=every&for=me"
    page, arrive = late(browser, server, path, ready="[name=name]")
    arrive()
    for box in (0, 1):
        page.locator("[name=name]").fill("Ada")
        page.locator("button[type=submit]").last.click()
        page.locator("form[data-unsent] input[type=checkbox]").nth(box).check()
        if not box:
            page.goto(path)
    for each in (0, 1):
        expect(page.locator("form[data-unsent] input[type=checkbox]").nth(each)).to_be_checked()
    page.context.close()
