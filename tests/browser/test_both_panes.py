"""One crash, two recoveries side by side: all processes roll back to a checkpoint, or only the crashed one."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from app.analysis.alignment import Beats, beats
from app.analysis.ledger import ledger
from app.analysis.recovery_cost import recovery_cost
from app.core.model.values import Crash, Restart, Restore
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.browser.conftest import PHONE, Open, described

LAPTOP = {"width": 1280, "height": 800}
BOTH = "/compare/crash-both-ways?with=aligned&with=millwheel&lang=en"
OPERATORS = ["a", "b", "map", "odd", "sum", "out"]


def runs() -> list[Run]:
    """Return the runs of the two panes."""
    scenario = LIBRARY.scenario("crash-both-ways")
    return [record(scenario, RunKey(algorithm=name)) for name in (None, "millwheel")]


def crash(made: list[Run], together: Beats) -> int:
    """Return the beat after which both are down."""

    def crashed(beat: int, run: Run, steps: tuple[int, ...]) -> bool:
        return steps[beat] > 0 and isinstance(run.steps[steps[beat] - 1].action, Crash)

    found = [
        beat
        for beat in range(together.last + 1)
        if all(crashed(beat, run, steps) for run, steps in zip(made, together.steps, strict=True))
    ]
    assert len(found) == 1, "the same crash at the same beat, once"
    return found[0]


def there(page: Page, beat: int) -> None:
    """Go to a beat, once everything has arrived."""
    expect(page.locator("body.ready")).to_have_count(1)
    page.locator("#beat").fill(str(beat))
    expect(page.locator("#beat")).to_have_js_property("value", str(beat))


def pane(page: Page, place: int) -> Locator:
    """Return one of the two panes."""
    return page.locator(f'.column[data-place="{place}"]')


def back(page: Page, place: int) -> list[str]:
    """Return which processes roll back in a pane."""
    found: list[str] = (
        pane(page, place)
        .locator(".node.back, .node.anew")
        .evaluate_all("nodes => nodes.map((node) => node.dataset.process)")
    )
    return found


def states(page: Page, place: int, *names: str) -> list[str]:
    """Return the states of processes in a pane, without what was recorded or is kept there."""
    described(page)
    labels = [pane(page, place).locator(f'[data-process="{name}"]').get_attribute("aria-label") or "" for name in names]
    return [label.split(". ")[0] for label in labels]


def figures(page: Page, row: str) -> list[str]:
    """Return a row of the table."""
    return [" ".join(text.split()) for text in page.locator(f'tr[data-row="{row}"] td').all_inner_texts()]


@pytest.fixture
def whole(visit: Open) -> Page:
    """Return the page once both runs are complete."""
    page = visit(BOTH, viewport=LAPTOP, reduced_motion="reduce")
    expect(page.locator("body.ready")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.locator("#forward")).to_have_attribute("aria-disabled", "true")
    return page


def test_the_same_crash_stands_at_the_same_beat(whole: Page) -> None:
    made = runs()
    together = beats(made)
    at = crash(made, together)
    there(whole, at)
    for place in (0, 1):
        expect(pane(whole, place).locator(".node.down")).to_have_count(1)
        expect(pane(whole, place).locator(".node.down")).to_have_attribute("data-process", "sum")
        assert back(whole, place) == []
    there(whole, at - 1)
    expect(whole.locator(".node.down")).to_have_count(0)


@pytest.mark.slow
def test_on_the_left_everybody_goes_back_and_on_the_right_one(whole: Page) -> None:
    made = runs()
    together = beats(made)
    after = crash(made, together) + 1
    left, right = (run.steps[steps[after] - 1].action for run, steps in zip(made, together.steps, strict=True))
    assert left == Restore(1) and right == Restart("sum")
    there(whole, after)
    assert sorted(back(whole, 0)) == sorted(["JM", *OPERATORS])
    assert back(whole, 1) == ["sum"]
    expect(whole.locator(".node.down")).to_have_count(0)
    tint = "node => getComputedStyle(node.querySelector('.box')).fill"
    there_, here = (pane(whole, i).locator('[data-process="map"]').evaluate(tint) for i in (0, 1))
    assert there_ != here, "who goes back is seen to"


@pytest.mark.slow
def test_both_end_in_the_same_result(whole: Page) -> None:
    assert states(whole, 0, "a", "b", "sum") == states(whole, 1, "a", "b", "sum") == ["a: 8", "b: 5", "sum: 3656"]
    made = runs()
    for place, run in enumerate(made):
        left = re.search(
            r"left the system: ([\d, ]+)",
            pane(whole, place).locator('[data-process="out"]').get_attribute("aria-label") or "",
        )
        assert left and sorted(left[1].split(", ")) == sorted(str(one.value) for one in run.end.durable.outside["out"])
    assert sorted(one.value for one in made[0].end.durable.outside["out"]) == sorted(
        one.value for one in made[1].end.durable.outside["out"]
    )


@pytest.mark.slow
def test_one_can_go_back_over_the_crash_and_forward_again(whole: Page) -> None:
    made = runs()
    at = crash(made, beats(made))
    seen: dict[int, list[tuple[list[str], list[str]]]] = {}
    for beat in (at - 1, at, at + 1, at, at - 1):
        there(whole, beat)
        now = [(states(whole, place, "JM", *OPERATORS), back(whole, place)) for place in (0, 1)]
        assert seen.setdefault(beat, now) == now
    whole.keyboard.press("ArrowRight")
    expect(whole.locator(".node.down")).to_have_count(2)
    whole.keyboard.press("Home")
    assert states(whole, 0, "sum") == states(whole, 1, "sum") == ["sum: 0"]


@pytest.mark.slow
def test_the_table_has_the_figures_of_the_runs(whole: Page) -> None:
    made = runs()
    paid = [recovery_cost(run) for run in made]
    books = [ledger(run) for run in made]
    assert all(paid) and all(books)
    for row, name in (
        ("writes", "writes"),
        ("written", "size"),
        ("words", "words"),
        ("replayed", "replayed"),
        ("redone", "redone"),
        ("resent", "resent"),
        ("dropped", "dropped"),
    ):
        assert figures(whole, row) == [str(getattr(one, name)) for one in paid], row
    assert figures(whole, "restarts") == ["6: a, b, map, odd, sum, out", "1: sum"]
    assert [one.restarts for one in paid if one] == [6, 1]
    for row in ("ledger.lost", "ledger.doubled", "ledger.waiting"):
        assert figures(whole, row) == ["0", "0"]
    assert figures(whole, "ledger.work") == [f"{book.taken} / {book.counted}" for book in books if book]
    assert figures(whole, "ledger.reread") == [str(book.reread) for book in books if book]
    assert figures(whole, "ledger.final") == ["sum 3656", "sum 3656"]
    assert figures(whole, "ledger.state") == ["✓ each item once promised: exactly once"] * 2


@pytest.mark.slow
def test_on_a_phone_both_panes_go_back_too(visit: Open) -> None:
    made = runs()
    page = visit(BOTH, viewport=PHONE, reduced_motion="reduce")
    there(page, crash(made, beats(made)) + 1)
    expect(pane(page, 0).locator(".node.back")).to_have_count(7)
    expect(pane(page, 1).locator(".node.back")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
