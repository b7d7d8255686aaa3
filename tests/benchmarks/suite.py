"""Run benchmarks, and write what they found into ``docs``: a table of results, what each printed, and JSON."""

import io
import json
import multiprocessing
import os
import platform
import re
import statistics
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from tests.benchmarks.kernel import MESSAGES, ROUNDS, timed
from tests.benchmarks.result import Result, number
from tests.benchmarks.simpy_world import SimPyWorld
from tests.benchmarks.workload import workload

ROOT = Path(__file__).parents[2]
PAGE, FOUND, README = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "benchmarks.json", ROOT / "README.md"

PACE = 92_000
"""The messages per second of SimPy's, 10 processes, on the machine for which the goals in seconds were set."""

Found = dict[str, dict[str, Any]]
"""By benchmark: ``date`` (UTC, ISO 8601), ``machine`` and ``results``, as in ``docs/benchmarks.json``. The machine's
``pace`` is the mean of before and after the benchmark."""


class _Tee(io.StringIO):
    """Keeps what is written, and passes it on at once."""

    def __init__(self, out: TextIO) -> None:
        super().__init__()
        self._out = out

    def write(self, text: str) -> int:
        self._out.write(text)
        self._out.flush()
        return super().write(text)


def names(page: str) -> list[str]:
    """Return the benchmarks that have a heading on the page, in its order."""
    return re.findall(r"(?m)^### (.+)$", page)


def run(name: str) -> tuple[list[Result], str]:
    """Run one benchmark in a process of its own; return its results, and what it printed."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_measured, name).result()


def _measured(name: str) -> tuple[list[Result], str]:
    sys.argv = [name]
    tee = _Tee(sys.stdout)
    with redirect_stdout(tee):
        results = import_module(f"tests.benchmarks.{name}").main()
    return results, tee.getvalue()


def pace() -> float:
    """Return how fast SimPy is now, as a part of that."""
    load = workload(10, MESSAGES)
    return load.messages / statistics.median(timed(SimPyWorld, load) for _ in range(ROUNDS)) / PACE


def machine() -> dict[str, Any]:
    """Return what the figures depend on: the cores, the version of Python and the load when it began."""
    return {"cores": os.cpu_count(), "python": platform.python_version(), "load": round(os.getloadavg()[0], 1)}


def main(wanted: list[str]) -> None:
    """Run the benchmarks named, or all, one after another, and write after each. Raises SystemExit for other names."""
    known = names(PAGE.read_text("utf-8"))
    if unknown := set(wanted) - set(known):
        raise SystemExit(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    chosen = wanted or known
    before = pace()
    for i, name in enumerate(chosen, 1):
        print(f"\n[{i} of {len(chosen)}] {name}", flush=True)
        date, where = datetime.now(UTC), machine()
        results, printed = run(name)
        after = pace()
        where["pace"] = round((before + after) / 2, 2)
        before = after
        found = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
        found[name] = {
            "date": date.isoformat(timespec="seconds"), "machine": where, "results": [asdict(each) for each in results],
        }  # fmt: skip
        FOUND.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
        page = with_text(PAGE.read_text("utf-8"), name, printed)
        PAGE.write_text(with_table(page, table(found, known)), "utf-8")
        README.write_text(with_table(README.read_text("utf-8"), headlines(found, known)), "utf-8")


def with_text(page: str, name: str, printed: str) -> str:
    """Return the page with what a benchmark printed, below its heading. Raises SystemExit if there is no such place."""
    place = re.compile(
        rf"(^### {re.escape(name)}\n(?:(?!^#).)*?)```text\n(?:(?!```)[^\n]*\n)*```$", re.MULTILINE | re.DOTALL
    )
    block = f"```text\n{printed.strip()}\n```"
    page, count = place.subn(lambda found: found[1] + block, page)
    if not count:
        raise SystemExit(f"the page has no heading ### {name} with a block of text below")
    return page


def with_table(page: str, lines: Iterable[str]) -> str:
    """Return the page with other lines between its two comments. Raises SystemExit if there are no such comments."""
    body = "\n".join(lines)
    place = re.compile(r"(<!-- written by tests\.benchmarks -->\n).*?(<!-- end -->)", re.DOTALL)
    page, count = place.subn(lambda around: f"{around[1]}{body}\n{around[2]}", page)
    if not count:
        raise SystemExit("the page has no place for the table")
    return page


def table(found: Found, order: Iterable[str]) -> Iterable[str]:
    """Return the lines of the table of all results."""
    yield "| benchmark | what | found | goal | |"
    yield "|---|---|--:|--:|---|"
    for name in order:
        for i, (result, speed) in enumerate(_results(found, name)):
            first = f"`{name}`, {_dated(found[name])}" if not i else ""
            yield f"| {first} | {result.what} | {_value(result, speed)} | {result.wish()} | {_mark(result, speed)} |"


def _mark(result: Result, speed: float) -> str:
    """Return whether a goal was reached, empty without one."""
    if result.met() is False:
        return "missed; reached at pace 1" if result.met(speed) else "missed"
    return "reached" if result.met() else ""


def headlines(found: Found, order: Iterable[str]) -> Iterable[str]:
    """Return the lines of the README's table."""
    yield "| `python -m tests.benchmarks` … | what | found | goal |"
    yield "|---|---|--:|--:|"
    for name in order:
        for result, speed in _results(found, name):
            if result.headline:
                yield f"| `{name}` | {result.what} | {_value(result, speed)} | {result.wish()} |"


def _results(found: Found, name: str) -> list[tuple[Result, float]]:
    """Return the results of a benchmark, each with the pace of its machine."""
    if name not in found:
        return []
    speed = found[name]["machine"].get("pace", 1.0)
    return [(Result(**each), speed) for each in found[name]["results"]]


def _value(result: Result, speed: float) -> str:
    """Return what was found, and what would be where the goals were set if it depends on the machine."""
    there = "" if result.at(speed) == result.value else f", {number(result.at(speed))} at pace 1"
    return f"{number(result.value)} {result.unit}".strip() + there


def _dated(found: dict[str, Any]) -> str:
    where = found["machine"]
    speed = f", pace {where['pace']:.2f}" if "pace" in where else ""
    return f"{found['date'][:10]}, {where['cores']} cores, Python {where['python']}{speed}"
