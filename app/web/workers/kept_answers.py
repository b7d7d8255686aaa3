"""Answers that depend on nothing but their question: they are kept as bytes, and workers make what is expensive."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256

from msgspec.structs import replace
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.web.base.errors import error_response
from app.web.base.limits import MOST_ADDRESS
from app.web.base.quota import client_of
from app.web.base.security_headers import headers
from app.web.base.sse import CHUNK
from app.web.shared.own_scenario import is_own
from app.web.workers.asked import Answer, Asked, asked_in
from app.web.workers.fair_line import Crowded, FairLine
from app.web.workers.pool import Pool
from app.web.workers.turns import disconnected, line_of_pages
from app.web.workers.worker import answered

MOST_BYTES = 128_000_000
"""The most memory of all kept answers together."""

ONCE = 32_000_000
"""The most memory of those that were asked for only once: addresses that nobody asks for again do not push out what
many want."""

LARGEST = ONCE
"""The memory of the largest answer that is kept."""

CHEAP = frozenset(
    ("", "algorithms", "blank", "embed", "glossary", "history", "learn", "lessons", "play", "reference", "run")
) | {"scenarios", "teach", "theory"}
EXPENSIVE = frozenset(
    ("challenge", "claims", "compare", "costs", "cuts", "diagram", "family", "monitor", "picker", "quiz", "recovery")
) | {"stable", "states", "swap", "theorem"}
"""The first words of the addresses whose answers are kept: those that take milliseconds, and those that workers make.
Workers also make everything about visitors' own scenarios."""

PAPER = ("assign", "paper")
"""Sheets for a class, with a picture for each question: workers make them, too."""

SEARCHES = ("find", "switches")
"""What workers make of a run of the library."""

SMALLEST, PAIR = 500, 150
"""The bytes that an empty answer takes with its question, and a header besides its letters."""

LASTING = (200, 303, 400)
"""The statuses of answers that stay as they are."""


def kept(path: str) -> bool:
    """Does an answer depend on the address, the language and the edition alone?"""
    return path[1:].partition("/")[0] in CHEAP or expensive(path)


def expensive(path: str) -> bool:
    """Do workers make the answer?"""
    first, ref, part = (*path[1:].split("/", 3), "", "")[:3]
    return first in EXPENSIVE or (first, ref) == PAPER or (first in CHEAP and (is_own(ref) or part in SEARCHES))


class KeptAnswers:
    """Answers what it has kept, and lets the workers of ``pool``, if there are any, or the application itself make the
    rest, the latter as it is a client's turn in the line of ``pages``. ``edition`` is what all answers depend on. In
    ``sizes`` it says how much it keeps."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        pool: Pool | None,
        edition: Callable[[], object],
        most: int = MOST_BYTES,
        sizes: dict[str, Callable[[], int]] | None = None,
        pages: FairLine | None = None,
    ) -> None:
        self.app, self.pool, self.edition, self.most = app, pool, edition, most
        self._once, self._again = _Shelf(), _Shelf()
        if sizes is not None:
            sizes["answers"] = lambda: self.bytes
        self._making: dict[Asked, asyncio.Task[Answer]] = {}
        self._line = pages or line_of_pages()

    @property
    def bytes(self) -> int:
        """About how much memory all kept answers take."""
        return self._once.bytes + self._again.bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD") or not kept(scope["path"]):
            await self.app(scope, receive, send)
            return
        length = len(scope.get("raw_path") or scope["path"]) + len(scope["query_string"])
        if length > MOST_ADDRESS:  # nothing so long is a key
            await self.app(scope, receive, send)
            return
        asked = asked_in(scope, self.edition())
        answer = self._found(asked)
        if answer is None:
            try:
                answer = await self._made(asked, scope, receive)
            except Crowded as crowded:
                refusal = error_response(Request(scope), 429 if crowded.mine else 503)
                refusal.headers.update(headers(scope["path"]))  # the application has not seen it
                await refusal(scope, receive, send)
                return
            if answer is None:
                return  # nobody is there any more
            self._keep(asked, answer)
        await _send(answer, scope, send)

    def _found(self, asked: Asked) -> Answer | None:
        answer = self._again.pop(asked) or self._once.pop(asked)
        if answer is not None:
            self._again.put(asked, answer)
        return answer

    async def _made(self, asked: Asked, scope: Scope, receive: Receive) -> Answer | None:
        """Return a new answer; None if the client has gone away."""
        client = client_of(scope)
        if self.pool is None or not expensive(scope["path"]):
            making = self._in_turn(asked, {**scope, **asked.scope(), "method": "GET"}, client)
        else:
            making = self.pool.answer(asked, client)
        answering = asyncio.ensure_future(making)
        leaving = asyncio.ensure_future(disconnected(receive))
        try:
            await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
            return _tagged(answering.result()) if answering.done() else None
        finally:
            leaving.cancel()
            answering.cancel()
            with suppress(asyncio.CancelledError):
                await leaving

    async def _in_turn(self, asked: Asked, scope: Scope, client: str) -> Answer:
        """Return the application's answer, when it is the client's turn. It may be there by then; else it is kept
        before the next one's turn, who may want the same."""
        async with self._line.place(client):
            answer = self._found(asked)
            if answer is None:
                answer = _tagged(await self._made_here(asked, scope))
                self._keep(asked, answer)
            return answer

    async def _made_here(self, asked: Asked, scope: Scope) -> Answer:
        """Return the application's answer: all who ask for a page that is being made wait for that one, as a hall does
        that opens the first page of a new server."""
        making = self._making.get(asked)
        if making is not None and not _personal(answer := await asyncio.shield(making)):
            return answer
        making = self._making[asked] = asyncio.create_task(answered(self.app, scope))
        making.add_done_callback(lambda made: self._making.pop(asked) if self._making.get(asked) is made else None)
        return await asyncio.shield(making)

    def _keep(self, asked: Asked, answer: Answer) -> None:
        """Keep an answer if it lasts, and drop those that nobody has asked for as long as there is too much."""
        if answer.status not in LASTING or _personal(answer) or memory(asked, answer) > LARGEST:
            return
        if asked in self._once or asked in self._again:
            return
        self._once.put(asked, answer)
        while self._once.bytes > min(ONCE, self.most):
            self._once.drop()
        while self.bytes > self.most:
            self._again.drop()


class _Shelf:
    """Answers, those first that nobody has asked for as long."""

    def __init__(self) -> None:
        self.bytes = 0
        self._answers: OrderedDict[Asked, Answer] = OrderedDict()

    def __contains__(self, asked: Asked) -> bool:
        return asked in self._answers

    def put(self, asked: Asked, answer: Answer) -> None:
        """Add an answer at the end."""
        self._answers[asked] = answer
        self.bytes += memory(asked, answer)

    def pop(self, asked: Asked) -> Answer | None:
        """Take an answer out; None if it is not there."""
        answer = self._answers.pop(asked, None)
        if answer is not None:
            self.bytes -= memory(asked, answer)
        return answer

    def drop(self) -> None:
        """Drop the first one."""
        self.bytes -= memory(*self._answers.popitem(last=False))


def memory(asked: Asked, answer: Answer) -> int:
    """Estimate the bytes that an answer and its question take. A question can be longer than its answer."""
    words = (len(name) + len(value) + PAIR for name, value in (*asked.headers, *answer.headers))
    return SMALLEST + 4 * len(asked.path) + len(asked.raw) + len(asked.query) + sum(words) + len(answer.body)


def _personal(answer: Answer) -> bool:
    return any(name == b"set-cookie" for name, _ in answer.headers)


def _tagged(answer: Answer) -> Answer:
    """Return a page with a tag, by which a browser asks whether its copy is still right."""
    head = dict(answer.headers)
    if answer.status != 200 or b"etag" in head or b"no-store" in head.get(b"cache-control", b""):
        return answer
    tag = f'W/"{sha256(answer.body).hexdigest()[:16]}"'.encode()
    return replace(answer, headers=(*answer.headers, (b"etag", tag)))


async def _send(answer: Answer, scope: Scope, send: Send) -> None:
    """Send an answer piece by piece: a slow reader delays only itself. A browser that has it is only told so."""
    tag = next((value for name, value in answer.headers if name == b"etag"), None)
    if tag is not None and (b"if-none-match", tag) in scope["headers"]:
        few = [
            each for each in answer.headers if each[0] not in (b"content-length", b"content-type", b"content-encoding")
        ]
        await send({"type": "http.response.start", "status": 304, "headers": few})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return
    body = b"" if scope["method"] == "HEAD" else answer.body
    await send({"type": "http.response.start", "status": answer.status, "headers": list(answer.headers)})
    for at in range(0, len(body), CHUNK):
        await send({"type": "http.response.body", "body": body[at : at + CHUNK], "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
