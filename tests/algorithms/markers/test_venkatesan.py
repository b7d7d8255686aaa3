"""The rules of Venkatesan's incremental snapshots, as notes of a run."""

from typing import Any

import pytest

from app.core.model.notes import Closed, Done, Note, Opened, Received, Recorded, Sent
from app.core.model.values import BluecutError
from app.run.run import Run, summary
from tests.tiny import notes, run

TREE = ", ".join(f"{{deliver: P1->P{i}}}" for i in (2, 3, 4))
REST = ", ".join(f"{{deliver: P{i}->P{j}}}" for i in (2, 3, 4) for j in (1, 2, 3, 4) if i != j)
FOUR = """
    topology: {complete: 4}
    program: {kind: bank, everyone: 10}
    algorithm: venkatesan
"""


def four(script: str) -> Run:
    """Four processes after a first snapshot of P1, whose tree is a star; then the script."""
    return run(FOUR + f"    script: [{{start: P1}}, {TREE}, {REST}{', ' if script else ''}{script}]")


def words(run: Run, number: int) -> list[tuple[str, Any]]:
    """Return what was said on the channels for a snapshot, except markers."""
    sent = [n for n in notes(run, "sent") if isinstance(n, Sent) and n.message.kind == "control"]
    return [(n.channel, n.message.payload) for n in sent if n.message.snapshot == number]


def said(run: Run, number: int, *kinds: type[Note]) -> list[Note]:
    return [n for s in run.steps for n in s.notes if isinstance(n, kinds) and getattr(n, "snapshot", None) == number]


def test_the_first_snapshot_is_chandy_lamport_s_and_says_who_is_whose_child() -> None:
    made = four("")
    sent = [n for n in notes(made, "sent") if isinstance(n, Sent) and n.message.kind == "marker"]
    assert len(sent) == 12
    assert [n.channel for n in sent if n.message.payload == "child"] == ["P2->P1", "P3->P1", "P4->P1"]
    assert summary(made)["snapshots"][0]["complete"]


def test_where_nothing_was_used_the_tree_alone_takes_six() -> None:
    made = four("{start: P1}")
    down = [(f"P1->P{i}", "init-snap") for i in (2, 3, 4)]
    assert words(made, 2) == [*down, *((f"P{i}->P1", "snap-completed") for i in (2, 3, 4))]
    assert summary(made)["snapshots"][1]["controls"] == 6


def test_one_used_channel_beside_the_tree_makes_eight() -> None:
    made = four("{send: {on: P2->P3, message: 4}}, {start: P1}")
    assert [w for w in words(made, 2) if w[1] in ("regular", "regular-ack")] == [
        ("P2->P3", "regular"),
        ("P3->P2", "regular-ack"),
    ]
    second = summary(made)["snapshots"][1]
    assert (second["controls"], second["markers"], second["complete"]) == (8, 0, True)


def test_a_used_channel_of_the_tree_costs_nothing_more() -> None:
    made = four("{send: {on: P1->P2, message: 4}}, {send: {on: P2->P1, message: 1}}, {start: P1}")
    second = summary(made)["snapshots"][1]
    assert second["controls"] == 6 and second["complete"] and False not in second["checks"].values()


def test_what_is_in_a_used_channel_is_recorded_until_the_marker_comes() -> None:
    made = four(
        "{send: {on: P2->P3, message: 4}}, {start: P1}, {deliver: P1->P3}, {deliver: P2->P3}, {deliver: P1->P2}, "
        "{deliver: P2->P3}"
    )
    second = summary(made)["snapshots"][1]
    assert second["channels"]["P2->P3"] == [4] and second["processes"] == {"P1": 10, "P2": 6, "P3": 10, "P4": 10}
    assert Opened(2, "P2->P3") in said(made, 2, Opened) and Closed(2, "P2->P3") in said(made, 2, Closed)


def test_a_marker_goes_ahead_of_the_first_message_on_a_channel_that_has_none() -> None:
    made = four(
        "{start: P1}, {deliver: P1->P2}, {send: {on: P2->P3, message: 4}}, {deliver: P2->P3}, {deliver: P2->P3}"
    )
    assert words(made, 2).count(("P2->P3", "ahead")) == 1
    at = next(s.number for s in made.steps if Recorded(2, "P3", made.begin.states["P3"], "P2->P3") in s.notes)
    assert [n.process for n in made.steps[at].notes if isinstance(n, Received)] == ["P3"]  # then the message itself
    second = summary(made)["snapshots"][1]
    assert second["processes"]["P3"] == 10 and second["channels"]["P2->P3"] == []
    assert second["controls"] == 7 and False not in second["checks"].values()


def test_a_second_message_needs_no_marker_any_more() -> None:
    made = four("{start: P1}, {deliver: P1->P2}, {send: {on: P2->P3, message: 1}}, {send: {on: P2->P3, message: 1}}")
    assert words(made, 2).count(("P2->P3", "ahead")) == 1


def test_nothing_goes_ahead_of_messages_after_the_first_snapshot() -> None:
    made = four("{send: {on: P2->P3, message: 1}}, {send: {on: P2->P1, message: 1}}")
    assert words(made, 1) == []


def test_a_marker_goes_ahead_to_a_parent_that_may_not_have_recorded() -> None:
    made = run(
        """
        topology: {complete: 3}
        program: {kind: bank, everyone: 10}
        algorithm: venkatesan
        script: [{start: P1}, {deliver: P1->P2}, {deliver: P2->P3}, {deliver: P1->P3}, {deliver: P2->P1},
          {deliver: P3->P1}, {deliver: P3->P2}, {send: {on: P1->P3, message: 5}}, {start: P1}, {deliver: P1->P3},
          {deliver: P1->P3}, {send: {on: P3->P2, message: 1}}, {deliver: P3->P2}, {deliver: P3->P2}]
        """
    )
    assert words(made, 2)[:3] == [("P1->P2", "init-snap"), ("P1->P3", "regular"), ("P3->P1", "regular-ack")]
    assert ("P3->P2", "ahead") in words(made, 2)
    second = summary(made)["snapshots"][1]
    assert second["processes"] == {"P1": 5, "P2": 10, "P3": 15} and False not in second["checks"].values()


def test_a_process_is_done_when_its_children_are_and_the_initiator_last() -> None:
    made = run(
        """
        topology: {processes: [P1, P2, P3], channels: [P1->P2, P2->P1, P2->P3, P3->P2]}
        program: {kind: bank, everyone: 10}
        algorithm: venkatesan
        script: [{start: P1}, {deliver: P1->P2}, {deliver: P2->P1}, {deliver: P2->P3}, {deliver: P3->P2}, {start: P1}]
        """
    )
    assert said(made, 2, Done) == [Done(2, "P3"), Done(2, "P2"), Done(2, "P1")]


def test_only_the_first_initiator_starts_and_only_after_the_end() -> None:
    with pytest.raises(BluecutError, match="P2 cannot start a snapshot now: only the first initiator"):
        four("{start: P2}")
    with pytest.raises(BluecutError, match="P1 cannot start a snapshot now: the previous snapshot is not complete"):
        four("{start: P1}, {start: P1}")


def test_every_snapshot_asks_again_only_for_what_was_used_since() -> None:
    finish = ", ".join(
        [*(f"{{deliver: P1->P{i}}}" for i in (2, 3, 4)), "{deliver: P2->P3}", "{deliver: P2->P3}", "{deliver: P3->P2}"]
        + [f"{{deliver: P{i}->P1}}" for i in (3, 4, 2)]
    )
    made = four(f"{{send: {{on: P2->P3, message: 4}}}}, {{start: P1}}, {finish}, {{start: P1}}")
    assert [told["controls"] for told in summary(made)["snapshots"]] == [0, 8, 6]
