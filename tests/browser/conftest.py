"""The real application on a free port, and a real browser. No test sees what another has left in it.

Both end before the tests of other folders begin: the browser's library keeps an event loop running meanwhile.
"""

from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, ViewportSize, expect, sync_playwright

from tests.browser.drawer import Drawer
from tests.chromium import FLAGS, chromium
from tests.served import served
from tests.until import until

WIDE: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}
SCREEN: ViewportSize = {"width": 1280, "height": 800}
EVERYWHERE = pytest.mark.parametrize(
    ("language", "viewport"),
    [
        pytest.param("en", SCREEN, id="en, wide"),
        pytest.param("zh", PHONE, id="zh, phone"),
        pytest.param("en", PHONE, id="en, phone", marks=pytest.mark.slow),
        pytest.param("zh", SCREEN, id="zh, wide", marks=pytest.mark.slow),
    ],
)
"""Both languages and both kinds of screen; by night each with each."""
# How long a page may take, in milliseconds, while other tests keep the machine busy.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    """Yield the address of the application, without the slash at its end."""
    with served() as address:
        yield address


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Yield Chromium, as found by the policy of ``tests.chromium``."""
    path: Path = chromium()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=str(path), args=list(FLAGS))
        yield launched
        launched.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let a test of this folder that fails run once more, and be listed: on a busy machine a page may come too late for
    what a test does next. What fails twice has failed."""
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.flaky(reruns=1))


Open = Callable[..., Page]
Show = Callable[..., Page]


def watch(page: Page, troubles: list[str]) -> None:
    """Be patient with a page, and note what its scripts do wrong and what the security policy refuses."""
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)


def bring(page: Page, panel: str, content: str) -> None:
    """Scroll to a panel that asks when it is seen, until its content is there: what arrives above it moves it away."""

    def there() -> bool:
        page.locator(panel).scroll_into_view_if_needed()
        return page.locator(f"{panel} {content}").count() > 0

    until(there)


@pytest.fixture(scope="package")
def drawer(browser: Browser, server: str) -> Drawer:
    """Return the store of contexts for tests."""
    return Drawer(browser, server, viewport=WIDE, locale="en-GB")


@pytest.fixture
def visit(drawer: Drawer) -> Iterator[Open]:
    """Yield a function that opens a page in a context of its own that remembers nothing; keywords are those of a
    browser context. An error in a script, or a refusal by the security policy, fails the test."""
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def opened(path: str, **how: object) -> Page:
        page = drawer.take(**how)
        contexts.append(page.context)
        watch(page, troubles)
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        try:
            drawer.put_back(context)
        except Error:
            troubles.append("the browser is gone")
    assert not troubles, troubles


class Shared:
    """The pages of runs that the tests of a file share, and what went wrong on them."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.troubles: list[str] = []


@pytest.fixture(scope="module")
def shared(drawer: Drawer) -> Iterator[Shared]:
    """Yield the pages, and put them back at the end of the file."""
    made = Shared()
    yield made
    for page in made.pages.values():
        drawer.put_back(page.context)


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note which tests failed: what they leave behind is not shared."""
    item.stash[FAILED] = item.stash.get(FAILED, False) or call.excinfo is not None
    return (yield)


@pytest.fixture
def shown(drawer: Drawer, shared: Shared, request: pytest.FixtureRequest) -> Iterator[Show]:
    """Yield a function that shows a step of a run on a page that the tests of the file share: it has been loaded
    already. For tests that look, step, and point; what other steps do not undo needs a page of its own."""

    def show(run: str, step: int, **how: object) -> Page:
        name = f"{run} {how}"
        if name not in shared.pages:
            page = shared.pages[name] = drawer.take(**how)
            watch(page, shared.troubles)
            page.goto(f"/run/{run}")
        page = shared.pages[name]
        expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
        if page.locator("#timeline").get_attribute("aria-valuenow") == str(step):
            seek(page, 0 if step else 1)
        seek(page, step)
        return page

    shared.troubles.clear()
    yield show
    if request.node.stash.get(FAILED, False):
        while shared.pages:
            drawer.put_back(shared.pages.popitem()[1].context)
    assert not shared.troubles, shared.troubles


PLACE = """(step) => {
  scrollTo(0, 0);
  document.activeElement.blur();
  const timeline = document.querySelector("#timeline");
  const { left, top, width } = timeline.getBoundingClientRect();
  return [left + 16 + (step / timeline.ariaValueMax) * (width - 32), top + 26];
}"""
"""Take the focus away. Where on the screen is a step on the timeline?"""


def seek(page: Page, step: int) -> None:
    """Go to a step by a click on the timeline, and wait for the diagram, which follows the picture."""
    page.mouse.click(*page.evaluate(PLACE, step))
    page.mouse.move(5, 5)
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(step))
    expect(page.locator("#spacetime [aria-busy]")).to_have_count(0)


def described(page: Page) -> Page:
    """Return the page as soon as its stages describe what they show: that waits until they rest."""
    expect(page.locator(".stage-picture[aria-busy]")).to_have_count(0)
    return page


def whole(page: Page) -> Page:
    """Return the page once the whole run is there."""
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    return page


def at(page: Page, step: int) -> None:
    """Wait until the page shows ``step``."""
    expect(page.locator("#timeline")).to_have_attribute("aria-valuenow", str(step))
