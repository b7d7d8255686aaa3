"""Can two processes be in given states at the same time? Possibly and definitely, for properties that need not be
stable.

*Possibly*: some global state has it. *Definitely*: every order in which the same events could have happened goes
through one that has it.

The states of two processes, and what is between them, depend only on how many events each has had. So it is enough to
look at pairs of such numbers: (i, j) is possible where the first i events of one process know of at most j of the
other, and the other way round. A path through all global states goes through such pairs one after the other, and every
path through pairs belongs to one: add to the smallest state with (i, j) what the next event needs, none of which is an
event of the two. The answer is therefore exact, however many states there are.

Source: R. Cooper, K. Marzullo, "Consistent Detection of Global Predicates", Workshop on Parallel and Distributed
Debugging, 1991 (possibly and definitely, for any predicate, by the levels of the lattice).
"""

from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise

from app.core.model.value import Frozen
from app.core.oracle.history import NEVER, RECEIVE, SEND
from app.core.oracle.lattice import Cut, Lattice
from app.run.run import Run

MOST = 250_000
"""The most pairs examined."""
EXAMPLES = 3
"""The most states named as examples."""

Pair = tuple[int, int]


class Question(Frozen):
    """``holds`` is applied to what ``value`` makes of the states of processes ``one`` and ``two``. If ``empty`` names a
    channel between them, it must hold no message either."""

    one: str
    two: str
    holds: Callable[[object, object], bool]
    empty: str | None = None
    value: Callable[[object], object] = lambda state: state


class Answer(Frozen):
    """``possibly`` and ``definitely`` are None where there are more pairs than MOST. ``pairs`` counts the possible
    ones, ``found`` those that have it; ``examples`` are the smallest states with the first of those. ``avoiding``: the
    pairs of an order that never has it, from the first to the last; empty where there is none."""

    possibly: bool | None
    definitely: bool | None
    pairs: int = 0
    found: int = 0
    examples: tuple[Cut, ...] = ()
    avoiding: tuple[Pair, ...] = ()


def answer(run: Run, lattice: Lattice, question: Question) -> Answer:
    """Return possibly and definitely, and examples."""
    ones, twos = _known(run, question.one, question.two)
    if len(ones) * len(twos) > MOST:
        return Answer(None, None)
    holds = _by_event_count(run, question)
    place = lattice.place
    before: dict[Pair, Pair | None] = {}
    """For each pair that can be reached without meeting one that has it, the pair before."""
    pairs, found, last = 0, [], (0, 0)
    for i, j in _possible(ones, twos):
        pairs += 1
        last = max(last, (i, j), key=sum)
        if holds(i, j):
            found.append((i, j))
        elif (i, j) == (0, 0):
            before[i, j] = None
        else:
            way = next((pair for pair in ((i - 1, j), (i, j - 1)) if pair in before), None)
            if way is not None:
                before[i, j] = way
    found.sort(key=lambda pair: (sum(pair), pair))
    smallest = (lattice.least({place[question.one]: i, place[question.two]: j}) for i, j in found[:EXAMPLES])
    return Answer(bool(found), last not in before, pairs, len(found), tuple(smallest), _way_to(last, before))


def _way_to(last: Pair, before: dict[Pair, Pair | None]) -> tuple[Pair, ...]:
    """Return the pairs from the first to ``last``; none where it cannot be reached."""
    way: list[Pair] = []
    here: Pair | None = last if last in before else None
    while here is not None:
        way.append(here)
        here = before[here]
    return tuple(reversed(way))


def _possible(ones: list[int], twos: list[int]) -> Iterator[Pair]:
    """Yield the possible pairs, each behind those with fewer events."""
    for i, needs in enumerate(ones):
        for j in range(min(needs, len(twos)), len(twos)):
            if twos[j] <= i:
                yield i, j


def _known(run: Run, one: str, two: str) -> tuple[list[int], list[int]]:
    """Return, for each number of events of ``one``, how many of ``two`` they know of, and the other way round."""
    now = dict.fromkeys(run.history.names, (0, 0))
    sent: dict[int, Pair] = {}
    ones, twos = [0], [0]
    for event in run.history.events:
        mine = now[event.process]
        if event.message is not None:
            identity = event.message.identity
            if event.kind == SEND:
                sent[identity] = (mine[0] + (event.process == one), mine[1] + (event.process == two))
            elif event.kind == RECEIVE:
                there = (NEVER, NEVER) if identity in run.history.undone else sent.get(_first(run, identity), (0, 0))
                mine = (max(mine[0], there[0]), max(mine[1], there[1]))
        mine = (mine[0] + (event.process == one), mine[1] + (event.process == two))
        now[event.process] = mine
        if event.process == one:
            ones.append(mine[1])
        if event.process == two:
            twos.append(mine[0])
    return ones, twos


def _first(run: Run, identity: int) -> int:
    """Return the message that was sent, of which this one may be a copy made by the network."""
    send = run.history.sends.get(identity)
    return send.message.identity if send and send.message else identity


def _by_event_count(run: Run, question: Question) -> Callable[[int, int], bool]:
    one, two = ([question.value(state) for state in sequence(run, name)] for name in (question.one, question.two))
    if question.empty is None:
        return lambda i, j: question.holds(one[i], two[j])
    sends = run.system.topology.channels[question.empty].source == question.one
    latest = _received(run, question.empty)

    def holds(i: int, j: int) -> bool:
        sender, receiver = (i, j) if sends else (j, i)
        return latest[sender] <= receiver and question.holds(one[i], two[j])

    return holds


def _received(run: Run, channel: str) -> list[int]:
    """Return, for each number of events of the sender, the event of the receiver by which all is received that was sent
    on the channel until then: NEVER, where some of it never is. What the network lost for good is left out."""
    history, sender = run.history, run.system.topology.channels[channel].source
    found = [0] * (history.counts[sender] + 1)
    sent = {event.message.identity: event for event in history.events if event.kind == SEND and event.message}
    sent |= {copy: history.sends[copy] for copy in history.twins}
    for identity, send in sent.items():
        if send.channel == channel and not history.lost(identity):
            arrival = history.receives.get(identity)
            found[send.index] = max(found[send.index], arrival.index if arrival else NEVER)
    return list(accumulate(found, max))


def sequence(run: Run, name: str) -> list[object]:
    """Return the states of a process, before its first event and after each."""
    return [run.begin.states[name], *(event.state for event in run.history.events if event.process == name)]


def avoiding(lattice: Lattice, question: Question, found: Answer) -> tuple[Cut, ...]:
    """Return the states of an order that never has it, from the first to the last; none where there is no such
    order."""
    if not found.avoiding:
        return ()
    one, two = lattice.place[question.one], lattice.place[question.two]
    corners = [lattice.least({one: i, two: j}) for i, j in found.avoiding]
    ways = [lattice.path(a, b)[1:] for a, b in pairwise([lattice.bottom, *corners])]
    return (lattice.bottom, *(cut for way in ways for cut in way), *_onward(lattice, corners[-1]))


def _onward(lattice: Lattice, cut: Cut) -> Iterator[Cut]:
    """Yield the states after one, up to the last, always by the first possible event."""
    while (more := next(lattice.after(cut), None)) is not None:
        cut = more
        yield cut


def having(run: Run, lattice: Lattice, question: Question) -> Callable[[Cut], bool]:
    """Does a state have it?"""
    holds, one, two = _by_event_count(run, question), lattice.place[question.one], lattice.place[question.two]
    return lambda cut: holds(cut[one], cut[two])
