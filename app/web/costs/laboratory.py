"""Measuring for visitors: in a thread beside the pages, one experiment after another, bounded, with cached results.

An experiment is a number of trials. The result of each trial is cached, so experiments that share trials share the
work, and a visitor who returns to an earlier one sees it at once.
"""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field

from app.web.costs.trial import Measured, Trial, measured

MOST_TRIALS = 160
"""The most runs of an experiment; each is bounded by its scenario (see ``experiment.STEPS``)."""

WAITING = 8
"""The most experiments that may wait for the current one: a page has six."""

KEPT = 4_000
"""The most cached trials; each is a few hundred numbers."""

Results = Mapping[Trial, Measured]


@dataclass(slots=True)
class Job:
    """A running experiment: how many of its trials were measured."""

    total: int
    done: int = 0
    over: Future[None] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an unfinished experiment; ``refused``: too many were waiting, and it has not begun."""

    done: int
    total: int
    refused: bool = False


class Laboratory:
    """Measures each trial once, when it is first requested."""

    def __init__(
        self, *, waiting: int = WAITING, kept: int = KEPT, measure: Callable[[Trial], Measured] = measured
    ) -> None:
        self.waiting = waiting
        self.kept = kept
        self.measure = measure
        self._lock = threading.Lock()
        self._turn = threading.BoundedSemaphore(1)
        self._known: OrderedDict[Trial, Measured] = OrderedDict()
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
        with self._lock:
            if (found := self._found(wanted)) is not None:
                return found
            job = self._jobs.get(wanted)
            if job is None:
                if len(self._jobs) > self.waiting:
                    return Progress(0, len(wanted), refused=True)
                job = self._jobs[wanted] = Job(len(wanted))
                threading.Thread(target=self._make, args=(wanted, job), daemon=True, name="laboratory").start()
        try:
            await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(job.over)), patience)
        except TimeoutError:
            return Progress(job.done, job.total)
        with self._lock:
            found = self._found(wanted)
        return found if found is not None else Progress(0, len(wanted), refused=True)

    def _found(self, wanted: tuple[Trial, ...]) -> Results | None:
        """Return all results, if all are known. The lock is held."""
        if any(one not in self._known for one in wanted):
            return None
        for one in wanted:
            self._known.move_to_end(one)
        return {one: self._known[one] for one in wanted}

    def _make(self, wanted: tuple[Trial, ...], job: Job) -> None:
        trouble: BaseException | None = None
        try:
            with self._turn:
                for one in wanted:
                    if self._closed:
                        break
                    self._one(one)
                    job.done += 1
        except BaseException as error:
            trouble = error
        with self._lock:
            del self._jobs[wanted]
            while len(self._known) > self.kept:
                self._known.popitem(last=False)
        if trouble:
            job.over.set_exception(trouble)
        else:
            job.over.set_result(None)

    def _one(self, one: Trial) -> None:
        """Measure a trial that is not known yet."""
        with self._lock:
            if one in self._known:
                return
        result = self.measure(one)
        with self._lock:
            self._known[one] = result
