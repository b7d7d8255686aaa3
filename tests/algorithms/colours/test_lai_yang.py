"""Lai–Yang's rules: the colour, the histories, and a cut that may lie anywhere."""

from typing import Any

import pytest

from app.core.model.notes import Deferred, Derived, Recorded, Rule
from app.core.model.recorded_state import channels, parts
from app.core.model.values import Todo
from app.run.run import Run, record, summary
from app.scenario.run_key import RunKey
from tests.tiny import made, notes, run, said, scenario

BANK = """
    topology: {processes: [P, Q], channels: [P->Q]}
    program: {kind: bank, accounts: {P: 10}}
    algorithm: lai-yang
    discipline: any
"""
RED_FIRST = (
    BANK
    + """
    script:
      - {send: {on: P->Q, message: 3}}
      - {start: P}
      - {send: {on: P->Q, message: 2}}
      - {deliver: P->Q, position: 1}
      - {deliver: P->Q}
"""
)


def test_a_message_takes_the_colour_of_its_sender_along() -> None:
    made = run(RED_FIRST)
    tags = {m.payload: m.tag for m in made.world(3).queues["P->Q"]}
    assert tags == {(("", 3),): 0, (("", 2),): 1}


def test_a_start_records_gives_everybody_a_turn_and_sends_nothing() -> None:
    made = run(RED_FIRST)
    assert [note.key for note in made.steps[1].notes] == ["started", "recorded", "done", "rule", "deferred", "deferred"]
    assert said(made, 2, Deferred) == [Deferred("P", Todo("record", (1,))), Deferred("Q", Todo("record", (1,)))]
    assert summary(made)["snapshots"][0]["controls"] == 0


def test_a_white_process_records_before_it_processes_a_red_message() -> None:
    made = run(RED_FIRST)
    assert said(made, 4, Recorded) == [Recorded(1, "Q", (("", 0),), None)]
    assert said(made, 4, Rule) == [Rule(("on-message", "red-first", "note-received", "process"))]
    assert made.world(4).states["Q"] == (("", 2),)


def test_what_one_history_has_and_the_other_has_not_was_in_flight() -> None:
    made = run(RED_FIRST)
    (derived,) = said(made, 4, Derived)
    assert isinstance(derived, Derived)
    assert (derived.channel, [m.payload for m in derived.messages]) == ("P->Q", [(("", 3),)])
    assert summary(made)["snapshots"][0]["channels"] == {"P->Q": [3]}


def test_without_any_traffic_everybody_records_at_its_turn() -> None:
    made = run(BANK + "    script: [{start: P}, {wake: Q}]")
    assert said(made, 2, Recorded) == [Recorded(1, "Q", (("", 0),), None)]
    assert made.history.recordings[1].completed == 2


def test_a_turn_that_comes_after_a_red_message_changes_nothing() -> None:
    made = run(RED_FIRST)
    assert [note.key for one in made.steps[5:] for note in one.notes] == []
    assert made.history.recordings[1].records == {"P": 1, "Q": 1}


def test_a_second_start_belongs_to_the_same_snapshot_while_it_is_under_way() -> None:
    made = run(BANK + "    script: [{start: P}, {start: Q}]")
    (seen,) = made.history.recordings.values()
    assert (seen.initiators, seen.completed) == (["P", "Q"], 2)


def test_a_later_snapshot_ships_only_what_is_new() -> None:
    text = (
        BANK
        + """
    script:
      - {send: {on: P->Q, message: 1}}
      - {send: {on: P->Q, message: 1}}
      - {start: P}
      - {wake: Q}
      - {send: {on: P->Q, message: 1}}
      - {deliver: P->Q}
      - {wake: P}
      - {start: Q}
      - {wake: P}
    """
    )
    made = run(text)
    first, second = (parts(made.system, made.end, number) for number in (1, 2))
    assert {name: part.shipped for name, part in first.items()} == {"P": 2, "Q": 0}
    assert {name: part.shipped for name, part in second.items()} == {"P": 1, "Q": 1}
    assert len(dict(second["P"].sent)["P->Q"]) == 3
    told = summary(made)["snapshots"]
    assert [one["channels"]["P->Q"] for one in told] == [[1, 1], [1, 1]]
    assert [one["processes"] for one in told] == [{"P": 8, "Q": 0}, {"P": 7, "Q": 1}]


def test_an_old_history_does_not_change_when_more_is_sent() -> None:
    made = run(RED_FIRST)
    before = parts(made.system, made.world(2), 1)["P"]
    assert parts(made.system, made.end, 1)["P"] == before


def test_who_does_not_look_at_the_colour_counts_a_message_twice() -> None:
    seen = record(scenario(RED_FIRST), RunKey(algorithm="colour-blind"))
    assert [note.process for note in notes(seen, "recorded") if isinstance(note, Recorded)] == ["P", "Q"]
    blind = run(RED_FIRST.replace("lai-yang", "colour-blind"))
    assert said(blind, 4, Recorded) == []
    assert blind.verdicts[1].witnesses["consistent"]["fault"] == "orphan"
    assert blind.verdicts[1].checks["channels"] is None


# --- 800 and 200 -------------------------------------------------------------------------------------------------

SEND_ON = {"m1": ("S1->S2", 20), "m2": ("S1->S2", 30), "m3": ("S1->S2", 10), "m4": ("S2->S1", 30), "m5": ("S2->S1", 20)}
TIMES = (
    ("send", "m1"),  # 1
    ("send", "m2"),  # 2
    ("receive", "m1"),
    ("send", "m3"),  # 3
    ("send", "m4"),  # 4
    ("receive", "m3"),  # 5
    ("receive", "m2"),  # 6
    ("receive", "m4"),
    ("send", "m5"),  # 7
    ("receive", "m5"),  # 8
)
PLACES = len(TIMES) + 1


def accounts(marks: dict[int, list[dict[str, Any]]], algorithm: str = "lai-yang") -> Run:
    """Return the five payments, with lines of the script put in before some of the events."""
    script: list[dict[str, Any]] = []
    waiting: dict[str, list[str]] = {"S1->S2": [], "S2->S1": []}
    for place in range(PLACES):
        script += marks.get(place, [])
        if place == len(TIMES):
            break
        what, name = TIMES[place]
        channel, amount = SEND_ON[name]
        if what == "send":
            waiting[channel].append(name)
            script.append({"send": {"on": channel, "message": amount}})
        else:
            script.append({"deliver": channel, "position": waiting[channel].index(name)})
            waiting[channel].remove(name)
    return record(
        made(
            {
                "topology": {"processes": ["S1", "S2"], "channels": ["S1->S2", "S2->S1"]},
                "program": {"kind": "bank", "accounts": {"S1": 800, "S2": 200}},
                "algorithm": algorithm,
                "discipline": "any",
                "collect": False,
                "script": script,
            }
        )
    )


def total(run: Run) -> int:
    """Return the recorded money."""
    recorded = parts(run.system, run.end, 1)
    states = sum(int(amount) for part in recorded.values() for _, amount in part.state)
    held = channels(run.system, recorded)
    return states + sum(int(amount) for messages in held.values() for m in messages for _, amount in m.payload)


def test_the_cut_behind_the_first_payment_has_780_and_200_and_20_in_flight() -> None:
    (told,) = summary(accounts({1: [{"start": "S1"}, {"wake": "S2"}]}))["snapshots"]
    assert told["processes"] == {"S1": 780, "S2": 200}
    assert told["channels"] == {"S1->S2": [20], "S2->S1": []}


@pytest.mark.parametrize("starter", ["S1", "S2"])
@pytest.mark.parametrize("place", range(PLACES))
def test_wherever_the_cut_lies_the_total_is_1000(place: int, starter: str) -> None:
    other = "S2" if starter == "S1" else "S1"
    for later in range(place, PLACES):
        marks: dict[int, list[dict[str, Any]]] = {place: [{"start": starter}]}
        marks.setdefault(later, []).append({"wake": other})
        run = accounts(marks)
        assert (total(run), run.verdicts[1].broken) == (1000, ())
        assert dict(run.end.states) == {"S1": (("", 790),), "S2": (("", 210),)}


def test_blind_to_colours_some_of_these_cuts_are_wrong() -> None:
    places = [(a, b) for a in range(PLACES) for b in range(a, PLACES)]
    wrong = 0
    for a, b in places:
        marks: dict[int, list[dict[str, Any]]] = {a: [{"start": "S1"}]}
        marks.setdefault(b, []).append({"wake": "S2"})
        wrong += total(accounts(marks, "colour-blind")) != 1000
    assert 0 < wrong < len(places)


def test_a_newcomer_after_the_cut_is_not_waited_for_and_completes_nothing() -> None:
    text = """
        topology: {processes: [P, Q, N], channels: [P->Q, Q->P, P->N, N->P]}
        newcomers: {N: P}
        program: {kind: bank, accounts: {P: 10}}
        algorithm: lai-yang
        collect: false
        script: [{start: P}, {join: N}, {send: {on: P->N, message: 4}}, {deliver: P->N}, {wake: Q}]
    """
    made = run(text)
    assert made.world(4).snapshots[1].waiting == 1
    assert made.history.recordings[1].completed == 5
    assert made.verdicts[1].broken == () and summary(made)["snapshots"][0]["processes"]["P"] == 10
