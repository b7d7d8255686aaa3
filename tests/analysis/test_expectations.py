"""Expectations: every difference is one sentence that names scenario, snapshot, field, expected and got."""

import pytest
from msgspec import structs

from app.analysis.expectations import mismatches, outcome, same, unexplained
from app.forms.yaml_source import SourceError
from app.run.explore import explore
from app.scenario.run_key import RunKey
from tests.tiny import run, scenario

TOKEN = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: token, holders: {p: 1}}
    script:
      - send: {on: p->q}
      - start: p
"""
PHOTOGRAPHS = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: token, holders: {p: 1}}
    algorithm: photographs
    script:
      - start: q
      - send: {on: p->q}
      - start: p
"""


def expecting(what: str, system: str = TOKEN) -> list[str]:
    """Return how a run differs from what it expects."""
    return mismatches(run(system + f"    expect: {what}\n"))


@pytest.mark.parametrize(
    ("snapshot", "said"),
    [
        ("{initiators: [q]}", "initiators: expected [q], got [p]"),
        ("{complete: false}", "complete: expected false, got true"),
        ("{markers: 3}", "markers: expected 3, got 2"),
        ("{processes: {q: 0}}", "processes.q: expected 0, got 1"),
        ("{processes: {q: true}}", "processes.q: expected true, got 1"),
        ("{channels: {q->p: [T]}}", "channels.q->p: expected [T], got []"),
        ("{checks: {consistent: false}}", "checks.consistent: expected false, got true"),
        ("{checks: {conserved: null}}", "checks.conserved: expected null, got true"),
        ("{unreachable: [q]}", "unreachable: expected [q], got []"),
        ("{open: [q->p]}", "open: expected [q->p], got []"),
        ("{total: 2}", "total: expected 2, got 1"),
        (
            "{stable: {before: true, recorded: false, after: false}}",
            "stable: expected {before: true, recorded: false, after: false}, "
            "got {before: false, recorded: false, after: false}",
        ),
    ],
)
def test_a_field_that_differs_is_named_with_both_values(snapshot: str, said: str) -> None:
    assert expecting(f"{{snapshots: [{snapshot}]}}") == [f"tiny: snapshot 1: {said}"]


def test_what_is_not_given_is_not_compared() -> None:
    assert expecting("{snapshots: [{}]}") == []
    assert expecting("{}") == []


def test_steps_and_the_end_are_compared() -> None:
    assert expecting("{steps: 4}") == ["tiny: steps: expected 4, got 6"]
    assert expecting("{final: {processes: {p: 1}, channels: {p->q: [T]}}}") == [
        "tiny: final: processes.p: expected 1, got 0",
        "tiny: final: channels.p->q: expected [T], got []",
    ]


def test_all_snapshots_must_be_listed_and_no_others() -> None:
    assert expecting("{snapshots: []}") == ["tiny: snapshot 1: the run has it, but snapshots does not list it"]
    assert expecting("{snapshots: [{}, {}]}") == ["tiny: snapshots[1]: expected, but the run has none; it has [1]"]
    assert expecting("{snapshots: [{id: 7}]}") == [
        "tiny: snapshot 7: expected, but the run has none; it has [1]",
        "tiny: snapshot 1: the run has it, but snapshots does not list it",
    ]


def test_a_check_that_fails_must_be_named() -> None:
    unnamed = expecting("{snapshots: [{checks: {channels: false, reachable: false}}]}", PHOTOGRAPHS)
    assert unnamed == [
        "tiny: snapshot 1: checks.conserved: got false: {total: {token: 1}, recorded: {token: 0}}",
    ]
    named = "{snapshots: [{checks: {channels: false, reachable: false, conserved: false}}]}"
    assert expecting(named, PHOTOGRAPHS) == []


def test_without_expect_no_check_may_fail() -> None:
    assert mismatches(run(TOKEN)) == []
    assert [sentence.split(":")[2].strip() for sentence in mismatches(run(PHOTOGRAPHS))] == [
        "checks.channels",
        "checks.conserved",
        "checks.reachable",
    ]


def test_a_recorded_state_or_channel_that_is_missing_is_told() -> None:
    never = """
        topology: {processes: [A, B], channels: [A->B]}
        program: {kind: token, holders: {A: 1}}
        script: [{start: B}]
        expect: {snapshots: [{processes: {A: 1}, channels: {A->B: []}, unreachable: [A], open: [A->B]}]}
    """
    assert mismatches(run(never)) == [
        "tiny: snapshot 1: processes.A: expected 1, got nothing recorded",
        "tiny: snapshot 1: channels.A->B: expected [], got not closed",
    ]


def test_another_run_than_the_author_s_expects_nothing_but_that_checks_hold() -> None:
    text = TOKEN + "    expect: {steps: 99}\n"
    assert mismatches(run(text)) == ["tiny: steps: expected 99, got 6"]
    assert mismatches(run(text, RunKey(seed=5))) == ["tiny: steps: expected 99, got 6"]  # a script has no randomness
    assert mismatches(run(text, RunKey(drain=True))) == []
    assert mismatches(run(text, RunKey(algorithm="photographs", choices=((0, 2),)))) != []


def test_a_run_that_disturbs_the_program_is_told() -> None:
    broken = run(TOKEN)
    broken.history.events[-1] = structs.replace(broken.history.events[-1], state=9)
    assert "tiny: undisturbed: expected true, got false" in mismatches(broken)


def test_true_is_not_one_and_order_matters() -> None:
    assert same({"a": [1, 2]}, {"a": (1, 2)})
    assert not same(True, 1) and not same(0, False) and not same([1, 2], [2, 1]) and not same({"a": 1}, {"b": 1})


# --- explorations ----------------------------------------------------------------------------------------------------

SMALL = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: token, holders: {p: 1}}
"""


def exploring(what: str, most: int = 1_000, system: str = SMALL) -> list[str]:
    """Return how an exploration differs from what it expects."""
    chosen = scenario(system + f"    explore: {what}\n")
    return unexplained(chosen, explore(chosen, most=most))


def test_states_are_compared_exactly() -> None:
    assert exploring("{moves: 4, starts: [p], states: 64}") == []
    assert exploring("{moves: 4, starts: [p], states: 63}") == ["tiny: explore: states: expected 63, got 64"]


def test_outcomes_are_compared_as_a_set() -> None:
    both = "{processes: {p: 0, q: 1}}, {processes: {p: 1, q: 0}}"
    assert exploring(f"{{moves: 1, starts: [p], outcomes: [{both}]}}") == []
    assert exploring("{moves: 1, starts: [p], outcomes: [{processes: {p: 1, q: 0}}, {processes: {p: 2, q: 0}}]}") == [
        "tiny: explore: outcomes: not possible: {processes: {p: 2, q: 0}, channels: {p->q: [], q->p: []}}",
        "tiny: explore: outcomes: not listed: {processes: {p: 0, q: 1}, channels: {p->q: [], q->p: []}}",
    ]


def test_channels_of_an_outcome_that_are_not_given_are_empty() -> None:
    chosen = scenario(SMALL + "    explore: {outcomes: [{processes: {p: 0}, channels: {q->p: [T]}}]}\n")
    assert chosen.form.explore is not None and chosen.form.explore.outcomes
    assert outcome(chosen, chosen.form.explore.outcomes[0])["channels"] == {"p->q": [], "q->p": ["T"]}


def test_checks_break_exactly_where_they_are_said_to() -> None:
    assert exploring("{moves: 1, starts: [p], breaks: [conserved]}") == [
        "tiny: explore: breaks: conserved: has no counter-example"
    ]
    broken = SMALL + "    algorithm: no-channels\n"
    assert exploring("{moves: 2, starts: [p], breaks: [channels, reachable]}", system=broken) == [
        "tiny: explore: breaks: conserved: has a counter-example"
    ]


def test_a_bound_that_was_hit_proves_nothing() -> None:
    assert exploring("{moves: 4, starts: [p]}", most=10) == [
        "tiny: explore: stopped at its bound of 10 states; nothing is proved"
    ]


FLOW = """
    topology: {processes: [JM, s, out], channels: [JM->s, s->out]}
    program:
      kind: dataflow
      operators: {JM: {coordinator: true}, s: {source: [1, 2]}, out: {sink: plain}}
    algorithm: aligned
    script:
      - {read: s}
      - {deliver: s->out}
      - {crash: out}
      - {restore: 0}
"""
"""The first item leaves the system twice."""


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("final: {outside: {out: [1, 2]}}", "final: outside.out: expected [1, 2], got [1, 1, 2]"),
        ("ledger: {doubled: 0}", "ledger: doubled: expected 0, got 1"),
        ("ledger: {output: exactly-once}", "ledger: output: expected exactly-once, got at-least-once"),
        ("ledger: {taken: {s: 2}}", "ledger: taken.s: expected 2, got 3"),
        ("ledger: {counted: {s: 3}}", "ledger: counted.s: expected 3, got 2"),
        ("ledger: {restarts: 1, reread: 2}", "ledger: reread: expected 2, got 1"),
    ],
)
def test_what_became_of_the_result_is_compared_with_the_run_without_failures(what: str, said: str) -> None:
    assert f"tiny: {said}" in expecting(f"{{{what}}}", FLOW)


def test_a_ledger_as_expected_is_no_mismatch() -> None:
    right = "{final: {outside: {out: [1, 1, 2]}}, ledger: {lost: 0, doubled: 1, waiting: 0, output: at-least-once}}"
    assert expecting(right, FLOW) == []


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("final: {outside: {s: [1]}}", "s is not a sink"),
        ("final: {outside: {nobody: [1]}}", "no process nobody"),
        ("ledger: {taken: {nobody: 1}}", "no process nobody"),
        ("ledger: {output: twice}", "output"),
    ],
)
def test_only_sinks_have_an_outside_and_names_must_exist(what: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        expecting(f"{{{what}}}", FLOW)


def test_only_a_dataflow_has_a_ledger() -> None:
    with pytest.raises(SourceError, match="only a dataflow has a ledger"):
        expecting("{ledger: {lost: 0}}")


FALLING = """
    topology: {processes: [P, Q], channels: [P->Q]}
    program: {kind: bank, accounts: {P: 5}}
    algorithm: uncoordinated
    recovery: true
    script: [{send: {on: P->Q, message: 1}}, {deliver: P->Q}, {crash: P}]
"""


def test_where_a_crash_ends_is_compared() -> None:
    right = "{line: {places: {P: 0, Q: 0}, rollbacks: 1, lost: 2, useless: {}}}"
    assert expecting(right, FALLING) == []
    wrong = "{line: {places: {P: null, Q: 1}, rollbacks: 0, lost: 1, useless: {Q: [1]}}}"
    assert expecting(wrong, FALLING) == [
        "tiny: line: useless: expected {Q: [1]}, got {}",
        "tiny: line: places.P: expected null, got 0",
        "tiny: line: places.Q: expected 1, got 0",
        "tiny: line: rollbacks: expected 0, got 1",
        "tiny: line: lost: expected 1, got 2",
    ]
