"""The real application on a free port, and a real browser. No test sees what another has left in it.

Both end before the tests of other folders begin: the browser's library keeps an event loop running meanwhile.
"""

from collections.abc import Callable, Iterator
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
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        try:
            drawer.put_back(context)
        except Error:
            troubles.append("the browser is gone")
    assert not troubles, troubles


def described(page: Page) -> Page:
    """Return the page as soon as its stages describe what they show: that waits until they rest."""
    expect(page.locator(".stage-picture[aria-busy]")).to_have_count(0)
    return page
