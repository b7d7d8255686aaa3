"""The real application on a free port, and a real browser. Each test has a context of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from tests.chromium import FLAGS, chromium
from tests.served import served

WIDE = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
# How long a page may take, in milliseconds, where other tests keep the machine busy.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of the application, without the slash at its end."""
    with served() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, as the policy of ``tests.chromium`` finds it."""
    path: Path = chromium()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=str(path), args=list(FLAGS))
        yield launched
        launched.close()


Open = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Open]:
    """Opens a page in a context of its own; keywords are those of a browser context. An error in a script, or a
    refusal by the security policy, fails the test."""
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def opened(path: str, **how: object) -> Page:
        settings = {"viewport": WIDE, "locale": "en-GB", "base_url": server} | how
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        try:
            context.close()
        except Error:
            troubles.append("the browser is gone")
    assert not troubles, troubles
