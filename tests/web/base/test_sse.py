import gzip

import pytest
from fastapi.testclient import TestClient

from app.run.run import record
from app.scenario.scenario import load
from app.web.base.sse import resumed
from app.web.shared.encoded_run import Recorded
from tests.web.conversation import LAST, events

BANK = """
title: {en: Five banks, zh: 五家银行}
topology: {complete: 5}
program: {kind: bank, everyone: 100, amounts: [1, 5]}
schedule: {kind: seeded, seed: 3, moves: 490}
initiators: [{process: P1, at: 200}]
"""


def test_a_stream_is_scene_steps_end(client: TestClient) -> None:
    answer = client.get("/run/blue-figure/events")
    said = events(answer.text)
    assert [(e.name, e.id) for e in said] == [("scene", 0), *(("step", n) for n in range(1, LAST + 1)), ("end", LAST)]
    assert said[1].data["a"] == "start P1"
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["x-accel-buffering"] == "no"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("seen", range(LAST + 1))
def test_a_stream_resumes_behind_the_last_event_that_arrived(client: TestClient, seen: int) -> None:
    said = events(client.get("/run/blue-figure/events", headers={"last-event-id": str(seen)}).text)
    assert [(e.name, e.id) for e in said] == [*(("step", n) for n in range(seen + 1, LAST + 1)), ("end", LAST)]


@pytest.mark.parametrize("seen", [LAST, LAST + 1, 999_999_999])
def test_after_the_last_step_there_is_only_the_end(client: TestClient, seen: int) -> None:
    said = events(client.get("/run/blue-figure/events", headers={"last-event-id": str(seen)}).text)
    assert [e.name for e in said] == ["end"]


@pytest.mark.parametrize("header", [None, "", "x", "-1", "1.5", "٣", "9" * 40])
def test_an_id_that_we_never_gave_begins_anew(header: str | None) -> None:
    assert resumed(header) is None


def test_the_frames_that_a_page_carries_need_not_come_again(client: TestClient) -> None:
    said = events(client.get("/run/blue-figure/events", params={"after": LAST - 2}).text)
    assert [(e.name, e.id) for e in said] == [("step", LAST - 1), ("step", LAST), ("end", LAST)]


def test_a_resumed_stream_is_what_the_first_one_lacked(client: TestClient) -> None:
    whole = client.get("/run/three-banks/events").content
    cut = whole.index(b"event:step\nid:4\n")
    assert client.get("/run/three-banks/events", headers={"last-event-id": "3"}).content == whole[cut:]


def test_a_zipped_stream_says_the_same(client: TestClient) -> None:
    plain = client.get("/run/three-banks/events", headers={"accept-encoding": "identity"})
    zipped = client.get("/run/three-banks/events", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert zipped.content == plain.content
    assert (
        client.get("/run/three-banks/events", headers={"accept-encoding": "gzip;q=0"}).headers.get("content-encoding")
        is None
    )


def test_a_stream_of_a_changed_scenario_is_refused_and_not_mixed(client: TestClient) -> None:
    answer = client.get(
        "/run/blue-figure/events?v=1-000000000000", headers={"last-event-id": "2", "accept": "text/event-stream"}
    )
    assert answer.status_code == 409
    assert answer.json()["status"] == 409


def test_a_thousand_steps_cost_at_most_200_bytes_each() -> None:
    recorded = Recorded(record(load(BANK, "bank")))
    steps = len(recorded.run.steps)
    assert 1_000 <= steps <= 1_100
    whole, _ = recorded.events(0, zipped=False)
    assert len(whole) / steps <= 200


def test_bytes_are_compressed_once() -> None:
    recorded = Recorded(record(load(BANK, "bank")))
    zipped, plain = recorded.events(None, zipped=True)[0], recorded.events(None, zipped=False)[0]
    assert recorded.events(None, zipped=True)[0] is zipped
    assert gzip.decompress(zipped) == plain
    for after in (0, 7, len(recorded.run.steps), 9_999):
        rest = recorded.events(after, zipped=False)[0]
        assert plain.endswith(rest)
        assert rest.count(b"\n\n") == max(0, len(recorded.run.steps) - after) + 1
