"""A class is written, judged and played in a real browser."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from app.core.model.values import BluecutError
from app.judge import browser_python, report
from app.judge.judge import judge as judge_class
from app.judge.report import beside
from app.judge.suite import FOLDER, of_level
from tests.browser.axe import axe
from tests.browser.conftest import EVERYWHERE, Open
from tests.served import served

pytestmark = pytest.mark.slow


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


@contextmanager
def visited(browser: Browser, address: str) -> Iterator[Page]:
    """Yield the page with a class to begin with; an error in a script fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    opened, troubles = context.new_page(), list[str]()
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.set_default_timeout(60_000)
    opened.goto(f"{address}/write")
    yield opened
    context.close()
    assert troubles == []


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with visited(browser, address) as opened:
        yield opened


@pytest.fixture(scope="module")
def first(browser: Browser, address: str) -> Iterator[Page]:
    with visited(browser, address) as opened:
        yield opened


@pytest.fixture
def judging(first: Page) -> Iterator[Page]:
    """Yield a page that several tests judge in: loading Python takes longer than that."""
    yield first
    first.unroute_all()


@pytest.fixture
def no_python(page: Page) -> None:
    """Load no Python when a class is written but not judged."""
    page.context.route("**/write/python/**", lambda route: route.abort())


def write(page: Page, text: str) -> None:
    page.locator("#write-sheet .cm-content").fill(text)


def written(page: Page) -> str:
    return "\n".join(page.locator("#write-sheet .cm-line").all_text_contents())


def judge(page: Page, file: str) -> None:
    write(page, (FOLDER / f"{file}.py").read_text("utf-8"))
    page.locator("#write-run").click()
    expect(page.locator("#write-status")).to_contain_text("systems passed", timeout=60_000)


def test_a_class_is_judged_in_the_browser_and_its_failing_run_lights_its_lines(judging: Page) -> None:
    judge(judging, "bugs/logs_too_long")
    expect(judging.locator("#write-status")).to_have_text("4 of 7 systems passed.")
    expect(judging.locator(".write-passed")).to_have_count(4)
    expect(judging.locator(".write-why")).to_have_text("Extra: 1 is recorded on A→B, but does not cross the cut.")
    run = judging.frame_locator("#write-failing iframe")
    expect(run.locator("#say")).to_contain_text("A starts snapshot 1")
    run.locator("#timeline").press("ArrowRight")
    expect(run.locator("#say")).to_contain_text("A records its state")
    lit = judging.locator("#write-sheet .cm-lit")
    expect(lit).to_have_text("        self.record(snapshot)")
    assert not axe(judging).violations
    onward = judging.locator("#write-onward")
    expect(onward).to_be_hidden()
    judge(judging, "right/markers")
    expect(judging.locator("#write-status")).to_have_text("7 of 7 systems passed.")
    expect(judging.locator("#write-failing")).to_be_hidden()
    expect(onward).to_have_text("Level 3: several snapshots at once")
    write(judging, "from bluecut import Node\n\nimport os\n")
    judging.locator("#write-run").click()
    expect(onward).to_be_hidden()


def test_a_class_that_cannot_be_judged_shows_its_line(judging: Page) -> None:
    write(judging, "from bluecut import Node\n\nimport os\n")
    judging.locator("#write-run").click()
    expect(judging.locator("#write-status")).to_contain_text("os cannot be imported")
    expect(judging.locator("#write-sheet .cm-wrong")).to_have_text("import os")
    expect(judging.locator("#write-sheet .cm-signs svg")).to_have_count(1)


def test_a_class_that_hangs_is_stopped(page: Page) -> None:
    endless = "from bluecut import Node\nclass S(Node):\n    def setup(self):\n        while True: pass\n"
    write(page, endless)
    page.locator("#write-run").click()
    expect(page.locator("#write-status")).to_contain_text("longer than 5 seconds", timeout=60_000)
    expect(page.locator("#write-sheet .cm-wrong")).to_have_text("        while True: pass")
    judge(page, "right/markers")


ORDER = """from bluecut import Node

class Snapshot(Node):
    def start(self, snapshot):
        self.record(snapshot)
        for channel in {*self.outputs}:
            self.send_marker(channel, snapshot, 1 + hash("a") % 1000)
"""


def test_a_class_that_answers_in_two_ways_is_told_so(judging: Page) -> None:
    write(judging, ORDER)
    judging.locator("#write-run").click()
    expect(judging.locator("#write-status")).to_contain_text("systems passed", timeout=60_000)
    expect(judging.locator(".write-why")).to_contain_text("line 7: asked twice, the class does two different things")


def test_a_class_that_remembers_elsewhere_is_told_so(judging: Page) -> None:
    source = (FOLDER / "right" / "markers.py").read_text("utf-8")
    write(
        judging,
        source.replace("self, snapshot):", "self, snapshot, seen=[]):", 1).replace(
            "self.begin", "seen.append(1)\n        self.seen = len(seen)\n        self.begin", 1
        ),
    )
    judging.locator("#write-run").click()
    expect(judging.locator("#write-status")).to_contain_text("perhaps in a default argument", timeout=60_000)
    expect(judging.locator("#write-failing")).to_be_hidden()


@pytest.mark.usefixtures("no_python")
def test_the_draft_is_there_after_a_reload_and_in_another_tab(page: Page, address: str) -> None:
    write(page, "# mine\n")
    page.reload()
    assert written(page) == "# mine\n"
    other = page.context.new_page()
    other.goto(f"{address}/write")
    assert written(other) == "# mine\n"
    write(other, "# newer\n")
    expect(page.locator("#write-sheet .cm-line").first).to_have_text("# newer")
    other.close()
    page.locator("#write-over").click()
    assert written(page) == (FOLDER / "start" / "2.py").read_text("utf-8")
    page.reload()
    page.locator("#write-back").click()
    assert written(page) == "# newer\n"
    expect(page.locator("#write-back")).to_be_hidden()


@pytest.mark.usefixtures("no_python")
def test_a_link_carries_the_class_where_no_server_sees_it(page: Page) -> None:
    code = "# 我的 class\n" + "x = 1\n" * 20
    write(page, code)
    page.locator("#write-share").click()
    expect(page.locator("#write-status")).to_contain_text("behind the #")
    link = page.locator("#write-link").input_value()
    assert "#code=" in link and len(link) < 300 and "#" not in page.url
    other = page.context.browser
    assert other
    there = other.new_page()
    there.route("**/write/python/**", lambda route: route.abort())
    asked = list[str]()
    there.on("request", lambda request: asked.append(request.url))
    write(there_at(there, link.partition("#")[0]), "# theirs\n")
    there_at(there, link)
    expect(there.locator("#write-sheet .cm-line").first).to_have_text("# 我的 class")
    assert written(there) == code
    write(there, "# changed\n")
    there.reload()
    expect(there.locator("#write-sheet .cm-line").first).to_have_text("# changed")
    assert written(there_at(there, link.partition("#")[0])) == "# theirs\n"
    assert not any("code=" in url for url in asked)
    there_at(there, f"{link[:-9]}!!")
    expect(there.locator("#write-status")).to_contain_text("damaged")
    there.close()


def test_the_command_links_to_its_run_beside_the_code(page: Page, address: str) -> None:
    file = str(FOLDER / "bugs" / "logs_nothing.py")
    told = judge_class(Path(file).read_text("utf-8"), file, of_level(2), first=True)
    there_at(page, f"{address}{beside(told, 2, 'en')}")
    expect(page.locator(".write-why")).to_have_text("Not recorded: T crosses the cut on q→p.")
    run = page.frame_locator("#write-failing iframe")
    run.locator("#timeline").press("ArrowRight")
    expect(page.locator("#write-sheet .cm-lit").first).to_be_visible()
    elsewhere = {"why": "x", "run": {"embed": "//example.org/embed/x", "open": "/assign", "steps": []}}
    there_at(page, f"{address}/write#code={report._packed('x = 1')}&run={report._packed(json.dumps(elsewhere))}")
    expect(page.locator(".write-why")).to_have_text("x")
    assert page.locator("#write-failing iframe").get_attribute("src") == "/embed/"
    assert page.locator("#write-failing a").get_attribute("href") == "/run/"


def there_at(page: Page, address: str) -> Page:
    """Open an address as a new page would: a change behind the # alone loads nothing."""
    page.goto("about:blank")
    page.goto(address)
    return page


@pytest.mark.usefixtures("no_python")
def test_the_editor_is_left_by_the_keyboard(page: Page) -> None:
    write(page, "class A:")
    page.keyboard.press("Enter")
    page.keyboard.type("x = (1")
    page.keyboard.press("Tab")
    assert written(page) == "class A:\n    x = (1  "
    page.keyboard.press("Control+z")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#write-run")).to_be_focused()


@pytest.mark.usefixtures("no_python")
def test_the_editor_finds(page: Page) -> None:
    page.locator("#write-sheet .cm-content").press("Control+f")
    page.keyboard.type("record")
    expect(page.locator("#write-sheet .cm-searchMatch")).to_have_count(2)
    assert not axe(page).violations
    page.keyboard.press("Escape")
    expect(page.locator("#write-sheet .cm-content")).to_be_focused()


def test_a_busy_server_is_asked_again_when_it_says(judging: Page) -> None:
    refusals = [429, 503]

    def refuse(route: Route) -> None:
        if refusals:
            route.fulfill(status=refusals.pop(), headers={"retry-after": "1"})
        else:
            route.continue_()

    judging.route("**/write/judge", refuse)
    write(judging, (FOLDER / "bugs" / "logs_nothing.py").read_text("utf-8"))
    judging.locator("#write-run").click()
    expect(judging.locator("#write-status")).to_contain_text("Asking again in 1 seconds", timeout=60_000)
    expect(judging.locator("#write-status")).to_contain_text("systems passed", timeout=60_000)
    assert not refusals


def test_judging_can_be_stopped_and_begun_again(judging: Page) -> None:
    judging.route("**/write/judge", lambda route: route.fulfill(status=503, headers={"retry-after": "60"}))
    write(judging, (FOLDER / "bugs" / "logs_nothing.py").read_text("utf-8"))
    expect(judging.locator("#write-run")).to_have_text("Judge it")  # the one before asks for something more at its end
    judging.locator("#write-run").click()
    expect(judging.locator("#write-status")).to_contain_text("busy", timeout=60_000)
    expect(judging.locator("#write-run")).to_have_text("Stop")
    judging.locator("#write-run").click()
    expect(judging.locator("#write-status")).to_have_text("Stopped.")
    judging.unroute_all()
    judge(judging, "right/markers")


def test_results_of_an_earlier_text_say_so_and_the_keys_judge_the_present_one(judging: Page) -> None:
    judge(judging, "bugs/logs_nothing")
    expect(judging.locator("#write-old")).to_be_hidden()
    expect(judging.locator("#write-run")).to_have_text("Judge it")
    judging.route("**/write/judge", lambda route: route.fulfill(status=503, headers={"retry-after": "60"}))
    judging.locator("#write-run").click()
    expect(judging.locator("#write-status")).to_contain_text("busy", timeout=60_000)
    write(judging, (FOLDER / "right" / "markers.py").read_text("utf-8"))
    expect(judging.locator("#write-old")).to_be_visible()
    judging.unroute_all()
    judging.keyboard.press("Control+Enter")
    expect(judging.locator("#write-status")).to_have_text("7 of 7 systems passed.", timeout=60_000)
    expect(judging.locator("#write-old")).to_be_hidden()


def test_fewer_markers_are_the_best_so_far(page: Page, address: str) -> None:
    page.goto(f"{address}/write?level=5")
    judge(page, "right/counts")
    expect(page.locator("#write-status")).to_contain_text("30 markers; 25 can be enough. Your fewest so far: 30.")
    judge(page, "right/walks")
    expect(page.locator("#write-status")).to_contain_text("25 markers; 25 can be enough. Your fewest so far: 25.")


@EVERYWHERE
def test_the_page_fits_and_axe_finds_nothing(visit: Open, language: str, viewport: dict[str, int]) -> None:
    page = visit(f"/write?lang={language}", viewport=viewport)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert not axe(page).violations
