"""The picture of a state-transition diagram: nothing overlaps, and everything that it says is there."""

from itertools import combinations

import pytest

from app.analysis.state_diagram import DRAWN, diagram
from app.pictures.state_diagram import Drawing, draw
from app.run.run import record
from app.scenario.library import LIBRARY
from app.words.catalogues import LANGUAGES

DRAWABLE = ("token-late", "no-token", "state-that-never-was", "phantom-deadlock", "real-deadlock", "marker-lost")


def drawn(name: str, step: int = 0, language: str = "en") -> Drawing:
    """Return the picture of a scenario's diagram."""
    run = record(LIBRARY.scenario(name))
    found = diagram(run.system)
    assert len(found.states) <= DRAWN
    visits = found.visits(run)
    return draw(found, visits, found.recorded(run), visits[step], language)


@pytest.mark.parametrize("name", DRAWABLE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_states_overlap_and_all_are_inside_the_picture(name: str, language: str) -> None:
    picture = drawn(name, language=language)
    wide, tall = picture.size.x, picture.size.y
    for one, other in combinations(picture.boxes, 2):
        assert abs(one.x - other.x) >= wide + 8 or abs(one.y - other.y) >= tall + 8, (one, other)
    for box in picture.boxes:
        assert picture.corner.x <= box.x - wide / 2 and box.x + wide / 2 <= picture.corner.x + picture.width
        assert picture.corner.y <= box.y - tall / 2 and box.y + tall / 2 <= picture.corner.y + picture.height


def test_the_token_is_drawn_as_a_ring() -> None:
    picture = drawn("token-late")
    top, right, bottom, left = picture.boxes
    assert top.y < right.y == left.y < bottom.y
    assert left.x < top.x == bottom.x < right.x
    assert [line.short for line in picture.lines] == ["p sends T", "q receives T", "q sends T", "p receives T"]
    assert not any(line.turned for line in picture.lines)


def test_what_leads_back_farther_than_one_layer_goes_around_all_states() -> None:
    picture = drawn("state-that-never-was")
    back = [line for line in picture.lines if line.turned]
    assert len(back) == 4
    sides = [picture.size.x / 2 + max(abs(box.x) for box in picture.boxes)] * len(back)
    assert all(abs(line.label.x) > side for line, side in zip(back, sides, strict=True))


def test_the_way_of_the_run_the_state_of_the_step_and_what_was_recorded_are_marked() -> None:
    picture = drawn("state-that-never-was", 3)
    assert [box.number for box in picture.boxes if box.now] == [4]
    assert [(box.number, box.steps) for box in picture.boxes if box.recorded] == [(3, ())]
    assert [(line.source, line.target) for line in picture.lines if line.taken] == [(0, 1), (1, 3), (3, 5), (5, 0)]


def test_a_state_without_an_event_is_dead() -> None:
    assert [box.dead for box in drawn("no-token").boxes] == [True]
    assert [box.number for box in drawn("real-deadlock").boxes if box.dead] == [11, 12, 13]
