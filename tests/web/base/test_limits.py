import asyncio
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from app.web.base.limits import MOST_ADDRESS, MOST_BODY, MOST_HELD, SHARE_HELD, Limits


def test_an_address_that_is_too_long_is_told_so(client: TestClient) -> None:
    answer = client.get("/run/blue-figure?choices=" + "1" * MOST_ADDRESS)
    assert answer.status_code == 414
    assert "8,192" in answer.text
    assert "content-security-policy" in answer.headers


def test_an_address_of_the_longest_length_is_read(client: TestClient) -> None:
    url = "/scenarios?x="
    assert client.get(url + "1" * (MOST_ADDRESS - len(url) + 1)).status_code == 200


def test_a_body_that_is_too_large_is_refused_before_it_is_read(client: TestClient) -> None:
    answer = client.post("/api/scenarios", content=b"x" * (MOST_BODY + 1))
    assert answer.status_code == 413
    assert "64 KiB" in answer.text


def test_a_body_that_does_not_say_its_size_is_counted(client: TestClient) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(70):
            yield b"x" * 1_024

    assert client.post("/api/scenarios", content=pieces()).status_code == 413


@pytest.mark.parametrize("length", ["-5", "many", "1e3"])
def test_a_size_that_is_no_number_is_refused(client: TestClient, length: str) -> None:
    assert client.post("/api/scenarios", content=b"{}", headers={"content-length": length}).status_code == 413


def statuses(sizes: list[tuple[str, int]]) -> list[int]:
    """Return what clients are answered whose bodies have these sizes, and are held until the last has come; and once
    more when they are gone."""

    async def trial() -> list[int]:
        all_came, found = asyncio.Event(), list[int]()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await Request(scope, receive).body()
            await all_came.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        limits = Limits(app)

        async def asks(client: str, size: int) -> None:
            async def receive() -> Message:
                return {"type": "http.request", "body": b"x" * size}

            async def send(message: Message) -> None:
                if message["type"] == "http.response.start":
                    found.append(message["status"])

            scope = {"type": "http", "method": "POST", "path": "/editor", "query_string": b"", "headers": []}
            try:
                await limits({**scope, "client": (client, 1)}, receive, send)
            except HTTPException as error:
                found.append(error.status_code)

        asking = [asyncio.create_task(asks(*each)) for each in sizes]
        await asyncio.sleep(0)
        all_came.set()
        await asyncio.gather(*asking)
        await asks(*sizes[-1])
        return found

    return asyncio.run(trial())


def bodies(size: int, client: str) -> list[tuple[str, int]]:
    """Return bodies of one client that have a size together."""
    return [(client, MOST_BODY)] * (size // MOST_BODY) + [(client, size % MOST_BODY)]


def test_the_bodies_of_one_client_and_of_all_have_their_room() -> None:
    full = bodies(SHARE_HELD, "one")
    assert set(statuses(full)) == {200}
    assert [each for each in statuses([*full, ("one", 1)]) if each != 200] == [429]
    clients = MOST_HELD // SHARE_HELD
    full = [body for client in range(clients) for body in bodies(SHARE_HELD, f"{client}")]
    assert set(statuses(full)) == {200}
    assert [each for each in statuses([*full, ("another", 1)]) if each != 200] == [503]
