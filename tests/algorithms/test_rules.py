"""The rules of each algorithm, as notes of a run, one by one."""

from app.core.model.notes import Closed, Done, Logged, Opened, Recorded, Rule, Sent
from app.run.run import Run, record, summary
from app.scenario.run_key import RunKey
from tests.tiny import TOKEN, notes, run, said, scenario

RING = """
    topology: {ring: 3}
    program: {kind: token, holders: {P1: 1}}
    script: [{start: P1}]
"""


def test_who_starts_records_sends_markers_and_opens_every_input() -> None:
    made = run(RING)
    assert said(made, 1, Recorded, Opened, Closed, Done) == [Recorded(1, "P1", 1, None), Opened(1, "P3->P1")]
    assert said(made, 1, Rule) == [Rule(("on-start", "start-record", "start-send", "start-open"))]


def test_the_first_marker_records_and_closes_its_channel_as_empty() -> None:
    made = run(RING)
    assert said(made, 2, Recorded, Opened, Closed, Done) == [
        Recorded(1, "P2", 0, "P1->P2"),
        Closed(1, "P1->P2"),
        Done(1, "P2"),
    ]


def test_a_message_on_an_open_channel_is_copied_and_processed_all_the_same() -> None:
    made = run(TOKEN + "    script: [{send: {on: p->q}}, {start: q}, {deliver: p->q}]")
    (logged,) = notes(made, "logged")
    assert isinstance(logged, Logged) and (logged.snapshot, logged.channel) == (1, "p->q")
    assert made.world(3).states["q"] == 1


def test_a_later_marker_closes_its_channel_and_the_last_one_finishes() -> None:
    made = run(RING)
    assert said(made, 4, Closed, Done, Rule)[:2] == [Closed(1, "P3->P1"), Rule(("on-marker", "else", "close"))]
    assert said(made, 4, Done) == [Done(1, "P1")]


def test_two_snapshots_at_once_never_touch_each_other() -> None:
    text = TOKEN + "    script: [{start: p}, {start: q}, {send: {on: p->q}}]"
    first, second = summary(run(text))["snapshots"]
    assert (first["processes"], first["channels"]["p->q"]) == ({"p": 1, "q": 0}, [])
    assert (second["processes"], second["channels"]["p->q"]) == ({"p": 0, "q": 0}, ["T"])
    assert first["markers"] == second["markers"] == 2


def test_a_message_can_be_in_a_channel_for_one_snapshot_and_in_a_state_for_another() -> None:
    text = (
        TOKEN
        + """
    script:
      - {start: q}
      - {send: {on: p->q}}
      - {deliver: p->q}
      - {start: q}
    """
    )
    first, second = summary(run(text))["snapshots"]
    assert (first["processes"], first["channels"]["p->q"]) == ({"p": 0, "q": 0}, ["T"])
    assert (second["processes"], second["channels"]["p->q"]) == ({"p": 0, "q": 1}, [])


def test_a_process_alone_is_done_at_once() -> None:
    made = run("topology: {processes: [p]}\nprogram: {kind: token, holders: {p: 1}}\nscript: [{start: p}]")
    assert [note.key for note in made.steps[0].notes] == [
        "started",
        "recorded",
        "rule",
        "done",
        "completed",
        "assembled",
    ]


# --- the broken ones ---------------------------------------------------------------------------------------------


def under(algorithm: str, script: str) -> Run:
    return run(TOKEN + f"    algorithm: {algorithm}\n    script: {script}")


def test_late_markers_let_a_message_out_first() -> None:
    made = under("late-marker", "[{start: p}, {send: {on: p->q}}, {wake: p}, {deliver: p->q}]")
    assert [note.key for note in made.steps[0].notes] == ["started", "recorded", "deferred", "opened", "rule"]
    assert made.verdicts[1].witnesses["consistent"]["message"]["id"] == 0


def test_late_markers_do_no_harm_where_nothing_is_sent_meanwhile() -> None:
    assert under("late-marker", "[{start: p}, {wake: p}]").verdicts[1].broken == ()


def test_without_channels_what_is_in_flight_is_lost() -> None:
    made = under("no-channels", "[{send: {on: p->q}}, {start: q}, {deliver: p->q}]")
    assert made.verdicts[1].broken == ("channels", "conserved", "reachable")
    assert made.verdicts[1].checks["consistent"] is True


def test_photographs_see_no_token_or_two() -> None:
    neither = under("photographs", "[{start: q}, {send: {on: p->q}}, {start: p}]")
    both = under("photographs", "[{start: p}, {send: {on: p->q}}, {deliver: p->q}, {start: q}]")
    assert [
        neither.verdicts[1].witnesses["conserved"]["recorded"],
        both.verdicts[1].witnesses["conserved"]["recorded"],
    ] == [
        {"token": 0},
        {"token": 2},
    ]


def test_markers_without_ids_are_right_as_long_as_snapshots_do_not_overlap() -> None:
    made = under("unlabelled", "[{start: p}, {deliver: p->q}, {deliver: q->p}, {send: {on: p->q}}, {start: q}]")
    assert [verdict.broken for verdict in made.verdicts.values()] == [(), ()]
    assert all(seen.completed for seen in made.history.recordings.values())


def test_the_marker_of_one_snapshot_closes_the_channel_of_another_where_it_has_no_id() -> None:
    begin = "{send: {on: p->q}}, {deliver: p->q}, {start: p}, {start: p}, {deliver: p->q}, {send: {on: q->p}}"
    script = f"[{begin}, {{deliver: p->q}}, {{deliver: q->p}}, {{deliver: q->p}}, {{deliver: q->p}}]"
    made = under("unlabelled", script)
    markers = [note for note in notes(made, "sent") if isinstance(note, Sent) and note.message.kind == "marker"]
    assert [note.message.snapshot for note in markers] == [None] * 4
    assert [note.snapshot for note in made.steps[7].notes if isinstance(note, Closed)] == [1, 2]
    assert made.verdicts[1].broken == ()
    assert made.verdicts[2].witnesses["channels"]["fault"] == "missing"
    right = under("chandy-lamport", script)
    assert [verdict.broken for verdict in right.verdicts.values()] == [(), ()]


def test_markers_without_ids_do_not_breed() -> None:
    text = """
        topology: {complete: 3}
        program: {kind: token, holders: {P1: 1}}
        initiators: [{process: P1, at: 0}, {process: P1, at: 1}, {process: P2, at: 2}, {process: P3, at: 3}]
        schedule: {kind: seeded, moves: 30}
    """
    for seed in range(20):
        made = record(scenario(text), RunKey(algorithm="unlabelled", seed=seed))
        assert not made.full and set(made.history.recordings) <= {1, 2, 3, 4}
