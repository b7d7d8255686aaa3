"""A run as bytes."""

import json

from app.web.shared.encoded_run import EMBEDDED, Recorded
from tests.tiny import TOKEN, run

SENT = TOKEN + "    script: [{send: {on: p->q}}, {start: p}, {deliver: p->q}, {deliver: p->q}, {deliver: q->p}]"

MANY = TOKEN + "    schedule: {kind: seeded, seed: 1, moves: 400}\n    steps: 900"


def test_the_first_frames_are_the_same_whether_or_not_the_others_were_asked_for() -> None:
    early, whole = Recorded(run(SENT)), Recorded(run(SENT)).first(6)
    assert early.first(0) == []
    assert early.first(2) == whole[:2]
    assert early.first(1) == whole[:1]
    assert early.first(99) == whole
    assert [json.loads(frame)["a"] for frame in whole] == [
        "send p->q T", "start p", "deliver p->q", "deliver p->q", "deliver q->p", "collect q->p",
    ]  # fmt: skip


def test_frames_that_are_only_in_the_stream_any_more_are_the_same() -> None:
    recorded = Recorded(run(MANY))
    before = recorded.first(9_999)
    assert len(before) > EMBEDDED
    recorded.events(None, zipped=True)
    assert recorded.first(9_999) == before
    assert recorded.first(EMBEDDED + 1) == before[: EMBEDDED + 1]
    assert recorded.first(3) == before[:3]


def test_once_the_stream_is_made_the_run_keeps_nothing_that_only_the_stream_needed() -> None:
    recorded = Recorded(run(MANY).thinned())
    world, index = recorded.run.world(5), recorded.run.history.index
    recorded.events(None, zipped=True)
    assert recorded.run.world(5) == world and recorded.run.world(5) is not world
    assert recorded.run.history.index is not index
