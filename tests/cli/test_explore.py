"""``bluecut explore``: exact figures, and counter-examples that can be run and opened."""

import json
import shlex

from tests.cli.command import bluecut

TINY = b"""title: {en: t, zh: t}
topology: {processes: [p, q], channels: [p->q, q->p]}
program: {kind: token, holders: {p: 1}}
"""


def test_the_token_has_64_states_and_three_recorded_states() -> None:
    done = bluecut("explore", "token-late")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith("token-late, chandy-lamport, fifo: 64 states, ")
    assert lines[1:] == [
        "Limits: moves of the programs ≤ 4; processes that may start one snapshot each: p; faults: none.",
        "",
        "3 possible recorded global states:",
        "  p = 0, q = 0; q->p = [T]",
        "  p = 0, q = 1; all channels empty",
        "  p = 1, q = 0; all channels empty",
        "",
        "Within these limits, no check can fail.",
    ]


def test_how_far_the_search_went_is_said_and_moves_are_chosen() -> None:
    few, more = (bluecut("explore", "barriers-wait", "--moves", moves) for moves in ("1", "2"))
    who = "processes that may start one snapshot each: JM; faults: crash ≤ 1, restore ≤ 1."
    assert f"Limits: moves of the programs ≤ 1; {who}" in few.out
    assert "3 possible" in few.out and "6 possible" in more.out and "moves of the programs ≤ 2;" in more.out
    assert "s1 = 1, s2 = 1, sum = 11" in more.out and "s1 = 1, s2 = 1, sum = 11" not in few.out
    limits = json.loads(bluecut("explore", "token-late", "--moves", "2", "--json").out)["limits"]
    assert limits == {"moves": 2, "starts": ["p"], "faults": {}}


def test_as_many_moves_as_the_scenario_says_are_its_own() -> None:
    assert bluecut("explore", "photographs-none").code == 0
    assert bluecut("explore", "photographs-none", "--moves", "2").code == 0
    assert bluecut("explore", "photographs-none", "--moves", "1").code == 1


def test_json_is_one_object() -> None:
    got = json.loads(bluecut("explore", "token-late", "--json").out)
    assert (got["states"], got["bounded"], got["counterexamples"], got["mismatches"]) == (64, False, {}, [])
    assert [outcome["processes"] for outcome in got["outcomes"]] == [
        {"p": 0, "q": 0},
        {"p": 0, "q": 1},
        {"p": 1, "q": 0},
    ]


def test_every_outcome_s_choices_lead_to_it() -> None:
    for outcome in json.loads(bluecut("explore", "token-late", "--json").out)["outcomes"]:
        ran = bluecut("run", "token-late", "--choices", outcome["choices"], "--drain", "--json")
        (snapshot,) = json.loads(ran.out)["snapshots"]
        assert (snapshot["processes"], snapshot["channels"]) == (outcome["processes"], outcome["channels"])


def test_another_algorithm_breaks_and_its_counterexamples_can_be_run() -> None:
    done = bluecut("explore", "token-late", "--algorithm", "no-channels")
    assert done.code == 1
    commands = [line.strip() for line in done.out.splitlines() if line.strip().startswith("bluecut run")]
    assert len(commands) == 3
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "bluecut" and bluecut(*arguments).code == 1


def test_counterexamples_of_the_library_have_an_address() -> None:
    done = bluecut("explore", "photographs-none")
    assert done.code == 0  # they are expected
    assert "✗ conserved fails after 3 steps: The total was token=1; the recorded state adds up to token=0." in done.out
    assert "    bluecut run photographs-none --choices 0:0.1.1 --drain\n" in done.out
    assert "    /run/photographs-none?choices=0:0.1.1&drain=1&step=3&v=" in done.out


def test_the_bound_is_said_clearly() -> None:
    done = bluecut("explore", "token-late", "--most", "10")
    assert done.code == 1
    assert "Stopped at the limit of 10 states: there may be more. Raise it with --most." in done.out
    assert "token-late: explore: states: expected 64, got 10" in done.out
    assert json.loads(bluecut("explore", "token-late", "--most", "10", "--json").out)["bounded"] is True


def test_a_bound_before_any_complete_snapshot_concludes_nothing() -> None:
    done = bluecut("explore", "random-twelve", "--most", "300")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[2:] == [
        "Stopped at the limit of 300 states: there may be more. Raise it with --most.",
        "",
        "0 possible recorded global states so far",
        "",
        "No conclusion: no snapshot was complete before the limit, so no check was decided. "
        "Raise --most, or explore a smaller system.",
    ]


def test_a_bound_after_some_complete_snapshots_says_how_many_were_judged() -> None:
    out = bluecut("explore", "token-late", "--most", "40").out
    got = json.loads(bluecut("explore", "token-late", "--most", "40", "--json").out)
    assert 0 < got["complete"] < got["judged"]
    assert f"No check failed in the {got['complete']} complete snapshots judged before the limit." in out
    assert "this proves nothing" in out and "no check can fail" not in out


def test_where_no_snapshot_can_complete_nothing_is_said_of_checks() -> None:
    assert "Nothing to judge: no snapshot can complete here." in bluecut("explore", "chain-from-b").out


def test_help_says_how_far_the_search_goes() -> None:
    done = bluecut("explore", "--help")
    assert "default: 50000" in " ".join(done.out.split()) and "takes seconds" in " ".join(done.out.split())


def test_a_scenario_without_an_explore_block_is_explored_all_the_same() -> None:
    assert bluecut("explore", "-", stdin=TINY).code == 0
    broken = bluecut("explore", "-", "--algorithm", "photographs", stdin=TINY)
    assert broken.code == 1 and "/run/" not in broken.out


def test_states_that_cannot_complete_are_counted() -> None:
    assert "Runs that end with an incomplete snapshot: 4 states." in bluecut("explore", "chain-from-b").out


def test_it_speaks_chinese() -> None:
    lines = bluecut("explore", "token-late", "--lang", "zh").out.splitlines()
    assert lines[0].startswith("token-late，chandy-lamport，fifo：64 个状态，")
    assert lines[1:] == [
        "范围：程序最多走 4 步；各发起一次快照的进程：p；故障：无。",
        "",
        "可能记录到 3 种全局状态：",
        "  p = 0、q = 0；q->p = [T]",
        "  p = 0、q = 1；所有通道都是空的",
        "  p = 1、q = 0；所有通道都是空的",
        "",
        "在这个范围内，没有一项检查会不成立。",
    ]
    broken = bluecut("explore", "photographs-none", "--lang", "zh").out
    assert "✗ conserved 在 3 步之后不成立：" in broken


def test_mistakes_are_told_in_the_language_that_is_asked_for() -> None:
    done = bluecut("explore", "nowhere", "--lang", "zh")
    assert (done.code, done.out) == (2, "") and "没有" in done.err


DRAWN = b"""title: {en: t, zh: t}
topology: {complete: 2}
program: {kind: bank, everyone: 100, amounts: [3, 7]}
algorithm: late-marker
collect: false
schedule: {kind: seeded, moves: 2}
initiators: [{process: P1, at: 1}]
explore: {moves: 2}
"""


def test_how_likely_a_random_run_breaks_a_check_is_told_exactly() -> None:
    done = bluecut("explore", "-", "--chance", stdin=DRAWN)
    assert done.code == 1
    assert "A random run breaks conserved with a probability of 36.111%." in done.out  # 13 of 36
    assert (
        "随机运行使 conserved 不成立的概率是 36.111%。"
        in bluecut("explore", "-", "--chance", "--lang", "zh", stdin=DRAWN).out
    )
    right = DRAWN.replace(b"late-marker", b"chandy-lamport")
    assert bluecut("explore", "-", "--chance", stdin=right).out.endswith("No random run breaks a check.\n")
    assert (
        abs(
            json.loads(bluecut("explore", "-", "--chance", "--json", stdin=DRAWN).out)["chances"]["reachable"] - 13 / 36
        )
        < 1e-9
    )
    assert "only a seeded schedule has chances that can be counted" in bluecut("explore", "token-late", "--chance").err
