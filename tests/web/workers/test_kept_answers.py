import asyncio

import httpx2
import pytest
from fastapi.testclient import TestClient
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from app.web.workers.kept_answers import KeptAnswers, expensive, kept
from app.web.workers.turns import PAGES_AT_ONCE


@pytest.mark.parametrize(
    ("path", "is_kept", "is_expensive"),
    [
        ("/", True, False),
        ("/run/queue", True, False),
        ("/run/queue/events", True, False),
        ("/run/queue/find", True, True),
        ("/run/1.abc", True, True),
        ("/run/x-0123/next", True, True),
        ("/compare/queue", True, True),
        ("/assign/paper", True, True),
        ("/costs", True, True),
        ("/costs/crowd", True, True),
        ("/assign", False, False),
        ("/static/css/base.css", False, False),
        ("/lab", False, False),
        ("/spark/live", False, False),
        ("/healthz", False, False),
    ],
)
def test_an_address_says_who_answers(path: str, is_kept: bool, is_expensive: bool) -> None:
    assert (kept(path), expensive(path)) == (is_kept, is_expensive)


def test_a_browser_that_has_a_page_is_only_told_so(client: TestClient) -> None:
    first = client.get("/run/queue")
    again = client.get("/run/queue", headers={"if-none-match": first.headers["etag"]})
    assert first.status_code == 200
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    other = client.get("/run/queue", headers={"if-none-match": first.headers["etag"], "accept-language": "zh"})
    assert (other.status_code, other.headers["content-language"]) == (200, "zh")


def test_what_is_kept_is_what_was_answered(alone: TestClient) -> None:
    client = alone
    for path in ("/", "/run/queue", "/run/queue/events", "/run/queue?algorithm=nope", "/scenarios"):
        first, again = client.get(path), client.get(path)
        assert (first.status_code, first.content) == (again.status_code, again.content)
        assert first.headers == again.headers
        head = client.head(path)
        assert (head.status_code, head.content, head.headers) == (first.status_code, b"", first.headers)


def test_a_piece_of_a_page_is_kept_apart_from_the_page(alone: TestClient) -> None:
    page, piece = alone.get("/scenarios"), alone.get("/scenarios", headers={"hx-request": "true"})
    back = alone.get("/scenarios", headers={"hx-request": "true", "hx-history-restore-request": "true"})
    assert len(piece.content) < len(page.content)
    assert back.content == page.content


def test_a_choice_of_language_is_remembered_however_often_it_is_made(client: TestClient) -> None:
    for _ in range(2):
        client.cookies.clear()
        assert "lang=zh" in client.get("/?lang=zh").headers["set-cookie"]
        assert client.get("/").headers["content-language"] == "zh"


def test_all_who_ask_for_a_page_that_is_being_made_get_that_one_and_nobody_anothers_cookie() -> None:
    made: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        made.append(scope["path"])
        number = len(made)
        await asyncio.sleep(0.01)
        headers = {"set-cookie": f"number={number}"} if scope["path"] == "/learn" else None
        await PlainTextResponse(f"page {number}", headers=headers)(scope, receive, send)

    async def asks(path: str) -> list[str]:
        answers = KeptAnswers(app, pool=None, edition=str)
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(answers), base_url="http://a") as client:
            return [one.text for one in await asyncio.gather(*(client.get(path) for _ in range(5)))]

    assert asyncio.run(asks("/scenarios")) == ["page 1"] * 5 and len(made) == 1
    made.clear()
    assert len(set(asyncio.run(asks("/learn")))) == 5 == len(made)


@pytest.mark.parametrize(("status", "times"), [(200, 1), (400, 1), (404, 3), (503, 3)])
def test_a_refusal_that_lasts_is_made_once(status: int, times: int) -> None:
    made: list[int] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        made.append(status)
        await PlainTextResponse("no", status)(scope, receive, send)

    client = TestClient(KeptAnswers(app, pool=None, edition=str))
    assert [client.get("/run/queue?choices=99").status_code for _ in range(3)] == [status] * 3
    assert len(made) == times


def test_new_pages_of_one_client_are_made_one_after_another_and_what_all_ask_for_once() -> None:
    begun: list[str] = []

    async def trial() -> None:
        may_end = asyncio.Event()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            begun.append(scope["path"])
            await may_end.wait()
            await PlainTextResponse("page")(scope, receive, send)

        answers = KeptAnswers(app, pool=None, edition=str)

        async def ask(client: str, path: str) -> None:
            transport = httpx2.ASGITransport(answers, client=(client, 1))
            async with httpx2.AsyncClient(transport=transport, base_url="http://a") as http:
                assert (await http.get(path)).text == "page"

        async with asyncio.TaskGroup() as asking:
            for number in range(40):
                asking.create_task(ask("greedy", f"/run/queue{number}"))
            asking.create_task(ask("greedy", "/learn"))
            await asyncio.sleep(0.05)
            assert begun == [f"/run/queue{number}" for number in range(PAGES_AT_ONCE)]
            for number in range(5):
                asking.create_task(ask(f"x {number}", "/learn"))
            await asyncio.sleep(0.05)
            assert begun[PAGES_AT_ONCE:] == ["/learn"]
            may_end.set()

    asyncio.run(trial())
    assert begun.count("/learn") == 1 and len(begun) == 41


def test_many_addresses_that_are_asked_for_once_do_not_push_out_what_is_asked_for_again() -> None:
    made: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        made.append(scope["path"])
        await PlainTextResponse("x" * 1_000_000)(scope, receive, send)

    client = TestClient(KeptAnswers(app, pool=None, edition=str))
    for path in ("/learn", "/scenarios"):
        client.get(path)
    client.get("/learn")
    for number in range(40):
        client.get(f"/run/nobody{number}")
    for path in ("/learn", "/scenarios"):
        client.get(path)
    assert (made.count("/learn"), made.count("/scenarios")) == (1, 2)


@pytest.mark.parametrize("where", ["address", "header", "answer"])
def test_long_questions_count_like_long_answers(where: str) -> None:
    """Otherwise short answers to long questions would take many times the memory that all may take."""
    long = "x" * 8_000

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        head = {"location": long if where == "answer" else "/"}
        await PlainTextResponse("", 303, head)(scope, receive, send)

    answers = KeptAnswers(app, pool=None, edition=str)
    client = TestClient(answers, follow_redirects=False)
    client.get(f"/play?{long if where == 'address' else ''}", headers={"accept": long if where == "header" else "*/*"})
    assert 8_000 < answers.bytes < 12_000
