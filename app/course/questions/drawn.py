"""Cuts that are drawn through a run to ask about them: near those of its snapshots, and near single moments."""

from random import Random
from typing import TypeAlias

from app.course.questions.card import MOST_OPTIONS
from app.course.run_facts import Sent, sent
from app.run.run import Run

Drawn: TypeAlias = tuple[int, ...]
"""How many events of each process, in the scenario's order."""

MOST_STEPS = 120
"""A longer run cannot be seen as a whole."""

TRIES, MOST = 60, 12


def drawn(run: Run) -> tuple[tuple[Drawn, ...], tuple[Drawn, ...]]:
    """Return consistent cuts and others, MOST of each; none if the run is long, or has rolled back."""
    history, names = run.history, run.system.topology.names
    if len(run.steps) > MOST_STEPS or history.lives or len(names) < 2 or history.undone:
        return (), ()
    rng = Random("cuts")
    bases = [seen.cut for seen in history.recordings.values() if seen.cut]
    bases += [_instant(run, int(rng.random() * len(run.steps))) for _ in range(3)]
    found: dict[Drawn, bool] = {}
    for attempt in range(TRIES):
        base = bases[attempt % len(bases)]
        cut = {name: base.get(name, 0) for name in names}
        for _ in range(1 + attempt % 3):
            name = names[int(rng.random() * len(names))]
            cut[name] = min(history.counts[name], max(0, cut[name] + int(rng.random() * 5) - 2))
        inside = sum(cut.values())
        if 0 < inside < len(history.events):
            found[tuple(cut[name] for name in names)] = history.consistent(cut)
    whole = tuple(cut for cut, good in found.items() if good)[:MOST]
    return whole, tuple(cut for cut, good in found.items() if not good)[:MOST]


def _instant(run: Run, step: int) -> dict[str, int]:
    """Return how many events each process had after a step."""
    found = dict.fromkeys(run.system.topology.names, 0)
    for event in run.history.events:
        if event.step <= step:
            found[event.process] += 1
    return found


def named(run: Run, cut: Drawn) -> dict[str, int]:
    """Return a cut by the names of the processes."""
    return dict(zip(run.system.topology.names, cut, strict=True))


def around(run: Run, cut: dict[str, int], wanted: list[Sent]) -> list[Sent]:
    """Return ``wanted`` and the messages whose ends are nearest to the cut."""
    sends, receives = run.history.sends, run.history.receives

    def far(message: Sent) -> int:
        send, arrival = sends[message.id], receives.get(message.id)
        at = abs(send.index - cut[send.process])
        return min(at, abs(arrival.index - cut[arrival.process])) if arrival else at

    every = sent(run, [e.message for e in sends.values() if e.message])
    every = list({one.id: one for one in every if one.id in sends}.values())
    others = sorted((one for one in every if one not in wanted), key=far)
    return [*wanted, *others][: max(len(wanted), MOST_OPTIONS - 2)]
