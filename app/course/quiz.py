"""Questions about any run, one after the other, without end.

The number-th question of a run follows from the run and the number alone. The kinds come in turn; within a kind, the
subjects come in an order that is drawn. After the last question all are asked again, in other orders.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TypeAlias

from app.cache import Cache
from app.course.phrases import words_of
from app.course.question import Question
from app.course.questions import (
    arrival,
    blocked,
    causal,
    check,
    content,
    copied,
    crossing,
    ever,
    flight,
    inside,
    live,
    markers,
    missing,
    opened,
    past,
    recorder,
    restored,
    state,
    total,
    verdict,
)
from app.course.questions.card import Kind, Subject, shuffled
from app.run.run import Run
from app.scenario.run_key import RunKey
from app.wire.run_url import Address

KINDS: tuple[Kind, ...] = (
    recorder,
    content,
    verdict,
    opened,
    blocked,
    restored,
    crossing,
    live,
    total,
    state,
    arrival,
    causal,
    check,
    copied,
    missing,
    inside,
    ever,
    flight,
    past,
    markers,
)
"""All kinds. One lap begins with those that come first here, where they fit."""

BY_NAME = {kind.NAME: kind for kind in KINDS}

Deck: TypeAlias = Mapping[str, Sequence[Subject]]
"""By kind, what it can ask of; kinds that do not fit are left out."""

_decks = Cache[tuple[str, str, RunKey], Deck](4_000_000)


def deck(run: Run) -> Deck:
    """Return what can be asked about a run. Finding it means trying steps, so it is cached."""

    def found() -> Deck:
        every = {kind.NAME: tuple(dict.fromkeys(kind.subjects(run))) for kind in KINDS}
        return {kind: subjects for kind, subjects in every.items() if subjects}

    return _decks.get((run.scenario.name, run.scenario.digest, run.key), found)


def quiz(run: Run, address: Address, number: int, kinds: Sequence[str] = ()) -> Question | None:
    """Return the number-th question about a run, from 0; None if nothing can be asked. If ``kinds`` are named, only
    those count. ``address`` is the run's; its step does not matter."""
    every = {kind: subjects for kind, subjects in deck(run).items() if not kinds or kind in kinds}
    count = sum(map(len, every.values()))
    if not count:
        return None
    lap, place = divmod(number, count)
    kind, subject = order(every, lap)[place]
    return replace(BY_NAME[kind].ask(run, address, subject), id=f"{kind}-{number}", hint=words_of(f"quiz.hint.{kind}"))


def order(found: Deck, lap: int) -> list[tuple[str, Subject]]:
    """Return all questions of a lap. The kinds take turns as long as they have any left. No kind follows itself while
    others are left, not even from one lap to the next."""
    names = list(found)
    last = max(names, key=lambda name: len(found[name]))  # it ends the lap, so it does not begin the next one
    others = [name for name in names if name != last]
    turn = [*(shuffled(others, Random(f"{lap} kinds")) if lap else others), last]
    mixed = {name: shuffled(found[name], Random(f"{lap} {name}")) for name in turn}
    rounds = range(max(map(len, mixed.values())))
    return [(name, mixed[name][i]) for i in rounds for name in turn if i < len(mixed[name])]
