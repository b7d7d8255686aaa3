"""The rules of Acharya–Badrinath, of its broken variant, and of Alagar–Venkatesan, as notes of a run."""

from typing import Any

import pytest

from app.algorithms.causal import acharya_badrinath
from app.algorithms.shared.channel_history import Histories, messages
from app.core.model.notes import Assembled, Closed, Deferred, Derived, Done, Logged, Opened, Recorded, Sent, Told
from app.core.model.values import Message, Todo
from app.run.run import Run, record, summary
from app.scenario.run_key import RunKey
from tests.tiny import made, notes, run, said, scenario

THREE = """
    topology: {processes: [A, B, C], channels: [A->B, A->C, B->A, B->C, C->A, C->B]}
    program: {kind: bank, accounts: {A: 10, B: 10, C: 5}}
    discipline: causal
"""
OUTRUN = "[{start: A}, {deliver: A->B}, {send: {on: B->C, message: 2}}, {deliver: B->C}, {deliver: A->C}]"
HELD = "[{start: A}, {deliver: A->B}, {send: {on: B->C, message: 2}}, {deliver: A->C}, {deliver: B->C}]"


def under(algorithm: str, script: str, discipline: str = "causal") -> Run:
    return record(scenario(f"{THREE}    algorithm: {algorithm}\n    script: {script}"), RunKey(discipline=discipline))


def totals(run: Run) -> Any:
    (told,) = summary(run)["snapshots"]
    return told["processes"], sum(told["processes"].values()) + sum(sum(m) for m in told["channels"].values())


def test_who_starts_records_and_puts_a_token_on_every_output_in_one_event() -> None:
    made = under("acharya-badrinath", "[{start: A}]")
    sent = [note for note in said(made, 1, Sent) if isinstance(note, Sent)]
    assert [(n.channel, n.message.kind, n.message.payload) for n in sent] == [
        ("A->B", "control", "token"),
        ("A->C", "control", "token"),
    ]
    assert said(made, 1, Recorded, Opened, Done) == [
        Recorded(1, "A", made.begin.states["A"], None),
        Done(1, "A"),
    ]


def test_the_token_records_and_the_reply_tells_what_was_sent_and_received() -> None:
    script = (
        "[{send: {on: B->A, message: 1}}, {send: {on: B->A, message: 1}}, {deliver: B->A}, {start: A}, {deliver: A->B}]"
    )
    made = under("acharya-badrinath", script)
    assert said(made, 5, Recorded, Opened, Done) == [Recorded(1, "B", (("", 8),), "A->B"), Done(1, "B")]
    replies = [note for note in notes(made, "told") if isinstance(note, Told)]
    assert {(n.source, n.word) for n in replies} == {("B", ("reply", (2, 0), (0, 0))), ("C", ("reply", (0, 0), (0, 0)))}
    (derived,) = [n for n in notes(made, "derived") if isinstance(n, Derived) and n.messages]
    assert (derived.channel, len(derived.messages)) == ("B->A", 1)


def test_the_initiator_has_everything_after_the_last_reply() -> None:
    made = under("acharya-badrinath", "[{start: A}]")
    (whole,) = notes(made, "assembled")
    assert whole == Assembled(1, "A") and whole in made.steps[-1].notes
    assert len(notes(made, "told")) == 2


def test_one_broadcast_makes_25_and_two_letters_or_no_causal_order_27() -> None:
    states = {"A": 10, "B": 10}
    assert totals(under("acharya-badrinath", HELD)) == (states | {"C": 5}, 25)
    assert totals(under("acharya-badrinath", OUTRUN, "fifo")) == (states | {"C": 7}, 27)
    letters = "[{start: A}, {wake: A}, {deliver: A->B}, {send: {on: B->C, message: 2}}, {deliver: B->C}]"
    assert totals(under("unicast-token", letters)) == (states | {"C": 7}, 27)


def test_letters_leave_one_by_one() -> None:
    made = under("unicast-token", "[{start: A}]")
    assert said(made, 1, Deferred) == [Deferred("A", Todo("letter", (1, 1)))]
    steps = {
        n.channel: s.number for s in made.steps for n in s.notes if isinstance(n, Sent) and n.message.kind == "control"
    }
    assert list(steps) == ["A->B", "A->C"] and steps["A->B"] < steps["A->C"]
    assert notes(made, "completed")


def test_three_sent_and_one_received_leave_the_second_and_the_third() -> None:
    sends = ", ".join(f"{{send: {{on: A->B, message: {amount}}}}}" for amount in (1, 2, 4))
    made = under("acharya-badrinath", f"[{sends}, {{deliver: A->B}}, {{start: B}}, {{deliver: B->A}}]")
    (told,) = summary(made)["snapshots"]
    assert told["channels"]["A->B"] == [2, 4] and told["processes"] == {"A": 3, "B": 11, "C": 5}


def test_a_second_snapshot_counts_from_where_the_run_began() -> None:
    script = (
        "[{send: {on: A->B, message: 1}}, {start: B}, {deliver: B->A}, {deliver: B->C}, {deliver: A->B}, "
        "{send: {on: A->B, message: 2}}, {start: C}, {deliver: C->A}, {deliver: C->B}]"
    )
    first, second = summary(under("acharya-badrinath", script))["snapshots"]
    assert (first["channels"]["A->B"], second["channels"]["A->B"]) == ([1], [2])
    assert first["controls"] == second["controls"] == 4


# --- Alagar–Venkatesan -------------------------------------------------------------------------------------------


def test_who_has_the_token_records_listens_and_answers() -> None:
    made = under("alagar-venkatesan", "[{start: A}, {deliver: A->B}]")
    assert said(made, 2, Opened, Closed, Done) == [Opened(1, "A->B"), Opened(1, "C->B")]
    sent = [note for note in said(made, 2, Sent) if isinstance(note, Sent)]
    assert [(n.channel, n.message.payload) for n in sent] == [("B->A", "done")]


def test_a_message_takes_along_the_snapshots_that_its_sender_has_recorded() -> None:
    script = "[{send: {on: B->C, message: 3}}, {start: A}, {deliver: A->B}, {send: {on: B->C, message: 2}}]"
    made = under("alagar-venkatesan", script)
    sent = [n.message for n in notes(made, "sent") if isinstance(n, Sent) and n.message.kind == "app"]
    assert [message.tag for message in sent] == [None, (1,)]


def test_an_old_message_is_copied_and_a_new_one_is_not() -> None:
    script = (
        "[{send: {on: B->C, message: 3}}, {start: A}, {deliver: A->B}, {send: {on: B->C, message: 2}}, "
        "{deliver: A->C}, {deliver: B->C}, {deliver: B->C}]"
    )
    made = under("alagar-venkatesan", script)
    assert [n.message.id for n in notes(made, "logged") if isinstance(n, Logged)] == [0]
    assert totals(made) == ({"A": 10, "B": 7, "C": 5}, 25)


def test_the_end_is_broadcast_after_the_last_answer_and_closes_every_input() -> None:
    made = under("alagar-venkatesan", "[{start: A}]")
    words = [n.message.payload for n in notes(made, "sent") if isinstance(n, Sent) and n.message.kind == "control"]
    assert words == ["token", "token", "done", "done", "end", "end"]
    assert len(notes(made, "closed")) == 6
    assert notes(made, "done", "completed")[-1].key == "completed"


def test_a_message_can_be_old_for_one_snapshot_and_new_for_another() -> None:
    script = (
        "[{start: B}, {deliver: B->A}, {send: {on: B->C, message: 3}}, {start: A}, {deliver: B->C}, {deliver: A->C}, "
        "{deliver: B->C}]"
    )
    first, second = summary(under("alagar-venkatesan", script))["snapshots"]
    assert first["channels"]["B->C"] == [] and second["channels"]["B->C"] == [3]
    assert False not in first["checks"].values() and False not in second["checks"].values()


def test_a_process_alone_is_done_at_once() -> None:
    for algorithm in ("acharya-badrinath", "unicast-token", "alagar-venkatesan"):
        alone = "topology: {complete: 1}\nprogram: {kind: token, holders: {P1: 1}}\nscript: [{start: P1}]"
        made = run(f"{alone}\nalgorithm: {algorithm}")
        assert [n.key for n in notes(made, "recorded", "completed", "assembled")] == [
            "recorded",
            "completed",
            "assembled",
        ]


def test_the_histories_behind_the_numbers_are_gathered_once_a_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    gathered: list[str] = []

    def counted(histories: Histories, channel: str) -> tuple[Message, ...]:
        gathered.append(channel)
        return messages(histories, channel)

    monkeypatch.setattr(acharya_badrinath, "messages", counted)
    values: dict[str, Any] = {
        "topology": {"complete": 5},
        "program": {"kind": "bank", "everyone": 9},
        "algorithm": "acharya-badrinath",
        "discipline": "causal",
        "schedule": {"kind": "seeded", "seed": 3, "moves": 20},
        "initiators": [{"process": "P1", "at": 4}, {"process": "P3", "at": 9}],
    }
    run = record(made(values))
    assert all(seen.completed for seen in run.history.recordings.values())
    assert len(gathered) == 2 * 2 * len(run.system.topology.channels)  # by both ends, for each of two snapshots
