"""A room with real browsers: a presenter and phones."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, Route, expect

from app.web.teach.rooms.play import FEW
from tests.browser.axe import axe
from tests.browser.conftest import PHONE, SCREEN, WIDE
from tests.browser.drawer import Drawer
from tests.served import Host

RUN, QUESTION = "/run/blue-figure?step=3", "/lessons/blue-figure?q=next"


COVERED = """() => {
  const boxes = (name) => [...document.querySelectorAll(name)].map((e) => e.getBoundingClientRect());
  const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  return boxes('.wall-arrow').filter((a) => boxes('.wall-copy').some((b) => covers(a, b))).length;
}"""
"""How many tips of channels what is recorded covers."""
LOOK = """(option) => {
  const { color, backgroundColor, borderColor } = getComputedStyle(option);
  return [color, backgroundColor, borderColor];
}"""


LINE = """(option) => {
  const boxes = [...option.children].map((e) => e.getBoundingClientRect());
  return Math.max(...boxes.map((e) => e.top)) < Math.min(...boxes.map((e) => e.bottom));
}"""
"""Do all parts of an option stand in one line?"""


class Hall:
    """A lecture hall: a server that can stop, a presenter, and phones. An error in a script fails the test."""

    def __init__(self, drawer: Drawer, host: Host) -> None:
        self.drawer, self.host = drawer, host
        self.troubles: list[str] = []
        self.contexts: list[BrowserContext] = []
        self.lead = self.page(viewport=SCREEN)
        self.code = ""

    @property
    def address(self) -> str:
        """The address of the site."""
        return self.host.address + self.host.root

    def page(self, **how: object) -> Page:
        """Return a page of somebody else's browser."""
        page = self.drawer.take(**how)
        self.contexts.append(page.context)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.set_default_timeout(60_000)
        return page

    def open(self, start: str = RUN, pressed: bool = False) -> Page:
        """Open a room on a page, and return the presenter's: with the button of that page, or without loading it."""
        if pressed:
            self.lead.goto(self.address + start)
            if start.startswith("/run"):
                expect(self.lead.locator("body")).to_have_class(re.compile("ready"))
            self.lead.locator(".room-start button:visible").first.click()
        else:
            made = self.lead.request.post(f"{self.address}/rooms", form={"at": start})
            self.lead.goto(made.url, wait_until="commit")
        self.code = self.lead.locator("#room-code b").inner_text()
        expect(self.lead.locator("#room-join button")).to_be_focused()  # a new room shows its code
        self.lead.keyboard.press("Enter")
        expect(self.lead.locator("#room-join")).to_be_hidden()
        expect(self.lead.locator("#room-frame")).to_be_focused()
        if start.startswith("/run"):
            expect(frame(self.lead).locator("body")).to_have_class(re.compile("ready"))
        return self.lead

    def phone(self, **how: object) -> Page:
        """Return the page of a phone that has joined."""
        page = self.page(**{"viewport": PHONE, **how})
        page.goto(f"{self.address}/r/{self.code}")
        expect(page.locator("#seat-name")).not_to_be_empty()
        return page

    def press(self, to: str) -> None:
        """Let the presenter press a button of the bar."""
        self.lead.locator(f"#room-acts [data-to={to}]").click()


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> int:
    """Return the port of the servers of all halls: at one address, browsers keep the scripts."""
    host = Host(tmp_path_factory.mktemp("nothing"))
    host.stop()
    return host.port


@pytest.fixture(scope="module")
def drawer(browser: Browser, port: int) -> Drawer:
    """Return contexts that forget what they stored about these servers."""
    return Drawer(browser, f"http://127.0.0.1:{port}", viewport=WIDE, locale="en-GB")


@pytest.fixture
def hall(drawer: Drawer, port: int, tmp_path: Path, root: str) -> Iterator[Hall]:
    host = Host(tmp_path, root=root, port=port)
    made = Hall(drawer, host)
    yield made
    for context in made.contexts:
        drawer.put_back(context)
    host.stop()
    assert made.troubles == []


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing happen by itself in an activity before the test has done it, however busy the machine is."""
    monkeypatch.setattr("app.web.teach.rooms.play.IDLE", 600.0)
    monkeypatch.setattr("app.web.teach.rooms.play.AWAY", 600.0)


@pytest.fixture
def root() -> str:
    """Return the path below which a proxy shows the site; here, none does."""
    return ""


def frame(page: Page) -> FrameLocator:
    """Return what is in the frame of a page."""
    return page.frame_locator("#room-frame")


def at_step(page: Page, number: int) -> None:
    """Expect the frame to show a step."""
    expect(frame(page).locator("#timeline")).to_have_attribute("aria-valuenow", str(number))


def arrived(act: str, phones: list[Page]) -> None:
    """Wait until phones show the phase to which the presenter has turned."""
    for each in phones:
        expect(frame(each).locator("#ballot")).to_have_attribute("data-phase", "vote" if act == "floor" else act)


def choose(page: Page, place: int) -> None:
    """Vote for the option at a place."""
    ballot = frame(page)
    ballot.locator("input[name=answer]").nth(place).check()
    ballot.locator("[type=submit]").click()
    expect(ballot.locator("#ballot-status")).to_have_text(re.compile("Counted"))


@pytest.mark.slow
@pytest.mark.parametrize("root", ["", "/bluecut"])
def test_the_class_follows_a_playlist_and_whatever_else_is_shown(hall: Hall) -> None:
    lead = hall.lead
    figure = "/run/blue-figure?step%3D3"
    items = (figure, "/lessons/vanishing-token?track%3Dclass", figure)
    lead.goto(f"{hall.address}/playlist?" + "&".join(f"item={each}" for each in items))
    expect(lead.frame_locator(".playlist-item").locator("body")).to_have_class(re.compile("ready"))
    expect(lead.frame_locator(".playlist-item").locator(".room-start:visible")).to_have_count(0)
    lead.locator(".playlist-bar .room-start button").click()
    hall.code = lead.locator("#room-code b").inner_text()
    lead.keyboard.press("Enter")
    phone = hall.phone()
    at_step(phone, 3)
    place, back, next_ = (lead.locator(f"#room-list {each}") for each in ("span", "[data-by='-1']", "[data-by='1']"))
    expect(place).to_have_text("1 of 3")
    expect(back).to_be_disabled()
    next_.click()
    expect(frame(phone).locator("h1")).to_have_text("The vanishing token")
    expect(place).to_have_text("2 of 3")
    next_.click()
    expect(frame(phone).locator("#stage [data-process=P2]")).to_be_visible()
    expect(place).to_have_text("3 of 3")
    expect(next_).to_be_disabled()
    expect(back).to_be_focused()
    lead.reload()  # the first item is the same
    expect(place).to_have_text("3 of 3")
    back.click()
    hall.phone()  # news of the room
    expect(frame(phone).locator("h1")).to_have_text("The vanishing token")
    expect(place).to_have_text("2 of 3")
    lead.locator(".room-more").click()
    lead.locator("#room-show").select_option(label="A ring of three")
    lead.locator("#room-show-go").click()
    expect(frame(phone).locator("#stage [data-process=P3]")).to_be_visible()
    lead.locator("#room-frame").evaluate("frame => { frame.contentWindow.location.href = '/learn'; }")
    expect(lead.locator("#room-note")).to_have_text("The class does not see this page.")
    lead.reload()
    expect(place).to_have_text("2 of 3")
    next_.click()
    expect(place).to_have_text("3 of 3")
    expect(frame(phone).locator("#stage [data-process=P2]")).to_be_visible()
    lead.locator("#room-acts [data-to=floor]").click()
    expect(next_).to_be_disabled()  # the class is voting


@pytest.mark.slow
def test_a_phone_can_be_read_in_the_other_language(hall: Hall) -> None:
    hall.open(QUESTION)
    phone = hall.phone()
    phone.locator(".seat-bar .switch").click()
    expect(phone.locator("#seat-says")).to_have_text(re.compile("[一-鿿]"))
    expect(frame(phone).locator(".asked-asks").first).to_have_text(re.compile("[一-鿿]"))


@pytest.mark.slow
def test_a_vote_counts_and_is_marked_even_before_the_script_of_the_ballot_is_there(hall: Hall) -> None:
    lead = hall.open(QUESTION)
    phone = hall.phone()
    expect(frame(phone).locator("input[name=answer]").first).to_be_disabled()
    held: list[Route] = []
    phone.route(re.compile("room/vote"), lambda route: held.append(route))
    hall.press("vote")
    ballot = frame(phone)
    ballot.locator("input[name=answer]").nth(1).check()
    phone.unroute(re.compile("room/vote"))
    ballot.locator("[type=submit]").click()
    expect(lead.locator("#room-voted b")).to_have_text("1")
    expect(ballot.locator("#ballot-status")).to_have_text(re.compile("Counted"))
    expect(ballot.locator(".asked-option:has(.ballot-mine) input")).to_be_checked()
    choose(phone, 0)
    expect(lead.locator("#room-voted b")).to_have_text("1")
    assert [route.request.resource_type for route in held] == ["script"]


@pytest.mark.slow
def test_a_ballot_that_is_still_loading_is_not_loaded_again_by_news_of_the_room(hall: Hall) -> None:
    hall.open(QUESTION)
    hall.press("vote")
    phone = hall.page(viewport=PHONE)
    asked: list[str] = []
    phone.on("request", lambda one: asked.append(one.url) if "/question?" in one.url else None)
    held: list[Route] = []
    phone.route(re.compile("room/vote"), lambda route: held.append(route))
    phone.goto(f"{hall.address}/r/{hall.code}", wait_until="commit")
    frame(phone).locator("input[name=answer]").nth(1).check()
    hall.phone()  # news for all
    expect(hall.lead.locator("#room-here")).to_have_text("2")
    phone.wait_for_timeout(500)
    expect(frame(phone).locator("input[name=answer]").nth(1)).to_be_checked()
    assert held and len(asked) == 1
    for route in held:
        route.continue_()


@pytest.mark.slow
def test_a_phone_whose_page_failed_to_load_opens_it_again_with_the_next_news(hall: Hall) -> None:
    lead = hall.open("/lessons/barriers")
    phone = hall.phone()
    expect(frame(phone).locator("h1")).to_have_text("Barriers")
    failed: list[Route] = []
    phone.route(re.compile("/embed/"), lambda route: (failed.append(route), route.abort()))
    lead.locator("#room-frame").evaluate("frame => { frame.contentWindow.location.href = '/run/ring?presenter=1'; }")
    expect(frame(lead).locator("body")).to_have_class(re.compile("ready"))
    while not failed:
        phone.wait_for_timeout(50)
    phone.unroute(re.compile("/embed/"))
    frame(lead).locator("#forward").click()
    at_step(phone, 1)


@pytest.mark.slow
def test_a_phone_says_why_a_vote_is_not_counted_yet_and_it_is_as_soon_as_the_disk_is_back(
    hall: Hall, tmp_path: Path
) -> None:
    hall.open(QUESTION)
    phone = hall.phone()
    hall.press("vote")
    ballot = frame(phone)
    ballot.locator("input[name=answer]").first.check()
    shutil.rmtree(tmp_path)
    tmp_path.write_text("in the way")
    ballot.locator("[type=submit]").click()
    status = ballot.locator("#ballot-status")
    expect(status).to_contain_text("The server cannot keep it now")
    tmp_path.unlink()
    expect(status).to_have_text(re.compile("Counted"))


@pytest.mark.slow
def test_phones_follow_look_around_and_come_back(hall: Hall) -> None:
    lead = hall.open(pressed=True)
    phones = [hall.phone() for _ in range(2)]
    expect(lead.locator("#room-here")).to_have_text("2")
    for each in phones:
        at_step(each, 3)
    frame(lead).locator("body").press("ArrowRight")
    for each in phones:
        at_step(each, 4)
        expect(each.locator("#seat-back")).to_be_hidden()
    frame(phones[0]).locator("#first").click()
    at_step(phones[0], 0)
    expect(phones[0].locator("#seat-back")).to_be_visible()
    frame(lead).locator("body").press("ArrowRight")
    at_step(phones[1], 5)
    at_step(phones[0], 0)
    phones[0].locator("#seat-back").click()
    at_step(phones[0], 5)
    expect(phones[0].locator("#seat-back")).to_be_hidden()


@pytest.mark.slow
def test_a_key_that_is_pressed_before_the_page_has_loaded_leads(hall: Hall) -> None:
    slow: list[Route] = []
    hall.lead.route("**/slow.png", lambda route: slow.append(route))
    hall.lead.add_init_script(
        "if (self !== top) addEventListener('DOMContentLoaded', () => { document.body.append(new Image());"
        " document.body.lastChild.src = '/slow.png'; })"
    )
    lead = hall.open()
    phone = hall.phone()
    frame(lead).locator("body").press("ArrowRight")
    assert lead.evaluate("document.readyState") != "complete"
    slow[0].abort()
    lead.wait_for_load_state()
    at_step(phone, 4)
    at_step(lead, 4)
    frame(lead).locator("body").press("ArrowLeft")
    at_step(phone, 3)


@pytest.mark.slow
def test_a_phone_that_reloads_sleeps_or_comes_late_shows_what_is_shown_now(hall: Hall) -> None:
    lead = hall.open()
    phone = hall.phone()
    at_step(phone, 3)
    _hide(phone, True)
    frame(lead).locator("body").press("ArrowRight")
    frame(lead).locator("body").press("ArrowRight")
    late = hall.phone()
    at_step(late, 5)
    at_step(phone, 3)
    _hide(phone, False)
    at_step(phone, 5)
    seat = phone.locator("#seat-name").inner_text()
    phone.reload()
    at_step(phone, 5)
    expect(phone.locator("#seat-name")).to_have_text(seat)


@pytest.mark.slow
def test_a_phone_that_loses_its_cookie_comes_back_to_its_seat(hall: Hall) -> None:
    hall.open(QUESTION)
    first, second = hall.phone(), hall.phone()
    seat = first.locator("#seat-name").inner_text()
    assert seat != second.locator("#seat-name").inner_text()
    first.context.clear_cookies()
    first.reload()
    expect(first.locator("#seat-name")).to_have_text(seat)
    first.context.clear_cookies()
    hall.press("vote")
    choose(first, 0)
    assert [each["name"] for each in first.context.cookies()] == ["seat"]
    first.reload()
    expect(first.locator("#seat-name")).to_have_text(seat)


def test_a_question_is_voted_on_twice_and_the_projector_shows_counts_only_when_told(hall: Hall) -> None:
    lead = hall.open(QUESTION, pressed=True)
    phones = [hall.phone() for _ in range(2)]
    for each in phones:
        expect(each.locator("#seat-says")).to_have_text(re.compile("Think alone"))
        expect(frame(each).locator("input[name=answer]").first).to_be_disabled()
        expect(frame(each).locator(".asked-click")).to_be_hidden()
    closed = frame(phones[0]).locator(".asked-option").first.evaluate(LOOK)
    hall.press("vote")
    expect(frame(phones[0]).locator(".asked-click")).to_be_visible()
    open_now = frame(phones[0]).locator(".asked-option").first.evaluate(LOOK)
    assert all(was != now for was, now in zip(closed, open_now, strict=True))
    for place, each in zip((0, 1), phones, strict=True):
        choose(each, place)
    expect(lead.locator("#room-voted b")).to_have_text("2")
    expect(lead.locator("#room-tally")).to_be_hidden()
    hall.press("discuss")
    for each in phones:
        expect(each.locator("#seat-says")).to_have_text(re.compile("neighbour"))
    expect(frame(phones[0]).locator(".ballot-mine")).to_have_count(1)
    assert frame(phones[0]).locator(".asked-option:has(.ballot-mine)").evaluate(LINE)
    hall.press("again")
    for each in phones:
        choose(each, 1)
    hall.press("reveal")
    expect(frame(lead).locator(".graded-shown")).to_be_visible()
    hall.press("undo")
    expect(frame(lead).locator(".graded-shown")).to_be_hidden()
    expect(lead.locator("#room-tally")).to_be_hidden()
    expect(lead.locator("#room-phase")).to_have_text("Second vote")
    for each in phones:
        expect(frame(each).locator("#ballot-status")).to_have_text(re.compile("Counted"))
    hall.press("reveal")
    tally = lead.locator("#room-tally")
    expect(tally.locator(".tally-voters")).to_contain_text("Vote 1: 2")
    expect(tally.locator(".tally-voters")).to_contain_text("Vote 2: 2")
    expect(tally.locator(".tally-mark")).to_have_count(1)
    expect(frame(lead).locator(".graded-shown")).to_be_visible()
    for each in phones:
        expect(frame(each).locator(".graded-answer")).to_be_visible()
        expect(frame(each).locator(".ballot-mine")).to_have_count(1)
    hall.press("follow")
    phones[1].reload()
    for each in phones:
        expect(each.locator("#seat-says")).to_be_hidden()
        expect(frame(each).locator(".graded-answer")).to_be_visible()
        expect(frame(each).locator(".ballot-mine")).to_have_count(1)
    frame(lead).locator("#lesson-back").click()
    for each in phones:
        expect(frame(each).locator("#beats")).to_be_visible()
        for left_out in (".room-start", ".lesson-present"):
            expect(frame(each).locator(left_out)).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("start", ["/run/blue-figure?step=3&presenter=1", f"{QUESTION}&presenter=1"])
def test_a_room_is_started_from_large_type(hall: Hall, start: str) -> None:
    lead = hall.open(start, pressed=True)
    expect(frame(lead).locator(".presenting, .presenter").first).to_be_visible()
    for left_out in frame(lead).locator(".room-start").all():
        expect(left_out).to_be_hidden()


@pytest.mark.slow
def test_a_vote_keeps_its_question_in_sight_and_the_bar_alone_shows_its_answer(hall: Hall) -> None:
    lead = hall.open("/lessons/blue-figure?q=caught")
    phone, shown = hall.phone(), frame(lead)
    hall.press("vote")
    choose(phone, 0)
    for hidden in (".asked-form [type=submit]", ".asked-reveal"):
        expect(shown.locator(hidden)).to_be_hidden()
    for key in ("PageDown", "ArrowRight", "PageUp"):
        shown.locator("body").press(key)
        expect(lead.locator("#room-note")).to_contain_text("The class is voting")
    shown.locator("#lesson-next").click()
    shown.locator("input[name=answer]").first.check()
    shown.locator("input[name=answer]").first.press("Enter")
    assert "q=caught" in lead.frames[1].url
    expect(shown.locator("#graded")).to_have_count(0)
    expect(lead.locator("#room-phase")).to_have_text("First vote")
    shown.locator("h1").click()
    shown.locator("body").press("r")
    expect(lead.locator("#room-phase")).to_have_text("The answer")
    expect(shown.locator(".graded-shown")).to_be_visible()
    expect(frame(phone).locator(".graded-answer")).to_contain_text("M")
    shown.locator("body").press("PageDown")
    expect(lead.locator("#room-phase")).to_have_text("Everybody thinks alone")
    expect(frame(phone).locator("#ballot")).to_have_attribute("data-poll", "2")
    expect(lead.locator("#room-tally")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("question", ["caught", "possible"])
def test_votes_answer_and_the_picture_that_judges_are_in_sight_at_once(hall: Hall, question: str) -> None:
    lead = hall.open(f"/lessons/blue-figure?q={question}")
    phones, shown = [hall.phone() for _ in range(2)], frame(lead)
    for act in ("vote", "discuss", "again"):
        hall.press(act)
        arrived(act, phones)
        for place, each in enumerate(phones if act != "discuss" else []):
            choose(each, place)
    hall.press("reveal")
    bars = lead.locator(".tally-bars").first
    expect(bars.locator(".tally-letter")).to_have_text(["A", "B", "C"] if question == "caught" else ["C, D", "A", "B"])
    expect(lead.locator(".tally-thought")).to_have_text("You may have thought:")
    expect(lead.locator(".tally-thought + .tally-bars .tally-said")).to_have_text(re.compile("^“.*”$"))
    assert lead.locator("#room-tally").evaluate("each => each.scrollHeight <= each.clientHeight")
    expect(shown.locator("#asked-pictures")).to_have_class(re.compile("playing"))
    for seen in (".graded", ".asked-pictures", ".reveal-frame"):
        expect(shown.locator(seen)).to_be_in_viewport(ratio=1)
    picture = shown.frame_locator(".reveal-frame").locator(".stage-picture")
    expect(picture).to_be_visible()
    small = """each => Math.min(...[...each.querySelectorAll(".node text, .copy text")].map((text) =>
        parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""
    assert 14 <= picture.evaluate(small) < 100
    assert shown.locator("html").evaluate("each => each.scrollTop") == 0


@pytest.mark.slow
def test_an_open_floor_keeps_its_step_in_sight(hall: Hall) -> None:
    lead = hall.open()
    hall.phone()
    hall.press("floor")
    expect(lead.locator("#room-phase")).to_have_text("What happens next?")
    frame(lead).locator("body").press("PageDown")
    expect(lead.locator("#room-note")).to_contain_text("The class is voting")
    at_step(lead, 3)


@pytest.mark.slow
def test_a_page_in_the_frame_that_is_quicker_than_the_scripts_of_the_room_is_followed(hall: Hall) -> None:
    lead, held, over = hall.lead, list[Route](), list[bool]()

    def hold(route: Route) -> None:
        if not over and route.request.frame == lead.main_frame:
            held.append(route)
        else:
            route.continue_()

    lead.goto(hall.address + RUN)
    lead.route("**/*.js*", hold)
    lead.locator(".room-start button:visible").first.click(no_wait_after=True)
    expect(frame(lead).locator("body")).to_have_class(re.compile("ready"))
    lead.frames[1].wait_for_load_state()
    over.append(True)
    for route in held:
        route.continue_()
    expect(lead.locator("#room-join button")).to_be_focused()
    lead.keyboard.press("Enter")
    hall.code = lead.url.partition("/r/")[2].partition("/")[0]
    phone = hall.phone()
    at_step(phone, 3)
    lead.keyboard.press("ArrowRight")
    at_step(phone, 4)


@pytest.mark.slow
@pytest.mark.parametrize("root", ["/bluecut"])
def test_a_room_works_below_a_path(hall: Hall) -> None:
    lead = hall.open(QUESTION, pressed=True)
    phone = hall.phone()
    hall.press("vote")
    choose(phone, 0)
    hall.press("reveal")
    expect(frame(phone).locator(".graded-answer")).to_be_visible()
    hall.press("follow")
    lead.locator("button[popovertarget=room-menu]").click()
    lead.locator("[data-begin]").first.click()
    expect(frame(phone).locator(".table-role")).to_have_text("A")
    hall.press("now")
    hall.press("over")
    lead.locator(".wall-open").click()
    expect(frame(lead).locator("#timeline")).to_be_visible()
    assert "/bluecut/run/" in lead.frames[1].url


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["vote", "discuss", "again"])
def test_a_server_that_starts_again_loses_no_vote_and_everybody_comes_back(hall: Hall, moment: str) -> None:
    hall.open(QUESTION)
    phone = hall.phone()
    hall.press("vote")
    choose(phone, 0)
    if moment != "vote":
        hall.press("discuss")
    if moment == "again":
        hall.press("again")
        choose(phone, 1)
    hall.host.stop()
    expect(phone.locator("#seat-says")).to_have_text(re.compile("not connected"))
    hall.host.start()
    expect(phone.locator("#lamp-server")).to_have_attribute("data-on", "1")
    expect(hall.lead.locator("#lamp-server")).to_have_attribute("data-on", "1")
    expect(hall.lead.locator("#room-voted b")).to_have_text("1")
    hall.press("reveal")
    expect(hall.lead.locator("#room-tally .tally-voters")).to_contain_text("1")
    expect(frame(phone).locator(".graded-answer")).to_be_visible()


@pytest.mark.slow
def test_a_server_that_starts_again_in_the_middle_of_round_2_loses_nothing_that_was_done(hall: Hall) -> None:
    lead = hall.open()
    phones = [hall.phone() for _ in range(3)]
    lead.locator("button[popovertarget=room-menu]").click()
    lead.locator("[data-begin]").first.click()
    hall.press("now")
    hall.press("over")
    hall.press("next")
    table = frame(phones[0])
    expect(table.locator(".table-rule li")).to_have_count(2)
    table.locator(".table-send button", has_text="3").first.click()
    table.locator("#table-snapshot button", has_text="Start a snapshot").click()
    table.locator("#table-snapshot button", has_text="Record").click()
    expect(table.locator(".table-copy b")).to_have_text("17")
    hall.host.stop()
    expect(phones[0].locator("#seat-says")).to_have_text(re.compile("not connected"))
    table.locator(".table-amber").first.click()  # while nobody is there to hear it
    hall.host.start()
    expect(table.locator(".table-amber")).to_have_count(1)
    _hide(phones[1], True)
    table.locator(".table-amber").first.click()
    expect(table.locator(".table-amber")).to_have_count(0)
    _hide(phones[1], False)
    phones[2].reload()
    for name, each in zip("ABC", phones, strict=True):
        expect(frame(each).locator(".table-role")).to_have_text(name)
        expect(frame(each).locator("#table-status")).to_have_text("A snapshot is being taken!")
    expect(lead.locator("#room-phase")).to_have_text("Round 2: snapshot")
    second = hall.page(viewport=SCREEN)
    second.goto(lead.locator("#room-mine").input_value())
    second.locator("#room-acts [data-to=over]").click()
    for each in (lead, second):
        expect(each.locator(".wall-card")).to_have_attribute("data-state", "right")
    expect(table.locator(".table-result h2")).to_have_text("Complete, and right.")


@pytest.mark.slow
def test_a_vote_that_the_network_swallows_is_sent_until_it_is_counted(hall: Hall) -> None:
    lead = hall.open(QUESTION)
    phone = hall.phone()
    hall.press("vote")
    ballot = frame(phone)
    ballot.locator("input[name=answer]").first.check()
    phone.context.set_offline(True)
    ballot.locator("[type=submit]").click()
    expect(ballot.locator("#ballot-status")).to_have_text(re.compile("Not sent yet"))
    phone.context.set_offline(False)
    expect(ballot.locator("#ballot-status")).to_have_text(re.compile("Counted"))
    expect(lead.locator("#room-voted b")).to_have_text("1")


@pytest.mark.slow
def test_a_phone_whose_clock_is_wrong_follows_and_votes(hall: Hall) -> None:
    lead = hall.open(QUESTION)
    phone = hall.page(viewport=PHONE)
    phone.clock.set_system_time("1999-12-31T23:59:00")
    phone.goto(f"{hall.host.address}/r/{hall.code}")
    hall.press("vote")
    choose(phone, 0)
    expect(lead.locator("#room-voted b")).to_have_text("1")


@pytest.mark.slow
def test_a_second_device_of_the_presenter_shows_and_leads(hall: Hall) -> None:
    lead = hall.open()
    phone = hall.phone()
    second = hall.page(viewport=SCREEN)
    second.goto(lead.locator("#room-mine").input_value())
    at_step(second, 3)
    frame(lead).locator("body").press("ArrowRight")
    at_step(second, 4)
    frame(second).locator("body").press("ArrowRight")
    for each in (lead, phone):
        at_step(each, 5)


@pytest.mark.slow
def test_the_class_decides_what_happens_next(hall: Hall) -> None:
    lead = hall.open()
    phones = [hall.phone() for _ in range(2)]
    hall.press("floor")
    expect(lead.locator("#room-phase")).to_have_text("What happens next?")
    listed = frame(phones[0]).locator(".asked-text")
    expect(listed.first).to_have_text(re.compile("^A "))
    texts = listed.all_inner_texts()[:3]
    expect(lead.locator(".tally-offer")).to_contain_text([*texts, "What can go wrong"])
    assert lead.locator("#room-tally").evaluate("each => each.scrollHeight <= each.clientHeight")
    words = frame(phones[0]).locator(".asked-text").nth(1).inner_text()
    for each in phones:
        choose(each, 1)
    hall.press("discuss")
    expect(lead.locator(".tally-offer").nth(1)).to_have_text(words)
    hall.press("again")
    expect(lead.locator(".tally-offer")).to_have_text([words])  # it keeps its letter
    for each in phones:
        expect(frame(each).locator(".asked-text")).to_have_text([words])
        choose(each, 0)
    lead.reload()
    expect(lead.locator(".tally-offer")).to_have_text([words])
    hall.press("reveal")
    expect(lead.locator(".tally-mark")).to_have_count(1)
    expect(lead.locator(".tally-right .tally-text")).to_contain_text(words)
    expect(lead.locator("#room-phase")).to_have_text("The class has decided")
    expect(phones[0].locator("#seat-says")).to_have_text("The class has decided")
    expect(frame(lead).locator(".top")).to_be_hidden()  # beside the votes the run is still for the last row
    hall.press("take")
    for each in (lead, *phones):
        at_step(each, 4)
    expect(frame(phones[0]).locator(".brand")).to_be_hidden()  # it leads out of the room
    assert "choices=" in lead.frames[1].url


@pytest.mark.slow
def test_the_mark_of_what_has_won_stays_beside_its_bars(hall: Hall) -> None:
    lead = hall.open("/run/blue-figure?step=4")
    phones = [hall.phone() for _ in range(3)]
    for act in ("floor", "discuss", "again"):
        hall.press(act)
        arrived(act, phones)
        for place, each in enumerate(phones if act != "discuss" else []):
            choose(each, place if act == "floor" else 0)
    hall.press("reveal")
    beside = """row => row.querySelector(".tally-mark").getBoundingClientRect().right
        <= row.querySelector(".tally-bar").getBoundingClientRect().left"""
    assert lead.locator(".tally-right").evaluate(beside)


@pytest.mark.slow
def test_the_presenter_ends_the_room_and_keeps_the_counts(hall: Hall) -> None:
    lead = hall.open(QUESTION)
    phone = hall.phone()
    hall.press("vote")
    choose(phone, 0)
    lead.locator("button[popovertarget=room-menu]").click()
    ends = lead.get_by_role("button", name="End the room …")
    ends.click()
    asks = lead.get_by_role("dialog", name="End the room for everybody?")
    expect(asks.locator("p").first).to_have_text("1 here")
    expect(asks.get_by_role("button", name="Not yet")).to_be_focused()
    lead.keyboard.press("Enter")
    expect(asks).to_have_count(0)
    expect(ends).to_be_focused()
    ends.click()
    asks.get_by_role("button", name="End the room").click()
    expect(lead.locator("h1")).to_contain_text("has ended")
    expect(phone.locator("h1")).to_have_text("This room has ended")
    with lead.expect_download() as saved:
        lead.locator("a[download]").click()
    assert Path(saved.value.path()).read_text("utf-8-sig").startswith("question,")


@pytest.mark.slow
def test_everything_that_was_shown_is_there_at_the_end_for_the_presenter_and_the_phones(hall: Hall) -> None:
    lead = hall.open("/lessons/blue-figure")
    phone = hall.phone()
    frame(lead).locator(".lesson-pages [data-question=caught]").click()
    expect(lead.locator("#room-phase")).to_have_text("Everybody thinks alone")
    hall.press("follow")
    lead.locator("button[popovertarget=room-menu]").click()
    lead.locator("[data-begin]").first.click()
    frame(phone).locator(".table-send button").first.click()
    hall.press("now")
    hall.press("over")
    lead.locator(".wall-open").click()  # this run is listed once
    expect(frame(lead).locator("#timeline")).to_be_visible()
    hall.press("wall")
    hall.press("next")
    hall.press("undo")
    hall.press("next")
    frame(phone).locator("#table-snapshot button", has_text="Start a snapshot").click()
    expect(lead.locator("#room-phase")).to_have_text("Round 2: snapshot")
    hall.press("over")
    expect(lead.locator(".wall-end")).to_be_visible()
    lead.locator("button[popovertarget=room-menu]").click()
    lead.locator(".room-leave .button").click()
    lead.locator("#room-end .button-first").click()
    titles = [
        "The blue figure",
        "You are the system · round 1",
        "The blue figure · What will be recorded in the channel from P2 to P1?",
        "You are the system · round 2",
    ]
    for each in (lead, phone):
        links = each.locator(".room-runs a")
        expect(links).to_have_text(titles)
        for link in links.all():
            assert each.request.get(hall.address + str(link.get_attribute("href"))).ok
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(phone).violations == []


@pytest.mark.slow
def test_the_sheets_of_a_room_are_dialogs_and_give_the_focus_back(hall: Hall) -> None:
    lead = hall.open(QUESTION)
    for opens, name, inside in (
        ("#room-code", "Point your phone here", "#room-join button"),
        (".room-more", "More", "#room-menu h2"),
    ):
        button, sheet = lead.locator(opens), lead.get_by_role("dialog", name=name)
        expect(sheet).to_have_count(0)
        button.press("Enter")
        expect(sheet).to_be_visible()
        expect(lead.locator(inside).first).to_be_focused()
        lead.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        expect(button).to_be_focused()
    lead.locator("#room-code").click()
    expect(lead.locator("#room-join button")).to_be_focused()
    lead.keyboard.press("Escape")
    expect(lead.locator("#room-frame")).to_be_focused()  # who points leads on with the keys of the run


@pytest.mark.slow
def test_the_keyboard_alone_leads(hall: Hall) -> None:
    lead = hall.open(QUESTION)
    hall.phone()
    lead.locator("#room-code").focus()
    for _ in range(12):
        lead.keyboard.press("Tab")
        if lead.locator("#room-acts [data-to=vote]").evaluate("each => each === document.activeElement"):
            break
    lead.keyboard.press("Enter")
    expect(lead.locator("#room-phase")).to_have_text("First vote")


@pytest.mark.slow
def test_three_people_are_the_system_and_are_judged(hall: Hall) -> None:
    lead = hall.open()
    phones = [hall.phone() for _ in range(3)]
    lead.locator("button[popovertarget=room-menu]").click()
    lead.locator("[data-begin]").first.click()
    for name, each in zip("ABC", phones, strict=True):
        expect(frame(each).locator(".table-role")).to_have_text(name)
        expect(frame(each).locator("#table-balance")).to_have_text("20")
    frame(phones[0]).locator(".table-send button", has_text="3").first.click()
    expect(frame(phones[0]).locator("#table-balance")).to_have_text("17")
    hall.press("now")
    for each in phones:
        frame(each).locator("#table-snapshot button").first.click()
        expect(frame(each).locator(".table-copy")).to_be_visible()
    expect(lead.locator(".wall-node.recorded")).to_have_count(3)
    late = hall.phone()
    expect(frame(late).locator(".table-role")).to_have_text("D")
    phones[1].reload()
    expect(frame(phones[1]).locator(".table-copy")).to_be_visible()
    hall.press("over")
    expect(lead.locator(".wall-card")).to_have_attribute("data-state", "wrong")
    for each in phones:
        expect(frame(each).locator(".table-result h2")).to_have_text("Complete, and wrong.")
        expect(frame(each).locator(".table-result a")).to_have_count(2)
    lead.locator(".wall-open").click()
    at_step(lead, 1)
    hall.press("rule")
    expect(frame(lead).locator(".column-verdict")).to_have_count(2)
    hall.press("wall")
    hall.press("next")
    expect(frame(phones[0]).locator(".table-rule li")).to_have_count(2)
    frame(phones[0]).locator("#table-snapshot button").first.click()
    expect(lead.locator("#room-phase")).to_have_text("Round 2: snapshot")
    frame(phones[0]).locator(".table-blue").first.click()
    for marker in range(2):
        frame(phones[0]).locator(".table-amber").first.click()
        expect(frame(phones[0]).locator(".table-amber")).to_have_count(1 - marker)
    hall.press("over")
    expect(lead.locator(".wall-card")).to_have_attribute("data-state", "right")
    assert lead.evaluate(COVERED) == 0
    expect(lead.locator("#room-acts [data-to=next]")).to_be_hidden()
    hall.press("undo")
    expect(lead.locator("#room-phase")).to_have_text("Round 2: snapshot")
    expect(frame(phones[0]).locator(".table-copy")).to_be_visible()
    lead.locator("button[popovertarget=room-menu]").click()
    lead.locator("#room-again").click()
    expect(lead.locator("#room-phase")).to_have_text("Round 2: no snapshot yet")
    expect(frame(phones[0]).locator("#table-snapshot button", has_text="Start a snapshot")).to_be_visible()
    hall.press("freeze")
    expect(lead.locator("#room-phase")).to_have_text("Round 2: frozen")
    hall.press("undo")
    expect(lead.locator("#room-phase")).to_have_text("Round 1 is over")
    expect(lead.locator(".wall-card")).to_have_attribute("data-state", "wrong")
    hall.press("stop")
    for each in phones:
        expect(frame(each).locator(".column-verdict")).to_have_count(2)  # what the presenter has opened last


@pytest.mark.slow
def test_what_the_server_has_completed_for_somebody_is_marked(hall: Hall) -> None:
    lead = hall.open()
    phones = [hall.phone() for _ in range(2)]
    lead.locator("button[popovertarget=room-menu]").click()
    lead.locator("[data-begin]").first.click()
    first, second = (frame(each) for each in phones)
    hall.press("now")
    hall.press("over")
    expect(lead.locator(".wall-completed")).to_have_text(
        "Completed for A: state recorded. Completed for B: state recorded."
    )
    hall.press("next")
    first.locator("#table-snapshot button", has_text="Start a snapshot").click()
    first.locator("#table-snapshot button", has_text="Record").click()
    for marker in range(2):
        first.locator(".table-amber").first.click()
        expect(first.locator(".table-amber")).to_have_count(1 - marker)
    first.locator(".table-send button", has_text="3").first.click()
    expect(second.locator(".table-inputs")).to_contain_text("On the way to you:A → B: 1 payment, 3 coins, 1 marker")
    expect(second.locator(".table-inputs span").last).to_have_text("D → B: nothing")
    expect(second.locator("#table-snapshot button", has_text="Close")).to_have_text(["Close A → B", "Close D → B"])
    expect(first.locator(".table-rule li").first).to_contain_text("When you start, or your first marker comes")
    second.locator(".table-send button", has_text="5").first.click()
    expect(lead.locator(".wall-completed")).to_have_count(0)
    hall.press("over")
    expect(lead.locator(".wall-card")).to_have_attribute("data-state", "right")
    said = "Completed for B: state recorded, markers sent, inputs closed."
    expect(lead.locator(".wall-completed")).to_contain_text(said)
    assert lead.locator(".wall-card").evaluate("each => each.getBoundingClientRect().bottom <= innerHeight")
    expect(lead.locator(".wall-copy.completed")).to_have_count(1)
    for each in (first, second):
        expect(each.locator(".table-completed").last).to_have_text(said)


@pytest.mark.slow
def test_who_finds_no_role_votes_what_happens_next(hall: Hall) -> None:
    lead = hall.open()
    for _ in range(FEW):
        with httpx2.Client(base_url=hall.host.address) as someone:
            assert someone.post(f"/r/{hall.code}/seat", json={}).status_code == 200
    phone = hall.phone()
    lead.locator("button[popovertarget=room-menu]").click()
    lead.locator("[data-begin]").first.click()
    hall.press("now")
    next_ = frame(phone).locator("#crowd-next button", has_text="A records")
    next_.click()
    expect(next_).to_have_attribute("aria-pressed", "true")
    frame(phone).locator("[data-verdict=wrong]").click()
    expect(lead.locator(".wall-bar", has_text="wrong").locator("b")).to_have_text("1")
    expect(lead.locator(".wall-crowd .wall-node.recorded")).to_have_count(1)
    expect(frame(phone).locator("#crowd-last")).to_contain_text("A records")
    expect(lead.locator(".wall-last")).to_have_text("Last: A records · votes: 1")
    assert axe(lead).violations == []
    alone = phone.context.new_page()
    alone.set_viewport_size(PHONE)
    alone.goto(f"{hall.host.address}/r/{hall.code}/table")
    expect(alone.locator("[data-verdict=wrong]")).to_have_attribute("aria-pressed", "true")
    assert axe(alone).violations == []
    assert alone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    hall.press("over")
    expect(frame(phone).locator(".table-result h2")).to_be_visible()


@pytest.mark.slow
def test_the_keyboard_alone_plays_and_keeps_its_place_when_others_act(hall: Hall) -> None:
    lead = hall.open()
    phones = [hall.phone() for _ in range(2)]
    lead.locator("button[popovertarget=room-menu]").focus()
    lead.keyboard.press("Enter")
    lead.locator("[data-begin]").first.focus()
    lead.keyboard.press("Enter")
    for name, each in zip("AB", phones, strict=True):
        expect(frame(each).locator(".table-role")).to_have_text(name)
    three = frame(phones[0]).locator(".table-send button", has_text="3").first
    three.focus()
    phones[0].keyboard.press("Enter")
    expect(frame(phones[0]).locator("#table-balance")).to_have_text("17")
    expect(three).to_be_focused()
    frame(phones[1]).locator(".table-send button").first.click()
    expect(frame(phones[0]).locator("#table-status")).to_be_visible()
    expect(three).to_be_focused()
    lead.locator("#room-acts [data-to=now]").focus()
    lead.keyboard.press("Enter")
    phones[0].keyboard.press("Tab")
    frame(phones[0]).locator("#table-snapshot button").first.focus()
    phones[0].keyboard.press("Enter")
    expect(frame(phones[0]).locator(".table-copy")).to_be_visible()
    lead.locator("#room-acts [data-to=over]").focus()
    lead.keyboard.press("Enter")
    expect(lead.locator(".wall-card")).to_have_attribute("data-state", "wrong")
    lead.locator(".wall-open").focus()
    lead.keyboard.press("Enter")
    expect(frame(lead).locator("#timeline")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("locale", "scheme", "screen"),
    [("zh-CN", "dark", {"width": 1920, "height": 1080}), ("en-GB", "light", {"width": 1280, "height": 720})],
)
def test_the_activity_is_accessible_on_phone_projector_and_paper(
    hall: Hall, locale: str, scheme: str, screen: dict[str, int]
) -> None:
    how = {"locale": locale, "color_scheme": scheme, "reduced_motion": "reduce"}
    hall.lead = hall.page(viewport=screen, **how)
    lead = hall.open()
    phone = hall.phone(**how)
    lead.locator("button[popovertarget=room-menu]").click()
    assert axe(lead, "#room-menu").violations == []
    assert lead.locator("#room-menu").evaluate("each => each.scrollHeight <= each.clientHeight")
    lead.locator("[data-begin]").first.click()
    hall.press("now")
    expect(lead.locator(".wall-card")).to_be_visible()
    frame(phone).locator("#table-snapshot button").first.click()
    expect(lead.locator(".wall-copy")).to_have_count(1)
    assert axe(lead).violations == []
    assert lead.locator(".wall-card").evaluate("each => each.getBoundingClientRect().bottom <= innerHeight")
    alone = hall.page(viewport=PHONE, **how)
    alone.context.add_cookies(phone.context.cookies())  # type: ignore[arg-type]
    alone.goto(f"{hall.host.address}/r/{hall.code}/table")
    expect(alone.locator(".table-copy")).to_be_visible()
    assert axe(alone).violations == []
    assert alone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    hall.press("over")
    expect(alone.locator(".table-links a").first).to_be_visible()
    assert axe(alone, "main").violations == []
    expect(lead.locator(".wall-go")).to_be_visible()
    assert axe(lead, ".wall-card").violations == []
    assert lead.locator(".wall-card").evaluate("each => each.getBoundingClientRect().bottom <= innerHeight")
    alone.goto(f"{hall.host.address}/activities/eighty-coins/sheet")
    assert axe(alone).violations == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("locale", "scheme"),
    [("zh-CN", "dark"), ("en-GB", "light"), ("en-GB", "dark"), ("zh-CN", "light")],
)
def test_all_screens_are_accessible(hall: Hall, locale: str, scheme: str) -> None:
    screen = {"width": 1280, "height": 720} if scheme == "light" else {"width": 1920, "height": 1080}
    hall.lead = hall.page(viewport=screen, locale=locale, color_scheme=scheme, reduced_motion="reduce")
    lead = hall.open(QUESTION)
    phone = hall.phone(locale=locale, color_scheme=scheme, reduced_motion="reduce")
    hall.press("vote")
    expect(frame(phone).locator("[type=submit]")).to_be_visible()
    for each in (lead, phone):
        assert axe(each).violations == []
        assert each.evaluate("document.documentElement.scrollWidth <= innerWidth")
    alone = hall.page(viewport=PHONE, locale=locale, color_scheme=scheme)
    alone.goto(f"{hall.host.address}/r/{hall.code}/question")
    assert axe(alone).violations == []
    lead.locator("#room-code").click()
    assert axe(lead, "#room-join").violations == []


def _hide(page: Page, hidden: bool) -> None:
    """Let a page be in the background, as when a phone is locked."""
    page.evaluate(
        """(hidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )
