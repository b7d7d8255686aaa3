"""When a property is true, as a strip."""

from app.analysis.stable_properties import Conclusion, Span
from app.pictures.property_strip import MOST, SIDE, WIDTH, strip


def said(number: int, began: int, ended: int) -> Conclusion:
    """Return a snapshot that says nothing wrong."""
    return Conclusion(number, False, False, True, False, True, True, began, ended)


def test_the_bars_fill_the_strip_without_a_gap() -> None:
    made = strip([Span(0, 5, False), Span(6, 9, True)], [], 9)
    first, second = made.bars
    assert (first.x, first.true, second.true) == (SIDE, False, True)
    assert first.x + first.width == second.x and round(second.x + second.width, 1) == WIDTH - SIDE


def test_a_snapshot_stands_below_the_steps_in_which_it_was_taken() -> None:
    made = strip([Span(0, 9, False)], [said(1, 2, 6), said(2, 7, 9)], 9)
    first, second = made.shots
    unit = (WIDTH - 2 * SIDE) / 10
    assert (first.x, first.end) == (round(SIDE + 2 * unit, 1), round(SIDE + 7 * unit, 1))
    assert second.y > first.y and made.height > second.y and made.more == 0


def test_of_very_many_steps_and_snapshots_a_few_are_shown() -> None:
    made = strip([Span(0, 20_000, False)], [said(n, n, n + 1) for n in range(1, 41)], 20_000)
    assert len(made.shots) == MOST and made.more == 32 and len(made.ticks) <= 12
