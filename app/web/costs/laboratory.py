"""Measuring for visitors: in a thread beside the pages, one experiment after the other, bounded, and kept.

An experiment is a number of trials. What has been measured once is kept by its trial, so experiments that share trials
share the work, and what a visitor turns back to is there at once.
"""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field

from app.web.costs.trial import Measured, Trial, measured

MOST_TRIALS = 160
"""How many runs an experiment may be; each is bounded by its scenario (see ``experiment.STEPS``)."""

WAITING = 8
"""How many experiments may wait for the one that is made: a page has six."""

KEPT = 4_000
"""How many trials are kept; each is a few hundred numbers."""

Results = Mapping[Trial, Measured]


@dataclass(slots=True)
class Job:
    """An experiment under way: how many of its trials were measured."""

    total: int
    done: int = 0
    over: Future[None] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an experiment is that is not over; ``refused``: too many were waiting, and it has not been begun."""

    done: int
    total: int
    refused: bool = False


class Laboratory:
    """Measures trials, each once, for whoever asks first."""

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
        """Measure, again, for whoever asks."""
        self._closed = False

    def close(self) -> None:
        """Measure nothing more, once the trial under way is: the server stops. Who waits is refused."""
        self._closed = True

    async def results(self, trials: Iterable[Trial], patience: float) -> Results | Progress:
        """What was measured, after at most ``patience`` seconds; or how far that is. Raises what a trial raises."""
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
        """All results, if all are known. The lock is held."""
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
