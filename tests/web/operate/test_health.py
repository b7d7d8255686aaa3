"""Alive, ready, and who may read the numbers."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from app.web.app import Settings, create_app
from app.web.base.store import Store
from app.web.operate import health
from app.web.operate.health import Open


class Usage(NamedTuple):
    free: int


@pytest.fixture
def here(tmp_path: Path) -> Iterator[TestClient]:
    """Yield a client on the server's own machine."""
    with TestClient(create_app(Settings(data=tmp_path)), client=("127.0.0.1", 1)) as client:
        yield client


def test_the_process_says_that_it_is_alive_without_a_thread(here: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object, **__: object) -> None:
        raise AssertionError("a thread was asked for")

    monkeypatch.setattr("anyio.to_thread.run_sync", never)
    answer = here.get("/healthz")
    assert (answer.status_code, answer.text, answer.headers["cache-control"]) == (200, "ok", "no-store")


def test_a_new_server_is_ready_and_writes_nothing_to_know_it(here: TestClient, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    answer = here.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "checks": {"store": "ok", "disk": "ok", "workers": "ok"}}
    assert sorted(tmp_path.rglob("*")) == before


def test_a_server_with_a_store_is_ready(here: TestClient, tmp_path: Path) -> None:
    Store(tmp_path).save("title: t\n")
    assert here.get("/readyz").status_code == 200


def test_a_store_that_somebody_is_writing_is_well(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save("title: t\n")
    with store.open() as base:
        base.execute("BEGIN IMMEDIATE")
        assert health.store_check(store) == "ok"
        base.execute("ROLLBACK")


def test_a_store_that_is_none_is_named(here: TestClient, tmp_path: Path) -> None:
    (tmp_path / "scenarios.sqlite3").write_text("no database " * 100)
    answer = here.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["store"] == "the store cannot be written: file is not a database"


def test_a_store_that_may_only_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, connect = Store(tmp_path), sqlite3.connect
    store.save("title: t\n")
    with store.open() as base:
        base.execute("PRAGMA journal_mode=DELETE")

    def readable(name: str, **how: object) -> sqlite3.Connection:
        return connect(name.replace("mode=rw", "mode=ro"), **how)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr("app.web.operate.health.sqlite3.connect", readable)
    assert health.store_check(store) == "the store cannot be written: attempt to write a readonly database"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with TestClient(create_app(Settings(data=tmp_path / "file" / "data"))) as client:
        assert client.get("/readyz").json()["checks"]["store"] == "the data folder cannot be written"


def test_a_full_disk_is_named(here: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.operate.health.shutil.disk_usage", lambda _: Usage(49_999_999))
    answer = here.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["disk"] == "49,999,999 bytes are free, fewer than 50,000,000"


@pytest.mark.slow
def test_workers_that_have_not_begun_or_have_ended_are_named(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, workers=1))
    client = TestClient(app)  # without its lifespan: nothing has started the workers
    assert client.get("/readyz").json()["checks"]["workers"] == "the worker processes are not running"
    app.state.pool.warm()
    try:
        assert client.get("/readyz").status_code == 200
    finally:
        app.state.pool.close()
    assert client.get("/readyz").status_code == 503


@pytest.mark.parametrize(
    ("opened", "client", "status"),
    [
        ("local", "127.0.0.1", 200),
        ("local", "::1", 200),
        ("local", "192.0.2.7", 404),
        ("local", "testclient", 404),
        ("all", "192.0.2.7", 200),
        ("off", "127.0.0.1", 404),
    ],
)
def test_the_numbers_are_for_this_machine_unless_said_otherwise(
    tmp_path: Path, opened: Open, client: str, status: int
) -> None:
    app = create_app(Settings(data=tmp_path, metrics=opened))
    assert TestClient(app, client=(client, 1)).get("/metrics").status_code == status


def test_the_numbers_are_in_the_format_of_prometheus(here: TestClient) -> None:
    for path in ("/run/blue-figure?seed=7", "/run/domino", "/run/blue-figure/events", "/nowhere", "/healthz"):
        here.get(path)
    here.head("/healthz")
    answer = here.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = {
        (sample.name, *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }
    assert found["bluecut_requests_total", "GET", "/run/{ref}", "200"] == 2
    assert found["bluecut_requests_total", "GET", "/run/{ref}/events", "200"] == 1
    assert found["bluecut_requests_total", "GET", "other", "404"] == 1
    assert found["bluecut_requests_total", "HEAD", "/healthz", "200"] == 1
    assert found["bluecut_request_seconds_count", "/run/{ref}"] == 2
    assert found["bluecut_request_seconds_bucket", "+Inf", "/run/{ref}"] == 2
    assert found["bluecut_open_requests",] == 1
    assert found["bluecut_open_streams",] == 0
    assert found["bluecut_cache_bytes", "answers"] > 0
    assert found["bluecut_cache_bytes", "runs"] > 0
    assert ("bluecut_loop_delay_seconds_sum",) in found
    assert ("process_resident_memory_bytes",) in found
    assert "seed" not in answer.text
    assert "domino" not in answer.text
