"""Which boxes are taken: the same as if each were compared with all others."""

from hypothesis import given
from hypothesis import strategies as st

from app.pictures.layout.plan import Box
from app.pictures.layout.taken import AIR, Taken

PLACE = st.tuples(st.floats(-300, 300), st.floats(-300, 300))
SIZE = st.floats(1, 90)
BOXES = st.lists(st.tuples(PLACE, SIZE, SIZE, st.integers(-1, 2)), max_size=12)


@given(BOXES, st.lists(PLACE, max_size=20), SIZE, SIZE, st.integers(-2, 2))
def test_a_spot_is_free_unless_a_box_of_another_owner_is_there(
    boxes: list[tuple[tuple[float, float], float, float, int]],
    spots: list[tuple[float, float]],
    w: float,
    h: float,
    owner: int,
) -> None:
    chart = Taken([])
    for spot, wide, high, whose in boxes:
        chart.take(spot, wide, high, whose)
    plain = [
        all(
            whose == owner
            or abs(x - ox) * 2 >= (w + 2 * AIR) + (wide + 2 * AIR)
            or abs(y - oy) * 2 >= (h + 2 * AIR) + (high + 2 * AIR)
            for (ox, oy), wide, high, whose in boxes
        )
        for x, y in spots
    ]
    assert list(chart.free(spots, w, h, owner)) == plain


def test_a_process_is_in_the_way_of_every_channel() -> None:
    chart = Taken([Box(0, 0, 10, 10)])
    assert list(chart.free([(0, 0), (10.9, 0), (11, 0)], 9, 9)) == [False, False, True]
