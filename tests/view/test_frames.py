"""What frames say about possible next actions, compared with the kernel."""

from collections.abc import Iterator

import pytest

from app.core.enabled import options
from app.core.model import Deliver
from app.simulator.key import RunKey
from app.simulator.library import LIBRARY
from app.simulator.run import Run, record
from app.view.frames import frames, scene
from tests.tiny import run

MACHINE = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program:
      kind: machine
      first: {p: A, q: C}
      edges:
        p: [{from: A, to: B, send: m, on: p->q}, {from: B, to: A, send: n, on: p->q}]
        q: [{from: C, to: D, receive: m, on: p->q}, {from: D, to: C, receive: n, on: p->q}]
    schedule: {kind: seeded, seed: 4, moves: 12}
    initiators: [{process: p, at: 3}]
"""
"""q receives m and n in turn, so messages further back can be refused while others are not."""


def reason(held: dict[int, str], message: int) -> str | None:
    """Return the reason that counts: the first."""
    return held[message].split()[0] if message in held else None


def told(run: Run) -> Iterator[dict[tuple[str, int], str | None]]:
    """After each step: why each message cannot be delivered, as a browser knows it from the frames alone."""
    queues: dict[str, list[int]] = {}
    held: dict[int, str] = {}
    for frame in frames(run):
        for key, *values in frame["n"]:
            if key == "sent" and values[2] != "part":
                queues.setdefault(values[0], []).append(values[1])
            elif key == "received" and values[1] in queues.get(values[0], ()):
                queues[values[0]].remove(values[1])
                held.pop(values[1], None)
            elif key == "held":
                if values[2] is None:
                    del held[values[1]]
                else:
                    held[values[1]] = values[2]
        yield {
            (channel, position): "behind" if position and run.system.fifo else reason(held, message)
            for channel, queue in queues.items()
            for position, message in enumerate(queue)
        }


@pytest.mark.parametrize("discipline", ["fifo", "causal", "any"])
def test_the_frames_tell_of_every_message_whether_it_can_be_delivered(discipline: str) -> None:
    made = run(MACHINE, RunKey(discipline=discipline))
    refused = []
    for step, known in zip(made.steps, told(made), strict=True):
        possible = {
            (action.channel, action.position): reason
            for action, reason in options(made.system, step.world)
            if isinstance(action, Deliver)
        }
        assert known == possible, step.number
        refused += [position for (_, position), reason in known.items() if reason == "refused"]
    assert any(refused) is (discipline == "any"), "a message behind the head was refused"


def test_a_send_that_leads_into_a_state_of_its_own_is_told_with_both() -> None:
    made = run(MACHINE)
    assert scene(made)["processes"][0]["can"] == [["send p->q m B", None, "m", "B"]]


def test_what_the_snapshot_holds_up_is_told_with_the_reason() -> None:
    made = record(LIBRARY.scenario("stop-the-world"))
    moves = [note[2] for frame in frames(made) for note in frame["n"] if note[0] == "can"]
    assert any(isinstance(move, list) and move[1] == "paused" for found in moves for move in found)
