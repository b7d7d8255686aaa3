"""A class is written, judged and played in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from app.core.model.values import BluecutError
from app.judge import browser_python
from app.judge.suite import FOLDER
from tests.browser.axe import axe
from tests.browser.conftest import EVERYWHERE, Open
from tests.served import served


@pytest.fixture(scope="module")
def data(pytestconfig: pytest.Config) -> Path:
    """Return a folder with the Python for browsers, which is fetched once."""
    assert pytestconfig.cache
    folder = Path(str(pytestconfig.cache.mkdir("pyodide")))
    try:
        browser_python.fetch(folder)
    except BluecutError as error:
        pytest.skip(f"Python for browsers cannot be fetched: {error}")
    return folder


@pytest.fixture(scope="module")
def address(data: Path) -> Iterator[str]:
    with served(data) as running:
        yield running


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """Yield the page with a class to begin with; an error in a script fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    opened, troubles = context.new_page(), list[str]()
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.set_default_timeout(60_000)
    opened.goto(f"{address}/write")
    yield opened
    context.close()
    assert troubles == []


def judge(page: Page, file: str) -> None:
    page.locator("#write-text").fill((FOLDER / f"{file}.py").read_text("utf-8"))
    page.locator("#write-run").click()
    expect(page.locator("#write-status")).to_contain_text("systems passed", timeout=60_000)


def test_a_class_is_judged_in_the_browser_and_its_failing_run_lights_its_lines(page: Page) -> None:
    judge(page, "bugs/logs_too_long")
    expect(page.locator("#write-status")).to_have_text("4 of 7 systems passed.")
    expect(page.locator(".write-passed")).to_have_count(4)
    expect(page.locator(".write-why")).to_have_text("Extra: 1 is recorded on A→B, but does not cross the cut.")
    run = page.frame_locator("#write-failing iframe")
    expect(run.locator("#say")).to_contain_text("A starts snapshot 1")
    run.locator("#timeline").press("ArrowRight")
    expect(run.locator("#say")).to_contain_text("A records its state")
    lit = page.locator(".write-line")
    expect(lit).to_have_count(1)
    top = page.locator("#write-text").evaluate(
        "(area) => area.getBoundingClientRect().top + parseFloat(getComputedStyle(area).paddingTop) - area.scrollTop"
    )
    source = page.locator("#write-text").input_value().splitlines()
    box = lit.bounding_box()
    assert box and source[round((box["y"] - top) / 21)].strip() == "self.record(snapshot)"
    assert not axe(page).violations
    judge(page, "right/markers")
    expect(page.locator("#write-status")).to_have_text("7 of 7 systems passed.")
    expect(page.locator("#write-failing")).to_be_hidden()


def test_a_class_that_cannot_be_judged_shows_its_line(page: Page) -> None:
    page.locator("#write-text").fill("from bluecut import Node\n\nimport os\n")
    page.locator("#write-run").click()
    expect(page.locator("#write-status")).to_contain_text("os cannot be imported")
    expect(page.locator("#write-gutter")).to_have_attribute("data-wrong", "3")


@pytest.mark.slow
def test_a_class_that_hangs_is_stopped(page: Page) -> None:
    endless = "from bluecut import Node\nclass S(Node):\n    def setup(self):\n        while True: pass\n"
    page.locator("#write-text").fill(endless)
    page.locator("#write-run").click()
    expect(page.locator("#write-status")).to_contain_text("longer than 5 seconds", timeout=60_000)
    judge(page, "right/markers")


def test_the_draft_is_there_after_a_reload(page: Page) -> None:
    page.locator("#write-text").fill("# mine\n")
    page.reload()
    expect(page.locator("#write-text")).to_have_value("# mine\n")
    page.locator("#write-over").click()
    expect(page.locator("#write-text")).to_have_value((FOLDER / "start" / "2.py").read_text("utf-8"))


def test_a_link_carries_the_class_where_no_server_sees_it(page: Page) -> None:
    code = "# 我的 class\n" + "x = 1\n" * 200
    page.locator("#write-text").fill(code)
    page.locator("#write-share").click()
    expect(page.locator("#write-status")).to_contain_text("behind the #")
    link = page.evaluate("location.href")
    assert "#code=" in link and len(link) < 300
    other = page.context.browser
    assert other
    there = other.new_page()
    asked = list[str]()
    there.on("request", lambda request: asked.append(request.url))
    there.goto(link)
    expect(there.locator("#write-text")).to_have_value(code)
    assert not any("code=" in url for url in asked)
    there.goto("about:blank")
    there.goto(f"{link[:-9]}!!")
    expect(there.locator("#write-status")).to_contain_text("damaged")
    there.close()


@EVERYWHERE
def test_the_page_fits_and_axe_finds_nothing(visit: Open, language: str, viewport: dict[str, int]) -> None:
    page = visit(f"/write?lang={language}", viewport=viewport)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert not axe(page).violations
