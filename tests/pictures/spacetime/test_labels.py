"""The words beside a cut, and the names of messages beside their arrows."""

import re

import pytest

from app.pictures.layout.colours import Text
from app.pictures.layout.paths import Point
from app.pictures.layout.text_width import measure
from app.pictures.render import spacetime
from app.pictures.spacetime.diagram import timeline
from app.pictures.spacetime.labels import SPACED, Labels, apart
from app.pictures.spacetime.options import Look
from app.run.run import record
from app.scenario.library import LIBRARY


def test_the_left_edge_cuts_no_name_that_has_room_elsewhere() -> None:
    spot = Labels(300, 80, 50).place("m1", Point(18, 130), Point(36, 50))
    assert spot is not None and spot.x >= measure("m1", 14) / 2


def test_a_name_does_not_stand_on_the_arrow_of_another_message() -> None:
    start, end = Point(100, 50), Point(300, 130)
    alone = Labels(400, 80, 50).place("m1", start, end)
    assert alone is not None
    across = (Point(alone.x, 50), Point(alone.x, 130))
    beside = Labels(400, 80, 50, arrows=[across]).place("m1", start, end)
    assert beside is not None and abs(beside.x - alone.x) > measure("m1", 14) / 2
    everywhere = [(Point(x, 50), Point(x, 130)) for x in range(0, 400, 5)]
    assert Labels(400, 80, 50, arrows=everywhere).place("m1", start, end) == alone, "on an arrow rather than nowhere"


def test_the_past_has_its_name_above_the_names_of_the_processes() -> None:
    run = record(LIBRARY.scenario("blue-figure"))
    still = spacetime(run, 5, "en", Look(narrow=True))
    after = still.rpartition("</svg>\n<g transform")[2]
    x = float(re.findall(r'<text x="([\d.]+)"[^>]*>PAST<', after)[0])
    assert 0 < x < 44, "before the cut, and not inside the window, which would cut it"


def test_texts_on_a_line_are_apart_whichever_end_they_hang_from() -> None:
    said = Text(100, 10, 12, "back to checkpoint 1")
    wide = measure(said.said, 12) * SPACED
    assert apart(said, [Text(90, 10, 12, "now", "end")]) and not apart(said, [Text(110, 10, 12, "now", "end")])
    assert apart(said, [Text(100 + wide + 10, 10, 12, "now")]) and not apart(said, [Text(100 + wide, 10, 12, "now")])
    assert not apart(said, [Text(100 + wide / 2, 10, 12, "now", "middle")])


@pytest.mark.parametrize(
    ("name", "step", "turned"),
    [("rollback-of-seven", 31, False), ("rollback-of-seven", 55, False), ("commit-after-complete", 12, True)],
    ids=["before the line", "after it", "no room beside now"],
)
def test_what_is_said_where_all_roll_back_stands_above_the_lines_where_nothing_else_is(
    name: str, step: int, turned: bool
) -> None:
    (back,) = timeline(record(LIBRARY.scenario(name)), step, "en").undone
    assert back.turned is turned and back.said.said.startswith("back to")


def test_a_name_keeps_clear_of_what_is_hatched_and_lies_on_a_line_last_of_all() -> None:
    start, end = Point(100, 130), Point(136, 50)
    for row, least in ((80, 23), (38, 9)):
        spot = Labels(400, row, 50, clear=23).place("orphan m1", start, end)
        assert spot is not None
        assert abs(spot.y - 50 - row * round((spot.y - 50) / row)) >= least
