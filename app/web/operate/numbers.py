"""What the server counts, as Prometheus reads it.

Only the event loop's thread counts, so that nothing needs a lock. The library that writes the format is loaded when the
numbers are first asked for: it takes longer to load than the rest of the server needs to start.
"""

import asyncio
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""The upper bounds of the classes of times, in seconds."""

EVERY = 0.5
"""Seconds between two looks at how late the event loop is."""


class Times:
    """How many times there were in each class, and their sum, in seconds."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """Count a time."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    @property
    def buckets(self) -> list[tuple[str, float]]:
        """The counts up to each bound, as Prometheus has them."""
        return list(zip((*map(str, BOUNDS), "+Inf"), accumulate(self.counts), strict=True))


class Line(Protocol):
    """What waits for workers."""

    places: int

    @property
    def waiting(self) -> int:
        """How many wait."""

    @property
    def busy(self) -> int:
        """How many have a worker."""


class Numbers:
    """Requests by method, route and status; their times by route; and what is going on now."""

    def __init__(self, version: str, line: Line | None = None) -> None:
        """Count from nothing; ``line`` is that of the workers, if there are any."""
        self.version = version
        self.line = line
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.times: dict[str, Times] = {}
        self.open = 0
        self.streams = 0
        self.delay = Times()
        self.bytes: dict[str, Callable[[], int]] = {}
        """What each cache holds, by its name."""

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self.requests[method, route, status] += 1
        self.times.setdefault(route, Times()).add(seconds)

    def collect(self) -> "Iterator[Metric]":
        """Yield everything as Prometheus' library has it."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        about = GaugeMetricFamily("bluecut_info", "The version that runs.", labels=["version"])
        about.add_metric([self.version], 1)
        yield about
        asked = CounterMetricFamily("bluecut_requests", "Answers sent.", labels=["method", "route", "status"])
        for (method, route, status), count in sorted(self.requests.items()):
            asked.add_metric([method, route, str(status)], count)
        yield asked
        took = HistogramMetricFamily(
            "bluecut_request_seconds", "Time from a request to the end of its answer.", labels=["route"]
        )
        for route, times in sorted(self.times.items()):
            took.add_metric([route], times.buckets, times.sum)
        yield took
        yield GaugeMetricFamily("bluecut_open_requests", "Requests being answered.", self.open)
        yield GaugeMetricFamily("bluecut_open_streams", "Streams of events being sent.", self.streams)
        if self.line is not None:
            yield GaugeMetricFamily("bluecut_workers", "Worker processes.", self.line.places)
            yield GaugeMetricFamily("bluecut_workers_busy", "Requests that have a worker.", self.line.busy)
            yield GaugeMetricFamily("bluecut_workers_waiting", "Requests that wait for one.", self.line.waiting)
        cached = GaugeMetricFamily("bluecut_cache_bytes", "Memory of what is kept.", labels=["cache"])
        for name, size in sorted(self.bytes.items()):
            cached.add_metric([name], size())
        yield cached
        late = HistogramMetricFamily("bluecut_loop_delay_seconds", f"How late the event loop is, every {EVERY} s.")
        late.add_metric([], self.delay.buckets, self.delay.sum)
        yield late

    def written(self) -> tuple[bytes, str]:
        """Return the numbers, with those of this process, as text in the Prometheus format, and its type."""
        from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
        from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

        registry = CollectorRegistry(auto_describe=False)
        registry.register(self)
        ProcessCollector(registry=registry)
        return generate_latest(registry), CONTENT_TYPE_PLAIN_0_0_4


async def watched_loop(numbers: Numbers) -> None:
    """Measure how late the event loop is, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY
        await asyncio.sleep(EVERY)
        numbers.delay.add(max(0.0, loop.time() - due))
