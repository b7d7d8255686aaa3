"""Every answer is counted and told, without anything about the visitor."""

import asyncio
import logging

import pytest
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from app.web.app import PAGES
from app.web.base.sse import Stream
from app.web.operate.numbers import Numbers
from app.web.operate.watch import OTHER, RouteNames, Watch

SCOPE = {"type": "http", "method": "GET", "path": "/run/x/events", "query_string": b"seed=1", "headers": []}


def names() -> RouteNames:
    return RouteNames((route for module in PAGES for route in module.router.routes), ("static",))


async def nothing() -> Message:
    return {"type": "http.disconnect"}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/", "/"),
        ("/run/1.rVOxbtYwEH6VyHMq/step/3.svg", "/run/{ref}/step/{k}.svg"),
        ("/run/1.rVOxbtYwEH6VyHMq/step/3", "/run/{ref}/step/{k}"),
        ("/static/0123456789ab/joined/base.css", "/static"),
        ("/lab/points.csv", "/lab/{table}.{form}"),
        ("/cuts", "/cuts"),
        ("/run/a/b/c/d/e", OTHER),
        ("/wp-login.php", OTHER),
        ("", OTHER),
    ],
)
def test_an_address_is_named_by_the_pattern_of_its_route(path: str, name: str) -> None:
    assert names().of(path) == name


def test_a_stream_is_open_until_its_end() -> None:
    numbers, seen = Numbers("1"), list[tuple[int, int]]()
    watch = Watch(Stream(b"event:end\n\n"), numbers=numbers, route_of=names().of)

    async def send(_: Message) -> None:
        seen.append((numbers.open, numbers.streams))

    asyncio.run(watch(SCOPE, nothing, send))
    assert set(seen) == {(1, 1)}
    assert (numbers.open, numbers.streams) == (0, 0)
    assert numbers.requests == {("GET", "/run/{ref}/events", 200): 1}


@pytest.mark.parametrize(("breaks", "status"), [(True, 500), (False, 499)])
def test_what_breaks_and_who_leaves_is_counted(breaks: bool, status: int) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if breaks:
            raise RuntimeError

    async def send(_: Message) -> None:
        return

    numbers = Numbers("1")
    watch = Watch(app, numbers=numbers, route_of=names().of)
    try:
        asyncio.run(watch({**SCOPE, "method": "BREW"}, nothing, send))
    except RuntimeError:
        assert breaks
    assert numbers.requests == {("other", "/run/{ref}/events", status): 1}
    assert numbers.open == 0


def test_the_log_has_neither_an_address_nor_a_query_nor_a_scenario(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bluecut.access")
    client.get("/run/blue-figure?seed=4711&lang=en", headers={"user-agent": "secret", "cookie": "lang=zh"})
    (record,) = (one for one in caplog.records if one.name == "bluecut.access")
    fields: dict[str, object] = record.__dict__["fields"]
    assert fields.keys() == {"method", "route", "status", "ms", "bytes"}
    assert (fields["method"], fields["route"], fields["status"]) == ("GET", "/run/{ref}", 200)
    assert not {"4711", "blue-figure", "secret"} & set(str(record.__dict__).replace("'", " ").split())
