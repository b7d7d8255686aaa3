"""Stable properties: which process waits for which, when a property is true, and what follows from a snapshot."""

from app.analysis.stable_properties import Span, conclusions, properties, spans
from app.core.model.values import APP, Message
from app.core.oracle.deadlock import Wait, waits
from app.run.run import Run, record, snapshot
from app.run.stable_property import DEADLOCK, LOST, TERMINATION, holds
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.each import each
from tests.tiny import run


def of(name: str) -> Run:
    """Return the author's run of a scenario."""
    return record(LIBRARY.scenario(name))


def test_a_message_that_lets_a_process_go_on_is_the_end_of_its_waiting() -> None:
    system = of("phantom-deadlock").system
    states = {"P": "waits for r", "Q": "waits for s"}
    polled = waits(system, states, {})
    assert polled is not None and polled.stuck == ("P", "Q")
    assert polled.waits == (Wait("P", "Q", "Q->P", ("grant r",)), Wait("Q", "P", "P->Q", ("grant s",)))
    granted = waits(system, states, {"Q->P": (Message(1, APP, "grant r"), Message(2, APP, "request s"))})
    assert granted is not None and granted.stuck == ()
    assert granted.waits[0].coming == "grant r"


def test_a_message_behind_another_one_helps_nobody_in_an_ordered_channel() -> None:
    system = of("phantom-deadlock").system
    states = {"P": "waits for r", "Q": "waits for s"}
    behind = waits(system, states, {"Q->P": (Message(1, APP, "request s"), Message(2, APP, "grant r"))})
    assert behind is not None and behind.stuck == ("P", "Q")


CIRCLE = """
    topology: {processes: [p, q, r], channels: [p->q, q->p, r->p]}
    program:
      kind: machine
      first: {p: hungry, q: hungry, r: RICH}
      edges:
        p:
          - {from: hungry, to: fed, receive: fork, on: q->p}
          - {from: hungry, to: fed, receive: fork, on: r->p}
          - {from: fed, to: hungry, send: fork, on: p->q}
        q: [{from: hungry, to: fed, receive: fork, on: p->q}]
        r: [{from: rich, to: poor, send: fork, on: r->p}, {from: rich, to: mean}]
    script: [{change: {process: r, state: mean}}]
"""


def test_who_can_still_be_helped_by_a_third_is_not_stuck() -> None:
    made = run(CIRCLE.replace("RICH", "rich"))
    found = waits(made.system, made.begin.states, {})
    assert found is not None and found.stuck == ()
    assert [(wait.process, wait.source) for wait in found.waits] == [("p", "q"), ("p", "r"), ("q", "p")]


def test_a_third_that_waits_in_its_turn_is_no_help() -> None:
    waiting = "{from: mean, to: rich, receive: fork, on: p->r}, {from: rich, to: mean}]"
    text = CIRCLE.replace("r->p]}", "r->p, p->r]}").replace("RICH", "rich")
    made = run(text.replace("{from: rich, to: mean}]", waiting))
    assert spans(made, DEADLOCK) == (Span(0, 0, False), Span(1, 1, True))
    found = waits(made.system, made.end.states, {})
    assert found is not None and found.stuck == ("p", "q", "r")


def test_whoever_waits_for_a_process_that_has_nothing_to_send_is_stuck() -> None:
    made = run(CIRCLE.replace("- {from: fed, to: hungry, send: fork, on: p->q}", "").replace("RICH", "rich"))
    found = waits(made.system, made.begin.states, {})
    assert found is not None and found.stuck == ("q",)


def test_a_request_in_flight_does_not_hide_a_deadlock() -> None:
    made = record(LIBRARY.scenario("real-deadlock"), RunKey(choices=((3, 2),)))
    assert spans(made, DEADLOCK) == (Span(0, 2, False), Span(3, len(made.steps), True))
    second = conclusions(made, DEADLOCK)[1]
    assert (second.before, second.recorded, second.after, second.kept) == (True, True, True, True)
    assert snapshot(made, 2)["channels"]["Q->P"] == ["request r"]


def test_run_and_page_agree_on_a_deadlock_of_two_beside_a_third_that_goes_on() -> None:
    made = run("""
        topology: {processes: [P, Q, R], channels: [P->Q, Q->P, R->P, P->R]}
        program:
          kind: machine
          first: {P: waits for Q, Q: waits for P, R: busy}
          edges:
            P: [{from: waits for Q, to: done, receive: grant, on: Q->P}]
            Q: [{from: waits for P, to: done, receive: grant, on: P->Q}]
            R: [{from: busy, to: idle}, {from: idle, to: busy}]
        script: [{start: P}, {deliver: P->Q}, {deliver: P->R}, {deliver: Q->P}, {deliver: R->P}]
    """)
    assert spans(made, DEADLOCK) == (Span(0, len(made.steps), True),)
    assert snapshot(made, 1)["stable"] == {"before": True, "recorded": True, "after": True}


def test_what_the_programs_know_of_decides_which_properties_there_are() -> None:
    assert properties(of("phantom-termination")) == (TERMINATION,)
    assert properties(of("phantom-deadlock")) == (DEADLOCK,)
    assert properties(of("token-back")) == (LOST,)
    assert properties(of("blue-figure")) == ()


def test_termination_is_true_from_the_step_in_which_the_last_work_is_done() -> None:
    made = of("phantom-termination")
    assert spans(made, TERMINATION) == (Span(0, 5, False), Span(6, 11, True))


def test_both_implications_are_checked_and_the_polling_is_wrong() -> None:
    first, second = conclusions(of("phantom-termination"), TERMINATION)
    assert (first.before, first.recorded, first.after, first.polled) == (False, False, False, True)
    assert (second.before, second.recorded, second.after, second.polled) == (True, True, True, True)
    assert first.sound and first.kept and second.sound and second.kept
    assert (first.began, first.ended) == (1, 5)


def test_the_phantom_deadlock_is_one_for_whoever_polls() -> None:
    made = of("phantom-deadlock")
    assert spans(made, DEADLOCK) == (Span(0, len(made.steps), False),)
    (only,) = conclusions(made, DEADLOCK)
    assert (only.recorded, only.polled, only.after, only.kept) == (False, True, False, True)


def test_photographs_conclude_what_is_not_so_and_are_not_sound() -> None:
    (only,) = conclusions(of("phantom-photographs"), TERMINATION)
    assert (only.recorded, only.after, only.sound, only.kept) == (True, False, False, False)
    (only,) = conclusions(of("photographs-none"), LOST)
    assert (only.recorded, only.after, only.sound, only.kept) == (True, False, False, False)


def test_a_token_that_the_network_loses_is_lost_for_ever() -> None:
    made = run("""
        topology: {processes: [p, q], channels: [p->q, q->p]}
        program: {kind: token, holders: {p: 1}}
        script: [{send: {on: p->q}}, {drop: p->q}, {start: p}, {deliver: p->q}, {deliver: q->p}]
    """)
    assert spans(made, LOST) == (Span(0, 1, False), Span(2, 6, True))
    (only,) = conclusions(made, LOST)
    assert (only.before, only.recorded, only.after, only.kept) == (True, True, True, True)


@each("name", LIBRARY.names)
def test_a_sound_snapshot_concludes_nothing_wrong(name: str) -> None:
    made = record(LIBRARY.scenario(name))
    for asked in properties(made):
        assert all(one.kept for one in conclusions(made, asked) if one.sound)
        if not made.history.lives:
            assert [span.true for span in spans(made, asked)] in ([False], [True], [False, True])


def test_the_property_of_the_program_is_asked_of_any_global_state() -> None:
    system = of("token-back").system
    lost = holds(system, LOST)
    assert lost({"p": 0, "q": 0}, {}) and not lost({"p": 0, "q": 0}, {"p->q": (Message(1, APP, "T"),)})
