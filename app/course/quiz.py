"""Questions about any run, one after the other, without end.

The number-th question of a run follows from the run and the number alone. The kinds come in turn; within a kind, the
subjects come in an order that is drawn. After the last question all are asked again, in other orders. The questions of
a round go from easy to hard.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from random import Random
from typing import NamedTuple, TypeAlias

from app.cache import Cache
from app.course.phrases import words_of
from app.course.question import Question
from app.course.questions.card import MOST_OPTIONS, Kind, Subject, placed, shuffled
from app.run.run import Run
from app.scenario.run_key import RunKey
from app.wire.run_url import Address

KINDS: Mapping[str, Kind] = {
    name: import_module(f"app.course.questions.{name}")
    for name in (
        *("recorder", "content", "verdict", "opened", "blocked", "restored", "crossing", "live", "total", "state"),
        *("arrival", "causal", "check", "copied", "missing", "inside", "ever", "flight", "past", "markers"),
    )
}
"""All kinds by name. One lap begins with those that come first here, where they fit."""

ROUND = 10
"""So many questions are a round, or all of them if there are fewer."""

Deck: TypeAlias = Mapping[str, Sequence[Subject]]
"""By kind, what it can ask of; kinds that do not fit are left out."""


class Asked(NamedTuple):
    """A question of a round: its kind, and what it is about."""

    kind: str
    subject: Subject
    question: Question


_decks = Cache[tuple[str, str, RunKey], Deck](4_000_000)


def deck(run: Run) -> Deck:
    """Return what can be asked about a run. Finding it means trying steps, so it is cached."""

    def found() -> Deck:
        every = {name: tuple(dict.fromkeys(kind.subjects(run))) for name, kind in KINDS.items()}
        return {kind: subjects for kind, subjects in every.items() if subjects}

    return _decks.get((run.scenario.name, run.scenario.digest, run.key), found)


def chosen(run: Run, kinds: Sequence[str]) -> Deck:
    """Return what can be asked about a run, of these kinds if any are named."""
    return {kind: subjects for kind, subjects in deck(run).items() if not kinds or kind in kinds}


def round_size(every: Deck) -> int:
    """Return how many questions a round has; 0 if there are none."""
    return min(ROUND, sum(map(len, every.values())))


def quiz(run: Run, address: Address, number: int, kinds: Sequence[str] = ()) -> Question | None:
    """Return the number-th question about a run, from 0; None if nothing can be asked. If ``kinds`` are named, only
    those count. ``address`` is the run's; its step does not matter."""
    found = asked(run, address, number, kinds)
    if found is None:
        return None
    return replace(found.question, id=f"{found.kind}-{number}", hint=words_of(f"quiz.hint.{found.kind}"))


def asked(run: Run, address: Address, number: int, kinds: Sequence[str] = ()) -> Asked | None:
    """Return the same question, with what it is about."""
    every = chosen(run, kinds)
    if not every:
        return None
    mine, begin = _round(run, address, every, number)
    before = _last(_round(run, address, every, begin - 1)[0]).kind if begin else ""
    return eased(mine, before)[number - begin]


def _round(run: Run, address: Address, every: Deck, number: int) -> tuple[list[Asked], int]:
    """Return the questions of the round of a question, and the number of the first of them. A round ends where a lap
    does."""
    count = sum(map(len, every.values()))
    lap, place = divmod(number, count)
    size = round_size(every)
    begin = place - number % size
    first, items = max(0, begin), order(every, lap)
    mine = [
        Asked(kind, subject, placed(KINDS[kind].ask(run, *subject), kind, address))
        for kind, subject in items[first : begin + size]
    ]
    return mine, number - place + first


def rank(one: Asked) -> tuple[int, int, int]:
    """Return how hard a question is: the level of its kind; then, how much there is to choose from, where a number that
    has to be written is the most; then, how far the run has come."""
    return KINDS[one.kind].LEVEL, len(one.question.options) or MOST_OPTIONS, one.question.address.step


def _last(mine: Sequence[Asked]) -> Asked:
    """Return the question that ends a round: the hardest one with which no kind has to follow itself."""
    many, count = Counter(one.kind for one in mine), len(mine)
    hardest = sorted(mine, key=rank, reverse=True)

    def apart(end: str) -> bool:
        return all(2 * found <= count + (kind == end) for kind, found in many.items())

    return next((one for one in hardest if apart(one.kind)), max(hardest, key=lambda one: many[one.kind]))


def eased(mine: Sequence[Asked], before: str) -> list[Asked]:
    """Return the questions of a round from easy to hard. No kind follows itself, or the one ``before``, where others
    can be put between."""
    last = _last(mine)
    left = sorted((one for one in mine if one is not last), key=rank)
    found: list[Asked] = []
    while left:
        many = Counter(one.kind for one in left)
        others = [one for one in left if one.kind != before] or left
        free = (one for one in others if _fits(many, one.kind, last.kind))
        found.append(next(free, max(others, key=lambda one: many[one.kind])))
        left = [one for one in left if one is not found[-1]]
        before = found[-1].kind
    return [*found, last]


def _fits(many: Counter[str], kind: str, last: str) -> bool:
    """Can ``kind`` come next, so that afterwards no kind has to follow itself, up to the ``last`` one?"""
    room = many.total() - 1
    after = many - Counter([kind])
    return all(2 * count <= room + 1 - (name == kind) - (name == last) for name, count in after.items())


def order(found: Deck, lap: int) -> list[tuple[str, Subject]]:
    """Return all questions of a lap. The kinds take turns as long as they have any left. No kind follows itself while
    others are left, not even from one lap to the next: the kind with the most questions ends each lap."""
    names, last = list(found), max(found, key=lambda name: len(found[name]))
    others = [name for name in names if name != last]
    turn = [*(shuffled(others, Random(f"{lap} kinds")) if lap else others), last]
    mixed = {name: shuffled(found[name], Random(f"{lap} {name}")) for name in turn}
    rounds = range(max(map(len, mixed.values())))
    return [(name, mixed[name][i]) for i in rounds for name in turn if i < len(mixed[name])]
