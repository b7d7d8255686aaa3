"""A reused context remembers nothing of the previous test."""

import pytest
from playwright.sync_api import Browser

from tests.browser.drawer import Drawer

KEEP = """async () => {
  localStorage.setItem('kept', '1');
  sessionStorage.setItem('kept', '1');
  document.cookie = 'kept=1; max-age=600';
  await new Promise((done) => { indexedDB.open('kept').onsuccess = done; });
}"""
KEPT = """async () => [
  localStorage.length, sessionStorage.length, document.cookie, (await indexedDB.databases()).length,
  (await navigator.permissions.query({ name: 'clipboard-read' })).state, navigator.onLine,
]"""


def test_what_one_test_leaves_another_does_not_find(browser: Browser, server: str) -> None:
    drawer = Drawer(browser, server)
    first = drawer.take()
    first.goto("/challenge")
    before = first.evaluate(KEPT)
    first.evaluate(KEEP)
    first.context.grant_permissions(["clipboard-read"])
    first.context.set_offline(True)
    assert first.evaluate(KEPT) == [1, 1, "kept=1", 1, "granted", False]
    drawer.put_back(first.context)
    second = drawer.take()
    second.goto("/challenge")
    assert second.context == first.context
    assert second.evaluate(KEPT) == before == [0, 0, "", 0, "prompt", True]
    second.context.close()


NARROW = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "reduced_motion": "reduce"}
LOOK = """() => [
  innerWidth, innerHeight, screen.width, navigator.language,
  matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('(prefers-reduced-motion: reduce)').matches,
]"""


@pytest.mark.slow
def test_who_takes_two_has_two_and_they_are_as_he_wants_them(browser: Browser, server: str) -> None:
    drawer = Drawer(browser, server, locale="en-GB", viewport={"width": 1280, "height": 720})
    one, other, narrow, chinese = drawer.take(), drawer.take(), drawer.take(**NARROW), drawer.take(locale="zh-CN")
    assert len({page.context for page in (one, other, narrow, chinese)}) == 4
    for page in (one, other, narrow, chinese):
        page.goto("/challenge")
    assert narrow.evaluate(LOOK) == [390, 844, 390, "en-GB", True, True]
    assert chinese.evaluate(LOOK) == [1280, 720, 1280, "zh-CN", False, False]
    drawer.put_back(narrow.context)
    again = drawer.take()
    again.goto("/challenge")
    assert again.context == narrow.context
    assert again.evaluate(LOOK) == one.evaluate(LOOK) == [1280, 720, 1280, "en-GB", False, False]
    for page in (one, other, again, chinese):
        page.context.close()
