"""How many bytes a step costs on the wire, for a run of 1,000 steps.

.venv/bin/uv run --frozen --group test python -m tests.benchmarks.wire
"""

import sys
import urllib.request

from tests.benchmarks.busy import busy
from tests.benchmarks.result import Result
from tests.served import served

STEPS = 1_000


def stream(url: str, encoding: str) -> tuple[int, int]:
    """Return the bytes of a run's whole stream as sent, and its number of steps if it is not compressed."""
    request = urllib.request.Request(url, headers={"Accept-Encoding": encoding})
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
    return len(body), body.count(b"event:step\n")


def main() -> list[Result]:
    """Measure and print a table."""
    found = []
    sizes = [int(size) for size in sys.argv[1:]] or [3, 12, 200]
    print(f"{'processes':>9} {'steps':>6} {'bytes/step':>11} {'gzip':>6}")
    with served() as address:
        for processes in sizes:
            url = f"{address}{busy(processes, STEPS)}/events"
            plain, steps = stream(url, "identity")
            packed, _ = stream(url, "gzip")
            assert steps == STEPS
            print(f"{processes:>9} {steps:>6,} {plain / steps:>11.0f} {packed / steps:>6.0f}")
            found.append(Result(f"a step, {processes} processes", plain / steps, "bytes", 200, "less"))
    return found


if __name__ == "__main__":
    main()
