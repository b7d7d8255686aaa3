"""The page of costs in a browser: sliders that ask once, figures that are drawn again, keyboard, phone, no scripts."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.conftest import PHONE, Open


def ready(page: Page, *names: str) -> None:
    """Wait until parts of the page are drawn; where there is a bet before that, make it."""
    for name in names:
        bet = page.locator(f"#part-{name} .costs-bet:visible button")
        if bet.count():
            bet.first.click()
        expect(page.locator(f"#part-{name} .figure svg").first).to_be_visible()


@pytest.mark.slow
def test_a_slider_changes_the_table_and_the_address_and_the_menu_the_figure(visit: Open) -> None:
    page = visit("/costs?lang=en")
    ready(page, "straggler")
    numbers = page.locator("#figure-straggler .figure-numbers")
    expect(numbers).to_be_hidden()
    expect(page.locator("#figure-straggler .figure-same").first).to_contain_text("same as Aligned barriers")
    page.locator("#figure-straggler summary").click()
    expect(numbers).to_be_visible()
    below = "e => e.getBoundingClientRect().top"
    assert numbers.evaluate(below) > page.locator("#figure-straggler svg .title").last.evaluate(below)
    slider = page.get_by_role("slider", name="Time per item at the slow task")
    expect(slider).to_have_attribute("aria-valuetext", "7 ticks")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("output[for=turn-slow]")).to_have_text("9 ticks")
    expect(page.locator("#part-straggler caption").first).to_contain_text("9 ticks per item")
    expect(slider).to_be_focused()
    expect(page).to_have_url(re.compile(r"[?&]slow=9(&|$)"))

    page.get_by_label("What to plot").select_option("stored")
    expect(page.locator("#figure-straggler figcaption")).to_have_text("In-flight items stored")
    expect(page.locator("#figure-straggler svg .mark").first).to_be_visible()
    assert page.locator("#figure-straggler svg .mark").count() == 6 * 8

    page.reload()
    expect(page.get_by_role("slider", name="Time per item at the slow task")).to_have_value("9")
    expect(page.get_by_label("What to plot")).to_have_value("stored")


@pytest.mark.slow
def test_a_slider_that_is_dragged_asks_when_it_has_come_to_rest(visit: Open) -> None:
    page = visit("/costs?lang=en")
    ready(page, "straggler")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/costs/straggler" in request.url else None)
    box = page.get_by_role("slider", name="Time per item at the slow task").bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.43, y)
    page.mouse.down()
    for share in (0.5, 0.6, 0.7, 0.8, 0.9, 0.99):
        page.mouse.move(box["x"] + box["width"] * share, y)
    expect(page.locator("output[for=turn-slow]")).to_have_text("15 ticks")
    assert asked == []
    page.mouse.up()
    expect(page.locator("#part-straggler caption").first).to_contain_text("15 ticks per item")
    assert len(asked) == 1 and "slow=15" in asked[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["straggler", "storage", "tides", "crowd"])
def test_every_curve_is_bet_on_before_it_is_seen(visit: Open, name: str) -> None:
    page = visit("/costs?lang=en")
    part = page.locator(f"#part-{name}")
    expect(part.locator(".costs-bet")).to_contain_text("Before you look: ")
    claims = page.locator(f"#{name} > .claim")
    expect(claims).to_have_count(1 if name in ("straggler", "crowd") else 0)
    for covered in (*(part.locator(which) for which in (".costs-table", ".figure", ".costs-about")), claims):
        expect(covered.first).not_to_be_visible()
    right = part.locator(".costs-bet button[data-right]").first.inner_text()
    wrong = part.locator(".costs-bet button:not([data-right])").first
    guess = wrong.inner_text()
    wrong.click()
    expect(part.locator(".costs-bet-said")).to_have_text(f"You expected {guess}. Measured: {right}.")
    expect(part.locator(".figure").first).to_be_visible()
    expect(part.locator(".costs-bet")).to_be_hidden()
    expect(claims.filter(visible=True)).to_have_count(claims.count())


@pytest.mark.slow
def test_the_curve_with_a_minimum_is_bet_on_before_it_is_seen(visit: Open) -> None:
    page = visit("/costs?lang=en")
    part = page.locator("#part-interval")
    expect(part.locator(".costs-bet")).to_contain_text("how many ticks of work")
    expect(part.locator(".figure")).not_to_be_visible()
    expect(part.locator(".costs-said")).not_to_be_visible()
    lowest = part.locator(".costs-bet [data-right]").inner_text()
    part.locator(".costs-bet [data-right]").click()
    expect(part.locator(".costs-bet-said")).to_have_text(f"As you expected: {lowest}.")
    expect(part.locator(".figure")).to_be_visible()
    expect(part.locator(".costs-said")).to_contain_text(f"every {lowest}")
    page.locator("#turn-price").focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("price="))
    expect(part.locator(".figure svg").first).to_be_visible()
    expect(part.locator(".costs-bet")).to_be_hidden()


def test_a_point_opens_the_run_that_was_measured(visit: Open) -> None:
    page = visit("/costs?lang=en")
    ready(page, "straggler")
    mark = page.locator("#figure-straggler svg .mark").first
    mark.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/run/1\."))
    expect(page.get_by_role("heading", name="A slow task: 1 ticks per item").first).to_be_attached()


@pytest.mark.slow
def test_a_point_that_stands_for_many_runs_says_which_one_it_opens(visit: Open) -> None:
    page = visit("/costs?lang=en&price=1&mean=160")
    page.locator("#part-interval .costs-bet button").first.click()
    expect(page.locator("#part-interval .costs-said")).to_contain_text("Young’s rule: √(2δM) = 17.9 ticks")
    page.locator("#figure-interval svg .mark").first.focus()
    expect(page.get_by_text("mean of 20 runs; opens the run closest to it").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [{}, {"viewport": PHONE, "color_scheme": "dark"}],
    ids=["wide", "phone, dark"],
)
def test_nobody_is_shut_out_and_nothing_sticks_out(visit: Open, how: dict[str, object]) -> None:
    page = visit("/costs?lang=en", **how)
    ready(page, "straggler", "interval", "tides", "storage", "crowd")
    expect(page.locator("#part-dashboard table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    found = axe(page).violations
    assert [(each["id"], each["nodes"][0]["target"]) for each in found] == []


@pytest.mark.slow
def test_without_scripts_the_form_is_sent_and_tables_say_the_same(visit: Open) -> None:
    page = visit("/costs?lang=en", java_script_enabled=False)
    page.locator("#turn-slow").focus()
    page.keyboard.press("ArrowLeft")
    page.locator("#straggler").get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile(r"[?&]slow=5(&|$)"))
    expect(page.locator("#part-straggler caption").first).to_contain_text("5 ticks per item")
    expect(page.locator("#figure-straggler .figure-numbers a")).to_have_count(6 * 8)
