"""Measuring for visitors: in a thread beside the pages, one experiment after another, bounded, with cached results.

An experiment is a number of trials. The result of each trial is cached, so experiments that share trials share the
work, and a visitor who returns to an earlier one sees it at once.
"""

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial

from app.cache import Cache
from app.web.measure.costs.measured_run import Measured, Trial, measured

MOST_TRIALS = 160
"""The most runs of an experiment; each is bounded by its scenario (see ``experiment.STEPS``)."""

WAITING = 8
"""The most experiments that may wait for the current one: a page has six."""

MOST_BYTES = 16_000_000
"""The most memory of all cached trials together: some thousands of them, and a page has four hundred."""

Results = Mapping[Trial, Measured]


@dataclass(slots=True)
class Job:
    """A running experiment: how many of its trials were measured, and in the end their results, or None if it was
    broken off."""

    total: int
    done: int = 0
    over: Future[Results | None] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an unfinished experiment; ``refused``: too many were waiting, and it has not begun."""

    done: int
    total: int
    refused: bool = False


class Laboratory:
    """Measures each trial once, when it is first requested."""

    def __init__(
        self, *, waiting: int = WAITING, most: int = MOST_BYTES, measure: Callable[[Trial], Measured] = measured
    ) -> None:
        self.waiting = waiting
        self.measure = measure
        self._lock = threading.Lock()
        self._turn = threading.BoundedSemaphore(1)
        self._cache = Cache[Trial, Measured](most)
        self._jobs: dict[tuple[Trial, ...], Job] = {}
        self._closed = False

    def open(self) -> None:
        """Accept experiments, again."""
        self._closed = False

    def close(self) -> None:
        """Measure nothing more after the current trial, because the server stops. Waiting requests are refused."""
        self._closed = True

    async def results(self, trials: Iterable[Trial], patience: float) -> Results | Progress:
        """Return what was measured, after at most ``patience`` seconds, or the progress. Raises what a trial raises."""
        wanted = tuple(dict.fromkeys(trials))
        if len(wanted) > MOST_TRIALS:
            raise ValueError(f"{len(wanted)} trials; at most {MOST_TRIALS}")
        if (found := self._found(wanted)) is not None:
            return found
        with self._lock:
            job = self._jobs.get(wanted)
            if job is None:
                if len(self._jobs) > self.waiting:
                    return Progress(0, len(wanted), refused=True)
                job = self._jobs[wanted] = Job(len(wanted))
                threading.Thread(target=self._make, args=(wanted, job), daemon=True, name="laboratory").start()
        try:
            made = await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(job.over)), patience)
        except TimeoutError:
            return Progress(job.done, job.total)
        return made if made is not None else Progress(0, len(wanted), refused=True)

    def _found(self, wanted: tuple[Trial, ...]) -> Results | None:
        """Return all results, if all are known."""
        found = {one: result for one in wanted if (result := self._cache.peek(one)) is not None}
        return found if len(found) == len(wanted) else None

    def _make(self, wanted: tuple[Trial, ...], job: Job) -> None:
        results: dict[Trial, Measured] = {}
        failure: BaseException | None = None
        try:
            with self._turn:
                for one in wanted:
                    if self._closed:
                        break
                    results[one] = self._cache.get(one, partial(self.measure, one))
                    job.done += 1
        except BaseException as error:
            failure = error
        with self._lock:
            del self._jobs[wanted]
        if failure:
            job.over.set_exception(failure)
        else:
            job.over.set_result(results if len(results) == len(wanted) else None)
