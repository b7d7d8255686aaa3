"""Where to go from the end of a run: three moves, by how it ended."""

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from app.algorithms.registry import ALGORITHMS, DESCRIPTIONS
from app.core.model.algorithm import Kind
from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.shared.family_tree import bases
from app.web.shared.search_queue import too_large
from app.web.shared.visit import Visit
from app.wire.end_card import EndCard

MOVES = 3
SAFE = next(name for name, rules in ALGORITHMS.items() if rules.WRONG is None)
"""What is right wherever no better answer is known: the first algorithm."""
MOST_WORK = 60_000
"""The most work of a run that is repeated under another algorithm, to see whether it is right."""


class Move(Frozen):
    """A move: the end of its catalogue key, and its address. ``step``: on the page of the run, only go there."""

    name: str
    url: str
    step: int | None = None


def moves(shown: Visit) -> tuple[Move, ...]:
    """Return the moves that a run ends with."""
    card = shown.recorded.card
    found = _mend(shown, card) if card.tone in ("wrong", "waiting") else _explore(shown, card)
    return tuple(islice([*found, *_onward(shown)], MOVES))


def _explore(shown: Visit, card: EndCard) -> Iterator[Move]:
    """Yield what to do with a run that is right: see where its algorithm is not, understand why, try to break it."""
    here, system = shown.address, shown.run.system
    told = DESCRIPTIONS.get(system.algorithm.NAME)
    if system.algorithm.WRONG is not None and told is not None and told.shown_by not in (None, here.ref):
        yield Move("shown", f"/run/{told.shown_by}" + (f"?lang={here.lang}" if here.lang else ""))
    if card.snapshot is not None and card.recorded is not None and system.algorithm.KIND is not Kind.PRIVATE:
        yield Move("straighten", here.link_to("swap"))
    if not too_large(shown.scenario) and system.algorithm.KIND is Kind.FLOOD:
        about = replace(here, key=RunKey(here.key.algorithm, None, here.key.discipline))
        yield Move("break", about.url("run", "find", lang=here.lang))


def _mend(shown: Visit, card: EndCard) -> Iterator[Move]:
    """Yield what to do with a run that is wrong: see where, see why, and see it done right."""
    here, algorithm = shown.address, shown.run.system.algorithm
    if card.step is not None:
        yield Move("see", here.at(card.step).here, card.step)
    if algorithm.WRONG is not None:
        yield Move("mistake", f"/algorithms/{algorithm.NAME}" + (f"?lang={here.lang}" if here.lang else ""))
    if (key := _right(shown)) is not None:
        yield Move("right", replace(here, key=key, step=0).here)


def _right(shown: Visit) -> RunKey | None:
    """Return the key of the same run under an algorithm, and in an order, that make it right; None if none is found."""
    if shown.run.work > MOST_WORK:
        return None
    for key in _candidates(shown):
        try:
            other = shown.request.app.state.runs.recorded(shown.scenario, key)
        except BluecutError:
            continue
        if other.card.tone == "right":
            return key
    return None


def _candidates(shown: Visit) -> Iterator[RunKey]:
    """Yield keys to try: messages in order, the algorithm of which this one is a variant, one that promises exactly
    once, and the plain one."""
    key, system = replace(shown.address.key, choices=(), drain=False, manual=False), shown.run.system
    algorithm = system.algorithm
    if not system.suits():
        yield replace(key, discipline="fifo")
    exact = (name for name, told in DESCRIPTIONS.items() if "exactly-once" in told.stands_for)
    for name in dict.fromkeys((*(str(base.NAME) for base in bases(algorithm.NAME)), *exact, SAFE)):
        if name != algorithm.NAME and ALGORITHMS[name].WRONG is None:
            yield replace(key, algorithm=name)


def _onward(shown: Visit) -> Iterator[Move]:
    """Yield the next scenario of the library, and the way to all of them."""
    lang = f"?lang={shown.address.lang}" if shown.address.lang else ""
    names = LIBRARY.names()
    if shown.address.ref in names[:-1]:
        yield Move("following", f"/run/{names[names.index(shown.address.ref) + 1]}{lang}")
    yield Move("all", f"/scenarios{lang}")
