"""The page of a real Spark query: a visitor kills it between its sinks and the commit log, and starts it again."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.web.shared import subprocesses
from tests.browser.axe import axe, readable
from tests.browser.conftest import EVERYWHERE, PHONE, Open
from tests.served import served
from tests.web.measure.spark import watched_files as files

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("patient")]

SLOWLY = 300_000
"""Milliseconds that Spark may take to start on a busy machine."""


HEARS = """() => {
  const live = document.getElementById("inside-said").closest("[role=status]");
  window.heard = [];
  new MutationObserver((all) => heard.push(...all.map(({ target }) => target.textContent)))
    .observe(live, { characterData: true, childList: true, subtree: true });
}"""
"""What a screen reader would read: every change in the live region, which has to stay the same element."""


def does(page: Page, what: str) -> None:
    """Wait until the query is in a stage."""
    expect(page.locator("#inside")).to_have_attribute("data-does", re.compile(f"^({what})$"), timeout=SLOWLY)


def numbers(page: Page, selector: str) -> list[str]:
    """Return the names of the items in a part of the page."""
    return [name.split()[0] for name in page.locator(selector).all_inner_texts()]


def test_a_visitor_kills_the_query_at_the_moment_and_sees_which_sink_has_what_twice(visit: Open) -> None:
    page = visit("/spark?lang=en")
    page.get_by_role("button", name="Start a new query").click()
    does(page, "starting|waiting|planned|written")
    page.get_by_role("button", name="Kill it between sink and commit").click()
    expect(page.locator(".inside-aimed")).to_contain_text("It will be killed as soon as")
    does(page, "killed")

    tail = page.locator(".epoch").first
    batch = tail.get_attribute("data-batch")
    expect(page.locator(".inside-said")).to_have_text(
        f"Killed. Batch {batch} is in the offset log, but not in the commit log."
    )
    expect(page.locator(".inside-pid")).to_have_text(re.compile(r"^Process \d+ is gone; it was start number 1$"))
    expect(tail.locator(".intent")).to_contain_text(f"entry {batch}")
    expect(tail.locator(".commit")).to_contain_text(f"no entry {batch}")
    read = tail.locator(".intent").inner_text()
    written = numbers(page, ".epoch:first-child [data-sink=exact] .chip")
    assert written and numbers(page, ".epoch:first-child [data-sink=plain] .chip") == written
    expect(page.locator(".inside-lesson")).to_have_count(0)

    page.get_by_role("button", name="Start it again").click()
    does(page, "starting|waiting|planned|written")
    again = page.locator(f"#batch-{batch}")
    expect(again.locator(".commit")).to_contain_text(re.compile(f"(?<!no )entry {batch}"), timeout=SLOWLY)
    assert again.locator(".intent").inner_text() == read
    assert numbers(page, f"#batch-{batch} [data-sink=exact] .chip") == written
    assert numbers(page, f"#batch-{batch} [data-sink=plain] .chip") == written * 2
    assert numbers(page, f"#batch-{batch} .chip.doubled") == written
    expect(page.locator(".inside-lesson")).to_contain_text(f"Batch {batch} ran 2 times")
    expect(page.locator(".inside-lesson")).to_contain_text(f"the keyed sink has, each once: {len(written)}.")
    expect(page.locator(".inside-lesson")).to_contain_text(f"Extra items in the plain sink: {len(written)}.")

    expect(again.locator(".agrees")).to_have_text("✓ both agree", timeout=SLOWLY)
    amounts = r"\d+ items?, sum \d+"
    expect(again.locator("[data-state=store]")).to_have_text([re.compile(amounts)] * 3)
    store, sink = (again.locator(f"[data-state={part}]").all_inner_texts() for part in ("store", "sink"))
    assert store == sink

    assert axe(page).violations == []
    page.get_by_role("button", name="End it and delete its files").click()
    does(page, "nothing")
    expect(page.locator(".epoch")).to_have_count(0)


def test_the_page_works_without_scripts(visit: Open) -> None:
    page = visit("/spark?lang=en", java_script_enabled=False)
    expect(page.get_by_role("link", name="Refresh")).to_be_visible()
    page.get_by_role("button", name="Start a new query").click()
    expect(page).to_have_url(re.compile(r"/spark\?lang=en$"))
    expect(page.locator(".inside-said")).to_have_text("Java and Spark are starting.")
    page.get_by_role("button", name="Kill it now").click()
    expect(page.locator(".inside-said")).to_have_text("Killed before the first batch: both logs are empty.")
    page.get_by_role("button", name="Start a new query").wait_for()


def test_the_keyboard_stays_in_the_panel_and_only_a_change_of_state_is_said(visit: Open, tmp_path: Path) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    subprocesses.start(folder, ["-c", "import time; time.sleep(600)"])
    with served(data=tmp_path) as address:
        page = visit(f"{address}/spark?lang=en")
        said = page.locator("#inside-said")
        expect(said).to_have_text("Batch 1 is in both sinks, but not in the commit log.")
        page.evaluate(HEARS)
        with page.expect_response(re.compile("/spark/live")), page.expect_response(re.compile("/spark/live")):
            pass  # the page asks again and finds nothing new
        assert page.evaluate("heard") == []
        page.get_by_role("button", name="Kill it between sink and commit").press("Enter")
        does(page, "killed")
        expect(page.locator(".inside-now")).to_be_focused()
        expect(said).to_have_text("Killed. Batch 1 is in the offset log, but not in the commit log.")
        assert page.evaluate("heard.at(-1).trim()") == said.inner_text()
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name="Start it again")).to_be_focused()
        page.close()


def test_what_a_restart_will_do_is_bet_on_and_marked_afterwards(visit: Open, tmp_path: Path) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    with served(data=tmp_path) as address:
        page = visit(f"{address}/spark?lang=en")
        does(page, "killed")
        bet = page.locator(".inside-bet")
        item = bet.get_attribute("data-item")
        expect(bet).to_contain_text(f"how many times will {item} be in each sink?")
        expect(page.locator("#inside-bet-said")).to_be_hidden()
        bet.get_by_label("Keyed sink").fill("1")
        bet.get_by_label("Plain sink").fill("1")
        bet.get_by_role("button", name="Bet").click()
        expect(bet).to_contain_text("Start the query again, and see.")
        files.live(folder, 2, "ended", None)
        files.sink(folder, 1, 2, files.SECOND)
        files.commit(folder, 1)
        said = page.locator("#inside-bet-said")
        expect(said).to_have_text(f"Not as you said: {item} is in the keyed sink 1×, in the plain sink 2×.")
        page.close()


def test_on_a_phone_every_record_and_both_cuts_can_be_seen_and_what_is_opened_stays_open(
    visit: Open, tmp_path: Path
) -> None:
    files.killed(tmp_path / "spark")
    with (tmp_path / "spark" / "source" / "P.jsonl").open("a") as log:
        log.writelines(json.dumps({"n": n, "key": "a", "value": 1}) + "\n" for n in range(5, 40))
    with served(data=tmp_path) as address:
        page = visit(f"{address}/spark?lang=en", viewport=PHONE)
        outside = """marks => marks.filter((each) => each.getBoundingClientRect().right >
          each.closest(".tapes").getBoundingClientRect().right).length"""
        assert page.locator(".tape li").evaluate_all(outside) == 0
        assert page.locator(".tape .cut.intended").count() == 2
        page.get_by_text("The files of the two logs").click()
        with page.expect_response(re.compile("/spark/live")), page.expect_response(re.compile("/spark/live")):
            pass
        expect(page.get_by_label("offsets/1")).to_contain_text('{"P": 4, "Q": 3}')
        assert axe(page).violations == []
        page.close()


@EVERYWHERE
def test_the_page_fits_and_can_be_read_by_everybody(visit: Open, language: str, viewport: dict[str, int]) -> None:
    readable(visit(f"/spark?lang={language}", viewport=viewport))
