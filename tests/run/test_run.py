"""Runs: what a key names, judged, summed up, and always the same."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.core.model.values import Action, BluecutError, Deliver, Move, Start, World
from app.core.oracle.checks import CHECKS
from app.run.run import record, replay, summary
from app.scenario.format import Words
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.schedules.delay import Delay
from app.schedules.protocol import Initiator
from app.schedules.timed import Timed
from tests.tiny import TOKEN, actions, run, scenario

ROOT = Path(__file__).parents[2]
S1A = TOKEN + "    script: [{send: {on: p->q}}, {start: p}, {deliver: p->q}, {deliver: p->q}, {deliver: q->p}]"
BLUE = """
    topology: {processes: [P1, P2], channels: [P1->P2, P2->P1]}
    program: {kind: variables, values: {P1: {X1: 1, Y1: 2, Z1: 3}, P2: {X2: 4, Y2: 5, Z2: 6}}}
    script: [{start: P1}, {send: {on: P2->P1, message: M}}, {deliver: P1->P2}, {deliver: P2->P1}, {deliver: P2->P1}]
"""


def test_the_token_after_it_was_sent_is_recorded_where_it_arrives() -> None:
    (snapshot,) = summary(run(S1A))["snapshots"]
    assert snapshot["processes"] == {"p": 0, "q": 1}
    assert snapshot["channels"] == {"p->q": [], "q->p": []}
    assert snapshot["markers"] == 2 and snapshot["complete"] and snapshot["initiators"] == ["p"]


def test_the_blue_figure_catches_its_message_in_the_channel() -> None:
    told = summary(run(BLUE))
    (snapshot,) = told["snapshots"]
    assert snapshot["processes"] == {"P1": {"X1": 1, "Y1": 2, "Z1": 3}, "P2": {"X2": 4, "Y2": 5, "Z2": 6}}
    assert snapshot["channels"] == {"P1->P2": [], "P2->P1": ["M"]}
    assert snapshot["checks"] == dict.fromkeys(CHECKS, True) | {"conserved": None}
    assert told["undisturbed"] is True
    assert json.loads(json.dumps(told)) == told


def test_the_state_that_never_was_is_recorded() -> None:
    """The two-state machine of the paper's figures 5 to 8: p=A, q=D, c' = [n] is equal to no state of the run."""
    text = """
        topology: {processes: [p, q], channels: [p->q, q->p]}
        program:
          kind: machine
          first: {p: A, q: C}
          edges:
            p: [{from: A, to: B, send: m, on: p->q}, {from: B, to: A, receive: n, on: q->p}]
            q: [{from: C, to: D, send: n, on: q->p}, {from: D, to: C, receive: m, on: p->q}]
        script:
          - {start: p}
          - {send: {on: p->q, message: m}}
          - {send: {on: q->p, message: n}}
          - {deliver: q->p}
          - {deliver: p->q}
          - {deliver: q->p}
    """
    made = run(text)
    (snapshot,) = summary(made)["snapshots"]
    assert snapshot["processes"] == {"p": "A", "q": "D"}
    assert snapshot["channels"] == {"p->q": [], "q->p": ["n"]}
    lived = []
    for number in range(len(made.steps) + 1):
        world = made.world(number)
        flying = {channel: [m.payload for m in queue] for channel, queue in world.in_flight().items()}
        lived.append((world.states["p"], world.states["q"], flying))
    assert ("A", "D", {"q->p": ["n"]}) not in lived
    order, boundary = made.history.reordered(made.history.recordings[1].cut)
    assert [(event.process, event.kind) for event in order[:3]] == [("q", "send"), ("p", "send"), ("p", "receive")]
    assert boundary == 1  # e1, e0, e2: the paper's reordering, and the recorded state right after e1


def test_worlds_are_numbered_from_0_and_the_last_is_the_end() -> None:
    made = run(S1A)
    assert made.world(0) == made.begin
    assert made.world(len(made.steps)) is made.end
    assert replay(made.system, actions(made)) == made.end


def test_a_run_stops_at_its_limit_and_says_so() -> None:
    text = TOKEN + "    schedule: {kind: seeded, moves: 50}\n    steps: 10"
    assert (len(run(text).steps), run(text).full) == (10, True)
    shorter = record(scenario(text), most=4)
    assert (len(shorter.steps), shorter.full) == (4, True)
    assert run(S1A).full is False


def test_a_limit_that_is_just_reached_is_not_said_to_stop_it() -> None:
    text = TOKEN + "    script: [{send: {on: p->q}}, {deliver: p->q}]\n    steps: 2"
    assert (len(run(text).steps), run(text).full) == (2, False)


@pytest.mark.parametrize(
    ("key", "says"),
    [
        (RunKey(choices=((0, 9),)), r"choices: 0:9 does not exist; after step 0 there are 9 actions"),
        (RunKey(choices=((99, 0),)), r"choices: step 99 is past the end; the run has 6 steps"),
        (RunKey(algorithm="nobody's"), r"unknown algorithm .*chandy-lamport"),
        (RunKey(discipline="lifo"), r"unknown discipline .*fifo, causal, any"),
    ],
)
def test_a_key_that_names_no_run_is_refused_with_what_would_be_right(key: RunKey, says: str) -> None:
    with pytest.raises(BluecutError, match=says):
        record(scenario(S1A), key)


def test_draining_lets_only_what_is_under_way_arrive() -> None:
    drained = record(scenario(S1A), RunKey(choices=((0, 0), (1, 0)), drain=True))
    assert actions(drained) == [Move("p", "p->q", "T"), Deliver("p->q")]
    started = record(scenario(S1A), RunKey(choices=((0, 1),), drain=True))
    assert actions(started)[0] == Start("p")
    assert started.history.recordings[1].completed == 3


def test_a_stable_property_is_told_before_within_and_after() -> None:
    text = """
        topology: {processes: [p, q], channels: [p->q, q->p]}
        program: {kind: token, holders: {}}
        script: [{start: p}]
    """
    assert run(text).stable(1) == {"before": True, "recorded": True, "after": True}
    assert run(S1A).stable(1) == {"before": False, "recorded": False, "after": False}
    assert run(BLUE).stable(1) is None


def test_a_snapshot_that_cannot_complete_says_whom_it_cannot_reach() -> None:
    (snapshot,) = summary(run("topology: {chain: 3}\nprogram: {kind: token, holders: {}}\nscript: [{start: P2}]"))[
        "snapshots"
    ]
    assert snapshot["complete"] is False
    assert snapshot["witnesses"]["complete"] == {"unreachable": ["P1"], "open": ["P1->P2"]}
    assert set(snapshot["checks"].values()) == {None}


def test_the_first_id_can_be_0() -> None:
    text = TOKEN + "    first_snapshot: 0\n    script: [{start: p}, {start: q}]"
    assert list(run(text).verdicts) == [0, 1]


# --- always the same ---------------------------------------------------------------------------------------------


def fingerprints(hash_seed: str) -> Any:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-m", "tests.run.fingerprints"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_runs_frames_and_explorations_do_not_depend_on_the_order_of_hashing() -> None:
    assert fingerprints("0") == fingerprints("1")


GOLDEN = {
    "blue figure": "1327ffc1f58cba18",
    "token": "62e49d494b64b75e",
    "seeded": "8fe96bd49fae7c88",
    "timed": "ab548a14b6748c70",
}
"""Digests that published links depend on. If one of them changes, ENGINE must grow."""


def test_the_same_key_gives_the_same_run_in_every_release() -> None:
    bank = """
        topology: {ring: 3}
        program: {kind: bank, everyone: 5, amounts: [1, 2]}
        initiators: [{process: P2, at: 3}]
        schedule: {kind: %s, seed: 11, moves: 8}
    """
    now = {"blue figure": BLUE, "token": S1A, "seeded": bank % "seeded", "timed": bank % "timed"}
    assert {name: run(text).digest[:16] for name, text in now.items()} == GOLDEN


CAPTIONED = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: token, holders: {p: 1}}
    script:
      - {send: {on: p->q}, say: {en: The token leaves., zh: 令牌出发。}}
      - {start: p, say: {en: p starts., zh: p 开始。}}
      - {deliver: p->q, say: {en: The token arrives., zh: 令牌到达。}}
"""


@pytest.mark.parametrize(
    ("key", "told"),
    [
        (RunKey(), ["The token leaves.", "p starts.", "The token arrives."]),
        (
            RunKey(algorithm="chandy-lamport", discipline="fifo"),
            ["The token leaves.", "p starts.", "The token arrives."],
        ),
        (RunKey(choices=((1, 1),)), ["The token leaves.", None, None]),
        (RunKey(choices=((2, 0),)), ["The token leaves.", "p starts.", None]),
        (RunKey(algorithm="late-marker"), [None, None, None]),
        (RunKey(discipline="any"), [None, None, None]),
        (RunKey(seed=5), ["The token leaves.", "p starts.", "The token arrives."]),
        (RunKey(choices=((0, 0),), drain=True), [None, None, None]),
    ],
)
def test_the_authors_words_are_said_of_the_authors_run_and_up_to_a_persons_first_choice(
    key: RunKey, told: list[str | None]
) -> None:
    captioned = run(CAPTIONED, key)
    words = [captioned.caption(step.number) for step in captioned.steps[:3]]
    assert [each.en if each else None for each in words] == told[: len(words)]
    assert captioned.caption(0) is None


# --- what a visitor's scenario may cost ---------------------------------------------------------------------------


def test_a_message_that_sets_an_unknown_variable_is_refused_and_hangs_no_other_run() -> None:
    text = """
        topology: {chain: 2}
        program: {kind: machine, first: {P1: A, P2: B}, edges: {P1: [{from: A, to: A, send: m, on: P1->P2}]}}
        script: [{send: {on: P1->P2, message: m}}, {deliver: P1->P2}]
    """
    with pytest.raises(BluecutError, match="cannot be delivered now: the program cannot receive it"):
        run(text)
    assert len(run(text, RunKey(drain=True, choices=((0, 0),))).steps) == 1


def test_a_run_whose_queues_grow_without_end_stops_at_its_work() -> None:
    text = """
        topology: {chain: 2}
        program: {kind: bank, everyone: 100000}
        schedule: {kind: timed, moves: 20000, delay: {constant: 1000000}, gap: {constant: 1}}
        steps: 20000
    """
    flood = record(scenario(text), most_work=5_000)
    assert flood.full and flood.work < 5_300
    assert 90 < len(flood.steps) < 110  # 1 + 2 + … + 100 is about 5,000


def test_a_run_ends_by_itself_at_its_work_and_is_full_one_beyond() -> None:
    whole = record(LIBRARY.scenario("complete"))
    assert not whole.full
    at, beyond = (record(LIBRARY.scenario("complete"), most_work=whole.work - less) for less in (0, 1))
    assert (at.full, at.work, len(at.steps)) == (False, whole.work, len(whole.steps))
    assert beyond.full and len(beyond.steps) <= len(whole.steps)


def test_a_long_wait_for_the_next_line_costs_nothing() -> None:
    looked = 0

    class Watched(Timed):
        def _turn(self, world: World) -> Action | None:
            nonlocal looked
            looked += 1
            return super()._turn(world)

    idle = scenario("""
        topology: {complete: 5}
        program: {kind: token, holders: {}}
        schedule: {kind: timed, moves: 5, gap: {constant: 1}}
        initiators: [{process: P1, at: 1000000}]
    """)
    system = idle.system(RunKey())
    waiting = Watched(system, 0, delay=Delay(), initiators=(Initiator("P1", 1_000_000),), budget=5, gap=Delay(1, 1))
    assert waiting.next(system.begin()) == Start("P1")
    assert looked < 10


def test_a_receive_sets_the_state_that_its_own_line_gives() -> None:
    told = run("""
        topology: {chain: 2}
        program: {kind: scripted, states: {P1: 0, P2: first}}
        script:
          - send: {on: P1->P2, message: a}
          - send: {on: P1->P2, message: b}
          - deliver: P1->P2
          - {deliver: P1->P2, state: after b}
    """)
    assert [told.world(n).states["P2"] for n in (2, 3, 4)] == ['"first"', '"first"', '"after b"']


def test_the_ending_is_said_at_the_last_step_of_the_author_s_run_alone() -> None:
    text = CAPTIONED + "    ending: {en: That is all., zh: 完。}\n"
    whole = run(text)
    assert whole.caption(len(whole.steps)) == Words(en="That is all.", zh="完。")
    assert whole.caption(1) == run(CAPTIONED).caption(1)
    branched = run(text, RunKey(choices=((1, 0),)))
    assert branched.caption(len(branched.steps)) is None
    assert run(text, RunKey(algorithm="no-channels")).caption(len(whole.steps)) is None
