"""A step plays in beats: the cursor moves at once, the picture and the words follow."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

MORNING = datetime(2030, 1, 1, 8, tzinfo=UTC)
MOVING = "#stage-section[data-moving]"


@contextmanager
def paused(browser: Browser, server: str, run: str) -> Iterator[Page]:
    """Yield a run at a step; time passes only when a test lets it.

    A clock belongs to its context, which no other test gets."""
    context = browser.new_context(base_url=server, locale="en-GB", viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.clock.install(time=MORNING)
    page.goto(f"/run/{run}")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")
    expect(page.locator("body.ready")).to_be_attached()
    page.clock.pause_at(MORNING + timedelta(hours=1))
    yield page
    context.close()


@pytest.fixture
def still(browser: Browser, server: str) -> Iterator[Page]:
    """Yield the blue figure before the step in which P2 records."""
    with paused(browser, server, "blue-figure?step=3") as page:
        yield page


@pytest.fixture
def domino(browser: Browser, server: str) -> Iterator[Page]:
    """Yield a run before the step in which P takes its second checkpoint."""
    with paused(browser, server, "domino?step=8") as page:
        yield page


def step(page: Page) -> str | None:
    """Return the step under the cursor."""
    return page.locator("#timeline").get_attribute("aria-valuenow")


def told(page: Page) -> list[str]:
    """Return what is said, how far the snapshot is, and the colour of the frame."""
    return [page.locator(one).inner_text() for one in ("#say", "#tray")]


def test_the_cursor_moves_at_once_and_words_follow_their_beats(still: Page) -> None:
    say, tray = told(still)
    still.keyboard.press("ArrowRight")
    assert step(still) == "4"
    still.clock.run_for(400)
    assert told(still) == [say, tray]
    assert still.locator("#rule .fired").count() == 0
    expect(still.locator(MOVING)).to_be_attached()
    aside = still.locator("[data-focus] .node:not([data-about])")
    assert aside.get_attribute("data-process") == "P1"
    expect(aside).to_have_css("opacity", "0.35")
    assert still.locator("[data-focus] .tube:not([data-about])").count() == 0
    assert "step=4" in still.url
    still.clock.run_for(400)
    assert told(still)[0].startswith("P2 records")
    assert told(still)[1] == tray
    assert still.locator("#rule .fired").count() > 0
    still.clock.run_for(2500)
    expect(still.locator(MOVING)).to_have_count(0)
    expect(still.locator("#stage :is([data-focus], [data-aside], [data-about])")).to_have_count(0)


@pytest.mark.slow
def test_chip_and_table_follow_the_copy_and_then_the_channel(still: Page) -> None:
    recorded = still.locator("#table tr.recorded th")
    still.keyboard.press("ArrowRight")
    still.clock.run_for(800)  # the marker has arrived
    assert (told(still)[1], recorded.all_inner_texts()) == ("#1\n1 of 4 recorded", ["P1"])
    still.clock.run_for(600)  # P2 has its copy
    assert (told(still)[1], recorded.all_inner_texts()) == ("#1\n2 of 4 recorded", ["P1", "P2"])
    still.clock.run_for(600)  # and the channel is closed
    assert (told(still)[1], recorded.all_inner_texts()) == ("#1\n3 of 4 recorded", ["P1", "P2", "P1 → P2"])
    expect(still.locator(MOVING)).to_be_attached()


@pytest.mark.slow
def test_a_second_checkpoint_comes_off_its_process_over_the_first(domino: Page) -> None:
    card = domino.locator("#stage [data-recorded=P]")
    old = domino.locator("#stage .back-sheet[visibility=visible]")
    before, place = card.text_content(), card.get_attribute("transform")
    domino.keyboard.press("ArrowRight")
    domino.clock.run_for(150)
    assert card.get_attribute("transform") != place
    expect(old).to_have_count(1)
    domino.clock.run_for(1500)
    assert card.get_attribute("transform") == place
    assert card.text_content() != before
    expect(old).to_have_count(0)


@pytest.mark.slow
def test_another_press_goes_on_at_once_and_back_takes_one_short_motion(still: Page) -> None:
    still.keyboard.press("ArrowRight")
    still.clock.run_for(200)
    still.keyboard.press("ArrowRight")
    assert step(still) == "5"
    assert told(still)[0].startswith("P2 records")
    still.clock.run_for(600)
    assert told(still)[0].startswith("P2 changes")
    still.keyboard.press("ArrowLeft")
    assert step(still) == "4"
    assert told(still)[0].startswith("P2 records")
    still.clock.run_for(450)
    expect(still.locator(MOVING)).to_have_count(0)


@pytest.mark.slow
def test_a_quarter_of_the_speed_is_slow_by_key_too_and_a_key_held_down_scrubs(still: Page) -> None:
    still.locator("#speed").select_option("0.25")
    still.locator("#stage .node").first.focus()
    still.keyboard.press("ArrowRight")
    still.clock.run_for(5000)
    expect(still.locator(MOVING)).to_be_attached()
    still.locator("#speed").select_option("1")
    still.locator("#stage .node").first.focus()
    still.keyboard.press("Home")
    still.keyboard.down("ArrowRight")
    for _ in range(40):
        still.clock.run_for(33)
        still.keyboard.down("ArrowRight")
    still.keyboard.up("ArrowRight")
    assert 4 <= int(step(still) or 0) <= 7


@pytest.mark.slow
def test_play_waits_until_what_is_said_has_been_read(still: Page) -> None:
    still.locator("#play").click()
    still.clock.run_for(100)
    assert step(still) == "4"
    still.clock.run_for(2700)
    expect(still.locator(MOVING)).to_have_count(0)
    words = len(f"{told(still)[0]} {still.locator('#caption').inner_text()}".split())
    still.clock.run_for(words * 250 - 1000)
    assert step(still) == "4"
    still.clock.run_for(3000)
    assert step(still) == "5"
