"""What this process makes itself and takes long: clients take turns, and nobody waits for who sends slowly."""

import asyncio

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from app.web.workers.fair_line import FairLine
from app.web.workers.turns import (
    AT_ONCE,
    BUNCH,
    PAGES_AT_ONCE,
    PATIENCE,
    WAITING,
    Turns,
    from_phone,
    has_thread,
    lengthy,
)


@pytest.mark.parametrize(
    ("method", "path", "takes_long"),
    [
        ("POST", "/editor/check", True),
        ("POST", "/api/scenarios", True),
        ("POST", "/assign/sheet", True),
        ("GET", "/assign", True),
        ("POST", "/rooms", True),
        ("POST", "/r/ABCDEF/show", True),
        ("GET", "/r/ABCDEF/question", True),
        ("POST", "/r/ABCDEF/vote", False),
        ("POST", "/r/ABCDEF/act", False),
        ("GET", "/r/ABCDEF/live", False),
        ("GET", "/run/queue", False),
        ("GET", "/", False),
    ],
)
def test_an_address_says_whether_clients_take_turns(method: str, path: str, takes_long: bool) -> None:
    assert lengthy(method, path) == takes_long


@pytest.mark.parametrize(
    ("method", "path", "phone"),
    [
        ("POST", "/r/ABCDEF/vote", True),
        ("POST", "/r/ABCDEF/seat", True),
        ("POST", "/r/ABCDEF/act", True),
        ("POST", "/r/ABCDEF/crowd", True),
        ("GET", "/r/ABCDEF/vote", False),
        ("POST", "/r/ABCDEF/show", False),
        ("GET", "/r/ABCDEF/live", False),
        ("POST", "/vote", False),
    ],
)
def test_an_address_says_whether_it_is_for_phones(method: str, path: str, phone: bool) -> None:
    assert from_phone(method, path) == phone


@pytest.mark.parametrize(
    ("path", "thread"),
    [
        ("/search", True),
        ("/r/ABCDEF", True),
        ("/lab/report.json", True),
        ("/write/mistake", True),
        ("/write/judge", False),
        ("/healthz", False),
        ("/static/css/base.css", False),
        ("/r/ABCDEF/live", False),
        ("/r/ABCDEF/table/live", False),
        ("/spark/live", False),
    ],
)
def test_an_address_says_whether_its_answer_may_need_a_thread(path: str, thread: bool) -> None:
    assert has_thread(path) == thread


class Server:
    """An application behind turns, in which every request stays until it may go."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.turns = Turns(self.app, FairLine(AT_ONCE, WAITING, WAITING, patience))
        self.begun: list[str] = []
        self.may_end = asyncio.Event()

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer when it may end, with what was sent."""
        self.begun.append(scope["client"][0])
        body = (await receive())["body"]
        await self.may_end.wait()
        await PlainTextResponse(body)(scope, receive, send)

    async def ask(
        self, client: str, sent: "asyncio.Queue[Message]", answer: list[Message], path: str = "/editor/check"
    ) -> None:
        """Send one request, and take down the answer."""

        async def send(message: Message) -> None:
            answer.append(message)

        scope = {"type": "http", "method": "POST", "path": path, "client": (client, 1), "query_string": b""}
        await self.turns({**scope, "headers": [(b"accept", b"application/json")]}, sent.get, send)

    def asked(
        self, client: str, answer: list[Message] | None = None, path: str = "/editor/check"
    ) -> "tuple[asyncio.Queue[Message], asyncio.Task[None]]":
        """Return what a client sends, and its request, which is under way."""
        sent = asyncio.Queue[Message]()
        return sent, asyncio.create_task(self.ask(client, sent, [] if answer is None else answer, path))


WHOLE: Message = {"type": "http.request", "body": b"all", "more_body": False}
LEFT: Message = {"type": "http.disconnect"}


async def settle() -> None:
    """Let everything happen that can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_client_that_asks_for_much_has_one_place_and_another_one_the_other() -> None:
    async def trial() -> None:
        server = Server()
        many = [server.asked("greedy") for _ in range(40)]
        for sent, _ in many:
            sent.put_nowait(WHOLE)
        await settle()
        assert server.begun == ["greedy"]
        answer: list[Message] = []
        sent, mine = server.asked("x", answer)
        sent.put_nowait(WHOLE)
        await settle()
        assert server.begun == ["greedy", "x"]
        server.may_end.set()
        await asyncio.gather(mine, *(task for _, task in many))
        assert answer[0]["status"] == 200 and answer[1]["body"] == b"all"
        assert len(server.begun) == 41

    asyncio.run(trial())


def test_who_sends_slowly_takes_no_place_until_all_has_come() -> None:
    async def trial() -> None:
        server = Server()
        slow = [server.asked(f"slow {number}") for number in range(5)]
        for sent, _ in slow:
            sent.put_nowait({**WHOLE, "more_body": True})
        sent, mine = server.asked("x")
        sent.put_nowait(WHOLE)
        await settle()
        assert server.begun == ["x"]
        server.may_end.set()
        await mine
        for sent, _ in slow:
            sent.put_nowait(LEFT)
        await asyncio.gather(*(task for _, task in slow))
        assert server.begun == ["x"]

    asyncio.run(trial())


def test_nothing_is_begun_for_who_has_left_the_line_and_what_has_begun_is_finished() -> None:
    async def trial() -> None:
        server = Server()
        (one, first), (two, second) = server.asked("x"), server.asked("x")
        one.put_nowait(WHOLE)
        two.put_nowait(WHOLE)
        await settle()
        one.put_nowait(LEFT)
        two.put_nowait(LEFT)
        await asyncio.wait_for(second, 5)
        assert not first.done()
        server.may_end.set()
        await first
        assert server.begun == ["x"]
        assert not server.turns.line.busy and not server.turns.line.waiting

    asyncio.run(trial())


def test_who_waits_too_long_is_told_when_to_come_back() -> None:
    async def trial() -> None:
        server = Server(patience=0.05)
        sent, first = server.asked("x")
        sent.put_nowait(WHOLE)
        await settle()
        answer: list[Message] = []
        sent, second = server.asked("x", answer)
        sent.put_nowait(WHOLE)
        await second
        assert answer[0]["status"] == 503
        assert int(dict(answer[0]["headers"])[b"retry-after"]) > 0
        server.may_end.set()
        await first

    asyncio.run(trial())


def test_what_the_phones_of_one_client_send_is_answered_in_bunches_and_others_do_not_wait() -> None:
    async def trial() -> None:
        server = Server()
        many = [server.asked("hall", path="/r/ABCDEF/vote") for _ in range(5 * BUNCH)]
        for sent, _ in many:
            sent.put_nowait(WHOLE)
        await settle()
        assert server.begun == ["hall"] * BUNCH
        for number in range(2 * BUNCH):
            sent, task = server.asked(f"phone {number}", path="/r/ABCDEF/vote")
            sent.put_nowait(WHOLE)
            many.append((sent, task))
        await settle()
        assert server.begun[BUNCH:] == [f"phone {number}" for number in range(2 * BUNCH)]
        sent, task = server.asked("hall")
        sent.put_nowait(WHOLE)
        await settle()
        assert server.begun[-1] == "hall" and len(server.begun) == 3 * BUNCH + 1
        server.may_end.set()
        await asyncio.gather(task, *(task for _, task in many))
        assert server.begun.count("hall") == 5 * BUNCH + 1
        assert not server.turns.phones.busy and not server.turns.phones.waiting

    asyncio.run(trial())


@pytest.mark.parametrize("path", ["/search", "/static/000000000000/joined/main+forms.js"])
def test_other_pages_of_one_client_are_made_one_after_another_and_nobody_else_waits(path: str) -> None:
    async def trial() -> None:
        server = Server()
        server.turns.elsewhere = lambda path: path == "/learn"
        many = [server.asked("greedy", path=path) for _ in range(40)]
        free = [server.asked("greedy", path=each) for each in ("/healthz", "/r/ABCDEF/live", "/learn", "/static/a.css")]
        others = [server.asked(f"x {number}", path=path) for number in range(5)]
        for sent, _ in (*many, *free, *others):
            sent.put_nowait(WHOLE)
        await settle()
        assert server.begun.count("greedy") == PAGES_AT_ONCE + len(free)
        assert len(server.begun) == PAGES_AT_ONCE + len(free) + len(others)
        server.may_end.set()
        await asyncio.gather(*(task for _, task in (*many, *free, *others)))
        assert server.begun.count("greedy") == len(many) + len(free)

    asyncio.run(trial())
