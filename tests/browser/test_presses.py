"""No press is lost, however slow the server is: answers are held back here until something else has been pressed."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import PATIENCE, Open
from tests.browser.outages import text
from tests.browser.test_editor import write
from tests.until import until

DEBOUNCE = 500
"""Milliseconds, by the page's clock, after which typed text is sent: longer than any page waits for more."""

FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
"""Resolves when pending changes of the page are drawn."""


@pytest.fixture
def timed(browser: Browser, server: str) -> Iterator[Open]:
    """Yield a function that opens a page with a controllable clock in a new context. A script error fails the test."""
    troubles: list[str] = []
    context = browser.new_context(base_url=server, locale="en-GB")

    def opened(path: str) -> Page:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.clock.install()
        page.goto(path)
        return page

    yield opened
    context.close()
    assert troubles == []


class Held:
    """Requests to an address that are held back, the first ``count`` of them."""

    def __init__(self, page: Page, url: str | re.Pattern[str], count: int = 1) -> None:
        self._page = page
        self._left = count
        self.routes: list[Route] = []
        page.route(url, self._keep)

    def _keep(self, route: Route) -> None:
        if not self._left:
            route.continue_()
            return
        self._left -= 1
        self.routes.append(route)

    def wait(self, count: int = 1) -> None:
        """Wait until ``count`` have arrived."""
        until(lambda: self._page.evaluate(FRAMES) or len(self.routes) >= count)

    def release(self) -> None:
        """Let them continue, and all that follow."""
        self._left = 0
        for route in self.routes:
            route.continue_()
        self.routes.clear()


def shared(page: Page) -> str:
    """Return the text of the scenario that the link leads to."""
    page.goto(page.locator("#editor-link").input_value().replace("/run/", "/editor?from="))
    return text(page)


# --- the editor --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_share_right_after_typing_is_not_lost_to_the_check(timed: Open) -> None:
    page = timed("/editor")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    held = Held(page, "**/editor/share")
    write(page, "message: 5", "message: 6")
    page.get_by_role("button", name="Share").click()
    held.wait()
    page.clock.run_for(DEBOUNCE)
    held.release()
    expect(page.locator("#editor-copied")).to_contain_text("Copied.")
    page.clock.run_for(DEBOUNCE)
    expect(page.locator("#editor-link")).to_be_visible()  # no later check removes it
    assert "message: 6" in shared(page)


@pytest.mark.slow
@pytest.mark.parametrize("button", ["Share", "Run it"])
def test_what_was_changed_in_the_form_counts_for_the_button_pressed_next(visit: Open, button: str) -> None:
    page = visit("/editor")
    held = Held(page, "**/editor/form")
    page.locator("#editor-process-1-first").fill("99")
    page.get_by_role("button", name=button).click()  # leaving the field changes it
    held.wait()
    held.release()
    if button == "Share":
        expect(page.locator("#editor-link")).to_be_visible()
        assert "B: 99" in shared(page)
    else:
        page.wait_for_url(re.compile(r"/run/1\."))
        page.goto(page.url.replace("/run/", "/editor?from="))
        assert "B: 99" in text(page)


def test_a_button_pressed_twice_does_its_work_twice(visit: Open) -> None:
    page = visit("/editor")
    lines = page.locator(".editor-row.script").count()
    held = Held(page, "**/editor/form")
    add = page.get_by_role("button", name="Add a line")
    add.click()
    held.wait()
    add.click()
    held.release()
    expect(page.locator(".editor-row.script")).to_have_count(lines + 2)
    expect(page.locator(f"#editor-script-{lines + 1}-kind")).to_be_focused()


@pytest.mark.slow
def test_a_button_of_a_row_means_that_row_wherever_it_is_by_then(visit: Open) -> None:
    page = visit("/editor")
    write(page, "script:\n", "script:\n" + "".join(f"  - send: {{on: B->A, message: {n}}}\n" for n in (1, 2)))
    expect(page.locator(".editor-row.script")).to_have_count(7)
    held = Held(page, "**/editor/form")
    up = page.get_by_role("button", name="Move line 3 of the script up")
    up.click()
    held.wait()
    up.click()
    held.release()
    expect(page.locator("#editor-text")).to_have_value(re.compile(r"script:\n  - start: A\n  - send: .*1}\n  - send"))
    expect(page.locator("#editor-script-down-0")).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["first", "above"])
def test_a_button_of_the_form_right_after_typing_waits_until_the_form_is_that_of_the_text(
    timed: Open, typed: str
) -> None:
    page = timed("/editor")
    held = Held(page, "**/editor/check")
    lines = page.locator(".editor-row.script").count()
    if typed == "first":
        write(page, "message: 5", "message: 6")
        page.get_by_role("button", name="Add a line").click()
    else:
        write(page, "script:\n", "script:\n  - send: {on: A->B, message: 3}\n")
        page.get_by_role("button", name="Remove line 3 of the script").click()
    held.wait()
    page.clock.run_for(DEBOUNCE)
    held.release()
    if typed == "first":
        expect(page.locator(".editor-row.script")).to_have_count(lines + 1)
        assert "message: 6" in text(page)
    else:
        # What was line 3 has become line 4.
        expect(page.locator("#editor-text")).not_to_have_value(re.compile("deliver: A->B"))
        expect(page.locator("#editor-script-0-what")).to_have_value("3")
        expect(page.locator(".editor-row.script")).to_have_count(lines)
    expect(page.locator("#editor-form")).not_to_contain_text("left alone")


@pytest.mark.slow
def test_what_is_typed_while_the_form_is_under_way_is_not_overwritten(visit: Open) -> None:
    page = visit("/editor")
    held = Held(page, "**/editor/form")
    page.locator("#editor-process-1-first").fill("99")
    page.locator("#editor-process-1-first").press("Enter")
    held.wait()
    write(page, "message: 5", "message: 6")
    held.release()
    expect(page.locator("#editor-text")).to_have_value(re.compile("B: 99"))
    assert "message: 6" in text(page)


# --- a pressed control stays in place ----------------------------------------------------------------------------


@pytest.mark.slow
def test_an_answer_waits_until_the_button_that_it_moves_is_let_go(visit: Open) -> None:
    page = visit("/lab/jobs?lang=en")
    page.locator(".jobs-form").get_by_label("Processes").fill("3, 99")
    start = page.get_by_role("button", name="Start the sweep")
    start.scroll_into_view_if_needed()
    box = start.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 3)  # the pointer leaves it at once if it moves down
    with page.expect_response(re.compile("/lab/jobs/plan")) as planned:
        page.mouse.down()  # leaving the field changes it
    planned.value.finished()
    page.evaluate(FRAMES)
    page.mouse.up()
    expect(page.get_by_role("alert")).to_contain_text("must be a whole number from 2 to 12")


@pytest.mark.slow
def test_a_press_that_takes_long_holds_up_what_the_page_shows_but_not_forever(visit: Open) -> None:
    page = visit("/scenarios")
    page.locator("main").get_by_role("searchbox").fill("blue figure")
    page.mouse.move(2, 300)
    page.mouse.down()
    expect(page).to_have_url(re.compile("q=blue"))


@pytest.mark.slow
def test_a_list_that_may_be_open_is_renewed_where_it_is(visit: Open) -> None:
    page = visit("/scenarios")
    held = Held(page, "**/scenarios?*")
    page.get_by_label("Lesson", exact=True).select_option("8")
    held.wait()
    list_ = page.get_by_label("Assumption", exact=True)
    list_.focus()
    list_.evaluate("list => { list.same = true; }")
    clocks = list_.locator("option[value=clocks]")
    expect(clocks).to_be_enabled()
    held.release()
    expect(clocks).to_be_disabled()
    assert list_.evaluate("list => list.same") is True
    list_.select_option("any-order")
    expect(page).to_have_url(re.compile(r"\?assumption=any-order&lesson=8$"))


# --- filters, sliders, the other language ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "field"), [("/scenarios", ".search input"), ("/claims", "#claims-words"), ("/glossary", "#q")]
)
def test_of_what_is_typed_the_last_counts(visit: Open, path: str, field: str) -> None:
    page = visit(path)
    held = Held(page, f"**{path}?*", count=3)
    words = page.locator(field)
    for count, typed in enumerate(("m", "ma", "marker"), start=1):
        words.fill(typed)
        held.wait(count)
    held.release()
    expect(page.locator("#count")).not_to_have_text(re.compile(r"^(\d+)\D+\1\D*$"))
    answer = page.request.get(f"{path}?q=marker", headers={"hx-request": "true"}).text()
    says = re.search(r'id="count"[^>]*>(.*?)</p>', answer, re.DOTALL)
    assert says
    expect(page.locator("#count")).to_have_text(re.sub(r"<[^>]*>", "", says[1]).strip())


@pytest.mark.slow
def test_a_chip_taken_away_right_after_typing_and_what_was_typed_both_count(timed: Open) -> None:
    page = timed("/scenarios?lesson=3")
    held = Held(page, "**/scenarios?*", count=2)
    page.locator("main").get_by_role("searchbox").fill("marker")
    page.locator(".chip").click()
    held.wait()
    page.clock.run_for(DEBOUNCE)
    held.release()
    expect(page).to_have_url(re.compile(r"/scenarios\?q=marker$"))
    expect(page.locator(".chip")).to_have_count(0)
    expect(page.get_by_label("Lesson", exact=True)).to_have_value("")
    expect(page.locator("#count")).to_be_focused()


@pytest.mark.slow
def test_a_slider_is_not_lost_to_the_answer_for_one_that_was_moved_before(timed: Open) -> None:
    page = timed("/costs?lang=en&price=1&mean=80")
    held = Held(page, re.compile("/costs/interval[?].*price=1&"))
    page.locator("#turn-mean").press("ArrowRight")
    held.wait()
    page.locator("#turn-price").press("ArrowRight")
    said = page.locator("#part-interval .costs-said")
    expect(said).to_contain_text(f"√(2δM) = {(2 * 3 * 120) ** 0.5:.1f} ticks")
    held.release()
    page.clock.run_for(2_000)
    expect(said).to_contain_text(f"√(2δM) = {(2 * 3 * 120) ** 0.5:.1f} ticks")


def other(page: Page) -> None:
    """Go to the other language."""
    page.locator("#switch").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")


@pytest.mark.slow
def test_the_other_language_has_the_filters_and_sliders_of_this_one(visit: Open) -> None:
    page = visit("/scenarios?lang=en")
    page.locator("#filter-lesson").select_option("8")
    expect(page.locator(".chip")).to_have_count(1)
    other(page)
    expect(page.locator("#filter-lesson")).to_have_value("8")
    page.goto("/costs?lang=en")
    page.locator("#turn-slow").press("ArrowRight")
    value = page.locator("#turn-slow").input_value()
    other(page)
    expect(page.locator("#turn-slow")).to_have_value(value)


# --- lessons, games, states --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_answer_shown_while_another_is_judged_comes_after_it(visit: Open) -> None:
    page = visit("/lessons/vanishing-token?q=none&lang=en&presenter=1")
    held = Held(page, re.compile(r"/lessons/vanishing-token/none[?].*answer="))
    page.locator(".asked-number").fill("7")
    page.get_by_role("button", name="Commit my answer").click()
    held.wait()
    page.locator(".asked-reveal").first.click()
    held.release()
    expect(page.locator("#asked")).to_have_attribute("data-shown", "1")
    expect(page.locator(".graded-given")).to_contain_text("7")


def test_two_choices_in_a_challenge_happen_one_after_the_other(visit: Open) -> None:
    page = visit("/challenge/non-fifo-lost?lang=en")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    held = Held(page, "**/branch?*")
    page.locator("#next a", has_text="P sends 1").first.click()
    held.wait()
    page.locator("#next a", has_text="P starts a snapshot").first.click()
    held.release()
    expect(page.locator("#challenge")).to_have_attribute("data-steps", "2")


@pytest.mark.slow
def test_a_choice_that_has_become_impossible_is_refused_in_words(browser: Browser, server: str) -> None:
    context = browser.new_context(base_url=server, locale="zh-CN")  # a context in which a refusal may be reported
    page = context.new_page()
    page.goto("/challenge/non-fifo-lost")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    held = Held(page, "**/branch?*")
    crash = page.locator("#next a").first
    crash.click()
    held.wait()
    # In one go: the list may be asked for again at any moment, and its links are new then.
    page.evaluate("const link = document.querySelector('#next a'); link.search += '%20%20'; link.click()")
    held.release()
    expect(page.get_by_role("alert")).to_contain_text("这已经不可能发生了。")
    expect(page.locator("#challenge")).to_have_attribute("data-steps", "1")
    expect(page.get_by_role("alert").get_by_role("button", name="再试一次")).to_be_hidden()
    context.close()


@pytest.mark.slow
def test_only_the_menu_of_what_was_pressed_last_opens(visit: Open) -> None:
    page = visit("/run/blue-figure?step=4&lang=en")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    held = Held(page, "**/menu?*process=P1*")
    page.locator("[data-process=P1]").click()
    held.wait()
    page.locator("[data-process=P2]").click()
    expect(page.locator(".menu")).to_have_attribute("aria-label", "What P2 can do")
    held.release()
    page.wait_for_timeout(300)
    expect(page.locator(".menu")).to_have_attribute("aria-label", "What P2 can do")


@pytest.mark.slow
def test_a_menu_of_a_step_that_is_no_longer_shown_does_not_open(visit: Open) -> None:
    page = visit("/run/blue-figure?step=4&lang=en")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    held = Held(page, "**/menu?*")
    page.locator("[data-process=P1]").click()
    held.wait()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", "5")
    held.release()
    page.wait_for_timeout(300)
    expect(page.locator(".menu")).to_be_hidden()
    page.locator("[data-process=P1]").click()
    expect(page.locator(".menu")).to_be_visible()


@pytest.mark.slow
def test_arrow_keys_pressed_quickly_each_lead_to_a_state(visit: Open) -> None:
    page = visit("/states/state-that-never-was?lang=en&at=1,1")
    chosen = page.locator(".lattice .dot.chosen")
    expect(chosen).to_have_attribute("tabindex", "0")  # its script is there
    held = Held(page, "**/states/**")
    chosen.focus()
    expect(chosen).to_be_focused()
    page.keyboard.press("ArrowRight")
    held.wait()
    page.keyboard.press("ArrowRight")
    held.release()
    expect(page.locator("#here-title")).to_have_text("State 2,2")


@pytest.mark.slow
def test_swaps_taken_back_quickly_are_each_taken_back(visit: Open) -> None:
    page = visit("/swap/slow-marker?lang=en&swaps=3,2")
    expect(page.locator("#swap-undo")).to_be_visible()
    held = Held(page, "**/swap/**")
    page.locator("#swap-undo").click()
    held.wait()
    page.locator("#swap-undo").click()
    held.release()
    expect(page.locator("#swap-undo")).to_have_count(0)


@pytest.mark.slow
def test_a_sweep_is_started_once_by_a_double_click(visit: Open) -> None:
    page = visit("/lab/jobs?lang=en")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    page.route(re.compile("/lab/jobs[?]"), lambda route: route.fulfill(status=204))
    page.get_by_role("button", name="Start the sweep").dblclick()
    page.evaluate("fetch('/healthz')")  # earlier requests have been noticed by then
    assert len(asked) == 1
