"""A HEAD request gets the headers of GET, and nothing else."""

import asyncio

import pytest
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from app.web.base.head_requests import Head


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("/", 200),
        ("/theory", 302),
        ("/run/blue-figure", 200),
        ("/run/blue-figure/step/2", 200),
        ("/run/blue-figure/step/2.svg", 200),
        ("/run/blue-figure/events", 200),
        ("/run/blue-figure/trace.json", 200),
        ("/embed/blue-figure", 200),
        ("/scenarios", 200),
        ("/editor", 200),
        ("/healthz", 200),
        ("/static/icon.svg", 200),
        ("/run/nope", 404),
    ],
)
def test_head_is_get_without_the_body(client: TestClient, url: str, status: int) -> None:
    head, get = client.head(url), client.get(url)
    assert head.status_code == get.status_code == status
    assert head.content == b""
    assert dict(head.headers) == dict(get.headers)


def test_what_can_only_be_posted_has_no_headers_to_show(client: TestClient) -> None:
    assert client.head("/api/scenarios").status_code == 405


def test_the_headers_of_what_goes_on_for_hours_come_to_an_end() -> None:
    sent: list[Message] = []

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(3):
            await send({"type": "http.response.body", "body": b"event", "more_body": True})

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    asyncio.run(Head(stream)({"type": "http", "method": "HEAD"}, receive, send))
    assert sent[1:] == [{"type": "http.response.body", "body": b"", "more_body": False}]
