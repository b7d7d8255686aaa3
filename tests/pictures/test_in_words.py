"""Pictures in words: what is drawn is told, in both languages, and nothing else is."""

import re

import pytest

from app.pictures.chosen_cut import Cutting
from app.pictures.in_words import Described
from app.pictures.render import spacetime, spacetime_in_words, stage, stage_in_words
from app.pictures.spacetime.options import Look
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.web.shared.question_view import of_events
from tests.often import some

BARE = Look(records=False, now=False, narrow=True)


def made(name: str) -> Run:
    return record(LIBRARY.scenario(name))


def told(parts: tuple[Described, ...]) -> dict[str, str]:
    return {part.name: "; ".join(part.parts) for part in parts}


def test_a_stage_tells_states_what_is_recorded_and_what_is_in_flight_in_order() -> None:
    said = told(stage_in_words(made("three-banks"), 7, "en"))
    assert said["N1"] == "5; recorded for snapshot 1: 5"
    assert said["Channel N1→N2"] == (
        "in flight, the first to arrive first: 3, 2, marker 1; being recorded, nothing so far"
    )
    assert said["Channels N2→N1, N2→N3"] == "nothing in flight; recorded as empty"
    later = told(stage_in_words(made("three-banks"), 9, "en"))
    assert later["Channel N1→N2"] == "in flight: marker 1; being recorded, so far: 3, 2"
    assert told(stage_in_words(made("three-banks"), 0, "en"))["Empty channels"].count("→") == 6
    assert told(stage_in_words(made("three-banks"), 7, "zh"))["通道 N1→N2"].startswith("在途，先到的在前：3、2、标记 1")


def test_a_channel_that_an_exercise_has_not_closed_is_told_as_open() -> None:
    said = told(stage_in_words(made("three-banks"), 9, "en", ("N2->N1",)))
    assert said["Channel N2→N1"] == "nothing in flight; being recorded, nothing so far"


def _channels(name: str) -> list[str]:
    """Return the channels that an item is about."""
    return name.split(" ", 1)[1].split(", ")


def test_only_what_people_get_is_told_as_having_left_the_system() -> None:
    late = told(stage_in_words(made("commit-too-late"), 12, "en"))
    assert "left the system" not in late["out"]
    early = told(stage_in_words(made("commit-before-barrier"), 16, "en"))
    assert "left the system: 1, 2;" in early["out"]


def test_what_a_process_keeps_and_writes_down_is_told() -> None:
    assert (
        "ids stored: b.1; sent, not acknowledged: 10" in told(stage_in_words(made("weak-productions"), 10, "en"))["sum"]
    )
    assert told(stage_in_words(made("micro-batch"), 15, "en"))["driver"] == "offset log: 1: 0–2; commit log: ∅"


def test_who_writes_down_what_it_does_is_not_told_as_rolling_back() -> None:
    lines = told(spacetime_in_words(made("micro-batch"), 15, "en"))
    assert {name for name, said in lines.items() if "rolls back" in said} == {"s", "map", "out"}


def test_a_barrier_a_colour_and_a_part_that_is_being_stored_are_told() -> None:
    barriers, coloured = made("barriers-wait"), made("colour-blind")
    assert "sends barrier 1 to s1" in told(spacetime_in_words(barriers, 12, "en"))["JM"]
    assert "(being stored)" in told(stage_in_words(barriers, 12, "en"))["s1"]
    assert "recorded for checkpoint 1: " in told(stage_in_words(barriers, 12, "en"))["s1"]
    words = " ".join(told(stage_in_words(coloured, len(coloured.steps) // 2, "en")).values())
    assert "white" in words and "red" in words


def test_a_diagram_tells_what_happens_on_each_line() -> None:
    said = {part.name: part.parts for part in spacetime_in_words(made("three-banks"), 9, "en")}
    assert said["N2"] == (
        "Step 2: sends 2 to N3",
        "Step 3: records its state for snapshot 1, sends marker 1 to N1, sends marker 1 to N3",
        "Step 8: receives 3 from N1",
        "Step 9: receives 2 from N1",
    )
    assert said["N1"][-1].endswith("sends marker 1 to N2 (in flight), sends marker 1 to N3 (in flight)")


def test_a_cut_is_told_where_it_lies_and_its_orphans_once_they_are_drawn() -> None:
    run = made("which-cut")
    for fates in (False, True):
        look = of_events(run, "en", {"P": 1, "Q": 1, "R": 1}, fates=fates)
        parts = spacetime_in_words(run, len(run.steps), "en", look)
        assert [part.parts.index("Here the cut crosses the line.") for part in parts] == [1, 1, 1]
        assert ("receives orphan m2 from Q" in told(parts)["R"]) is fates


@pytest.mark.parametrize("name", some([scenario.name for scenario in LIBRARY.scenarios()], 3))
def test_words_tell_what_is_drawn_and_nothing_else(name: str) -> None:
    run = made(name)
    steps = len(run.steps)
    for step in {0, steps // 3, 2 * steps // 3, steps}:
        svg, words = stage(run, step, "en"), told(stage_in_words(run, step, "en"))
        copies = set(re.findall(r'data-recorded="([^"]*)"', svg))
        assert {each for each in run.system.topology.names if re.search("(recorded for|saved)", words[each])} == copies
        open_ones = re.findall(r'data-channel="([^"]*)" data-mode="recording"', svg)
        being = [each for each, said in words.items() if "being recorded" in said]
        assert {one for each in being for one in _channels(each)} == {one.replace("-&gt;", "→") for one in open_ones}
        left = any("left the system" in said for said in words.values())
        assert left == (re.search(r'data-cell="(?:out|twice)"', svg) is not None)
        for look in (Look(), BARE, Look(whole=True, narrow=True)):
            drawn, lines = spacetime(run, step, "en", look), told(spacetime_in_words(run, step, "en", look))
            for record_point, said in (
                ("data-recorded=", r"(records|saves) its state"),
                ('data-fate="orphan"', "orphan "),
            ):
                assert (record_point in drawn) == any(re.search(said, each) for each in lines.values()), (look, said)


@pytest.mark.parametrize("name", some([scenario.name for scenario in LIBRARY.scenarios()], 5))
def test_a_recorded_cut_is_told_after_the_events_inside_it(name: str) -> None:
    run = made(name)
    cutting = Cutting(run, "en")
    for cut in (*cutting.recorded.values(), *cutting.instants[::5], dict(cutting.history.counts)):
        look = of_events(run, "en", cut, fates=False)
        parts = spacetime_in_words(run, len(run.steps), "en", look)
        assert {part.name: part.parts.index("Here the cut crosses the line.") for part in parts} == cut


def test_every_arrow_of_a_whole_run_is_told() -> None:
    run = made("which-cut")
    cutting = Cutting(run, "en")
    lines = told(spacetime_in_words(run, len(run.steps), "en", of_events(run, "en", None, fates=False)))
    assert sum(each.count("receives ") for each in lines.values()) == sum(
        letter.received is not None for letter in cutting.letters.values()
    )


def test_who_records_before_it_receives_is_told_so() -> None:
    run = made("lai-yang")
    lines = told(spacetime_in_words(run, len(run.steps), "en"))
    assert any(re.search(r"records its state for snapshot 1, receives \d", each) for each in lines.values())
    markers = told(spacetime_in_words(made("three-banks"), 9, "en"))
    assert "receives marker 1 from N2, records its state" in markers["N1"]
