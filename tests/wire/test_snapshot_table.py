"""The recorded global state as a table when members join and leave."""

from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.wire.snapshot_table import rows
from tests.tiny import run


def modes(made: Run, step: int, number: int = 1) -> dict[str, str]:
    return {row.element: row.mode for row in rows(made, step, number)}


def test_a_process_that_takes_no_part_takes_its_channels_along() -> None:
    made = record(LIBRARY.scenario("born-after"))
    assert modes(made, 6) == {
        "P": "recorded",
        "Q": "recorded",
        "N": "absent",
        "P->Q": "recorded",
        "Q->P": "recorded",
        "P->N": "absent",
        "N->P": "absent",
    }


def test_what_waits_for_nobody_is_still_being_recorded() -> None:
    made = record(LIBRARY.scenario("crash-hangs"))
    assert modes(made, 4) == {
        "P1": "recorded",
        "P2": "recorded",
        "P3": "gone",
        "P1->P2": "recorded",
        "P2->P1": "recorded",
        "P1->P3": "absent",
        "P2->P3": "absent",
        "P3->P1": "recording",
        "P3->P2": "recording",
    }


def test_what_a_crashed_process_had_recorded_is_lost() -> None:
    made = run("topology: {ring: 3}\nprogram: {kind: bank, everyone: 1}\nscript: [{start: P1}, {crash: P1}]")
    assert modes(made, 1)["P1"] == "recorded" and modes(made, 1)["P3->P1"] == "recording"
    assert modes(made, 2)["P1"] == "lost" and modes(made, 2)["P3->P1"] == "lost"


def test_what_a_crashed_member_had_sent_before_is_shown() -> None:
    made = run(
        """
        topology: {processes: [P, Q], channels: [P->Q, Q->P]}
        program: {kind: bank, everyone: 3}
        algorithm: members
        script: [{send: {on: Q->P, message: 2}}, {start: P}, {crash: Q}, {deliver: Q->P}]
        """
    )
    assert [(row.mode, row.value) for row in rows(made, len(made.steps), 1)][1:] == [
        ("gone", None),
        ("absent", None),
        ("recorded", [2]),
    ]


def test_nobody_looks_at_the_channels_between_photographs() -> None:
    made = record(LIBRARY.scenario("blue-figure"), RunKey(algorithm="photographs"))
    assert modes(made, len(made.steps)) == {
        "P1": "recorded",
        "P2": "recorded",
        "P1->P2": "unwatched",
        "P2->P1": "unwatched",
    }
