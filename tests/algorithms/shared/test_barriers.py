"""The barrier algorithms one by one: what a single process does with barriers, cancellations and ends."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from app.algorithms.barriers.aligned_timeout import ANNOUNCE
from app.algorithms.registry import algorithm
from app.algorithms.shared.barriers import Memory
from app.core.model.notes import Aborted, Completed, Hurried, Logged
from app.core.model.values import ABORT, APP, CONTROL, END, MARKER, Abandon, Message, Process, Todo
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.core.kernel.test_recovery_steps import GRAPH
from tests.oracles.test_flink_barriers import Task, fed
from tests.tiny import notes, run


def flow(name: str, *lines: str) -> Run:
    """Return a run of the sum of two sources."""
    graph = GRAPH.replace("SINK", "plain").replace("aligned", name)
    return run(graph + "    script:\n" + "".join(f"      - {{{line}}}\n" for line in lines))


def said(name: str, channels: int, sequence: str) -> list[int]:
    """Return what a task records (positive) and aborts (negative) while it processes a sequence."""
    task = Task(name, channels)
    list(fed(task, sequence.split()))
    return task.said


@pytest.mark.parametrize(
    ("sequence", "expected"),
    [
        ("b2:0 b2:1 b2:2 b3:1 b3:2 b4:2 b4:1 b3:0 b4:0", [2, 3, 4]),  # late, but not too late
        ("b6:1 b6:0 b7:1 b7:2 b8:2 b8:1 b9:1 b7:0 b9:2 b8:0 b9:0", [7, 8, 9]),  # 6 is over with 7
        ("b1:1 b2:1 c1:0 b2:0 b2:2", [-1, 2]),  # a cancellation that the next barrier has overtaken
        ("b2:0 b2:1 e1 b2:2", [2]),  # a barrier and an end of one input count once
        ("b1:0 b2:0 b2:1 b3:0 b4:0 b4:1 b5:1 e2", [4]),  # the end completes the latest that it can
        ("e2 b5:0 b6:0 b6:1 e1 b7:0", [6, 7]),
    ],
)
def test_counted_barriers(sequence: str, expected: list[int]) -> None:
    assert said("at-least-once", 3, sequence) == expected


@pytest.mark.parametrize(("snapshots", "expected"), [(50, [1]), (51, [])])
def test_the_barriers_of_fifty_snapshots_are_counted_at_a_time(snapshots: int, expected: list[int]) -> None:
    first = " ".join(f"b{number}:0" for number in range(1, snapshots + 1))
    assert said("at-least-once", 2, f"{first} b1:1") == expected


@pytest.mark.parametrize(
    ("sequence", "expected"),
    [
        ("b1:0 b2:1 b2:0 b2:2", [-1, 2]),  # subsumed
        ("b1:0 c1:1 b1:2 b2:0 b2:1 b2:2", [-1, 2]),  # the late barrier blocks no input
        ("b1:0 c3:1 c2:0 c3:0", [-3]),
        ("c2:0 b2:1 b2:2", [-2]),
        ("b1:0 b1:1 e2", [1]),
    ],
)
def test_aligned_barriers(sequence: str, expected: list[int]) -> None:
    assert said("aligned", 3, sequence) == expected


def test_an_end_gives_up_only_what_is_under_way() -> None:
    assert said("aligned-strict", 3, "b1:0 e1 b2:0 b2:2") == [-1, 2]


def test_a_task_with_one_input_has_nothing_to_wait_for() -> None:
    for name in ("aligned", "unaligned", "at-least-once", "aligned-timeout"):
        task = Task(name, 1)
        assert list(fed(task, ["d0", "b1:0", "d0", "b2:0"])) == [0, 1, 2, 3]
        assert task.said == [1, 2] and task.in_flight(1) == task.in_flight(2) == []


def test_what_a_barrier_has_overtaken_is_its_payload_and_is_recorded_also_in_the_channel_of_the_first() -> None:
    rules, process = algorithm("unaligned"), Process("T", ("a->T", "b->T"), ())
    overtaken = (Message(1, APP, "x"), Message(2, APP, END))
    memory, effects = rules.on_receive(process, rules.start(process), 0, "a->T", Message(3, MARKER, overtaken, 1))
    assert [e.message.id for e in effects if isinstance(e, Logged)] == [1, 2]
    part = rules.result(process, memory, 1)
    assert part is not None and dict(part.channels) == {"a->T": overtaken, "b->T": ()} and part.open == ("b->T",)


def test_a_barrier_overtakes_what_waits_and_says_nothing_where_nothing_does() -> None:
    made = flow("unaligned", "read: s1", "start: JM", "deliver: JM->s1", "deliver: JM->s2", "read: s2")
    hurried = [note for note in notes(made, "hurried") if isinstance(note, Hurried)]
    assert [(note.channel, note.position) for note in hurried] == [("s1->sum", 0)]


@pytest.mark.parametrize(
    "name", ["aligned", "unaligned", "aligned-timeout", "loops", "at-least-once", "aligned-strict"]
)
def test_a_checkpoint_that_is_given_up_never_completes_and_the_next_one_does(name: str) -> None:
    made = flow(name, "read: s1", "start: JM", "deliver: JM->s1", "deliver: s1->sum", "abandon: 1", "read: s2")
    assert Abandon(1) in [step.action for step in made.steps]
    assert made.end.snapshots[1].aborted and not made.history.recordings[1].completed
    again = flow(
        name, "read: s1", "start: JM", "deliver: JM->s1", "deliver: s1->sum", "abandon: 1", "start: JM", "read: s2"
    )
    assert not made.end.queues and not again.end.queues  # no process waits, so everything arrived
    assert again.history.recordings[2].completed and not again.history.recordings[1].completed


def test_a_complete_checkpoint_gives_up_those_before_it() -> None:
    made = record(LIBRARY.scenario("commit-before-barrier"), RunKey(algorithm="aligned-strict", seed=1))
    assert notes(made, "completed", "aborted") == [Completed(2), Aborted(1, "JM")]


@pytest.mark.parametrize(("snapshot", "open_"), [(1, False), (2, True)])
def test_a_blocked_input_lets_in_only_what_has_overtaken_for_a_later_checkpoint(snapshot: int, open_: bool) -> None:
    rules, process = algorithm("aligned-timeout"), Process("T", ("a->T", "b->T"), ())
    memory = replace(rules.start(process), latest=1, blocked=("a->T",))
    overtook = Message(3, MARKER, (), snapshot)
    assert rules.accepts(process, memory, "a->T", overtook) is open_
    assert not rules.accepts(process, memory, "a->T", structs.replace(overtook, payload=None))
    assert rules.accepts(process, memory, "b->T", Message(4, APP, "x"))


def test_after_a_timeout_what_is_blocked_waits_for_the_last_barrier() -> None:
    """As in Flink since 1.14: behind a barrier that has come nothing is in flight, so nothing of it is recorded."""
    task = Task("aligned-timeout", 3)
    task.takes(0, Message(0, MARKER, None, 1))
    task.wakes(task.timers[0])
    assert task.said == [1] and not task.accepts(0, Message(1, APP, "x"))
    assert task.accepts(1, Message(2, APP, "y")) and task.accepts(2, Message(3, APP, "z"))
    task.takes(1, Message(4, MARKER, None, 1))  # not announced, so it kept its place
    assert not task.accepts(1, Message(5, APP, "y"))
    task.takes(2, Message(6, MARKER, (), 1))
    assert all(task.accepts(channel, Message(7, APP, "x")) for channel in range(3))


@pytest.mark.parametrize(
    ("happens", "expected"),
    [
        (["a:1", "b:1"], [1]),
        (["abort:1", "a:1", "b:1", "a:2", "b:2"], [2]),  # before anything of it has come
        (["a:1", "abort:1", "b:1", "a:2", "b:2"], [2]),  # while it is counted
        (["a:1", "a:2", "abort:1", "b:2", "b:1"], [2]),
    ],
)
def test_where_barriers_are_counted_an_aborted_snapshot_is_not_recorded(
    happens: list[str], expected: list[int]
) -> None:
    task = Task("at-least-once", 2)
    for what, _, number in (each.partition(":") for each in happens):
        if what == "abort":
            task.wakes(Todo(ABORT, (int(number),)))
        else:
            task.takes("ab".index(what), Message(0, MARKER, None, int(number)))
    assert task.recorded == expected


@pytest.mark.parametrize(
    ("message", "accepted"),
    [
        (Message(9, CONTROL, ANNOUNCE, 2), True),
        (Message(9, CONTROL, ANNOUNCE, 1), False),
        (Message(9, CONTROL, "cancel", 2), False),
        (Message(9, MARKER, (), 2), True),
        (Message(9, MARKER, None, 2), False),
        (Message(9, APP, 5, None), False),
    ],
)
def test_a_blocked_input_lets_in_only_what_has_overtaken_for_a_later_snapshot(message: Message, accepted: bool) -> None:
    process = Process("p", ("a->p", "b->p"), ("p->c",))
    memory = Memory(latest=1, arrived=("a->p",), blocked=("a->p",))
    rules = algorithm("aligned-timeout")
    assert rules.accepts(process, memory, "a->p", message) is accepted
    assert rules.accepts(process, memory, "b->p", message) is True
