"""What others notice while one client asks for forty of the most expensive pages at once, then for forty that nobody
has seen, and then sends forty of the most expensive forms.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks.hostile

The server is a process of its own, started as visitors start it. The hostile client asks from another address of this
machine; the others are the home page, a lesson and the stream of a run, one request every tenth of a second. The forms
ask for the questions of an assignment, sign answers to them and judge those of a class, check and save the largest
scenarios, open rooms that show them, and vote.
"""

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import psutil

from app.course.assignment.assignment import MOST, owner
from app.course.assignment.handed_in import strings
from app.wire.scenario_link import unpacked
from tests.benchmarks.expensive import COMPARED, SCENARIOS
from tests.benchmarks.result import Result

CLIENTS, SECONDS, PAUSE = 40, 20, 0.1
WATCHED = {"the home page": "/", "a lesson": "/lessons/vanishing-token", "a stream": "/run/three-banks/events"}
ASSIGNMENT = "&".join(["q=every"] * MOST)
CLASS = tuple(f"Person {number}" for number in range(5))
FORMS = ("ask", "sign", "read", "/editor/check", "/editor/run", "/api/scenarios", "/rooms", "vote")
VOTES = 50

NEW = ("random-twelve", "three-banks", "blue-figure")

Request = Callable[[httpx2.AsyncClient, int, int], Awaitable[httpx2.Response]]
GOAL = 3.0
"""How many times its idle latency an answer may take at the 95th percentile."""


@contextmanager
def server() -> Iterator[tuple[str, psutil.Process]]:
    """Yield the address of a server of its own, and its process."""
    command = [str(Path(sys.executable).with_name("bluecut")), "serve", "--port", "0", "--no-jobs"]
    with tempfile.TemporaryDirectory() as folder:
        started = subprocess.Popen([*command, "--data", folder], stdout=subprocess.PIPE, text=True)
        assert started.stdout is not None
        line = re.search(r"http\S+", started.stdout.readline())
        assert line is not None
        try:
            yield line[0].rstrip("/"), psutil.Process(started.pid)
        finally:
            started.terminate()
            started.wait(30)


async def watched(address: str, times: dict[str, list[float]], until: asyncio.Event) -> None:
    """Ask for what honest visitors ask for, in turns, and note how long each took, in seconds."""
    async with httpx2.AsyncClient(base_url=address, timeout=60) as client:
        while not until.is_set():
            for name, path in WATCHED.items():
                began = time.perf_counter()
                assert (await client.get(path)).status_code == 200
                times[name].append(time.perf_counter() - began)
            await asyncio.sleep(PAUSE)


async def asked(client: httpx2.AsyncClient, place: int, seed: int) -> httpx2.Response:
    """Ask for an expensive page."""
    ref = list(SCENARIOS.values())[place % len(SCENARIOS)]
    return await client.get(f"/compare/{ref}?seed={seed}&{COMPARED}" if place % 2 else f"/run/{ref}?seed={seed}")


async def opened(client: httpx2.AsyncClient, place: int, seed: int) -> httpx2.Response:
    """Ask for a page that is not expensive, and that nobody has asked for."""
    search = place % (len(NEW) + 1) == len(NEW)
    return await client.get(
        f"/search?q=marker+{seed}" if search else f"/run/{NEW[place % len(NEW)]}?seed={1_000 + seed}"
    )


async def sent(client: httpx2.AsyncClient, place: int, seed: int) -> httpx2.Response:
    """Send an expensive form; what it needs is asked for first."""
    ref = list(SCENARIOS.values())[seed % len(SCENARIOS)]
    kind = FORMS[place % len(FORMS)]
    if kind == "/rooms":
        return await client.post(kind, data={"at": f"/run/{ref}?seed={seed}"})
    if kind == "vote":
        return await _voted(client)
    if kind in ("/editor/check", "/editor/run"):
        return await client.post(kind, data={"text": unpacked(ref)})
    if kind == "/api/scenarios":
        return await client.post(kind, content=unpacked(ref))
    sheet = f"{ASSIGNMENT}&seed={seed}&for={owner('k')}"
    if kind == "ask":
        return await client.post(f"/assign/sheet?{sheet}", data={"name": "Ann"})
    texts = []
    for name in CLASS:
        answer = await client.post(f"/assign/sheet?{sheet}", data={"name": name, "done": "1"})
        texts += strings(answer.text)
    if kind == "sign":
        return answer
    return await client.post(f"/assign/read?{ASSIGNMENT}&seed={seed}&key=k", data={"text": " ".join(texts) or "none"})


async def _voted(client: httpx2.AsyncClient) -> httpx2.Response:
    """Open a room with a question, and let many vote in it."""
    opened = await client.post("/rooms", data={"at": "/lessons/blue-figure?q=next"})
    if opened.status_code != 303:
        return opened
    room = opened.headers["location"].removesuffix("/present")
    await client.post(f"{room}/phase", json={"phase": "vote"})
    for turn in range(VOTES):
        ballot = {"poll": "1", "round": "1", "answer": "P1", "turn": f"{turn + 1}"}
        opened = await client.post(f"{room}/vote", data=ballot, headers={"accept": "application/json"})
    return opened


async def hostile(address: str, ask: Request, found: Counter[int], until: asyncio.Event) -> None:
    """Do what is expensive and was never done before, again and again."""
    away = httpx2.AsyncHTTPTransport(local_address="127.0.0.2")
    async with httpx2.AsyncClient(base_url=address, transport=away, timeout=60) as client:
        seed = 0

        async def one(place: int) -> None:
            nonlocal seed
            while not until.is_set():
                seed += 1
                answer = await ask(client, place, seed)
                found[answer.status_code] += 1
                await asyncio.sleep(PAUSE if answer.status_code < 400 else 10 * PAUSE)

        trying = [asyncio.create_task(one(place)) for place in range(CLIENTS)]
        await until.wait()
        for each in trying:
            each.cancel()


async def _tried(address: str, ask: Request | None = None) -> tuple[dict[str, list[float]], Counter[int]]:
    """Return the times of honest visitors, and what the hostile client was answered."""
    times: dict[str, list[float]] = {name: [] for name in WATCHED}
    found, until = Counter[int](), asyncio.Event()
    tasks = [asyncio.create_task(hostile(address, ask, found, until))] if ask else []
    if ask:
        await asyncio.sleep(2)
    tasks.append(asyncio.create_task(watched(address, times, until)))
    await asyncio.sleep(SECONDS)
    until.set()
    await asyncio.gather(*tasks)
    return times, found


def _late(times: list[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]


def _memory(process: psutil.Process) -> float:
    """Return the memory of a server with its workers, in MB."""
    return sum(each.memory_info().rss for each in (process, *process.children(recursive=True))) / 1e6


def main() -> list[Result]:
    """Measure and print."""
    results = []
    with server() as (address, process):
        asyncio.run(_tried(address))  # everything is warm
        kinds = (
            (asked, "expensive requests", ""),
            (opened, "new pages", ", new pages"),
            (sent, "expensive forms", ", forms"),
        )
        for ask, what, kind in kinds:
            idle, _ = asyncio.run(_tried(address))
            before = _memory(process)
            busy, answers = asyncio.run(_tried(address, ask))
            after = _memory(process)
            later, _ = asyncio.run(_tried(address))
            print(f"{CLIENTS} {what} at once for {SECONDS} s, answered {dict(sorted(answers.items()))}")
            for name in WATCHED:
                quiet, loud = _late(idle[name] + later[name]), _late(busy[name])
                times = f"95 % idle {1e3 * quiet:6.1f} ms, meanwhile {1e3 * loud:6.1f} ms, × {loud / quiet:.1f}"
                print(f"{name:<14} {times}", flush=True)
                ratio = Result(f"{name}, 95 %, of idle{kind}", loud / quiet, "ratio", GOAL, "less", headline=True)
                results.append(ratio)
            print(f"memory of all processes {before:.0f} MB before, {after:.0f} MB after", flush=True)
        results.append(Result("memory after it, all processes", after, "MB"))
    return results


if __name__ == "__main__":
    main()
