"""Barriers, cancellations and ends as Apache Flink's own tests feed them to a task, with the results that those tests
expect.

The handlers run without the kernel: channels are queues in the order of sending, and the earliest arrival whose channel
is not blocked is next.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.algorithms.barriers.aligned_timeout import ANNOUNCE
from app.algorithms.registry import algorithm
from app.algorithms.shared.barriers import CANCEL
from app.core.model.algorithm import Effect
from app.core.model.notes import Recorded
from app.core.model.values import APP, CONTROL, END, MARKER, Abort, Advance, Defer, Message, Process, Todo
from tests.oracles.shared import ORACLES, needs

FILE = ORACLES / "flink_barriers.json"
ORACLE: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
ELEMENT = re.compile(r"(?P<kind>[dbce])((?P<snapshot>\d+):)?(?P<channel>\d+)")
EVENT = re.compile(r"(?P<what>feedback record|snapshot trigger for checkpoint|feedback barrier) (?P<number>\d+)")


def entries(mode: str) -> pytest.MarkDecorator:
    """Return the entries of a mode as parameters of a test, or one skipped entry."""
    found = ORACLE.get(mode)
    if found is None:
        return pytest.mark.parametrize("entry", [None], ids=["Flink's tests"])
    return pytest.mark.parametrize("entry", found, ids=[each.get("test", mode) for each in found])


@dataclass
class Task:
    """One task with its inputs, and what it has said so far: the snapshots that it recorded, and as negative numbers
    those that it aborted. If it is ``strict``, the end of an input aborts the current snapshot."""

    name: str
    channels: int
    strict: bool = False
    said: list[int] = field(default_factory=list)
    timers: list[Todo] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rules = algorithm(self.name)
        self.ends = algorithm("aligned-strict") if self.strict else self.rules
        self.process = Process("T", tuple(f"{i}->T" for i in range(self.channels)), ("T->out",))
        self.memory = self.rules.start(self.process)

    def accepts(self, channel: int, message: Message) -> bool:
        """Does the task accept the message now?"""
        return self.rules.accepts(self.process, self.memory, self.process.inputs[channel], message)

    def blocked(self) -> list[int]:
        """Return the channels from which no item is accepted."""
        return [i for i in range(self.channels) if not self.accepts(i, Message(-1, APP, "probe"))]

    def takes(self, channel: int, message: Message) -> list[Effect]:
        """Handle the message."""
        name, rules = self.process.inputs[channel], self.ends if message.payload is END else self.rules
        self.memory, effects = rules.on_receive(self.process, self.memory, "state", name, message)
        return self.hears(effects)

    def wakes(self, what: Todo) -> list[Effect]:
        """Take a deferred step."""
        self.memory, effects = self.rules.on_wake(self.process, self.memory, "state", what)
        return self.hears(effects)

    def hears(self, effects: Iterable[Effect]) -> list[Effect]:
        """Note what the task says."""
        done = list(effects)
        for effect in done:
            if isinstance(effect, Recorded):
                self.said.append(effect.snapshot)
            elif isinstance(effect, Abort):
                self.said.append(-effect.snapshot)
            elif isinstance(effect, Defer) and effect.what.word == "timeout":
                self.timers.append(effect.what)
        return done

    @property
    def recorded(self) -> list[int]:
        """Return the recorded snapshots, in order."""
        return [one for one in self.said if one > 0]

    @property
    def aborted(self) -> list[int]:
        """Return the aborted snapshots, in order."""
        return [-one for one in self.said if one < 0]

    def in_flight(self, snapshot: int) -> list[int]:
        """Return the ids of the items that were recorded as in flight, in ascending order."""
        part = self.rules.result(self.process, self.memory, snapshot)
        logs = part.channels if part else ()
        return sorted(m.id for _, messages in logs for m in messages if m.payload is not END)


def element(index: int, text: str) -> tuple[int, Message]:
    """Return the channel and the message that an element of a sequence stands for."""
    found = ELEMENT.fullmatch(text)
    assert found is not None, text
    channel, kind = int(found["channel"]), found["kind"]
    if kind == "d":
        return channel, Message(index, APP, f"record {index}")
    if kind == "e":
        return channel, Message(index, APP, END)
    if kind == "b":
        return channel, Message(index, MARKER, None, int(found["snapshot"]))
    return channel, Message(index, CONTROL, CANCEL, int(found["snapshot"]))


def fed(task: Task, sequence: list[str]) -> Iterator[int]:
    """Let the task process a whole sequence; yield the indices in the order in which it does.

    If all that is left is blocked, nothing more can unblock it. Then Flink passes it on as it is, and barriers no
    longer count.
    """
    waiting = [element(i, text) for i, text in enumerate(sequence)]
    while waiting:
        at = next((i for i, (channel, message) in enumerate(waiting) if task.accepts(channel, message)), None)
        if at is None:
            yield from (message.id for _, message in waiting)
            return
        channel, message = waiting.pop(at)
        task.takes(channel, message)
        yield message.id


@entries("aligned_buffering")
def test_what_a_blocked_channel_holds_comes_out_in_the_order_of_arrival(entry: dict[str, Any]) -> None:
    needs(FILE)
    task = Task("aligned-strict", entry["channels"])
    sequence = entry["sequence"]
    order = list(fed(task, sequence))
    assert [i for i in order if sequence[i][0] in "de"] == entry["emitted_indices"]
    assert task.recorded == entry["completed"]
    assert task.aborted == entry["aborted"]


@entries("aligned_blocking")
def test_channels_are_blocked_and_free_when_flink_s_are(entry: dict[str, Any]) -> None:
    needs(FILE)
    task = Task("aligned", entry["channels"], strict=not entry["checkpoints_after_tasks_finish"])
    for i in fed(task, entry["sequence"]):
        if (blocked := entry["blocked_after"].get(str(i))) is not None:
            assert task.blocked() == blocked, i
        if (latest := entry.get("latest_checkpoint_after", {}).get(str(i))) is not None:
            assert task.memory.latest == latest, i
    assert len(task.recorded) == entry["triggered"]
    assert len(task.aborted) == entry["aborted"]
    assert task.recorded == entry.get("triggered_ids", task.recorded)


@entries("unaligned")
def test_what_comes_between_the_first_barrier_and_a_channel_s_own_is_in_flight(entry: dict[str, Any]) -> None:
    needs(FILE)
    task = Task("unaligned", entry["channels"], strict=not entry["checkpoints_after_tasks_finish"])
    for step in entry["steps"]:
        before = len(task.said)
        assert list(fed(task, step["sequence"])) == list(range(len(step["sequence"])))  # nothing is ever blocked
        said = task.said[before:]
        started = next((one for one in reversed(said) if one > 0), None)
        assert started == step["last_started"]
        assert next((-one for one in reversed(said) if one < 0), None) == step["last_cancelled"]
        assert (task.in_flight(started) if started else []) == step["inflight_indices"]


@entries("at_least_once_tracker")
def test_the_tracker_says_the_same_in_the_same_order(entry: dict[str, Any]) -> None:
    needs(FILE)
    task = Task("at-least-once", entry["channels"])
    assert list(fed(task, entry["sequence"])) == list(range(len(entry["sequence"])))  # nothing is ever blocked
    assert task.said == entry["notifications"]


class Gate:
    """A task with a timeout behind queues in which barriers wait: a prioritized one overtakes what is before it."""

    def __init__(self, queues: dict[str, list[str]]) -> None:
        self.task = Task("aligned-timeout", len(queues))
        numbers = iter(range(100))
        self.queues = {
            int(channel): [
                Message(next(numbers), APP, "d")
                if text == "d"
                else Message(next(numbers), MARKER, None, int(text[1:] or 1))
                for text in queue
            ]
            for channel, queue in queues.items()
        }
        self.unaligned: list[bool] = []
        self.order: list[str] = []

    def announce(self, channel: int, snapshot: int = 1) -> None:
        """Handle the announcement of a barrier."""
        self.done(self.task.takes(channel, Message(-1, CONTROL, ANNOUNCE, snapshot)))

    def times_out(self) -> None:
        """Let every timer expire."""
        timers, self.task.timers = self.task.timers, []
        for what in timers:
            self.done(self.task.wakes(what))

    def take(self) -> None:
        """Process the next element: a prioritized barrier, otherwise the head of a queue."""
        heads = [(queue[0].kind != MARKER, channel) for channel, queue in sorted(self.queues.items()) if queue]
        channel = next(c for _, c in sorted(heads) if self.task.accepts(c, self.queues[c][0]))
        message = self.queues[channel].pop(0)
        self.order.append("B" if message.kind == MARKER else "d")
        self.done(self.task.takes(channel, message))

    def done(self, effects: list[Effect]) -> None:
        """Carry out what the task requested."""
        for effect in effects:
            if isinstance(effect, Recorded):
                part = self.task.rules.result(self.task.process, self.task.memory, effect.snapshot)
                logs = any(messages for _, messages in part.channels) if part else False
                self.unaligned.append(bool(part and part.open) or logs or effect.channel is None)
            elif isinstance(effect, Advance):
                self.ahead(int(effect.channel.partition("->")[0]), effect.snapshot)

    def ahead(self, channel: int, snapshot: int) -> None:
        """Let a waiting barrier overtake what is before it, once."""
        queue = self.queues[channel]
        for i, message in enumerate(queue):
            if message.kind == MARKER and message.snapshot == snapshot and message.payload is None:
                overtaken = tuple(queue[:i])
                self.queues[channel] = [Message(message.id, MARKER, overtaken, snapshot), *overtaken, *queue[i + 1 :]]
                return

    def everything(self) -> None:
        """Process everything that is left."""
        while any(self.queues.values()):
            self.take()


def late_barriers(gate: Gate) -> None:
    gate.announce(0)
    gate.times_out()
    gate.announce(1)
    gate.everything()
    assert gate.order == ["B", "B", "d", "d", "d"]
    assert gate.task.said == [1] and gate.unaligned == [True]
    assert gate.task.in_flight(1) == [0, 1, 3]


def in_time(gate: Gate) -> None:
    gate.announce(0)
    gate.announce(1)
    gate.everything()
    assert gate.task.timers == [Todo("timeout", (1,))]
    gate.times_out()
    assert gate.task.said == [1] and gate.unaligned == [False]


def once_late_once_in_time(gate: Gate) -> None:
    gate.announce(0, 1)
    gate.times_out()
    gate.take()
    gate.announce(0, 2)
    gate.take()
    gate.times_out()
    assert gate.task.said == [1, 2] and gate.unaligned == [True, False]


TIMEOUTS = {
    "testTimeoutAlignment": late_barriers,
    "testNoActiveTimeoutAlignmentAfterLastBarrier": in_time,
    "testAlignedAfterTimedOut": once_late_once_in_time,
}
"""The descriptions of these entries as steps."""


@entries("aligned_with_timeout")
def test_a_task_turns_to_unaligned_when_barriers_come_too_late(entry: dict[str, Any]) -> None:
    needs(FILE)
    TIMEOUTS[entry["test"]](Gate(entry["queues"]))


@entries("cyclic_feedback")
def test_the_head_of_a_loop_logs_what_comes_back_before_its_barrier(entry: dict[str, Any]) -> None:
    needs(FILE)
    rules, head = algorithm("loops"), Process("H", ("s->H", "T->H"), ("H->T",), back=("T->H",))
    memory, snapshot, stored = rules.start(head), 0, False
    for event in entry["events"]:
        found = EVENT.match(event)
        if found is None:
            continue  # epochs have no counterpart here
        number = int(found["number"])
        if found["what"] == "feedback record":
            channel, message = "T->H", Message(number, APP, "record")
        else:
            channel = "T->H" if found["what"] == "feedback barrier" else "s->H"
            message, snapshot = Message(0, MARKER, None, number), number
        assert rules.accepts(head, memory, channel, message)
        memory, effects = rules.on_receive(head, memory, "state", channel, message)
        assert not stored
        stored = any(isinstance(effect, Defer) for effect in effects)
    part = rules.result(head, memory, snapshot)
    assert part is not None and stored and not part.open
    logged = [message.id for message in dict(part.channels)["T->H"]]
    assert logged == entry["expected_logged_feedback"]
    assert not set(logged) & set(entry["not_logged"])
