"""The consistent cuts nearest to a cut, compared with all cuts of small runs."""

from itertools import product

import pytest

from app.core.oracle.history import History
from app.core.oracle.lattice import above, below
from app.run.run import record
from app.scenario.library import LIBRARY

Cut = dict[str, int]


def every(history: History) -> list[Cut]:
    """Return all cuts of a run."""
    counts = (range(history.counts[name] + 1) for name in history.names)
    return [dict(zip(history.names, cut, strict=True)) for cut in product(*counts)]


def inside(a: Cut, b: Cut) -> bool:
    """Is all of ``a`` in ``b``?"""
    return all(a[name] <= b[name] for name in a)


@pytest.mark.parametrize("name", ["which-cut", "three-banks", "queue", "state-that-never-was", "non-fifo-doubled"])
def test_the_nearest_cuts_are_consistent_and_none_is_nearer(name: str) -> None:
    history = record(LIBRARY.scenario(name)).history
    cuts = every(history)
    good = [cut for cut in cuts if history.consistent(cut)]
    assert 0 < len(good) < len(cuts)
    for cut in cuts:
        grown, shrunk = above(history, cut), below(history, cut)
        assert grown in good and all(inside(grown, other) for other in good if inside(cut, other))
        assert shrunk in good and all(inside(other, shrunk) for other in good if inside(other, cut))
        if cut in good:
            assert grown == shrunk == cut


def test_nothing_can_be_added_that_sends_what_was_taken_out() -> None:
    history = record(LIBRARY.scenario("nobody-notices")).history
    everything = dict(history.counts)
    history.undone = {next(e.message.identity for e in history.events if e.kind == "receive" and e.message)}
    assert history.orphans(everything)
    assert above(history, everything) is None
    assert history.consistent(below(history, everything)) and not history.orphans(below(history, everything))
    assert sum(below(history, everything).values()) > 0


def test_four_in_five_cuts_of_the_example_make_no_sense() -> None:
    history = record(LIBRARY.scenario("which-cut")).history
    good = [cut for cut in every(history) if history.consistent(cut)]
    assert len(every(history)) == 80 and len(good) == 20
    assert above(history, {"P": 0, "Q": 2, "R": 1}) == {"P": 1, "Q": 2, "R": 1}
    assert below(history, {"P": 0, "Q": 2, "R": 1}) == {"P": 0, "Q": 0, "R": 0}
