"""A lecture hall at once, beside a bare ASGI server that sends as many bytes.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks.load

Both servers are processes of their own. Each visitor has an address of its own, asks on a new connection each time, and
comes back when it is told to wait. What the bare server is asked for are the sizes of what Bluecut has answered.
"""

import asyncio
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psutil

from tests.benchmarks.busy import busy
from tests.benchmarks.hostile import server
from tests.benchmarks.result import Result

VISITORS, STEPS, RUNS, THINKS, PLAIN = 200, 5, 20, 2.0, 10
"""So many step so often, at random, through so many runs; the most seconds that one looks at a step. One in ``PLAIN``
has no scripts, for whom each step is a page; the others ask for the stream, and step by themselves."""
AT_ONCE, LONG = 50, 10_000
HOME = 300
ADDRESSES, TOGETHER = 100_000, 32
PAGES = (
    *("/run/three-banks/step/1?seed={}", "/glossary?x={}"),
    *["/run/nowhere{}"] * 8,
    *["/static/{}", "/r?code={}"] * 15,
)
"""What is asked for in turn, with a number that nobody has asked for before: few pages that take long to make."""
FLAT = 1.1
"""How much more memory the second half of all addresses may take than the first."""

Path = Callable[[int, str], str]
"""Returns what a visitor asks for, where it wants a path of ours."""

BARE = """
import uvicorn
from app.web.connections import AT_ONCE
from app.web.serve import bind, url_of

async def app(scope, receive, send):
    body = b"x" * int(scope["query_string"])
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})

bound = bind("127.0.0.1", 0)
print(url_of(bound), flush=True)
config = uvicorn.Config(app, http="h11", backlog=AT_ONCE, lifespan="off", access_log=False, log_level="warning")
uvicorn.Server(config).run([bound])
"""


@contextmanager
def bare() -> Iterator[tuple[str, psutil.Process]]:
    """Yield the address of a bare server, and its process."""
    with subprocess.Popen([sys.executable, "-c", BARE], stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        try:
            yield started.stdout.readline().strip().rstrip("/"), psutil.Process(started.pid)
        finally:
            started.terminate()


@dataclass
class Seen:
    """What visitors have seen of a server: how long each answer took, in seconds, from the first time it was asked for;
    the sizes, and the statuses of all answers."""

    address: str
    times: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    async def get(self, path: str, visitor: int) -> None:
        """Ask until there is an answer."""
        began = time.perf_counter()
        while True:
            status, wait, size = await self._asked(path, visitor)
            self.statuses[status] += 1
            if status not in (429, 503):
                break
            await asyncio.sleep(wait)
        self.times.append(time.perf_counter() - began)
        self.sizes.append(size)

    async def _asked(self, path: str, visitor: int) -> tuple[int, float, int]:
        host, _, port = self.address.removeprefix("http://").partition(":")
        local = (f"127.0.{1 + visitor // 250}.{1 + visitor % 250}", 0)
        reader, writer = await asyncio.open_connection(host, int(port), local_addr=local)
        asks = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
        writer.write(asks.encode())
        whole = await reader.read(-1)
        writer.close()
        head, _, body = whole.partition(b"\r\n\r\n")
        wait = re.search(rb"(?i)retry-after: (\d+)", head)
        return int(head[9:12]), float(wait[1]) if wait else 1.0, len(body)


async def stepping(seen: Seen, path: Path) -> None:
    """Let visitors open runs and step at random, each after a moment."""
    draw = random.Random(1)

    async def visit(visitor: int) -> None:
        await asyncio.sleep(draw.uniform(0, STEPS * THINKS))
        run = busy(6, 1_000)
        steps = [f"/step/{draw.randrange(1_000)}" for _ in range(STEPS)]
        for at in ("", *(("/events",) if visitor % PLAIN else steps)):
            await seen.get(path(visitor, f"{run}{at}?seed={visitor % RUNS}"), visitor)
            await asyncio.sleep(draw.uniform(0, THINKS))

    await asyncio.gather(*map(visit, range(VISITORS)))


async def opening(seen: Seen, path: Path) -> None:
    """Let all open one new long run and its stream at once."""

    async def visit(visitor: int) -> None:
        for at in ("", "/events"):
            await seen.get(path(visitor, f"{busy(12, LONG)}{at}"), visitor)

    await asyncio.gather(*map(visit, range(AT_ONCE)))


async def arriving(seen: Seen, path: Path) -> None:
    """Let all load the home page within a second."""

    async def visit(visitor: int) -> None:
        await asyncio.sleep(visitor / HOME)
        await seen.get(path(visitor, "/"), visitor)

    await asyncio.gather(*map(visit, range(HOME)))


SCENES: dict[str, Callable[[Seen, Path], Coroutine[Any, Any, None]]] = {
    f"{HOME} load / in one second": arriving,
    f"{AT_ONCE} open a run of {LONG:,} steps": opening,
    f"{VISITORS} step through runs of 1,000 steps": stepping,
}


async def addresses(address: str, memory: Callable[[], float]) -> list[float]:
    """Ask for as many different addresses; return the memory after each tenth, in MB."""
    found, seen = [], Seen(address)
    numbers = iter(range(ADDRESSES))

    async def ask() -> None:
        for number in numbers:
            await seen.get(PAGES[number % len(PAGES)].format(number), number % 60_000)
            if number % (ADDRESSES // 10) == ADDRESSES // 10 - 1:
                found.append(memory())
                print(f"after {number + 1:>7,} addresses {found[-1]:6.0f} MB", flush=True)

    await asyncio.gather(*(ask() for _ in range(TOGETHER)))
    return found


def processor(process: psutil.Process) -> float:
    """Return the processor time of a server with its workers, in seconds."""
    return sum(sum(each.cpu_times()[:2]) for each in (process, *process.children(recursive=True)))


def memory(process: psutil.Process) -> float:
    """Return the memory that a server and its workers have for themselves, in MB."""
    return sum(each.memory_full_info().uss for each in (process, *process.children(recursive=True))) / 1e6


def part(times: list[float], share: float) -> float:
    """Return a percentile, in milliseconds."""
    return 1e3 * sorted(times)[min(len(times) - 1, int(share * len(times)))]


def _played(name: str, where: tuple[str, psutil.Process], path: Path) -> tuple[Seen, float, float]:
    """Play a scene; return what was seen, the processor time that it took, and the memory afterwards."""
    address, process = where
    seen, began = Seen(address), processor(process)
    asyncio.run(SCENES[name](seen, path))
    return seen, processor(process) - began, memory(process)


def scene(name: str, ours: tuple[str, psutil.Process], other: tuple[str, psutil.Process]) -> Iterator[Result]:
    """Play a scene on our server, then with answers of the same sizes on the bare one. Print, and yield the ratios."""
    mine = _played(name, ours, lambda _, path: path)
    left = iter(mine[0].sizes)
    rows = mine, _played(name, other, lambda _visitor, _path: f"/?{next(left)}")
    for who, (seen, spent, held) in zip(("Bluecut", "bare"), rows, strict=True):
        shares = "  ".join(f"{round(100 * share)} % {part(seen.times, share):8.1f}" for share in (0.5, 0.95, 0.99, 1))
        told = dict(sorted(seen.statuses.items()))
        print(f"{name}, {who:<7} ms: {shares}  processor {spent:5.2f} s  {held:4.0f} MB  {told}", flush=True)
    (seen, spent, held), (its, bare_spent, bare_held) = rows
    yield Result(f"{name}, 50 %", part(seen.times, 0.5), "ms")
    yield Result(f"{name}, 95 %", part(seen.times, 0.95), "ms")
    yield Result(f"{name}, 95 %, of a bare server", part(seen.times, 0.95) / part(its.times, 0.95), "ratio")
    yield Result(f"{name}, processor time, of a bare server", spent / bare_spent, "ratio")
    yield Result(f"{name}, memory, of a bare server", held / bare_held, "ratio")


def main() -> list[Result]:
    """Measure and print."""
    with server() as ours, bare() as other:
        asyncio.run(Seen(ours[0]).get("/run/three-banks/find", 0))  # the workers have started
        results = [result for name in SCENES for result in scene(name, ours, other)]
        found = asyncio.run(addresses(ours[0], lambda: memory(ours[1])))
    results.append(Result(f"memory after {ADDRESSES:,} addresses, all processes", found[-1], "MB"))
    grown = found[-1] / found[len(found) // 2 - 1]
    results.append(Result("the same, of that after half of them", grown, "ratio", FLAT, "less"))
    return results


if __name__ == "__main__":
    main()
