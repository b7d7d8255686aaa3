"""Crash and recovery in the kernel: which processes go down, what comes back, and how the observer judges it."""

from typing import Any, cast

import pytest

from app.algorithms.shared.verbs import STEPS
from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model import recorded_state
from app.core.model.notes import Aborted, Down, Restored
from app.core.model.values import (
    Abandon,
    Crash,
    Deed,
    Deliver,
    Move,
    Refused,
    Restart,
    Restore,
    Start,
    Todo,
    Wake,
    World,
)
from app.run.run import Run
from app.scenario.run_key import RunKey
from tests.tiny import notes, run, scenario

GRAPH = """
    topology:
      processes: [JM, s1, s2, sum, out]
      channels: [JM->s1, JM->s2, s1->sum, s2->sum, sum->out]
    program:
      kind: dataflow
      operators:
        JM: {coordinator: true}
        s1: {source: [1, 2, 3]}
        s2: {source: [10, 20]}
        sum: {sum: all}
        out: {sink: SINK}
    algorithm: aligned
"""
CHECKPOINT = """
    script:
      - {read: s1}
      - {read: s1}
      - {start: JM}
      - {deliver: JM->s1}
      - {read: s1}
      - {deliver: s1->sum}
      - {deliver: s1->sum}
      - {deliver: s1->sum}
      - {read: s2}
      - {deliver: JM->s2}
      - {deliver: s2->sum}
      - {deliver: s2->sum}
"""
STORED = """
      - {wake: s1}
      - {wake: s2}
      - {wake: sum}
      - {deliver: sum->out}
      - {deliver: sum->out}
      - {deliver: sum->out}
      - {deliver: sum->out}
      - {wake: out, what: upload}
"""


def flow(*more: str, sink: str = "plain") -> Run:
    """Return the run with a checkpoint between 2 and 3 of s1 and before 20 of s2, continued by ``more``."""
    lines = "".join(f"      - {{{line}}}\n" for line in more)
    return run(GRAPH.replace("SINK", sink) + CHECKPOINT + STORED + lines)


def totals(world: World) -> dict[str, int]:
    """Return the offsets of the sources, and the sum."""
    return {"s1": world.states["s1"].offset, "s2": world.states["s2"].offset, "sum": world.states["sum"].total}


def outside(world: World, sink: str = "out") -> list[int]:
    """Return the values that have left the system."""
    return [one.value for one in world.durable.outside.get(sink, ()) if not isinstance(one, str)]


def test_the_recorded_state_is_put_back_and_the_sources_read_on_from_their_offsets() -> None:
    crashed = flow("read: s2", "deliver: s1->sum", "crash: sum", "restore: latest")
    (back,) = (s for s in crashed.steps if isinstance(s.action, Restore))
    assert totals(crashed.world(back.number)) == {"s1": 2, "s2": 1, "sum": 13}
    assert (
        not crashed.world(back.number).queues
        and crashed.world(back.number).wakes == ()
        and crashed.world(back.number).down == ()
    )
    assert totals(crashed.end) == totals(flow().end) == {"s1": 3, "s2": 2, "sum": 36}


def test_what_was_recorded_can_still_be_seen_and_is_judged_as_before() -> None:
    before, after = flow(), flow("crash: sum", "restore: 1")
    assert after.verdicts[1].checks == before.verdicts[1].checks
    assert after.verdicts[1].checks["consistent"] is True
    assert after.verdicts[1].checks["reachable"] is True


def test_the_history_goes_on_from_the_cut_and_later_snapshots_are_judged_in_it() -> None:
    again = flow("crash: out", "restore: 1", "read: s1", "start: JM")
    assert list(again.verdicts) == [1, 2]
    assert set(again.verdicts[2].checks.values()) == {True, None}
    assert again.undisturbed
    assert len(again.history.lives) == 1


def test_a_restore_is_idempotent() -> None:
    system = scenario(GRAPH.replace("SINK", "plain")).system(RunKey())
    world = flow().end
    once, _ = step(system, step(system, world, Crash("sum"))[0], Restore(1))
    twice, _ = step(system, step(system, once, Crash("out"))[0], Restore(1))
    assert (once.states, once.queues, once.memories) == (twice.states, twice.queues, twice.memories)
    assert once.durable.outside == twice.durable.outside


@pytest.mark.parametrize("name", ["sum", "out"])
def test_nobody_restarts_who_is_up_or_comes_back_only_with_the_others(name: str) -> None:
    made = flow("crash: sum")
    with pytest.raises(Refused, match="cannot restart now"):
        step(made.system, made.end, Restart(name))


def test_without_a_complete_checkpoint_there_is_only_the_beginning() -> None:
    early = run(GRAPH.replace("SINK", "plain") + CHECKPOINT + "      - {crash: s2}\n")
    restored = next(s for s in early.steps if isinstance(s.action, Restore))
    assert restored.action == Restore(0)
    assert totals(early.world(restored.number)) == {"s1": 0, "s2": 0, "sum": 0}
    assert [n.snapshot for n in restored.notes if isinstance(n, Aborted)] == [1]
    assert totals(early.end)["sum"] == 36


def test_a_checkpoint_under_way_when_somebody_crashes_never_completes() -> None:
    early = run(GRAPH.replace("SINK", "plain") + CHECKPOINT + "      - {crash: out}\n")
    assert early.history.recordings[1].aborted is not None
    assert early.history.recordings[1].completed is None


def test_who_is_down_does_nothing_and_takes_nothing() -> None:
    system = scenario(GRAPH.replace("SINK", "plain")).system(RunKey())
    world, _ = step(system, system.begin(), Move("s1", None, None, Deed.READ))
    world, happened = step(system, world, Crash("sum"))
    assert happened == (Down("sum"),)
    assert Deliver("s1->sum") not in enabled(system, world)
    with pytest.raises(Refused, match="cannot be delivered now: the process has crashed"):
        step(system, world, Deliver("s1->sum"))
    assert Start("JM") not in enabled(system, world)
    assert Restore(0) in enabled(system, world)


def test_the_coordinator_never_crashes_and_alone_starts() -> None:
    system = scenario(GRAPH.replace("SINK", "plain")).system(RunKey())
    offered = enabled(system, system.begin())
    assert Crash("JM") not in offered and Crash("s1") in offered
    assert [action for action in offered if isinstance(action, Start)] == [Start("JM")]


def test_what_has_left_the_system_is_never_taken_back() -> None:
    late = ("deliver: s1->sum", "deliver: sum->out", "crash: sum", "restore: 1")
    assert outside(flow(*late).end) == [1, 3, 13, 16, 16, 36]
    assert outside(flow(sink="transactional").end) == [1, 3, 13]
    assert outside(flow(*late, sink="transactional").end) == [1, 3, 13]


def test_an_abandoned_checkpoint_never_completes_and_blocks_nobody() -> None:
    given_up = run(
        GRAPH.replace("SINK", "plain") + CHECKPOINT.split("      - {read: s2}")[0] + "      - {abandon: 1}\n"
    )
    assert given_up.history.recordings[1].aborted is not None
    assert not notes(given_up, "completed")
    assert totals(given_up.end)["sum"] == 36
    system = given_up.system
    world = given_up.world(len([s for s in given_up.steps if s.entry is not None]))
    with pytest.raises(Refused, match="snapshot 1 is not in progress"):
        step(system, world, Abandon(1))


def test_a_full_channel_holds_its_sender_up_and_a_busy_process_takes_nothing() -> None:
    pressed = scenario(GRAPH.replace("SINK", "plain") + "    capacity: {sum->out: 1, s1->sum: 1}\n").system(RunKey())
    world = pressed.begin()
    for action in (
        Move("s1", None, None, Deed.READ),
        Deliver("s1->sum"),
        Move("s1", None, None, Deed.READ),
        Deliver("s1->sum"),
    ):
        world, _ = step(pressed, world, action)
    assert world.states["sum"].pending  # its output is full
    world, _ = step(pressed, world, Move("s1", None, None, Deed.READ))
    with pytest.raises(Refused, match="cannot be delivered now: the process has not finished"):
        step(pressed, world, Deliver("s1->sum"))
    world, _ = step(pressed, world, Deliver("sum->out"))
    (go_on,) = (a for a in enabled(pressed, world) if isinstance(a, Move) and a.process == "sum")
    world, _ = step(pressed, world, go_on)
    assert not world.states["sum"].pending


def test_a_system_without_recovery_loses_who_crashes_for_good() -> None:
    gone = scenario(GRAPH.replace("SINK", "plain") + "    recovery: false\n").system(RunKey())
    world, _ = step(gone, gone.begin(), Crash("sum"))
    assert world.gone == ("sum",) and world.down == ()


def test_chandy_lamport_rolls_back_too_with_what_was_in_its_channels() -> None:
    text = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: bank, accounts: {p: 10, q: 10}}
    recovery: true
    script:
      - {send: {on: q->p, message: 4}}
      - {start: p}
      - {deliver: p->q}
      - {deliver: q->p}
      - {deliver: q->p}
      - {send: {on: p->q, message: 7}}
      - {crash: q}
      - {restore: 1}
    """
    back = run(text)
    restored = next(s for s in back.steps if isinstance(s.action, Restore))
    (note,) = (n for n in restored.notes if isinstance(n, Restored))
    assert [(c, [m.payload for m in queue]) for c, queue in note.queues] == [("q->p", [(("", 4),)])]
    assert back.end.states["p"] == (("", 14),) and back.end.states["q"] == (("", 6),)
    assert back.undisturbed


def test_a_wake_says_what_it_is_in_a_script() -> None:
    assert [s.action for s in flow().steps if isinstance(s.action, Wake)][-1] == Wake("out", Todo("upload", (1,)))


def test_after_a_rollback_a_process_sends_what_a_full_channel_had_kept_back() -> None:
    jammed = """
    topology: {processes: [s, m, out], channels: [s->m, m->out]}
    program:
      kind: dataflow
      operators: {s: {source: [1, 2]}, m: {map: {times: 2}}, out: {sink: plain}}
    capacity: {m->out: 1}
    """
    system = scenario(jammed).system(RunKey(algorithm="by-hand", manual=True))

    def verb(process: str, name: str, channel: str = "") -> Wake:
        return Wake(process, Todo(STEPS[name], (1,), channel))

    read = Move("s", None, None, Deed.READ)
    world = system.begin()
    for action in (
        *(read, Deliver("s->m"), read, Deliver("s->m"), Start("m"), verb("m", "record"), Deliver("m->out")),
        *(verb("s", "record"), verb("out", "record"), verb("s", "done"), verb("m", "close", "s->m"), verb("m", "done")),
        *(verb("out", "close", "m->out"), verb("out", "done"), Crash("s")),
    ):
        world, _ = step(system, world, action)
    recorded = recorded_state.part(system, world, "m", 1)
    assert recorded and len(cast(Any, recorded.state).pending) == 1
    world, _ = step(system, world, Restore(1))
    assert not world.states["m"].pending
    assert [message.payload.value for message in world.queues["m->out"]] == [4]
