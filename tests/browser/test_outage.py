"""The server is stopped under open pages, fails, or takes too long: a pressed control reports it, keeps what was
entered, and sends it again on request."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from app.web.measure.lab.sweep_form import Wish, spec
from app.web.shared import subprocesses
from tests.browser.axe import axe
from tests.browser.conftest import PATIENCE, PHONE, WIDE, bring
from tests.browser.drawer import Drawer
from tests.browser.outages import CASES, ENTERED, GONE, chosen, committed, whole
from tests.often import some
from tests.served import Host
from tests.until import until
from tests.web.measure.spark import watched_files as files

MOVES = """(box) => {
  const places = () => JSON.stringify([...document.querySelectorAll("body *")]
    .filter((each) => each.checkVisibility() && !box.contains(each)).map((each) => each.getBoundingClientRect()));
  const [there, size] = [places(), document.documentElement.scrollHeight];
  box.hidden = true;
  const moves = there !== places() || size !== document.documentElement.scrollHeight;
  box.hidden = false;
  return moves;
}"""
"""Does the box move anything on the page, or make it longer?"""

BESIDE = """(box) => {
  const { left, right, top, bottom } = box.getBoundingClientRect();
  const at = document.activeElement.getBoundingClientRect();
  const apart = Math.max(at.left - right, left - at.right, at.top - bottom, top - at.bottom);
  const { clientWidth, clientHeight } = document.documentElement;
  return apart <= 12 && left >= 0 && top >= 0 && right <= clientWidth && bottom <= clientHeight;
}"""
"""Is the box beside the focused element, and completely in the window?"""

SEEN = """(element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === element;
}"""
"""Is an element in the window, and not covered?"""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """Yield the application, which tests stop and start again."""
    made = Host(tmp_path_factory.mktemp("data"))
    yield made
    made.stop()


@pytest.fixture(scope="module")
def drawer(browser: Browser, host: Host) -> Drawer:
    """Return the store of contexts for tests."""
    return Drawer(browser, host.address, viewport=WIDE, locale="en-GB")


Open = Callable[..., Page]


@pytest.fixture
def visit(drawer: Drawer) -> Iterator[Open]:
    """Yield a function that opens a page: the browser may report that the server is gone; its scripts must not."""
    troubles: list[str] = []
    contexts: list[BrowserContext] = []

    def opened(path: str, **how: object) -> Page:
        page = drawer.take(**how)
        contexts.append(page.context)
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        drawer.put_back(context)
    assert troubles == []


def box(page: Page) -> Locator:
    """Return the box that says that the server does not answer."""
    return page.locator(".outage")


def again(page: Page) -> None:
    """Ask again."""
    box(page).get_by_role("button", name="Try again").click()


# --- the server is gone ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", some(CASES, len(CASES)))
def test_a_server_that_is_gone_is_told_beside_what_was_pressed_and_asked_again(
    visit: Open, host: Host, name: str
) -> None:
    case = CASES[name]
    page = visit(case.path)
    case.ready(page)
    host.stop()
    try:
        case.press(page)
        expect(box(page)).to_be_visible()
        expect(box(page).locator("p")).to_have_text(case.says)
        expect(box(page)).to_have_role("alert")
        assert box(page).evaluate(BESIDE)
        assert not box(page).evaluate(MOVES)
        case.intact(page)
        place = box(page).bounding_box()
        again(page)  # it is still gone
        expect(box(page).locator("p")).to_have_text(case.says)
        assert box(page).bounding_box() == place
    finally:
        host.start()
    again(page)
    case.done(page)
    expect(box(page)).to_have_count(0)


@pytest.mark.slow
def test_the_box_is_reached_by_the_tab_key_and_gives_the_focus_back(visit: Open, host: Host) -> None:
    page = visit("/quiz/queue?lang=en")
    page.locator("input[name=answer]").first.check()
    host.stop()
    try:
        committed(page)
        expect(box(page)).to_be_visible()
        expect(page.get_by_role("button", name="Commit my answer")).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name="Try again")).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name="Close")).to_be_focused()
        page.keyboard.press("Enter")
        expect(box(page)).to_have_count(0)
        expect(page.get_by_role("button", name="Commit my answer")).to_be_focused()
        page.keyboard.press("Enter")
        expect(box(page)).to_be_visible()
    finally:
        host.start()
    committed(page)  # pressed again in the same place
    expect(page.locator("#graded")).to_be_focused()
    expect(box(page)).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [{"viewport": PHONE, "locale": "zh-CN"}, {"viewport": PHONE, "color_scheme": "dark"}, {"color_scheme": "dark"}],
    ids=["phone, Chinese", "phone, dark", "dark"],
)
def test_the_box_fits_and_can_be_read_by_everybody(visit: Open, host: Host, how: dict[str, object]) -> None:
    page = visit("/lessons/vanishing-token?q=none", **how)
    page.locator(".asked-number").fill("1")
    host.stop()
    try:
        page.locator(".asked-form button[type=submit]").press("Enter")
        expect(box(page)).to_be_visible()
        if how.get("locale") == "zh-CN":
            expect(box(page).locator("p")).to_have_text("服务器没有响应。你的答案还保留在这里。")
            expect(box(page).get_by_role("button").first).to_have_text("再试一次")
        assert box(page).evaluate(BESIDE)
        assert page.locator(".asked-number").evaluate(SEEN)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert axe(page).violations == []
    finally:
        host.start()


# --- panels, streams, and automatic requests ---------------------------------------------------------------------


@pytest.mark.slow
def test_a_panel_of_the_player_says_so_in_its_place(visit: Open, host: Host) -> None:
    page = visit("/run/three-guarantees?step=35&lang=en", viewport={"width": 1280, "height": 800})
    bring(page, "#ledger", ".ledger-verdict")
    host.stop()
    try:
        page.keyboard.press("Home")
        expect(page.locator("#ledger .outage p")).to_have_text(GONE)
        page.keyboard.press("ArrowRight")  # another step is another request
        expect(page.locator("#ledger .outage p")).to_have_text(GONE)
    finally:
        host.start()
    page.locator("#ledger .outage-again").click()
    expect(page.locator("#ledger .ledger-verdict").first).to_contain_text("not decided")
    expect(page.locator("#ledger")).to_be_focused()
    expect(page.locator("#ledger .outage")).to_have_count(0)  # a panel that came into view keeps its own


SWITCHES = re.compile("/run/[^/]+/switches")


@pytest.mark.slow
def test_a_panel_that_was_never_there_can_be_asked_for(visit: Open) -> None:
    page = visit("about:blank")
    page.route(SWITCHES, lambda route: route.abort())
    page.goto("/run/three-banks?lang=en")
    page.locator("#switches").scroll_into_view_if_needed()
    expect(page.locator("#switches .outage p")).to_have_text(GONE)
    page.unroute(SWITCHES)
    again(page)
    expect(page.locator("#switches .promise-switch").first).to_be_visible()
    expect(box(page)).to_have_count(0)


def half(page: Page, url: str) -> list[Route]:
    """Send the first half of a stream and then lose its connection, for every request. Return the requests."""
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.abort()
            return
        blocks = route.fetch(max_retries=3).text().split("\n\n")
        route.fulfill(content_type="text/event-stream", body="\n\n".join(blocks[: len(blocks) // 2]) + "\n\n")

    page.route(url, answer)
    return asked


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/run/three-banks?lang=en", "/embed/three-banks?lang=en"])
def test_a_stream_that_breaks_off_half_way_shows_what_has_come_and_goes_on_there(visit: Open, path: str) -> None:
    page = visit("about:blank")
    half(page, "**/three-banks/events**")
    page.goto(path)
    expect(box(page).locator("p")).to_have_text(f"{GONE} You can still watch the steps that have arrived.")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "lost")
    held = int(page.locator("#timeline").get_attribute("aria-valuemax") or 0)
    page.locator("#last").click()
    expect(page.locator("#timeline")).not_to_have_attribute("aria-valuenow", "0")
    now = int(page.locator("#timeline").get_attribute("aria-valuenow") or 0)
    assert 0 < now < held
    page.unroute("**/three-banks/events**")
    again(page)
    whole(page)
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(held))
    expect(box(page)).to_have_count(0)


@pytest.mark.slow
def test_a_lost_stream_that_comes_back_by_itself_takes_the_box_away(visit: Open) -> None:
    page = visit("about:blank")
    half(page, "**/three-banks/events**")
    page.goto("/run/three-banks?lang=en")
    expect(box(page)).to_be_visible()
    page.unroute("**/three-banks/events**")
    whole(page)
    expect(box(page)).to_have_count(0)


@pytest.mark.slow
def test_streams_that_are_compared_are_asked_for_together(visit: Open) -> None:
    page = visit("about:blank")
    page.route("**/events**", lambda route: route.fulfill(status=502))
    page.goto("/compare/three-banks?lang=en")
    expect(box(page).locator("p")).to_have_text(f"{GONE} You can still watch the steps that have arrived.")
    page.unroute("**/events**")
    again(page)
    expect(box(page)).to_have_count(0)
    page.locator("#last").click()
    expect(page.locator("#forward")).to_have_attribute("aria-disabled", "true")


@pytest.mark.slow
def test_without_a_server_a_run_goes_on_and_a_stage_of_another_size_comes_with_the_server(visit: Open) -> None:
    page = visit("/run/ring?lang=en", viewport=WIDE)
    whole(page)
    stage = page.locator("#stage svg")
    expect(stage).to_have_attribute("data-look", "circle")
    page.route("**/plan.json**", lambda route: route.abort())
    page.locator("#last").click()
    expect(page.locator("#stage-section")).to_have_class("stage complete")
    expect(box(page)).to_have_count(0)
    with page.expect_event("requestfailed"):
        page.set_viewport_size(PHONE)
    expect(box(page)).to_have_count(0)
    expect(stage).to_have_attribute("data-look", "circle")
    page.unroute("**/plan.json**")
    expect(stage).to_have_attribute("data-look", "wires")
    expect(box(page)).to_have_count(0)


@pytest.mark.slow
def test_what_asks_by_itself_says_so_once_and_no_more_when_the_server_is_back(visit: Open, host: Host) -> None:
    page = visit("/spark?lang=en")
    expect(page.locator("#inside[data-htmx-powered]")).to_be_visible()
    host.stop()
    try:
        expect(box(page).locator("p")).to_have_text(GONE)
        page.evaluate(
            "window.heard = 0; new MutationObserver((all) => (heard += all.length))"
            ".observe(document.querySelector('.outage p'), { childList: true, characterData: true, subtree: true })"
        )
        for _ in range(3):
            page.wait_for_event("requestfailed")  # it asks each second, always in vain
        assert page.evaluate("heard") == 0
        expect(box(page)).to_have_count(1)
    finally:
        host.start()
    expect(box(page)).to_have_count(0)


# --- what changes something on the server ------------------------------------------------------------------------

LIVE = re.compile("/spark/live|/lab/jobs/list")
"""The addresses that pages request automatically."""


@pytest.mark.slow
def test_a_query_is_started_and_ended_although_the_server_was_gone(
    browser: Browser, tmp_path: Path, visit: Open
) -> None:
    files.killed(tmp_path / "spark")
    subprocesses.start(tmp_path / "spark", ["-c", "import time; time.sleep(600)"])
    host = Host(tmp_path)
    page = visit(f"{host.address}/spark?lang=en")
    kill = page.get_by_role("button", name="Kill it now")
    expect(kill).to_be_visible()
    page.route(LIVE, lambda route: route.abort())
    expect(box(page)).to_have_count(1)  # what asks each second how far it is
    host.stop()
    kill.click()
    expect(box(page)).to_have_count(2)
    assert subprocesses.running(tmp_path / "spark")
    host.start()
    page.locator(".outage-again").last.click()
    expect(page.locator("#inside")).to_have_attribute("data-does", "killed")
    page.unroute(LIVE)
    expect(box(page)).to_have_count(0)
    assert not subprocesses.running(tmp_path / "spark")
    host.stop()


@pytest.mark.slow
def test_a_sweep_is_counted_cancelled_and_taken_up_although_the_server_was_gone(visit: Open, tmp_path: Path) -> None:
    folder = tmp_path / "lab" / "20260101-000000-aaaaaa"
    subprocesses.start(folder, ["-c", "import time; time.sleep(600)"], facts=spec(Wish()))
    host = Host(tmp_path)
    page = visit(f"{host.address}/lab/jobs?lang=en")
    expect(page.locator(".job")).to_have_attribute("data-state", "starting")
    page.route(LIVE, lambda route: route.abort())
    expect(box(page)).to_have_count(1)  # what asks each second how far it is
    host.stop()
    page.get_by_role("button", name="Cancel").click()
    expect(box(page)).to_have_count(2)
    assert subprocesses.running(folder)
    host.start()
    page.locator(".outage-again").last.click()
    expect(page.locator(".job")).to_have_attribute("data-state", "cancelled")
    until(lambda: not subprocesses.running(folder))
    expect(box(page)).to_have_count(0)  # nothing is running, so nothing asks each second
    page.unroute(LIVE)
    page.route(LIVE, lambda route: route.fulfill(status=204))

    host.stop()
    seeds = page.locator("#job-seeds")
    seeds.fill("40")
    expect(box(page).locator("p")).to_have_text(ENTERED)
    page.get_by_role("button", name="Start the sweep").press("Enter")
    expect(box(page)).to_have_count(2)
    expect(seeds).to_have_value("40")
    host.start()
    page.locator(".outage-again").first.click()
    expect(page.locator("#jobs-plan")).to_contain_text("320 runs.")
    expect(box(page)).to_have_count(1)
    seeds.fill("9999")
    expect(page.locator("#wrong-seeds")).to_be_visible()
    again(page)  # the form's current content is sent
    expect(page.get_by_role("alert")).to_contain_text("Seeds")
    expect(page.locator("#job-seeds")).to_be_focused()
    host.stop()


# --- the server fails, refuses, or takes too long ----------------------------------------------------------------

FAILS: tuple[tuple[int, dict[str, str], str], ...] = (
    (503, {"retry-after": "7"}, "The server is busy and asks you to wait 7 s."),
    (500, {}, "The server failed to answer (error 500)."),
    (502, {"content-type": "text/html"}, "The server failed to answer (error 502)."),
)
"""Busy, broken, and behind a gateway."""


@pytest.mark.slow
@pytest.mark.parametrize("case", ["lesson", "gallery, filter", "editor, share", "comparison", "challenge, a choice"])
def test_a_server_that_fails_is_told_in_words_and_asked_again(visit: Open, case: str) -> None:
    asked = CASES[case]
    page = visit(asked.path)
    asked.ready(page)
    press = asked.press
    for status, headers, says in FAILS:
        page.route("**/*", partial(Route.fulfill, status=status, headers=headers, body="<h1>Oh no</h1>"))
        press(page)
        expect(box(page).locator("p")).to_have_text(asked.says.replace(GONE, says))
        expect(page.locator("main")).not_to_contain_text("Oh no")
        asked.intact(page)
        page.unroute("**/*")
        press = again
    again(page)
    asked.done(page)
    expect(box(page)).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["lesson", "states", "comparison"])
def test_a_server_that_takes_too_long_is_given_up(visit: Open, case: str) -> None:
    asked = CASES[case]
    page = visit("about:blank")
    page.clock.install()
    page.goto(asked.path)
    asked.ready(page)
    page.clock.run_for(1_000)
    page.route("**/*", lambda route: None)
    with page.expect_request("**/*"):
        asked.press(page)
    page.clock.run_for(10_000)
    expect(box(page)).to_have_count(0)
    page.clock.run_for(60_000)
    expect(box(page).locator("p")).to_have_text(asked.says)
    page.unroute("**/*")
    again(page)
    page.clock.resume()
    asked.done(page)


@pytest.mark.slow
def test_what_the_server_refuses_is_said_in_its_words_and_not_asked_again(visit: Open) -> None:
    page = visit("/lab?lang=en")
    page.locator("#lab-form").evaluate(
        "form => { const job = document.createElement('input'); job.type = 'hidden'; job.name = 'job';"
        "job.value = '20260101-000000-bbbbbb'; form.append(job); }"
    )
    chosen("#choose-measure", "duration")(page)
    expect(box(page).locator("p")).to_contain_text("There is nothing here:")
    expect(box(page).get_by_role("button", name="Try again")).to_be_hidden()
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("#figure-spread")).to_be_visible()
