"""The explorer: exact numbers, and a second enumerator that merges nothing and must find the same."""

from collections.abc import Hashable
from typing import Any

import pytest
from msgspec.structs import replace

from app.core.kernel.enabled import options
from app.core.kernel.step import step
from app.core.model import recorded_state
from app.core.model.notes import Changed, Discarded, Received, Recorded, Sent
from app.core.model.system import System
from app.core.model.values import APP, Action, Crash, Deliver, Message, Move, Start
from app.core.oracle import checks
from app.core.oracle.history import History
from app.run.debt import Debt
from app.run.explore import explore, faulty, fingerprint, first_node, limits
from app.run.run import OWN, channels, record, summary
from app.scenario.format import ExploreForm
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from tests.often import some
from tests.tiny import scenario

TOKEN = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: token, holders: {p: 1}}
    explore: {moves: 4, starts: [p]}
"""
PAIR = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: token, holders: {p: 1, q: 1}}
    explore: {moves: 1, starts: [p, q]}
"""
TWINS = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: token, holders: {q: 2}}
    explore: {moves: 2, starts: [p]}
"""
CHAIN = """
    topology: {chain: 3}
    program: {kind: token, holders: {P1: 1}}
    explore: {moves: 2, starts: [P2]}
"""
TRIANGLE = """
    topology: {ring: 3}
    program: {kind: bank, everyone: 1}
    explore: {moves: 1, starts: [P1]}
"""
MACHINE = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program:
      kind: machine
      first: {p: A, q: C}
      edges:
        p: [{from: A, to: B, send: m, on: p->q}, {from: B, to: A, receive: n, on: q->p}]
        q: [{from: C, to: D, send: n, on: q->p}, {from: D, to: C, receive: m, on: p->q}]
    explore: {moves: 2, starts: [p]}
"""
MUTE = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program:
      kind: machine
      first: {p: A, q: C}
      edges:
        p: [{from: A, to: A, send: m, on: p->q}, {from: A, to: A, receive: n, on: q->p}]
        q: [{from: C, to: C, send: n, on: q->p}, {from: C, to: C, receive: m, on: p->q}]
    explore: {moves: 1, starts: [p]}
"""
"""No state shows what was sent or received: only the oracle's bookkeeping knows what has crossed a cut."""
SYSTEMS = {
    "mute": MUTE,
    "mute twice": MUTE.replace("moves: 1", "moves: 2"),
    "token": TOKEN,
    "pair": PAIR,
    "twins": TWINS,
    "chain": CHAIN,
    "triangle": TRIANGLE,
    "machine": MACHINE,
}


def every_run(scene: Scenario, key: RunKey = OWN) -> tuple[set[str], set[str]]:
    """Return the outcomes and the failing checks of every sequence of actions, each followed to its end.

    Depth first, nothing merged, nothing remembered: slow, and hard to get wrong.
    """
    real = scene.system(key)
    system = System(real.topology, real.program, real.algorithm, real.discipline, collect=False)
    form = scene.form.explore
    assert form is not None
    outcomes: set[str] = set()
    broken: set[str] = set()

    def follow(world: Any, path: list[Any], moves: int, starts: tuple[str, ...]) -> None:
        possible = [
            action
            for action, reason in options(system, world)
            if reason is None
            and not (isinstance(action, Move) and not moves)
            and not (isinstance(action, Start) and action.process not in starts)
        ]
        for action in possible:
            left = list(starts)
            if isinstance(action, Start):
                left.remove(action.process)
            after, notes = step(system, world, action)
            follow(after, [*path, (action, notes)], moves - isinstance(action, Move), tuple(left))
        if possible:
            return
        history = History(system.topology.names)
        for action, notes in path:
            history.watch(action, notes)
        oracle = checks.Oracle(system, history)
        for number, seen in history.recordings.items():
            broken.update(oracle.judge(world, number).broken)
            if seen.completed:
                recorded = recorded_state.parts(system, world, number)
                states = {name: system.program.view(part.state) for name, part in recorded.items()}
                outcomes.add(repr((states, channels(system, recorded))))

    starts = form.starts or []
    if system.algorithm.KIND.alone:  # no process tells the others, so each starts on its own
        starts = [*starts, *(name for name in system.topology.names if name not in starts)]
    follow(system.begin(), [], form.moves, tuple(starts))
    return outcomes, broken


def test_the_token_has_64_states_and_exactly_three_recorded_states() -> None:
    found = explore(scenario(TOKEN))
    assert found.states == 64
    assert not found.bounded and found.counterexamples == {} and found.incomplete == 0
    assert [(outcome.processes, outcome.channels) for outcome in found.outcomes] == [
        ({"p": 0, "q": 0}, {"p->q": [], "q->p": ["T"]}),
        ({"p": 0, "q": 1}, {"p->q": [], "q->p": []}),
        ({"p": 1, "q": 0}, {"p->q": [], "q->p": []}),
    ]


def test_states_that_can_be_counted_by_hand() -> None:
    alone = "topology: {processes: [p]}\nprogram: {kind: token, holders: {}}\nexplore: {moves: 0, starts: [p]}"
    assert explore(scenario(alone)).states == 2  # before and after p records; it is done at once
    pair = TOKEN.replace("moves: 4", "moves: 0")
    assert explore(scenario(pair)).states == 4  # nothing; marker in c; marker in c'; done
    both = TOKEN.replace("moves: 4, starts: [p]", "moves: 0, starts: [p, q]")
    # No snapshot: 1. One, of p or q, whose marker is in its first channel, in the other, or gone: 2 * 3. Two, either
    # first, each in 3 stages: 2 * 9, of which one cannot be (the younger gone while the elder is in its first channel:
    # it would have overtaken) and one is two (both in the elder's second channel, either in front): 18.
    assert explore(scenario(both)).states == 1 + 6 + 18


@pytest.mark.parametrize("name", some(SYSTEMS, 2))
@pytest.mark.parametrize(
    ("algorithm", "discipline"),
    [("chandy-lamport", "fifo"), ("chandy-lamport", "any"), ("late-marker", "fifo"), ("no-channels", "fifo"),
     ("photographs", "fifo"), ("unlabelled", "fifo")],
)  # fmt: skip
def test_following_every_sequence_without_merging_finds_the_same(name: str, algorithm: str, discipline: str) -> None:
    scene, key = scenario(SYSTEMS[name]), RunKey(algorithm=algorithm, discipline=discipline)
    found = explore(scene, key)
    outcomes, broken = every_run(scene, key)
    assert {repr((o.processes, o.channels)) for o in found.outcomes} == outcomes
    assert set(found.counterexamples) == broken


@pytest.mark.parametrize(
    ("algorithm", "discipline", "check"),
    [
        ("chandy-lamport", "any", "consistent"),
        ("chandy-lamport", "any", "channels"),
        ("late-marker", "fifo", "consistent"),
        ("no-channels", "fifo", "channels"),
        ("no-channels", "fifo", "conserved"),
        ("photographs", "fifo", "conserved"),
    ],
)
def test_the_choices_of_a_counterexample_are_a_run_that_shows_it(algorithm: str, discipline: str, check: str) -> None:
    scene, key = scenario(TOKEN), RunKey(algorithm=algorithm, discipline=discipline)
    counter = explore(scene, key).counterexamples[check]
    shown = record(scene, replace(key, choices=counter.choices, drain=True))
    assert shown.verdicts[1].checks[check] is False
    told, witness = shown.verdicts[1].witnesses[check], counter.witness
    assert told.get("fault") == witness.get("fault")
    if "message" in witness:
        assert told["message"] | {"received": None} == witness["message"] | {"received": None}  # it may arrive later


def test_a_counterexample_is_a_shortest_one() -> None:
    # p starts, sends the token after recording but before its markers, and q receives the token; then q learns of
    # the snapshot, records, and the cut is decided: start, send, wake, deliver T, deliver the marker.
    counter = explore(scenario(TOKEN), RunKey(algorithm="late-marker")).counterexamples["consistent"]
    assert len(counter.choices) == 5
    assert counter.witness["message"] == {"id": 0, "payload": "T", "channel": "p->q", "sent": 2, "received": 3}


def test_the_choices_of_an_outcome_lead_to_it() -> None:
    scene = scenario(TOKEN)
    for outcome in explore(scene).outcomes:
        shown = summary(record(scene, RunKey(choices=outcome.choices, drain=True)))["snapshots"][0]
        assert (shown["processes"], shown["channels"]) == (outcome.processes, outcome.channels)


def test_a_snapshot_that_cannot_complete_is_counted() -> None:
    found = explore(scenario(CHAIN))
    assert found.incomplete > 0 and found.outcomes == []


def test_the_bound_is_kept_and_reported() -> None:
    found = explore(scenario(TOKEN), most=20)
    assert found.bounded and found.states == 20
    assert not explore(scenario(TOKEN), most=64).bounded


def test_how_many_snapshots_were_judged_is_known() -> None:
    whole = explore(scenario(TOKEN))
    assert whole.complete >= len(whole.outcomes) == 3 and whole.judged > whole.complete
    early = explore(scenario(TOKEN), most=3)
    assert early.bounded and early.complete == 0


def test_whoever_watches_is_told_of_progress() -> None:
    seen: list[int] = []
    busy = TRIANGLE.replace("ring: 3", "complete: 6").replace("moves: 1", "moves: 3")
    explore(scenario(busy), most=1_600, watch=seen.append)
    assert seen == [500, 1_000, 1_500]


def test_nobody_starts_where_the_scenario_says_so() -> None:
    quiet = scenario("""
        topology: {processes: [p, q], channels: [p->q, q->p]}
        program: {kind: token, holders: {p: 1}}
        explore: {moves: 1, starts: []}
    """)
    assert (explore(quiet).states, explore(quiet).outcomes) == (3, [])  # before, in flight, arrived


def test_what_goes_wrong_in_the_scenario_s_own_run_may_go_wrong_where_it_does_not_say() -> None:
    text = "topology: {processes: [p, q, n], channels: [p->q, q->p, p->n, n->p]}\n"
    text += "program: {kind: token, holders: {p: 1}}\n"
    assert faulty(scenario(text)) == {}
    more = text + "newcomers: {n: p}\nscript: [{send: {on: p->q}}, {drop: p->q}, {join: n}]\n"
    assert faulty(scenario(more)) == {"drop": 1, "join": 1}
    seeded = text + "loss: 20\nduplication: {p->q: 5}\nschedule: {kind: seeded}\n"
    assert limits(scenario(seeded)).faults == {"drop": 1, "duplicate": 1}


def test_a_newcomer_joins_in_some_interleavings_and_the_merged_one_breaks() -> None:
    text = """
        topology: {processes: [p, n], channels: [p->n, n->p]}
        program: {kind: bank, accounts: {p: 2, n: 1}}
        newcomers: {n: p}
        algorithm: merge-joiner
        script: [{start: p}, {join: n}]
    """
    assert "conserved" in explore(scenario(text)).counterexamples


def test_a_message_that_makes_its_receiver_record_takes_effect_only_after_that() -> None:
    red, white = Message(0, APP, "m"), Message(1, APP, "n")
    sent = Debt().after((Sent("A", "A->B", white), Changed("A", 1), Recorded(1, "A", 1, None)))
    sent = sent.after((Sent("A", "A->B", red), Changed("A", 2)))
    first = sent.after((Received("B", "A->B", red), Recorded(1, "B", 0, None), Changed("B", 1)))
    assert first.orphans == () and first.crossed == (), "sent and received outside the cut"
    other = sent.after((Received("B", "A->B", white), Recorded(1, "B", 0, None), Changed("B", 1)))
    assert other.crossed == ((1, "A->B", 1),), "sent inside the cut and received outside"
    late = sent.after((Received("B", "A->B", red), Changed("B", 1), Recorded(1, "B", 1, None)))
    assert late.orphans == (1,)
    away = (Received("B", "A->B", red), Discarded("B", "A->B", red))
    thrown = sent.after((*away, Received("B", "A->B", white), Changed("B", 1)))
    assert thrown.orphans == () and thrown.crossed == ()


def test_what_has_begun_is_not_undone() -> None:
    token = scenario(TOKEN.replace("moves: 4", "moves: 2") + "    script: [{send: {on: p->q}}, {start: p}]\n")
    begun = [one.action for one in record(token).steps[:2]]
    states = [one.processes | one.channels for one in explore(token, begun=begun).outcomes]
    assert states == [{"p": 0, "q": 0, "p->q": [], "q->p": ["T"]}, {"p": 0, "q": 1, "p->q": [], "q->p": []}]
    assert len(explore(token).outcomes) == 3


def test_who_is_down_and_what_was_saved_make_two_states_of_one() -> None:
    text = """
        topology: {processes: [p, q], channels: [p->q, q->p]}
        program: {kind: token, holders: {p: 1}}
        algorithm: uncoordinated
        recovery: true
    """
    system, bounds = scenario(text).system(OWN), ExploreForm(starts=[], faults={"crash": 1})

    def marks(*actions: Action) -> Hashable:
        return fingerprint(system, first_node(system, bounds, actions))

    assert marks(Crash("p")) != marks(Crash("q"))
    sent = Move("p", "p->q", "T")
    assert marks(Start("p"), sent) != marks(sent, Start("p")), "one checkpoint has the token, the other has not"
    back = Move("q", "q->p", "T")
    twice = [sent, Deliver("p->q", 0), back, Deliver("q->p", 0), sent, Deliver("p->q", 0), back]
    assert marks(*twice[:4], Start("q"), *twice[4:]) != marks(*twice, Start("q")), "a crash takes one message back"
