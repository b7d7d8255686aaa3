"""How frames, tables and pictures show a dataflow, a crash and a recovery."""

from xml.etree import ElementTree

import pytest

from app.core.model.values import Json
from app.pictures.layout.colours import current
from app.pictures.render import spacetime, stage
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.scenario import load
from app.wire.frames import frames, scene
from app.wire.part_status import DIED, STORING, STRUCK, WHOLE, blocked, going_back, standing
from app.wire.snapshot_table import rows
from tests.recovering import CRASHED, FLOW, RESTORED, TIGHT

SVG = "{http://www.w3.org/2000/svg}"
PROCESSES = ["JM", "s1", "s2", "sum", "out"]


@pytest.fixture(scope="module")
def flow() -> Run:
    return record(load(FLOW, "flow"))


@pytest.fixture(scope="module")
def tight() -> Run:
    return record(load(TIGHT, "tight"))


@pytest.fixture(scope="module")
def retried() -> Run:
    return record(LIBRARY.scenario("task-retried"))


def states(run: Run) -> list[dict[str, Json]]:
    """Return what a browser knows of the states after each step, from the frames alone."""
    known = {process["name"]: process["state"] for process in scene(run)["processes"]}
    found = []
    for frame in frames(run):
        for key, *values in frame["n"]:
            if key == "changed":
                known[values[0]] = values[1]
            elif key == "restored":
                known = dict(values[1])
        found.append(dict(known))
    return found


def marked(svg: str, attribute: str) -> list[str]:
    """Return the values of an attribute, wherever it stands in the picture."""
    found = (element.get(attribute) for element in ElementTree.fromstring(svg).iter())
    return [value for value in found if value is not None]


def test_of_several_changes_in_one_step_the_last_one_stays(flow: Run, tight: Run) -> None:
    for run in (flow, tight):
        view = run.system.program.view
        for step, known in zip(run.steps, states(run), strict=True):
            assert known == {name: view(run.world(step.number).states[name]) for name in run.system.topology.names}, (
                step.number
            )


def test_the_scene_says_what_every_process_is_for(tight: Run) -> None:
    told = scene(tight)
    assert told["roles"] == {
        "JM": {"role": "coordinator"},
        "s1": {"role": "source", "log": ["a:1", "b:2", "a:3", "c:4"]},
        "s2": {"role": "source", "log": ["a:10", "b:20"], "ends": True},
        "m": {"role": "operator", "does": "filter"},
        "sum": {"role": "operator", "does": "sum", "keyed": True},
        "out": {"role": "sink", "sink": "transactional"},
    }
    assert told["root"] == "JM"
    assert set(told["capacity"].values()) == {2}


def test_what_has_left_the_system_is_told_with_identities_and_is_never_taken_back(flow: Run) -> None:
    told = [note[2] for frame in frames(flow) for note in frame["n"] if note[0] == "output"]
    assert told[-1] == [[1, "s1.1"], [3, "s1.2"], [13, "s2.1"], [16, "s1.3"], [36, "s2.2"]]


def test_a_part_is_on_its_way_until_it_is_stored(flow: Run) -> None:
    assert [standing(flow, step, 1, "s1") for step in (4, 12, 13)] == [STORING, STORING, WHOLE]
    assert [row.mode for row in rows(flow, 4, 1)][:2] == ["recorded", "storing"]


def test_what_was_not_stored_dies_with_its_process_and_is_struck_out_later(tight: Run) -> None:
    assert [standing(tight, step, 1, "s2") for step in (6, 7)] == [STORING, DIED]
    assert {row.element: row.mode for row in rows(tight, 7, 1)}["JM->s2"] == "struck"
    last = len(tight.steps)
    assert standing(tight, last, 1, "JM") == STRUCK
    picture = stage(tight, 7, "en")
    assert marked(picture, "data-standing") == ["whole", "died"]
    assert marked(picture, "data-struck") == [""]


def test_a_blocked_input_is_barred_until_all_barriers_have_come(flow: Run) -> None:
    assert [blocked(flow, step) for step in (7, 8, 11, 12)] == [{}, {"s1->sum": 1}, {"s1->sum": 1}, {}]
    assert len(marked(stage(flow, 8, "en"), "data-blocked")) == 1
    assert marked(stage(flow, 12, "en"), "data-blocked") == []


def test_a_full_channel_and_who_waits_for_it_can_be_seen(tight: Run) -> None:
    picture = stage(tight, 3, "en")
    assert len(marked(picture, "data-full")) == 1
    assert "busy" in marked(picture, "data-life")
    assert marked(stage(tight, 1, "en"), "data-full") == []


def test_barriers_are_bars_and_a_log_shows_what_is_read(flow: Run) -> None:
    picture = stage(flow, 3, "en")
    assert len(marked(picture, "data-bar")) == 2
    assert marked(picture, "data-cell").count("read") == 2
    assert marked(picture, "data-cell").count("unread") == 3


def test_the_restored_picture_shows_every_process_going_back(flow: Run) -> None:
    assert going_back(flow.steps[RESTORED - 1].notes, flow.system.topology.names) == dict.fromkeys(PROCESSES, "back")
    assert marked(stage(flow, RESTORED, "en"), "data-back") == ["back"] * 5
    assert marked(stage(flow, RESTORED + 1, "en"), "data-back") == []
    assert marked(stage(flow, RESTORED, "en"), "data-cell").count("out") == 3


def test_a_picture_is_about_the_snapshot_to_which_all_went_back() -> None:
    more = FLOW.replace("  - read: s2\n  - deliver: s1->sum\n  - crash", "  - start: JM\n  - crash")
    run = record(load(more.replace("restore: latest", "restore: 1"), "more"))
    number = next(step.number for step in run.steps if any(note.key == "restored" for note in step.notes))
    assert [current(run, step) for step in (20, number - 1, number)] == [1, 2, 1]


def test_the_diagram_hatches_what_is_taken_back_and_breaks_the_line_of_who_is_down(flow: Run) -> None:
    before, after = spacetime(flow, CRASHED, "en"), spacetime(flow, RESTORED + 2, "en")
    assert (len(marked(before, "data-setback")), len(marked(after, "data-setback"))) == (0, 1)
    assert "crashed" in marked(after, "data-bound")
    assert "back to checkpoint 1" in after
    assert {"21", "22", "25"} <= set(marked(after, "data-step")), "what was undone is drawn, too"


def test_an_item_of_a_batch_says_which_attempt_it_is_for_only_where_that_is_another(retried: Run) -> None:
    sent = [note[6:] for frame in frames(retried) for note in frame["n"] if note[0] == "sent" and note[3] == "app"]
    assert [rest[0] for rest in sent if rest] == [1, 1, 1, 1], "two items for each of two tasks that are retried"
    tags = [marked(stage(retried, step, "en"), "data-tag") for step in range(len(retried.steps) + 1)]
    assert {tag for each in tags for tag in each} == {"1"}


def test_at_the_line_of_a_retried_task_the_diagram_says_so(retried: Run) -> None:
    picture = spacetime(retried, len(retried.steps), "en")
    assert "sum retries" in picture and "out retries" in picture
    assert "back to no." not in picture


def test_beside_a_batch_that_has_begun_no_state_of_the_batch_before_is_drawn(retried: Run) -> None:
    begun = next(
        step.number
        for step in retried.steps
        if any(n.key == "started" and getattr(n, "snapshot", None) == 2 for n in step.notes)
    )
    assert marked(stage(retried, begun - 1, "en"), "data-recorded") == ["driver", "s", "sum", "out"]
    assert marked(stage(retried, begun, "en"), "data-recorded") == []
