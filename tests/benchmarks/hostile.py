"""What others notice while one client asks for forty of the dearest pages at once.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks.hostile

The server is a process of its own, started as visitors start it. The hostile client asks from another address of this
machine; the others are the home page, a lesson and the stream of a run, one request every tenth of a second.
"""

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import psutil

from tests.benchmarks.dear import COMPARED, SCENARIOS
from tests.benchmarks.result import Result

DEAR, SECONDS, PAUSE = 40, 20, 0.1
WATCHED = {"the home page": "/", "a lesson": "/lessons/vanishing-token", "a stream": "/run/three-banks/events"}
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


async def hostile(address: str, found: Counter[int], until: asyncio.Event) -> None:
    """Ask for what is dear and was never asked before, again and again."""
    away = httpx2.AsyncHTTPTransport(local_address="127.0.0.2")
    async with httpx2.AsyncClient(base_url=address, transport=away, timeout=60) as client:
        seed = 0

        async def one(place: int) -> None:
            nonlocal seed
            while not until.is_set():
                seed += 1
                ref = list(SCENARIOS.values())[place % len(SCENARIOS)]
                query = COMPARED if place % 2 else ""
                page = "compare" if place % 2 else "run"
                answer = await client.get(f"/{page}/{ref}?seed={seed}&{query}")
                found[answer.status_code] += 1
                await asyncio.sleep(PAUSE if answer.status_code == 200 else 10 * PAUSE)

        trying = [asyncio.create_task(one(place)) for place in range(DEAR)]
        await until.wait()
        for each in trying:
            each.cancel()


async def _tried(address: str, *, attacked: bool) -> tuple[dict[str, list[float]], Counter[int]]:
    """Return the times of honest visitors, and what the hostile client was answered."""
    times: dict[str, list[float]] = {name: [] for name in WATCHED}
    found, until = Counter[int](), asyncio.Event()
    tasks = [asyncio.create_task(hostile(address, found, until))] if attacked else []
    if attacked:
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
        asyncio.run(_tried(address, attacked=False))  # everything is warm
        idle, _ = asyncio.run(_tried(address, attacked=False))
        before = _memory(process)
        busy, answers = asyncio.run(_tried(address, attacked=True))
        after = _memory(process)
    print(f"{DEAR} dear requests at once for {SECONDS} s, answered {dict(sorted(answers.items()))}")
    for name in WATCHED:
        quiet, loud = _late(idle[name]), _late(busy[name])
        print(f"{name:<14} 95 % idle {1e3 * quiet:6.1f} ms, meanwhile {1e3 * loud:6.1f} ms, × {loud / quiet:.1f}")
        results.append(Result(f"{name}, 95 %, of idle", loud / quiet, "ratio", GOAL, "less", headline=True))
    print(f"memory of all processes {before:.0f} MB before, {after:.0f} MB after")
    results.append(Result("memory after it, all processes", after, "MB"))
    return results


if __name__ == "__main__":
    main()
