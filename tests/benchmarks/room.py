"""A room with thousands of phones: how late a step reaches them, and what that costs the server.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks.room [--phones 5000]

The server is a process of its own, started as visitors start it. The reference is a bare ASGI application on the same
server program that sends the same bytes to as many connections: nothing but waking them and writing. Both are asked by
one client process, which also is the presenter; what it needs itself is part of the lateness.
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx2
import psutil

from app.web.teach.rooms.crowd import EVERY
from app.web.teach.rooms.play import FEW
from app.web.teach.rooms.play import GROUPS as MOST_GROUPS
from tests.benchmarks.hostile import server
from tests.benchmarks.result import Result
from tests.web.teach.rooms.people import QUESTION, RUN

PHONES, RATE, SECONDS, VOTERS = 2_000, 5, 20, 300
PEOPLE, GROUPS, DEEDS = 300, 30, 10
HALL, EVENTS, AT_ONCE = 2_000, 5, 200
LATE, COST = 0.5, 1.5
"""The goals: seconds within which 99 % of the steps arrive, and the processor time, of the bare server's."""

BARE = """
import asyncio, sys, uvicorn

events, newest = set(), b""

async def app(scope, receive, send):
    global newest
    if scope["type"] != "http":
        return
    if scope["method"] == "POST":
        newest = b"event:room\\ndata:" + (await receive())["body"] + b"\\n\\n"
        for each in events:
            each.set()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})
        return
    mine = asyncio.Event()
    events.add(mine)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    await send({"type": "http.response.body", "body": b"retry:1000\\n\\n", "more_body": True})
    while True:
        await mine.wait()
        mine.clear()
        await send({"type": "http.response.body", "body": newest, "more_body": True})

uvicorn.run(app, port=int(sys.argv[1]), log_level="error", access_log=False, http="h11", backlog=4096)
"""


class Phone(asyncio.Protocol):
    """A connection that reads events, and notes when each version has come."""

    def __init__(self, hall: "Hall", request: bytes) -> None:
        self.hall, self.request, self.rest = hall, request, b""
        self.seen = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        """Note what has come."""
        now = time.perf_counter()
        self.rest = (self.rest + data)[-2_000:]
        for number in VERSION.findall(self.rest):
            if int(number) > self.seen:
                self.seen = int(number)
                if sent := self.hall.sent.get(self.seen):
                    self.hall.late.append(now - sent)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it."""
        self.hall.lost += 1


VERSION = re.compile(rb'"version":(\d+),[^}]*\}\n\n')


@dataclass
class Hall:
    """All phones: when each version was sent, and how late it came, in seconds."""

    sent: dict[int, float] = field(default_factory=dict)
    late: list[float] = field(default_factory=list)
    lost: int = 0
    phones: list[Phone] = field(default_factory=list)

    async def fill(self, address: str, path: str, phones: int, cookie: str = "", rest: float = 2) -> None:
        """Let phones come, some at a time, then wait."""
        parts, loop = urlsplit(address), asyncio.get_running_loop()
        host, port = str(parts.hostname), int(parts.port or 80)
        request = f"GET {path} HTTP/1.1\r\nhost: {parts.netloc}\r\ncookie: seat={cookie}\r\n\r\n".encode()
        while len(self.phones) < phones:
            some = min(100, phones - len(self.phones))
            made = await asyncio.gather(
                *(loop.create_connection(lambda: Phone(self, request), host, port) for _ in range(some))
            )
            self.phones += [phone for _, phone in made]
            await asyncio.sleep(0.05 if rest else 0)
        await asyncio.sleep(rest)

    def leave(self) -> None:
        """Let all go."""
        for each in self.phones:
            each.transport.abort()

    def at(self, part: float) -> float:
        """Return the lateness below which this part of the steps is, in milliseconds."""
        found = sorted(self.late)
        return 1e3 * found[min(len(found) - 1, int(part * len(found)))]


async def followed(address: str, process: psutil.Process, phones: int) -> tuple[Hall, float, float, str]:
    """Return how a room's phones followed, the processor time of the server, its memory per phone in KB, and one of
    the documents that were sent."""
    hall = Hall()
    async with httpx2.AsyncClient(base_url=address, timeout=60) as lead:
        opened = await lead.post("/rooms", headers={"referer": address + RUN})
        code = opened.headers["location"].split("/")[2]
        before = process.memory_info().rss
        await hall.fill(address, f"/r/{code}/live", phones)
        memory = (process.memory_info().rss - before) / phones / 1e3
        spent, document = _spent(process), ""
        begun, version = time.perf_counter(), 0
        for turn in range(RATE * SECONDS):
            hall.sent[version + 1 if version else 2] = time.perf_counter()
            answer = await lead.post(f"/r/{code}/show", json={"at": RUN, "step": turn % 2 + 4})
            document, version = answer.text, answer.json()["version"]
            await asyncio.sleep(max(0.0, begun + (turn + 1) / RATE - time.perf_counter()))
        await asyncio.sleep(1)
        spent = _spent(process) - spent
    hall.leave()
    return hall, spent, memory, document


async def sent_barely(address: str, process: psutil.Process, phones: int, document: str) -> tuple[Hall, float]:
    """Return the same of the bare server, which is sent the documents to send."""
    hall = Hall()
    async with httpx2.AsyncClient(base_url=address, timeout=60) as lead:
        await hall.fill(address, "/", phones)
        spent, begun = _spent(process), time.perf_counter()
        for turn in range(RATE * SECONDS):
            hall.sent[turn + 2] = time.perf_counter()
            await lead.post("/", content=re.sub(r'"version":\d+', f'"version":{turn + 2}', document))
            await asyncio.sleep(max(0.0, begun + (turn + 1) / RATE - time.perf_counter()))
        await asyncio.sleep(1)
        spent = _spent(process) - spent
    hall.leave()
    return hall, spent


async def voted(address: str) -> tuple[float, int]:
    """Return how many votes a second a server acknowledges when a class votes at once, and how many were counted."""
    async with httpx2.AsyncClient(base_url=address, timeout=60) as lead:
        opened = await lead.post("/rooms", headers={"referer": address + QUESTION})
        code = opened.headers["location"].split("/")[2]
        await lead.post(f"/r/{code}/phase", json={"phase": "vote"})
        page = await lead.get(f"/r/{code}/question")
        answer = re.findall(r'name="answer" value="([^"]+)"', page.text)[0]
        form = urlencode({"poll": "1", "round": "1", "turn": "1", "answer": answer})
        parts = urlsplit(address)
        head = (
            f"POST /r/{code}/vote HTTP/1.1\r\nhost: {parts.netloc}\r\naccept: application/json\r\nconnection: close\r\n"
        )
        request = f"{head}content-type: application/x-www-form-urlencoded\r\ncontent-length: {len(form)}\r\n\r\n{form}"

        async def vote() -> int:
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            writer.write(request.encode())
            status = int((await reader.readline()).split()[1])
            writer.close()
            return status

        begun = time.perf_counter()
        answers = await asyncio.gather(*(vote() for _ in range(VOTERS)))
        passed = time.perf_counter() - begun
        tally = (await lead.get(f"/r/{code}/tally")).text
    return answers.count(200) / passed, max(map(int, re.findall(r"<b>(\d+)</b>", tally)))


async def played(address: str) -> tuple[list[float], int]:
    """Return how long each deed took to be acknowledged, in seconds, when 300 people are 30 systems and every process
    pays once a second, and how many acknowledged deeds were lost."""
    async with httpx2.AsyncClient(base_url=address, timeout=60) as lead:
        opened = await lead.post("/rooms", headers={"referer": address + RUN})
        code = opened.headers["location"].split("/")[2]
        seats = [await _seat(address, code) for _ in range(PEOPLE)]
        await lead.post(f"/r/{code}/activity", json={"do": "begin", "name": "eighty-coins"})
        hall = Hall()
        for seat in seats:
            await hall.fill(address, f"/r/{code}/table/live", len(hall.phones) + 1, cookie=seat, rest=0)
        late: list[float] = []
        done = 0

        async def pays(place: int, seat: str, channel: str) -> None:
            nonlocal done
            await asyncio.sleep(place / 4 / GROUPS)  # people do not act in one instant
            for turn in range(1, DEEDS + 1):
                begun = time.perf_counter()
                said = f'{{"action": "send {channel} 1", "turn": {turn}}}'
                status, _ = await _asked(address, "POST", f"/r/{code}/act", said, seat)
                late.append(time.perf_counter() - begun)
                done += status == 200
                await asyncio.sleep(max(0.0, 1 - late[-1]))

        channels = ("A->B", "B->C", "C->D", "D->A")
        await asyncio.gather(*(pays(i, seats[i], channels[i // GROUPS]) for i in range(4 * GROUPS)))
        pages = [(await lead.get(f"/r/{code}/table?group={number}")).text for number in range(GROUPS)]
        there = sum(int(re.findall(r'"steps":(\d+)', page)[0]) for page in pages)
    hall.leave()
    return late, max(0, done - there)


@dataclass
class Network:
    """Those who found no role: how long their votes took to be acknowledged, in seconds; how many came too late, were
    acknowledged and not counted, and are acknowledged a second when all foretell the verdict at once; and the processor
    time of a vote, in seconds."""

    people: int
    took: list[float] = field(default_factory=list)
    late: int = 0
    lost: int = 0
    rate: float = 0.0
    cost: float = 0.0


async def networked(address: str, process: psutil.Process, people: int, events: int = EVENTS) -> Network:
    """Return how a class without roles for all votes: everybody once on each event, within three quarters of the time
    that there is. In a small class those who find no role come late."""
    async with httpx2.AsyncClient(base_url=address, timeout=60) as lead:
        opened = await lead.post("/rooms", headers={"referer": address + RUN})
        code = opened.headers["location"].split("/")[2]
        punctual = people if people > FEW * MOST_GROUPS else FEW
        seats = [await _seat(address, code) for _ in range(punctual)]
        for act in ({"do": "begin", "name": "eighty-coins"}, {"do": "now"}):
            (await lead.post(f"/r/{code}/activity", json=act)).raise_for_status()
        seats += [await _seat(address, code) for _ in range(people - punctual)]
        hall = Hall()
        for seat in seats:
            await hall.fill(address, f"/r/{code}/table/live", len(hall.phones) + 1, cookie=seat, rest=0)
        crowd = seats[FEW * MOST_GROUPS if people == punctual else FEW :]
        found = Network(len(crowd))
        await _events(address, code, crowd, found, events)
        at_once, begun, spent = asyncio.Semaphore(AT_ONCE), time.perf_counter(), _spent(process)

        async def foretell(seat: str) -> int:
            async with at_once:
                return (await _asked(address, "POST", f"/r/{code}/crowd", '{"verdict": "right", "turn": 1}', seat))[0]

        acknowledged = (await asyncio.gather(*map(foretell, crowd))).count(200)
        found.rate = acknowledged / (time.perf_counter() - begun)
        found.cost = (_spent(process) - spent) / len(crowd)
        async with lead.stream("GET", f"/r/{code}/live?lead=1") as counts:
            foretold = (await anext(_told(counts)))["wall"][-1]["foretold"]
        found.lost += acknowledged - sum(foretold)
    hall.leave()
    return found


async def _events(address: str, code: str, crowd: list[str], found: Network, events: int) -> None:
    """Let everybody vote for the first event that is offered, again and again. So the event that happens next was voted
    for by all whose votes were acknowledged."""
    voted: dict[int, int] = {}
    counted: dict[int, int] = {}

    async def vote(place: int, seat: str, step: int, action: str) -> None:
        await asyncio.sleep(0.75 * EVERY * place / len(crowd))
        begun, said = time.perf_counter(), json.dumps({"action": action, "step": step})
        status, _ = await _asked(address, "POST", f"/r/{code}/crowd", said, seat)
        found.took.append(time.perf_counter() - begun)
        found.late += status == 409
        voted[step] = voted.get(step, 0) + (status == 200)

    async with (
        httpx2.AsyncClient(base_url=address, timeout=60, cookies={"seat": crowd[0]}) as watching,
        watching.stream("GET", f"/r/{code}/table/live") as stream,
        asyncio.TaskGroup() as votes,
    ):
        asked = -1
        async for table in _told(stream):
            if asked >= 0 and table["steps"] > asked:
                counted[asked] = table["last"]["votes"]
                asked = -1
            if len(counted) == events:
                break
            if table["options"] and asked < 0:
                asked = table["steps"]
                for place, seat in enumerate(crowd):
                    votes.create_task(vote(place, seat, asked, table["options"][0]["text"]))
    found.lost += sum(voted[step] - counted[step] for step in counted)


async def _told(stream: httpx2.Response) -> AsyncIterator[Any]:
    """Yield what a stream tells."""
    async for line in stream.aiter_lines():
        if line.startswith("data:{"):
            yield json.loads(line[5:])


async def _seat(address: str, code: str) -> str:
    return (await _asked(address, "POST", f"/r/{code}/seat", "{}"))[1]


async def _asked(address: str, method: str, path: str, body: str, seat: str = "") -> tuple[int, str]:
    """Ask without a client, which would take longer than the server; return the status, and the seat's cookie."""
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    cookie = f"cookie: seat={seat}\r\n" if seat else ""
    head = (
        f"{method} {path} HTTP/1.1\r\nhost: {parts.netloc}\r\nconnection: close\r\ncontent-type: application/json\r\n"
    )
    writer.write(f"{head}{cookie}content-length: {len(body)}\r\n\r\n{body}".encode())
    answer = (await reader.read()).decode()
    writer.close()
    found = re.search(r"seat=([^;]+);", answer)
    return int(answer.split()[1]), found[1] if found else ""


def _spent(process: psutil.Process) -> float:
    """Return the processor time of a process, in seconds."""
    times = process.cpu_times()
    return float(times.user + times.system)


@contextmanager
def bare() -> Iterator[tuple[str, psutil.Process]]:
    """Yield the address and the process of the bare server."""
    port = 18_765
    with subprocess.Popen([sys.executable, "-c", BARE, str(port)]) as started:
        time.sleep(2)
        try:
            yield f"http://127.0.0.1:{port}", psutil.Process(started.pid)
        finally:
            started.kill()


def main(phones: int = PHONES) -> list[Result]:
    """Measure and print."""
    with server() as (address, process):
        hall, spent, memory, document = asyncio.run(followed(address, process, phones))
        rate, counted = asyncio.run(voted(address))
        deeds, lost = asyncio.run(played(address))
        network = asyncio.run(networked(address, process, HALL))
    with bare() as (address, process):
        reference, least = asyncio.run(sent_barely(address, process, phones, document))
    steps = RATE * SECONDS
    print(f"{phones:,} phones, {RATE} steps a second for {SECONDS} s, {len(document)} bytes each")
    for name, each, cost in (("a room", hall, spent), ("a bare server", reference, least)):
        shown = ", ".join(f"{part:.0%} {each.at(part):.0f} ms" for part in (0.5, 0.95, 0.99))
        came = f"{len(each.late):,} of {steps * phones:,} came, {1e6 * cost / steps / phones:.0f} µs each"
        print(f"{name:<14} {shown}; {came}")
    print(f"{rate:.0f} votes a second; {counted} of {VOTERS} counted; {memory:.0f} KB a phone")
    slow = 1e3 * sorted(deeds)[int(0.99 * len(deeds))]
    acknowledged = f"99 % acknowledged within {slow:.0f} ms, {lost} lost"
    print(f"{PEOPLE} people as {GROUPS} systems: {len(deeds):,} deeds, {acknowledged}")
    wait = 1e3 * sorted(network.took)[int(0.99 * len(network.took))]
    print(
        f"{HALL:,} people, {network.people:,} of them without a role: {len(network.took):,} votes, 99 % acknowledged "
        f"within {wait:.0f} ms, {network.late} too late, {network.lost} lost; at once {network.rate:.0f} a second, "
        f"{1e6 * network.cost:.0f} µs each"
    )
    needed = network.people / EVERY
    return [
        Result("step to phone, 99 %", hall.at(0.99), "ms", 1e3 * LATE, "less", headline=True),
        Result("step to phone, 99 %, of a bare server's", hall.at(0.99) / reference.at(0.99), "ratio"),
        Result("processor time, of a bare server's", spent / least, "ratio", COST, "less", headline=True),
        Result("steps that did not come", steps * phones - len(hall.late), "steps", 0, "less"),
        Result("votes acknowledged a second", rate, "votes"),
        Result("votes lost", VOTERS - counted, "votes", 0, "less"),
        Result("deed to acknowledgement, 300 people as 30 systems, 99 %", slow, "ms", 1e3 * LATE, "less"),
        Result("deeds lost", lost, "deeds", 0, "less"),
        Result("vote without a role to acknowledgement, 2,000 people, 99 %", wait, "ms", 1e3 * LATE, "less"),
        Result("votes without a role that came too late", network.late, "votes", 0, "less"),
        Result("votes without a role that were lost", network.lost, "votes", 0, "less"),
        Result("votes without a role acknowledged a second, at once", network.rate, "votes", needed),
        Result("memory a phone", memory, "KB"),
    ]


if __name__ == "__main__":
    reader = argparse.ArgumentParser()
    reader.add_argument("--phones", type=int, default=PHONES)
    main(reader.parse_args().phones)
