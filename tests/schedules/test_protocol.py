"""What decides the next action: script, seed, virtual time, a person."""

from typing import Any

import pytest

from app.core.kernel.enabled import enabled
from app.core.model.values import BluecutError, Deliver, Drop, Move, Partition, Start, Todo, Wake
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.schedules.protocol import concerned, draw
from app.schedules.script import Script
from app.schedules.seeded import Seeded, deliverable
from tests.tiny import TOKEN, actions, delivered, made, run, scenario

REFUSING: dict[str, Any] = {
    "topology": {"processes": ["p", "q"], "channels": ["p->q", "q->p"]},
    "program": {
        "kind": "machine",
        "first": {"p": "A", "q": "B"},
        "edges": {
            "p": [
                {"from": "A", "to": "A", "send": "m", "on": "p->q"},
                {"from": "A", "to": "A", "send": "n", "on": "p->q"},
            ],
            "q": [{"from": "B", "to": "B", "receive": "n", "on": "p->q"}],
        },
    },
}
"""p sends m and n; q can receive n, and never m."""


class Fixed:
    """A random number generator that always returns the same number."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        return self.number


def moves(run: Run) -> int:
    """Return how many moves the programs made."""
    return sum(isinstance(action, Move) for action in actions(run))


def test_a_draw_reaches_both_ends() -> None:
    assert [draw(Fixed(x), 4) for x in (0.0, 0.24, 0.25, 0.99999)] == [0, 0, 1, 3]  # type: ignore[arg-type]


# --- script ------------------------------------------------------------------------------------------------------


def test_a_script_is_followed_and_then_what_is_under_way_arrives_oldest_first() -> None:
    made_run = run(TOKEN + "    script: [{send: {on: p->q}}, {start: p}, {start: q}]")
    assert actions(made_run)[3:6] == [Deliver("p->q"), Deliver("p->q"), Deliver("q->p")]
    assert [step.entry for step in made_run.steps[:4]] == [0, 1, 2, None]
    assert not made_run.end.queues and not made_run.end.lanes


def test_a_line_that_cannot_happen_names_its_place() -> None:
    text = TOKEN + "    script:\n      - start: p\n      - send: {on: q->p}\n"
    with pytest.raises(BluecutError, match=r"tiny, line 7: script\[1\]: q holds no token"):
        run(text)


def test_after_a_person_has_interfered_such_a_line_is_passed_over() -> None:
    text = TOKEN + "    script: [{send: {on: p->q}}, {deliver: p->q}, {send: {on: q->p}}]"
    start = RunKey(choices=((1, 2),))  # deliver, start p, start q: q starts with the token in flight
    branched = record(scenario(text), start)
    assert branched.steps[1].action == Start("q")
    assert Move("q", "q->p", "T") in actions(branched)
    lost = record(scenario(text.replace("{deliver: p->q}, ", "")), RunKey(choices=((1, 0),)))
    assert lost.steps[1].action == Deliver("p->q")


def test_a_wake_takes_the_oldest_step_that_its_process_put_off() -> None:
    text = TOKEN + "    algorithm: late-marker\n    script: [{start: p}, {start: p}, {wake: p}]"
    assert [a for a in actions(run(text)) if isinstance(a, Wake)][:2] == [
        Wake("p", Todo("markers", (1,))),
        Wake("p", Todo("markers", (2,))),
    ]


def test_a_wake_with_nothing_put_off_is_refused_in_words() -> None:
    with pytest.raises(BluecutError, match="p has not put off a step"):
        run(TOKEN + "    script: [{wake: p}]")


def test_without_fifo_the_rest_arrives_around_what_is_refused() -> None:
    sends = [{"send": {"on": "p->q", "message": word}} for word in ("m", "n")]
    stuck = record(made(REFUSING | {"script": sends}))
    free = record(made(REFUSING | {"discipline": "any", "script": sends}))
    assert delivered(stuck) == []
    assert delivered(free) == [Deliver("p->q", 1)]


def test_nothing_is_left_to_do_in_an_empty_world() -> None:
    system = scenario(TOKEN).system(RunKey())
    assert Script(system, (), strict=True).next(system.begin()) is None


# --- seeded ------------------------------------------------------------------------------------------------------


def seeded(seed: int, most: int, extra: str = "") -> Run:
    return run(TOKEN + f"    schedule: {{kind: seeded, seed: {seed}, moves: {most}}}\n{extra}")


def test_programs_make_as_many_moves_as_they_may() -> None:
    assert [moves(seeded(seed, 6)) for seed in range(5)] == [6] * 5


def test_the_same_seed_gives_the_same_run_and_another_seed_another() -> None:
    text = """
        topology: {complete: 3}
        program: {kind: bank, everyone: 5}
        schedule: {kind: seeded, seed: 3, moves: 12}
    """
    assert run(text).digest == run(text).digest == record(scenario(text), RunKey(seed=3)).digest
    assert len({record(scenario(text), RunKey(seed=seed)).digest for seed in range(10)}) == 10


@pytest.mark.parametrize("at", [0, 1, 3])
def test_a_snapshot_starts_after_so_many_steps(at: int) -> None:
    made_run = seeded(1, 8, f"    initiators: [{{process: q, at: {at}}}]")
    assert actions(made_run).index(Start("q")) == at


def test_a_snapshot_that_is_late_starts_when_nothing_else_is_left() -> None:
    made_run = seeded(1, 2, "    initiators: [{process: q, at: 100}]")
    assert actions(made_run)[4] == Start("q")


def test_without_fifo_only_what_can_be_received_is_picked() -> None:
    for seed in range(10):
        values = REFUSING | {"discipline": "any", "schedule": {"kind": "seeded", "seed": seed, "moves": 6}}
        end = record(made(values)).end
        assert {message.payload for queue in end.queues.values() for message in queue} <= {"m"}


# --- timed -------------------------------------------------------------------------------------------------------


PAIR = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: bank, everyone: 9}
    schedule: {kind: timed, %s}
    script:
"""


def timed(schedule: str, *lines: str, discipline: str = "fifo") -> Run:
    script = "".join(f"      - {line}\n" for line in lines)
    return record(scenario(PAIR % schedule + script), RunKey(discipline=discipline))


def times(run: Run) -> list[tuple[str, Any]]:
    """Return what happened, in short: sends and deliveries."""
    return [
        ("send", a.payload[0][1]) if isinstance(a, Move) else ("deliver", a.channel)
        for a in actions(run)
        if isinstance(a, Move | Deliver)
    ]


def test_a_message_sent_at_t_with_delay_d_is_due_at_t_and_1_and_d() -> None:
    made_run = timed(
        "delay: {constant: 3}",
        "{at: 0, send: {on: p->q, message: 1}}",
        "{at: 3, send: {on: q->p, message: 2}}",
        "{at: 4, send: {on: q->p, message: 3}}",
    )
    # The first is due at 4: it arrives after what is sent at 3, and before what is sent at 4.
    assert times(made_run)[:4] == [("send", 1), ("send", 2), ("deliver", "p->q"), ("send", 3)]


def test_a_late_head_holds_back_what_is_behind_it() -> None:
    lines = (
        "{send: {on: p->q, message: 1}}",
        "{send: {on: p->q, message: 2}}",
        "{at: 5, send: {on: q->p, message: 3}}",
    )
    assert times(timed("delay: {digits: '90'}", *lines))[2] == ("send", 3)
    assert actions(timed("delay: {digits: '90'}", *lines, discipline="any"))[2] == Deliver("p->q", 1)


def test_a_message_that_is_too_early_in_the_causal_order_waits_for_the_one_before_it() -> None:
    made = run(
        """
        topology: {processes: [p, q], channels: [p->q]}
        program: {kind: bank, accounts: {p: 9}}
        discipline: causal
        schedule: {kind: timed, delay: {digits: "90"}}
        script: [{send: {on: p->q, message: 1}}, {send: {on: p->q, message: 2}}]
        """
    )
    assert delivered(made) == [Deliver("p->q"), Deliver("p->q")]
    assert made.system.program.view(made.end.states["q"]) == 3


def test_one_message_of_each_sender_a_tick_from_its_first_channel_that_has_one_due() -> None:
    text = """
        topology: {processes: [a, b, c], channels: [a->b, a->c, b->a]}
        program: {kind: bank, everyone: 9}
        schedule: {kind: timed, delay: {constant: 0}, one_per_sender: true}
        script:
          - {send: {on: a->c, message: 1}}
          - {send: {on: a->b, message: 2}}
          - {send: {on: b->a, message: 3}}
          - {at: 2, send: {on: b->a, message: 4}}
    """
    assert actions(run(text))[3:] == [
        Deliver("a->b"), Deliver("b->a"),  # tick 1
        Deliver("a->c"), Move("b", "b->a", (("", 4),)),  # tick 2
        Deliver("b->a"),
    ]  # fmt: skip


def test_a_message_that_is_due_too_early_for_its_order_arrives_after_the_one_before_it() -> None:
    text = """
        topology: {processes: [p, q], channels: [p->q]}
        program: {kind: token, holders: {p: 2}}
        algorithm: photographs
        discipline: causal
        schedule: {kind: timed, delay: {digits: "50"}}
        script: [{at: 0, send: {on: p->q}}, {at: 0, send: {on: p->q}}]
    """
    assert delivered(run(text)) == [Deliver("p->q"), Deliver("p->q")]


def test_delays_of_a_channel_come_before_the_common_one() -> None:
    slow = timed(
        "delay: {constant: 0}, delays: {p->q: {constant: 5}}",
        "{send: {on: p->q, message: 1}}",
        "{send: {on: q->p, message: 2}}",
    )
    assert delivered(slow) == [Deliver("q->p"), Deliver("p->q")]


def test_idle_processes_do_not_use_up_the_moves() -> None:
    text = """
        topology: {ring: 8}
        program: {kind: token, holders: {P1: 1}}
        schedule: {kind: timed, moves: 10}
    """
    assert moves(run(text)) == 10


def test_a_world_in_which_nobody_can_ever_move_comes_to_an_end() -> None:
    text = """
        topology: {ring: 4}
        program: {kind: token, holders: {}}
        schedule: {kind: timed, moves: 10}
    """
    assert actions(run(text)) == []


def test_a_gap_of_nothing_is_a_tick_all_the_same() -> None:
    text = """
        topology: {chain: 2}
        program: {kind: token, holders: {P1: 1}}
        schedule: {kind: timed, moves: 3, gap: {constant: 0}}
    """
    assert moves(run(text)) == 1


def test_a_step_put_off_can_be_taken_at_a_time() -> None:
    text = (
        TOKEN
        + "    algorithm: late-marker\n    schedule: {kind: timed}\n    script: [{at: 1, start: p}, {at: 3, wake: p}]"
    )
    assert actions(run(text))[:2] == [Start("p"), Wake("p", Todo("markers", (1,)))]


def test_a_recorded_part_on_its_way_does_not_hasten_a_message_that_waits() -> None:
    values = REFUSING | {
        "topology": {"processes": ["p", "q", "r"], "channels": ["p->q", "r->q", "q->r", "r->p"]},
        "initiators": [{"process": "r", "at": 1}],
        "script": [{"send": {"on": "p->q", "message": "n"}}],
        "schedule": {"kind": "timed", "delay": {"uniform": [0, 3]}, "seed": 5},
    }

    def facts(collect: bool) -> list[Any]:
        return [
            a for a in actions(record(made(values | {"collect": collect}))) if isinstance(a, Deliver | Move | Start)
        ]

    assert facts(True) == facts(False)


# --- manual ------------------------------------------------------------------------------------------------------


def test_a_manual_run_is_what_a_person_chose_and_nothing_else() -> None:
    text = TOKEN + "    schedule: {kind: manual}"
    assert actions(run(text)) == []
    chosen = record(scenario(text), RunKey(choices=((0, 0), (1, 0))))
    assert actions(chosen) == [Move("p", "p->q", "T"), Deliver("p->q")]
    assert chosen.system.program.view(chosen.end.states["q"]) == 1


def test_a_person_may_go_on_where_the_run_had_ended() -> None:
    text = TOKEN + "    script: [{send: {on: p->q}}]"
    further = record(scenario(text), RunKey(choices=((2, 0),)))
    assert actions(further)[:3] == [Move("p", "p->q", "T"), Deliver("p->q"), Move("q", "q->p", "T")]


@pytest.mark.parametrize("kind", ["seeded", "timed"])
def test_a_schedule_goes_on_after_any_interference(kind: str) -> None:
    text = TOKEN + f"    schedule: {{kind: {kind}, seed: 4, moves: 6}}\n    initiators: [{{process: p, at: 2}}]"
    own = run(text)
    for step in own.steps:
        last = len(enabled(own.system, own.world(step.number - 1))) - 1
        branch = record(scenario(text), RunKey(choices=((step.number - 1, last),)))
        assert all(seen.completed for seen in branch.history.recordings.values())
        assert not branch.end.queues and not branch.end.lanes


@pytest.mark.parametrize("algorithm", ["chandy-lamport", "late-marker", "photographs"])
@pytest.mark.parametrize("discipline", ["fifo", "any"])
def test_the_seeded_schedule_always_knows_which_channels_can_deliver(discipline: str, algorithm: str) -> None:
    values = REFUSING | {
        "schedule": {"kind": "seeded", "seed": 6, "moves": 9},
        "initiators": [{"process": "p", "at": 2}],
    }
    key = RunKey(discipline=discipline, algorithm=algorithm)
    whole = record(made(values), key)
    schedule = made(values).schedule(key, whole.system)
    for step in whole.steps:
        world = whole.world(step.number)
        schedule.saw(step.action, world, step.notes)
        channels = tuple(whole.system.topology.channels)
        asked = [c for c in channels if c in world.queues and deliverable(whole.system, world, c)]
        assert [channels[i] for i in schedule.ready] == asked, step.number  # type: ignore[attr-defined]
    assert len(whole.steps) > 9


@pytest.mark.parametrize(
    "name", ["crash-hangs", "crash-unusable", "hash-ring", "cut-and-mended", "joiner-merged", "blocked-channel"]
)
def test_it_knows_so_too_when_members_go_and_channels_are_cut(name: str) -> None:
    run = record(LIBRARY.scenario(name))
    schedule = Seeded(run.system, 1, 0, ())
    channels = tuple(run.system.topology.channels)
    for step in run.steps:
        world = run.world(step.number)
        schedule.saw(step.action, world, step.notes)
        asked = [c for c in channels if c in world.queues and deliverable(run.system, world, c)]
        assert [channels[i] for i in schedule.ready] == asked, step.number


def test_it_is_the_process_at_the_end_of_the_channel_that_an_action_of_the_network_concerns() -> None:
    system = made(REFUSING).system(RunKey())
    actions = (Drop("p->q"), Partition("p->q"), Deliver("p->q"), Move("p"), Start("q"))
    assert [concerned(system, action) for action in actions] == ["q", "q", "q", "p", "q"]
