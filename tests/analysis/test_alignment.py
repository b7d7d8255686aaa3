"""Runs under several algorithms are aligned at the same application event."""

from itertools import pairwise

import pytest

from app.analysis.alignment import aligned, beats, difference
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.tiny import CROSSING, TOKEN, run


def under(name: str, *algorithms: str) -> list[Run]:
    scenario = LIBRARY.scenario(name)
    return [record(scenario, RunKey(algorithm=a if a != scenario.form.algorithm else None)) for a in algorithms]


def test_a_beat_is_the_moment_after_an_application_event_and_then_each_step_is_one() -> None:
    made = run(CROSSING)
    together = beats([made])
    events = [event.step for event in made.history.events]
    assert together.events == 2 and together.reference == 0
    assert together.steps[0][:3] == (0, *events)
    assert together.steps[0][3:] == tuple(range(events[-1] + 1, len(made.steps) + 1))
    assert together.last == len(together.steps[0]) - 1


def test_all_runs_have_as_many_beats_and_end_at_their_own_last_step() -> None:
    runs = under("three-banks", "chandy-lamport", "photographs", "late-marker")
    together = beats(runs)
    assert {len(steps) for steps in together.steps} == {together.last + 1}
    assert [steps[-1] for steps in together.steps] == [len(made.steps) for made in runs]
    assert all(a <= b for steps in together.steps for a, b in pairwise(steps))


@pytest.mark.parametrize("name", ["three-banks", "random-twelve", "token-back", "widget-trade"])
def test_at_each_beat_all_columns_have_done_the_same_events(name: str) -> None:
    runs = under(name, "chandy-lamport", "photographs", "no-channels")
    together = beats(runs)
    for beat in range(together.events + 1):
        states = [made.world(steps[beat]).states for made, steps in zip(runs, together.steps, strict=True)]
        assert states[0] == states[1] == states[2], beat


def test_the_same_events_are_no_difference() -> None:
    own, other = under("three-banks", "chandy-lamport", "photographs")
    assert difference(other, own).same and difference(own, own).same


def test_an_event_that_only_one_run_has_is_missing_in_the_other() -> None:
    some, none = run(CROSSING), run(TOKEN + "\n    script:\n      - start: q\n")
    apart = difference(none, some)
    assert [(event.kind, event.channel) for event in apart.missing] == [("send", "p->q"), ("receive", "p->q")]
    assert not apart.same and apart.extra == () and not apart.order
    assert [event.kind for event in difference(some, none).extra] == ["send", "receive"]
    together = beats([none, some])
    assert together.reference == 1
    assert together.steps[0][:3] == (0, 0, 0)


def test_lists_that_part_meet_again_at_the_next_item_that_both_have() -> None:
    assert list(aligned("abcd", "abcd")) == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert list(aligned("abcd", "acd")) == [(0, 0), (1, None), (2, 1), (3, 2)]
    assert list(aligned("acd", "abcd")) == [(0, 0), (None, 1), (1, 2), (2, 3)]
    assert list(aligned("abc", "axc")) == [(0, 0), (1, None), (None, 1), (2, 2)]
    assert list(aligned("ab", "")) == [(0, None), (1, None)]


def test_the_same_events_in_another_order_are_told_as_that() -> None:
    one, two = (
        run(
            f"""
            topology: {{processes: [p, q, r], channels: [p->r, q->r, r->p]}}
            program: {{kind: token, holders: {{p: 1, q: 1}}}}
            script:
              - send: {{on: {first}->r}}
              - send: {{on: {second}->r}}
            """
        )
        for first, second in ("pq", "qp")
    )
    apart = difference(two, one)
    assert apart.order and apart.missing == apart.extra == ()
