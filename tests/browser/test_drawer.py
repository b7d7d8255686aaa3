"""A context that is used again remembers nothing of the test before."""

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


def test_who_takes_two_has_two_and_they_are_as_he_wants_them(browser: Browser, server: str) -> None:
    drawer = Drawer(browser, server, locale="en-GB")
    one, other, narrow = (
        drawer.take(),
        drawer.take(),
        drawer.take(viewport={"width": 390, "height": 844}, locale="zh-CN"),
    )
    assert len({one.context, other.context, narrow.context}) == 3
    drawer.put_back(one.context)
    assert narrow.evaluate("[innerWidth, navigator.language]") == [390, "zh-CN"]
    assert drawer.take().context == one.context
    for page in (one, other, narrow):
        page.context.close()
