"""The site below a path, in a browser: whatever it asks for, links to or remembers lies below the path. By night behind
nginx and Caddy, with the lines that operators are given."""

import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests import caddy, nginx
from tests.browser.conftest import bring
from tests.served import served
from tests.web.crawl import crawled

pytestmark = pytest.mark.slow

ROOT = "/bluecut"
Front = Callable[[Path, str], AbstractContextManager[str]]
BEHIND: dict[str, Front | None] = {
    "itself": None,
    "nginx, buffering": partial(nginx.proxied, buffering=True, strips=False),
    "nginx, not buffering, which removes the path": partial(nginx.proxied, buffering=False, strips=True),
    "Caddy": caddy.proxied,
}
PAGES = (
    *("/", "/scenarios", "/run/blue-figure?step=4", "/run/barriers-wait?step=9", "/embed/blue-figure?step=3", "/lab"),
    *("/compare/two-regions?with=merged&with=chandy-lamport", "/cuts/blue-figure", "/states/blue-figure", "/teach"),
    *("/costs", "/algorithms", "/lessons/which-cut?end=1", "/quiz/three-banks?kinds=recorder", "/claims", "/spark"),
    *("/playlist?item=/run/blue-figure&item=/lessons/which-cut", "/monitor/blue-figure", "/glossary", "/theorem"),
    *(
        "/assign?seed=1&key=a&q=every",
        "/assign/paper?seed=1&key=a&q=every",
        "/write",
        "/activities/eighty-coins/sheet",
        "/r",
    ),
)
LINKS = """() => [...document.querySelectorAll("[href], [src], [action], [formaction]")].flatMap((at) =>
  ["href", "src", "action", "formaction"].flatMap((name) => {
    const value = at.getAttribute(name);
    return value && !value.startsWith("#") && !value.startsWith("data:") ? [new URL(value, location.href).href] : [];
  }))"""


@contextmanager
def front(folder: Path, behind: str) -> Iterator[str]:
    """Yield the address of the site, without a slash at its end."""
    with served(root=ROOT) as address:
        if (proxied := BEHIND[behind]) is None:
            yield address
        else:
            with proxied(folder, address) as before:
                yield before


@pytest.fixture(
    scope="module",
    params=[pytest.param(each, marks=[pytest.mark.slow] if BEHIND[each] else []) for each in BEHIND],
)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of the site below its path."""
    with front(tmp_path_factory.mktemp("front"), request.param) as address:
        yield address + ROOT


class Watched:
    """A page of which everything is known that it asked for."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.site, self.asked, self.troubles = site, list[str](), list[str]()
        self.context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.context.on("response", lambda answer: self._answered(answer.status, answer.url))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))

    def _answered(self, status: int, url: str) -> None:
        if status >= 400:
            self.troubles.append(f"{status} {url}")

    def open(self, path: str) -> Page:
        """Open a page of the site."""
        self.page.goto(self.site + path)
        return self.page

    def outside(self) -> set[str]:
        """Return what leads outside the path: what was asked for, links of the page now, and cookies."""
        host = urlsplit(self.site).netloc
        links: list[str] = self.page.evaluate(LINKS)
        ours = [url for url in (*self.asked, *links) if urlsplit(url).netloc == host]
        found = {url for url in ours if not url.startswith((f"{self.site}/", f"{self.site}?")) and url != self.site}
        return found | {cookie["path"] for cookie in self.context.cookies() if cookie["path"] != ROOT}


@pytest.fixture
def watched(browser: Browser, site: str) -> Iterator[Watched]:
    """Yield a page at the site; every request that is refused fails the test."""
    found = Watched(browser, site)
    yield found
    outside = found.outside()
    found.context.close()
    assert outside == set()
    assert found.troubles == []


def test_what_scripts_make_of_addresses_lies_below_the_path(watched: Watched) -> None:
    page = watched.open("/run/blue-figure?step=3&lang=en")
    bring(page, "#next", "a")
    page.keyboard.press("s")
    expect(page.locator("#share-link")).to_have_value(f"{watched.site}/run/blue-figure?v={_stamp(page)}&step=3")
    assert ROOT in (page.locator("#share-code").get_attribute("src") or "")
    page.locator("#share-list").click()
    expect(page).to_have_url(f"{watched.site}/playlist?at=0&item={_quoted(watched, page)}")

    page = watched.open("/run/blue-figure?step=3")
    page.locator("#run-picker summary").click()
    page.locator("#run-filter").fill("domino")
    assert watched.outside() == set()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{watched.site}/run/domino")

    page = watched.open("/run/blue-figure?step=3")
    bring(page, "#next", "a")
    page.locator("#next a").first.click()
    page.wait_for_url(f"{watched.site}/run/blue-figure?choices=**")


def _stamp(page: Page) -> str:
    return page.locator("#share-link").input_value().partition("v=")[2].partition("&")[0]


def _quoted(watched: Watched, page: Page) -> str:
    return urlsplit(page.url).query.partition("item=")[2]


def test_forms_are_answered_below_the_path(watched: Watched) -> None:
    page = watched.open("/scenarios")
    page.get_by_label("Lesson", exact=True).select_option("8")
    expect(page).to_have_url(f"{watched.site}/scenarios?lesson=8")

    page = watched.open("/editor?from=blue-figure")
    with page.expect_response(lambda answer: answer.url.startswith(f"{watched.site}/editor/check")):
        page.locator("textarea").first.press("End")
        page.locator("textarea").first.press_sequentially(" ")
    page.locator("#editor-run").click()
    page.wait_for_url(f"{watched.site}/run/**")

    page = watched.open("/challenge/late-marker")
    bring(page, "#next", "a")
    page.locator("#next a").first.click()
    page.wait_for_url(f"{watched.site}/challenge/late-marker?choices=**")


def test_another_language_is_remembered_below_the_path(watched: Watched) -> None:
    page = watched.open("/learn")
    page.locator("a[hreflang]").first.click()
    page.wait_for_url("**lang=zh")
    assert [(cookie["name"], cookie["path"]) for cookie in watched.context.cookies()] == [("lang", ROOT)]


@pytest.mark.parametrize("path", PAGES)
def test_every_kind_of_page_stays_below_the_path(watched: Watched, path: str) -> None:
    page = watched.open(path)
    page.wait_for_load_state("networkidle")
    assert len(watched.asked) > 2


def test_no_answer_leads_outside_the_path(site: str) -> None:
    begin = [
        f"{ROOT}/",
        f"{ROOT}/nowhere/at-all",
        f"{ROOT}/run/blue-figure?seed=wrong",
        f"{ROOT}/embed/blue-figure?step=3",
    ]
    with httpx2.Client(base_url=site.removesuffix(ROOT), timeout=60) as client:
        wrong, read = crawled(client, begin, ROOT, 300)
        assert client.get(f"{ROOT}/lessons/").headers["location"] == f"{ROOT}/lessons"
    assert wrong == []
    assert read > 150


def test_a_stream_arrives_whole_and_its_beginning_at_once(site: str) -> None:
    with httpx2.stream("GET", f"{site}/run/random-twelve/events", headers={"accept-encoding": "identity"}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        whole = b"".join(answer.iter_bytes())
    assert whole.startswith(b"event:scene\n")
    assert b"\nevent:end\n" in whole
    with httpx2.Client() as client:
        resumed = client.get(f"{site}/run/random-twelve/events", headers={"last-event-id": "5"})
    assert b"id:6\n" in resumed.content
    assert b"id:5\n" not in resumed.content
    host, port = urlsplit(site).netloc.split(":")
    with socket.create_connection((host, int(port))) as asked:
        asked.sendall(f"GET {ROOT}/run/random-twelve/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        assert asked.recv(12) == b"HTTP/1.1 200"
