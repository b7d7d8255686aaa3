"""A lattice as it is drawn: whole where it is small, a sample that says so where it is not."""

from itertools import combinations

import pytest

from app.analysis.global_states import moments, spine, taken
from app.core.oracle.lattice import Lattice
from app.pictures.lattice_picture import DRAWN, HIGH, LONG, SAMPLED, Drawing, Marks, draw, short
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.each import each


def drawn(name: str, chosen: tuple[int, ...] | None = None) -> Drawing:
    """Return the picture of the author's run of a scenario, around its first recorded state or another one."""
    run = record(LIBRARY.scenario(name))
    lattice = Lattice(run.history)
    snapshots = [one for one in taken(run, lattice) if one.exact]
    recorded = {one.cut: (one.number,) for one in snapshots}
    passage = snapshots[0].passage if snapshots else ()
    at = chosen or (snapshots[0].cut if snapshots else lattice.bottom)
    marks = Marks(spine(run, lattice), moments(run, lattice), passage, recorded, {}, at)
    return draw(lattice, lattice.levels(), marks)


def test_two_processes_make_a_part_of_a_grid() -> None:
    picture = drawn("state-that-never-was")
    assert picture.whole and [dot.name for dot in picture.dots] == ["0,0", "0,1", "1,0", "1,1", "1,2", "2,1", "2,2"]
    places = {dot.name: (dot.x, dot.y) for dot in picture.dots}
    assert places["0,0"][1] == places["1,1"][1] == places["2,2"][1]
    assert places["1,0"][1] < places["0,0"][1] < places["0,1"][1]
    assert places["0,0"][0] < places["1,0"][0] == places["0,1"][0] < places["1,1"][0]


def test_what_happened_is_told_from_what_was_recorded() -> None:
    dots = {dot.name: dot for dot in drawn("state-that-never-was").dots}
    assert {name: dot.step for name, dot in dots.items() if dot.step is not None} == {
        "0,0": 0,
        "1,0": 2,
        "1,1": 3,
        "2,1": 4,
        "2,2": 7,
    }
    assert [name for name, dot in dots.items() if dot.recorded] == ["0,1"] and dots["0,1"].chosen


def test_the_paths_go_from_left_to_right_through_states() -> None:
    picture = drawn("state-that-never-was")
    assert picture.real.count("L") == 4 and picture.passage.count("L") == 3 and picture.avoiding == ""
    assert picture.lines.count("M") == 8


@pytest.mark.parametrize("name", ["state-that-never-was", "three-banks", "complete", "random-twelve", "lossy-network"])
def test_no_two_states_touch(name: str) -> None:
    picture = drawn(name)
    for one, two in combinations(picture.dots, 2):
        assert max(abs(one.x - two.x), abs(one.y - two.y)) > 2 * picture.radius
    assert all(0 < dot.x < picture.width and 0 < dot.y < picture.height for dot in picture.dots)


def test_a_large_lattice_is_a_sample_around_what_is_chosen() -> None:
    picture = drawn("random-twelve")
    assert not picture.whole and len(picture.dots) <= DRAWN and picture.last - picture.first == SAMPLED
    (chosen,) = [dot for dot in picture.dots if dot.chosen]
    assert picture.first < sum(chosen.cut) < picture.last and chosen.recorded == (1,)
    assert picture == drawn("random-twelve")


def test_a_sample_at_the_end_or_the_beginning_stays_inside() -> None:
    run = record(LIBRARY.scenario("random-twelve"))
    top = Lattice(run.history).top
    assert drawn("random-twelve", top).last == sum(top) == 120
    assert drawn("random-twelve", (0,) * 12).first == 0


def test_a_run_without_events_has_one_state() -> None:
    picture = drawn("no-token")
    assert [dot.name for dot in picture.dots] == ["0,0"] and picture.lines == "" and picture.real == ""


@each("name", LIBRARY.names)
def test_every_scenario_has_a_picture_of_bounded_size(name: str) -> None:
    picture = drawn(name)
    assert len(picture.dots) <= DRAWN and picture.last - picture.first < LONG
    levels = [sum(dot.cut) for dot in picture.dots]
    assert max(levels.count(level) for level in levels) <= HIGH


def test_a_state_of_many_processes_names_those_that_have_done_something() -> None:
    assert short(("p", "q"), (2, 0)) == "2,0"
    many = tuple(f"P{i}" for i in range(1, 41))
    assert short(many, (1, 2, *(0,) * 38)) == "P1:1, P2:2"
    assert short(many, (1,) * 40) == "", "that is too long"
