"""Controls on pages, each of which reports it when the server does not answer. See ``test_outage``."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, bring

GONE = "The server is not responding."
ENTERED = f"{GONE} What you entered is kept here."
ANSWER = f"{GONE} Your answer is kept here."

Action = Callable[[Page], None]


@dataclass(frozen=True)
class Case:
    """A control to press on a page: ``ready`` enters something first, ``intact`` checks that it stays as entered while
    the server is gone, ``done`` checks the page after the answer, and ``says`` is the text of the box."""

    path: str
    press: Action
    done: Action
    intact: Action = lambda page: None
    ready: Action = lambda page: None
    says: str = GONE


def text(page: Page) -> str:
    """Return the content of the editor's text area."""
    return page.locator("#editor-text").input_value()


def write(page: Page) -> None:
    """Change the editor's text."""
    page.locator("#editor-text").fill(text(page).replace("message: 5", "message: 6"))
    page.locator("#editor-text").focus()


def written(page: Page) -> None:
    assert "message: 6" in text(page)


def pressed(name: str, role: str = "button") -> Action:
    """Press the button of that name."""
    return lambda page: page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]


def leads(url: str) -> Action:
    """Expect the page to have an address like this one."""
    return lambda page: expect(page).to_have_url(re.compile(url))


def has(selector: str, text: str) -> Action:
    """Expect an element of the page to have a text."""
    return lambda page: expect(page.locator(selector).first).to_contain_text(text)


def value(selector: str, what: str) -> Action:
    """Expect a field to have a value."""
    return lambda page: expect(page.locator(selector)).to_have_value(what)


def chosen(selector: str, what: str) -> Action:
    """Choose something in a list, as with the keyboard."""

    def choose(page: Page) -> None:
        page.locator(selector).focus()
        page.locator(selector).select_option(what)

    return choose


def whole(page: Page) -> None:
    """Wait until the player has the whole run, and its panels have what they ask for."""
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    page.wait_for_load_state("networkidle")


def committed(page: Page) -> None:
    page.get_by_role("button", name="Commit my answer").focus()
    page.keyboard.press("Enter")


def following(page: Page) -> None:
    whole(page)
    bring(page, "#next", "a")


def switches(page: Page) -> None:
    whole(page)
    page.locator("#switches").scroll_into_view_if_needed()
    bets = page.locator(".promise-guess [data-bet=survives]:visible")
    expect(bets.first).to_be_visible()
    for bet in bets.all()[::-1]:
        bet.click()
    expect(page.locator(".promise-find:visible").first).to_be_visible()


def third(page: Page) -> None:
    """Choose a third algorithm beside the other two."""
    page.locator("#choose summary").click()
    page.locator("select[name=with]").nth(2).select_option("no-channels")


def empty(page: Page) -> None:
    """Choose a channel that has to be empty."""
    page.get_by_label("and nothing is in flight on").select_option(label="p → q")


def kinds(page: Page) -> None:
    """Choose a kind of questions."""
    page.locator(".quiz-kinds summary").click()
    page.locator("input[name=kinds]").first.check()


CASES = {
    "lesson": Case(
        "/lessons/vanishing-token?q=none&lang=en",
        committed,
        lambda page: expect(page.locator("#graded")).to_be_focused(),
        value(".asked-number", "1"),
        lambda page: page.locator(".asked-number").fill("1"),
        ANSWER,
    ),
    "show the answer": Case(
        "/lessons/vanishing-token?q=none&lang=en&presenter=1",
        lambda page: page.locator(".asked-reveal").click(),
        lambda page: expect(page.locator("#asked")).to_have_attribute("data-shown", "1"),
        says=ANSWER,
    ),
    "quiz": Case(
        "/quiz/queue?lang=en",
        committed,
        lambda page: expect(page.locator("#score-said")).to_contain_text("of 1 right"),
        lambda page: expect(page.locator("input[name=answer]").nth(1)).to_be_checked(),
        lambda page: page.locator("input[name=answer]").nth(1).check(),
        ANSWER,
    ),
    "gallery, words": Case(
        "/scenarios?lang=en",
        lambda page: page.locator("main").get_by_role("searchbox").fill("blue figure"),
        leads(r"\?q=blue\+figure"),
        lambda page: expect(page.locator("main").get_by_role("searchbox")).to_have_value("blue figure"),
        says=ENTERED,
    ),
    "gallery, filter": Case(
        "/scenarios?lang=en",
        chosen("#filter-lesson", "8"),
        has(".chip", "Breaking the promises"),
        value("#filter-lesson", "8"),
        says=ENTERED,
    ),
    "gallery, chip": Case(
        "/scenarios?lesson=8&lang=en",
        lambda page: page.locator(".chip").press("Enter"),
        lambda page: expect(page.locator(".chip")).to_have_count(0),
        value("#filter-lesson", ""),
    ),
    "claims": Case(
        "/claims?lang=en",
        chosen("#claims-holds", "wrong"),
        leads("holds=wrong"),
        value("#claims-holds", "wrong"),
        says=ENTERED,
    ),
    "glossary": Case(
        "/glossary?lang=en",
        lambda page: page.locator("#q").fill("marker"),
        lambda page: expect(page.locator("#terms")).not_to_contain_text("Watermark"),
        value("#q", "marker"),
        says=ENTERED,
    ),
    "Lab": Case(
        "/lab?lang=en",
        chosen("#choose-measure", "duration"),
        has("#figure-spread figcaption", "Duration, by algorithm"),
        value("#choose-measure", "duration"),
        lambda page: expect(page.locator("#lab-jobs .jobs-list")).to_be_visible(),
        ENTERED,
    ),
    "costs": Case(
        "/costs?lang=en",
        lambda page: page.locator("#turn-slow").press("ArrowRight"),
        has("#part-straggler caption", "9 ticks per item"),
        value("#turn-slow", "9"),
        lambda page: expect(page.locator(".part-progress")).to_have_count(0, timeout=10 * PATIENCE),
        ENTERED,
    ),
    "editor, text": Case("/editor?lang=en", write, has("#editor-preview", "Snapshot 1"), written, says=ENTERED),
    "editor, form": Case(
        "/editor?lang=en",
        pressed("Add a line"),
        lambda page: expect(page.locator(".editor-row.script")).to_have_count(6),
        says=ENTERED,
    ),
    "editor, share": Case(
        "/editor?lang=en",
        pressed("Share"),
        lambda page: expect(page.locator("#editor-link")).to_have_value(re.compile("/run/1[.]")),
        says=ENTERED,
    ),
    "editor, run": Case("/editor?lang=en", pressed("Run it"), leads("/run/1[.]"), says=ENTERED),
    "editor, another scenario": Case(
        "/editor?lang=en", chosen("#editor-from", "blue-figure"), leads("from=blue-figure"), says=ENTERED
    ),
    "player, another algorithm": Case(
        "/run/blue-figure?lang=en",
        chosen("#algorithm", "late-marker"),
        leads("algorithm=late-marker"),
        value("#algorithm", "late-marker"),
        whole,
        ENTERED,
    ),
    "player, what happens next": Case(
        "/run/blue-figure?lang=en",
        lambda page: page.locator("#next a").nth(1).click(),
        leads("choices="),
        ready=following,
    ),
    "player, a menu": Case(
        "/run/blue-figure?lang=en",
        lambda page: page.locator("[data-process=P1]").press("Enter"),
        lambda page: expect(page.get_by_role("menuitem", name="P1 starts a snapshot")).to_be_visible(),
        ready=whole,
        says=f"{GONE} You can still watch the steps that have arrived.",
    ),
    "player, a search": Case(
        "/run/three-banks?lang=en&algorithm=late-marker",
        lambda page: page.locator(".promise-find").first.click(),
        leads("choices=|/find"),
        lambda page: expect(page.locator(".promise-find").first).to_have_text("Find the shortest run that breaks"),
        switches,
    ),
    "challenge, a choice": Case(
        "/challenge/non-fifo-lost?lang=en",
        lambda page: page.locator("#next a").first.click(),
        lambda page: expect(page.locator("#challenge")).to_have_attribute("data-steps", "1"),
        ready=whole,
    ),
    "challenge, an answer": Case(
        "/challenge/non-fifo-lost?lang=en", pressed("It cannot be done", "link"), leads("claim=1"), ready=whole
    ),
    "comparison": Case(
        "/compare/three-banks?lang=en",
        lambda page: page.locator(".choose-sheet button").click(),
        leads("with=.*with="),
        lambda page: expect(page.locator("select[name=with]").nth(2)).to_have_value("no-channels"),
        third,
        ENTERED,
    ),
    "two ways back": Case("/recovery?lang=en", pressed("Measure"), leads("[?]on="), says=ENTERED),
    "stable": Case(
        "/stable/state-that-never-was?lang=en",
        pressed("Ask"),
        leads("one=.*#unstable"),
        lambda page: expect(page.get_by_label("and nothing is in flight on")).to_have_value("p->q"),
        empty,
        ENTERED,
    ),
    "states": Case(
        "/states/state-that-never-was?lang=en&at=0,1",
        lambda page: page.locator('.lattice .dot[data-state="1,1"]').click(),
        has("#here-title", "State 1,1"),
    ),
    "swaps": Case("/swap/slow-marker?lang=en", lambda page: page.click("#swap-3"), leads("swaps=3")),
    "what counts as state": Case(
        "/picker/what-is-state?lang=en",
        pressed("Record only these"),
        has("#verdict", "2 variables come back with another value"),
        lambda page: expect(page.get_by_label("goods")).not_to_be_checked(),
        lambda page: page.get_by_label("goods").uncheck(),
        ENTERED,
    ),
    "snapshots over time": Case(
        "/monitor/meter-readings?lang=en",
        pressed("Show"),
        leads("of=A"),
        value("#of", "A"),
        chosen("#of", "A"),
        ENTERED,
    ),
    "claims of a topic": Case(
        "/claims?topic=rules&lang=en",
        chosen("#claims-holds", "wrong"),
        leads("topic=rules&holds=wrong"),
        value("#claims-holds", "wrong"),
        says=ENTERED,
    ),
    "kinds of questions": Case(
        "/quiz/queue?lang=en",
        lambda page: page.locator(".quiz-kinds button").click(),
        leads("kinds="),
        ready=kinds,
        says=ENTERED,
    ),
}
