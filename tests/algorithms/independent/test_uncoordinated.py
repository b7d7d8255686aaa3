"""Uncoordinated checkpoints: which process rolls back where after a crash, what is sent again, and what that costs."""

import pytest

from app.algorithms.independent import uncoordinated
from app.algorithms.independent.uncoordinated import Memory
from app.algorithms.registry import ALGORITHMS
from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.algorithm import Reply
from app.core.model.notes import Asked, Deferred, Down, Note, Returned, Rule, Sent, Started, Stored
from app.core.model.values import Crash, Message, Process, Restart, Start, World
from app.run.run import Run, record, summary
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.tiny import notes, run, scenario

TWO = """
    topology: {processes: [P, Q], channels: [P->Q, Q->P]}
    program: {kind: bank, accounts: {P: 5, Q: 5}}
    algorithm: uncoordinated
    recovery: true
"""


def under(*lines: str, graph: str = TWO) -> Run:
    """Return a run of a few lines."""
    return run(graph + "    script:\n" + "".join(f"      - {{{line}}}\n" for line in lines))


def went(made: Run) -> list[tuple[str, int]]:
    """Return which processes rolled back, and to which checkpoint, in order."""
    return [(note.process, note.saved) for note in notes(made, "returned") if isinstance(note, Returned)]


def balances(world: World) -> dict[str, int]:
    return {name: state[0][1] for name, state in world.states.items()}


def again(made: Run) -> list[Message]:
    """Return what was sent again."""
    return [n.message for n in notes(made, "sent") if isinstance(n, Sent) and n.message.origin is not None]


def test_each_process_numbers_its_own_checkpoints_from_one(monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[tuple[str, int]] = []

    def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
        saved.append((process.name, snapshot))
        return uncoordinated.on_initiate(process, memory, state, snapshot)

    monkeypatch.setattr(ALGORITHMS["uncoordinated"], "on_initiate", on_initiate)
    under("start: P", "start: P", "start: Q")
    assert saved == [("P", 1), ("P", 2), ("Q", 1)]


# --- checkpoints -------------------------------------------------------------------------------------------------


def test_a_start_saves_what_one_process_has_and_is_no_snapshot() -> None:
    made = under("start: P", "start: Q", "start: P")
    assert [note.key for note in made.steps[0].notes] == ["stored", "rule"]
    assert [(n.process, n.saved) for n in notes(made, "stored") if isinstance(n, Stored)] == [
        ("P", 1),
        ("Q", 1),
        ("P", 2),
    ]
    assert not made.end.snapshots and not made.verdicts and not notes(made, Started.key)


def test_everybody_may_save_whenever_he_likes_but_not_without_end() -> None:
    system = scenario(TWO).system(RunKey())
    world = system.begin()
    assert [a for a in enabled(system, world) if isinstance(a, Start)] == [Start("P"), Start("Q")]
    for _ in range(system.most):
        world, _ = step(system, world, Start("P"))
    assert [a for a in enabled(system, world) if isinstance(a, Start)] == [Start("Q")]
    world, _ = step(system, world, Crash("Q"))
    assert not [a for a in enabled(system, world) if isinstance(a, Start)]


def test_messages_take_along_the_interval_and_their_number() -> None:
    made = under("send: {on: P->Q, message: 1}", "start: P", "send: {on: P->Q, message: 1}")
    assert [n.message.tag for n in notes(made, "sent") if isinstance(n, Sent)] == [(0, 1), (1, 2)]


# --- back --------------------------------------------------------------------------------------------------------


def test_the_canonical_domino() -> None:
    made = record(LIBRARY.scenario("domino"))
    assert went(made) == [("P", 2), ("Q", 2), ("Q", 1), ("P", 1), ("Q", 0), ("P", 0)]
    (fall,) = made.falls
    assert (fall.crash, fall.since, fall.until, fall.rollbacks) == (15, 16, 22, 5)
    assert fall.line == fall.places == {"P": 0, "Q": 0}
    assert fall.lost == {"P": 5, "Q": 5} and fall.disk == {"P": 2, "Q": 2}
    assert fall.useless == {"P": (1, 2), "Q": (1, 2)} and fall.exact is True
    assert not made.history.events and made.undisturbed
    told = summary(made)["falls"]
    assert [(one["rollbacks"], one["lost"], one["exact"]) for one in told] == [(5, 10, True)]


def test_each_rollback_is_a_step_of_its_own_and_only_the_last_of_a_fall_tells_the_neighbours() -> None:
    made = record(LIBRARY.scenario("domino"))
    kinds = [[note.key for note in each.notes if not isinstance(note, Rule)] for each in made.steps[14:]]
    assert kinds == [
        ["down"],
        ["returned", "asked", "deferred"],
        ["returned", "deferred"],
        ["returned", "asked", "deferred"],
        ["returned", "asked", "deferred"],
        ["returned", "asked", "deferred"],
        ["returned", "asked", "deferred"],
        [],
    ]


def test_a_coordinated_snapshot_on_the_same_schedule_loses_only_what_came_after_it() -> None:
    made = record(LIBRARY.scenario("domino"), RunKey(algorithm="chandy-lamport"))
    assert made.missed == 0 and made.undisturbed
    assert all(verdict.broken == () for verdict in made.verdicts.values())
    (fall,) = made.falls
    alone = record(LIBRARY.scenario("domino")).falls[0]
    assert sum(fall.lost.values()) < sum(alone.lost.values()) == 10
    assert len(made.history.events) == 10 - sum(fall.lost.values())


def test_who_has_received_nothing_that_is_taken_back_stays() -> None:
    made = under("send: {on: Q->P, message: 1}", "deliver: Q->P", "crash: P", "restart: P")
    assert went(made) == [("P", 0)]


def test_who_has_only_received_since_its_checkpoint_goes_back_to_it() -> None:
    made = under("start: Q", "send: {on: P->Q, message: 1}", "deliver: P->Q", "crash: P", "restart: P")
    assert went(made) == [("P", 0), ("Q", 1)]


def test_what_is_taken_back_leaves_the_channel() -> None:
    made = under("send: {on: P->Q, message: 2}", "crash: P", "restart: P")
    (back,) = (note for note in notes(made, "returned") if isinstance(note, Returned))
    assert [(channel, message.payload) for channel, message in back.retracted] == [("P->Q", (("", 2),))]
    assert balances(made.end) == {"P": 5, "Q": 5}


def test_a_message_whose_sending_stands_comes_again_in_order() -> None:
    made = under(
        "send: {on: Q->P, message: 1}",
        "send: {on: Q->P, message: 2}",
        "deliver: Q->P",
        "deliver: Q->P",
        "crash: P",
        "restart: P",
    )
    assert [message.payload for message in again(made)] == [(("", 1),), (("", 2),)]
    assert balances(made.end) == {"P": 8, "Q": 2} and made.undisturbed


def test_what_was_on_its_way_when_the_receiver_crashed_is_processed_once() -> None:
    made = under(
        "send: {on: Q->P, message: 1}",
        "deliver: Q->P",
        "send: {on: Q->P, message: 2}",
        "crash: P",
        "restart: P",
    )
    assert balances(made.end) == {"P": 8, "Q": 2} and made.undisturbed
    assert [m.payload for m in again(made)] == [(("", 1),), (("", 2),)]
    assert len(notes(made, "discarded")) == 1


def test_what_is_sent_again_stays_where_its_sender_goes_back_to_after_it() -> None:
    system = scenario(TWO).system(RunKey())
    made = under(
        "send: {on: Q->P, message: 1}",
        "start: Q",
        "deliver: Q->P",
        "crash: P",
        "restart: P",
        "wake: Q",
        "crash: Q",
        "restart: Q",
    )
    assert balances(made.end) == {"P": 6, "Q": 4} and made.undisturbed
    assert system.algorithm.RECOVERY.patient == ("back",)


def test_what_who_is_down_has_to_hear_waits_for_it() -> None:
    made = under(
        "send: {on: P->Q, message: 1}",
        "deliver: P->Q",
        "start: Q",
        "crash: Q",
        "crash: P",
        "restart: P",
        "restart: Q",
    )
    asked = [n for n in notes(made, "asked") if isinstance(n, Asked)]
    assert (asked[0].process, asked[0].target) == ("P", "Q")
    assert made.world(6).durable.asked["Q"] == (asked[0].what,) and not made.world(6).wakes
    assert next(n.process for n in made.steps[6].notes if isinstance(n, Deferred)) == "Q"
    assert went(made) == [("P", 0), ("Q", 1), ("Q", 0)]
    assert not made.end.durable.asked and balances(made.end) == {"P": 5, "Q": 5}


def test_what_a_process_has_to_hear_survives_its_crash() -> None:
    system = scenario(TWO).system(RunKey())
    made = under("send: {on: P->Q, message: 1}", "deliver: P->Q", "crash: P", "restart: P")
    world = made.world(4)
    assert [wake[0] for wake in world.wakes] == ["Q"]
    world, happened = step(system, world, Crash("Q"))
    assert happened == (Down("Q"),) and not world.wakes
    world, _ = step(system, world, Restart("Q"))
    assert [wake for wake in world.wakes if wake[0] == "Q"] == [made.world(4).wakes[0]]


def test_a_new_life_is_not_taken_for_the_old_one() -> None:
    """What P sends after its rollback has another interval, so Q does not roll back because of it."""
    made = under(
        "crash: P",
        "restart: P",
        "send: {on: P->Q, message: 1}",
        "deliver: P->Q",
        "wake: Q",
    )
    assert went(made) == [("P", 0)] and balances(made.end) == {"P": 4, "Q": 6}


def test_everybody_can_be_down_at_once() -> None:
    made = under(
        "send: {on: P->Q, message: 1}",
        "start: P",
        "deliver: P->Q",
        "crash: P",
        "crash: Q",
    )
    assert balances(made.end) == {"P": 4, "Q": 6} and made.undisturbed
    assert [fall.places for fall in made.falls] == [{"P": 1, "Q": 0}]


FLOW = """
    topology:
      processes: [JM, s, twice, sum, out]
      channels: [JM->s, s->twice, twice->sum, sum->out]
    program:
      kind: dataflow
      operators:
        JM: {coordinator: true}
        s: {source: [1, 2, 3, 4]}
        twice: {map: {times: 2}}
        sum: {sum: all, emit: record}
        out: {sink: plain}
    algorithm: uncoordinated
"""


def test_a_dataflow_ends_with_the_same_sum_whoever_crashes() -> None:
    for crashed in ("s", "twice", "sum", "out"):
        made = under(
            "read: s",
            "deliver: s->twice",
            "start: twice",
            "read: s",
            "start: s",
            "deliver: s->twice",
            "deliver: twice->sum",
            "start: sum",
            "deliver: twice->sum",
            f"crash: {crashed}",
            f"restart: {crashed}",
            graph=FLOW,
        )
        assert made.end.states["sum"].total == 20 and made.end.states["s"].offset == 4, crashed
        assert made.undisturbed and made.falls[0].exact, crashed


def told(made: Run, kind: type[Note]) -> int:
    return sum(isinstance(note, kind) for each in made.steps for note in each.notes)


def test_any_scenario_can_run_under_it_and_every_start_becomes_a_checkpoint() -> None:
    made = record(LIBRARY.scenario("blue-figure"), RunKey(algorithm="uncoordinated"))
    assert told(made, Stored) == 2 and not made.verdicts and made.undisturbed
