"""The run without failures with which another run is compared.

It is the one in the run's own order, unless that has other values and some other order has the run's. State and output
are sought together: one order has to give both. Where the state is right in some order, the output is judged by that
order; where it is right in none, by any in which the output is.

All results are sought first. If there are too many, only those that show the run's output are sought: there are few,
and most of the search can be left out.
"""

from collections.abc import Callable, Iterable
from itertools import chain

from app.analysis.possible_results import Case, Result, Shown, choosers, results, steady
from app.core.model.value import Frozen

Fits = Callable[[Result], bool]


class Orders(Frozen):
    """What was compared beside the run's own order. ``results`` is how many there are without failures, None where not
    all were found; ``fits`` says that the run has the result of another order. ``state`` and ``output``: is it known
    whether some order has them?"""

    results: int | None
    fits: bool
    state: bool
    output: bool

    @property
    def verdict(self) -> str:
        """Return the outcome: another order ``fits``; of ``all`` results none does, or no order does (``none``); or it
        is ``open`` whether one does."""
        if self.fits or not (self.state and self.output):
            return "fits" if self.fits else "open"
        return "none" if self.results in (None, 1) else "all"


class Reference(Frozen):
    """What state and output are compared with. ``others`` are all results, where there are several and all were found;
    ``orders`` is None where the run's own order was enough."""

    state: Result
    output: Result
    others: tuple[Result, ...] = ()
    orders: Orders | None = None


def reference(case: Case, own: Result, shown: Shown, keeps: Fits, shows: Fits, alike: tuple[Fits, Fits]) -> Reference:
    """Return what to compare a run with. ``own`` is the result in its order, ``shown`` what it has at its sinks.
    ``keeps`` and ``shows`` say whether it has the state, or the output, of a result; ``alike`` whether, ignoring
    values, the same items reached all processes that keep anything, and the sinks."""
    right = keeps(own), shows(own)
    if all(right) or not choosers(case):
        return Reference(own, own)
    firm = steady(case)
    open_ = [not fits and (not firm or same(own)) for fits, same in zip(right, alike, strict=True)]
    if not any(open_):
        return Reference(own, own)
    every = results(case)
    more = results(case, shown) if open_[1] and not every.complete else every
    found = list(chain((own,), every.found, more.found))
    kept = list(filter(keeps, found))
    both = _first(kept, shows)
    state = both or next(iter(kept), None)
    output = both or state or _first(found, shows)
    known = every.complete or right[0] or not open_[0], more.complete
    orders = Orders(len(every.found) if every.complete else None, both not in (None, own), *known)
    return Reference(state or own, output or own, every.found if every.complete else (), orders)


def _first(found: Iterable[Result], fits: Fits) -> Result | None:
    return next(filter(fits, found), None)
