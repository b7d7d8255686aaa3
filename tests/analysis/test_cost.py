"""The cost of snapshots is counted from the run, and agrees with the observer's count."""

from dataclasses import replace

from msgspec import structs

from app.analysis.cost import controls, cost, pauses, size
from app.core.model.notes import Paused, Resumed
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.each import each
from tests.tiny import CROSSING, run


def test_markers_recorded_messages_bytes_and_steps_of_a_snapshot_are_counted() -> None:
    found = cost(run(CROSSING))
    (taken,) = found.snapshots
    assert (taken.markers, taken.others, taken.controls) == (2, 0, 2)
    assert taken.messages == 1
    assert taken.size == len("0") + len("0") + len('"T"')
    assert taken.steps == 4
    assert (found.controls, found.apart, found.paused, found.stopped, found.missed) == (2, 0, 0, 0, 0)
    assert found.undisturbed and set(taken.checks.values()) == {True}


def test_a_snapshot_that_never_completes_has_no_duration_and_open_checks() -> None:
    found = cost(record(LIBRARY.scenario("chain-from-b")))
    (taken,) = found.snapshots
    assert taken.steps is None
    assert set(taken.checks.values()) == {None}


def test_bytes_are_those_of_compact_json_in_utf_8() -> None:
    assert size({"X": [1, 2]}) == len('{"X":[1,2]}')
    assert size("令牌") == 2 + 6


def test_photographs_cost_no_message_and_a_wrong_picture() -> None:
    found = cost(record(LIBRARY.scenario("photographs-two")))
    assert found.controls == 0
    assert found.snapshots[0].checks["conserved"] is False


@each("name", LIBRARY.names)
def test_control_messages_by_step_add_up_to_what_the_observer_counted(name: str) -> None:
    made = record(LIBRARY.scenario(name), most=200)
    by_step = controls(made)
    assert len(by_step) == len(made.steps) + 1
    assert by_step[0] == 0 and by_step[-1] == made.history.controls == cost(made).controls
    assert by_step == sorted(by_step)


def test_steps_are_counted_while_somebody_is_paused_and_while_everybody_is() -> None:
    made = run(CROSSING)
    one, two, three, *rest = made.steps
    paused = replace(
        made,
        steps=(
            structs.replace(one, notes=(*one.notes, Paused("p"))),
            structs.replace(two, notes=(*two.notes, Paused("q"))),
            structs.replace(three, notes=(*three.notes, Resumed("p"), Paused("p", "p->q"))),
            *(structs.replace(step, notes=(*step.notes, Resumed("q"), Resumed("p", "p->q"))) for step in rest),
        ),
    )
    assert pauses(paused) == (3, 1)
    assert pauses(made) == (0, 0)


def test_another_algorithm_on_the_same_events_records_fewer_bytes_where_it_looks_at_no_channel() -> None:
    scenario = LIBRARY.scenario("three-banks")
    own, other = record(scenario), record(scenario, RunKey(algorithm="no-channels"))
    assert cost(own).snapshots[0].messages == 2
    assert cost(other).snapshots[0].messages == 0
    assert cost(other).snapshots[0].size < cost(own).snapshots[0].size
