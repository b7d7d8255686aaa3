"""An assignment: a seed, and what is asked. The seed and a name make a sheet, so everybody gets the same kinds of
questions about other runs, and the same name always gets the same sheet. Nothing is stored.

What is asked is written as

``KIND:SCENARIO``
    a question of a kind of the quiz (see ``app.course.quiz``) about a run of the system of a scenario
``every``
    list all possible snapshots, see ``app.course.assignment.every``
``entry:SCENARIO``
    what is wrong with this figure, see ``app.course.assignment.entry``
``lesson:NAME``
    one of the questions of a lesson, another one for each person; several such items get different ones
``lesson:NAME:ID``
    this question of a lesson, which is the same for everybody

The options of a question of a lesson stand in another order for each person.
"""

import hashlib
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import NoReturn

from app.compact_json import compact
from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.course.assignment import entry, every
from app.course.assignment.variation import SYSTEMS, pick, run_of
from app.course.lesson import Lesson
from app.course.phrases import words_of
from app.course.question import Question
from app.course.questions.card import Kind, placed, shuffled
from app.course.quiz import KINDS
from app.run.run import Run
from app.scenario.format import Words
from app.scenario.library import LIBRARY

MOST = 12
"""The most questions of an assignment."""
LONGEST_NAME = 60
"""The most characters of a person's name."""
TRIES = 30
"""So many runs are tried until one has a question of the kind."""
LOOKS, RARELY = 8, 0.25
"""So many questions about a run are looked at for one to which nothing is not the answer; how often that may be so."""

LESSON = "lesson"
SAME = ("check", "markers")
"""The kinds of questions about drawn runs to which the answer is the same for everybody: every algorithm that can be
asked about is right, and how many markers it needs follows from the channels alone."""
SHUFFLED = ("choice", "possible")
"""The kinds of questions whose options stand in another order for each person."""

Lessons = Callable[[str], Lesson | None]
"""Finds a lesson by its name."""


class Assignment(Frozen):
    """An assignment. The title does not matter to the questions. ``owner`` is what everybody may know of the key of the
    person who made it, see ``owner``: only with the key one can judge answers and print sheets with theirs."""

    title: str
    seed: int
    items: tuple[str, ...]
    owner: str = ""

    @property
    def digest(self) -> str:
        """What tells it from others: twelve hexadecimal digits."""
        return hashlib.sha256(compact([self.seed, list(self.items), self.owner]).encode()).hexdigest()[:12]


def owner(key: str) -> str:
    """Return what everybody may know of a key: 80 bits of its hash."""
    return hashlib.sha256(key.encode()).hexdigest()[:20]


def named(text: str) -> str:
    """Return a name as it is shown: without spaces and invisible characters that do not matter. Raises
    BluecutError."""
    shown = visible(unicodedata.normalize("NFKC", text))
    if not shown:
        raise BluecutError("name: write your name, or the number under which you hand in")
    if len(shown) > LONGEST_NAME:
        raise BluecutError("name: at most {most} characters", most=LONGEST_NAME)
    return shown


def visible(text: str) -> str:
    """Return a text without what cannot be seen, such as half a character or a change of direction."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def person(name: str) -> str:
    """Return what two spellings of a name have in common."""
    return name.casefold()


def sheet(given: Assignment, name: str, lessons: Lessons) -> list[Question]:
    """Return the questions of a person. Raises BluecutError if one of them does not exist."""
    found: list[Question] = []
    taken = set(given.items)
    for at, item in enumerate(given.items):
        asked = question(item, f"{given.seed} {given.owner} {at} {item}", person(name), lessons, taken)
        taken.add(f"{item}:{asked.id}")
        found.append(asked)
    return found


def question(item: str, seed: str, who: str, lessons: Lessons, taken: Collection[str] = ()) -> Question:
    """Return a question; it follows from the seed and the person, and from what is ``taken`` of a lesson already.
    Raises BluecutError if there is no such question."""
    kind, _, where = item.partition(":")
    found = (
        _of_lesson(where, Random(f"{seed} {who}"), lessons, taken) if kind == LESSON else _drawn(kind, where, seed, who)
    )
    return found if found is not None else _missing(item)


def _missing(item: str) -> NoReturn:
    raise BluecutError("q: there is no question {item}", item=item[:80])


def _of_lesson(where: str, rng: Random, lessons: Lessons, taken: Collection[str]) -> Question | None:
    """Return the question of a lesson that is named, or one of those that are not taken, with shuffled options."""
    name, _, asked = where.partition(":")
    lesson = lessons(name)
    known = lesson.questions if lesson else ()
    left = [one for one in known if (one.id == asked if asked else f"{LESSON}:{name}:{one.id}" not in taken)]
    if not left:
        return None
    found: Question = pick(rng, left)
    return replace(found, options=tuple(shuffled(found.options, rng))) if found.kind in SHUFFLED else found


def _drawn(kind: str, where: str, seed: str, who: str) -> Question | None:
    """Return a question that chance draws."""
    if kind == every.NAME:
        return None if where else every.question(seed, f"{seed} {who}")
    if where not in SYSTEMS or (kind != entry.NAME and kind not in KINDS):
        return None
    for turn in range(TRIES):
        rng = Random(f"{seed} {who} {turn}")
        run, address = run_of(where, rng)
        found = entry.question(run, rng) if kind == entry.NAME else _of_kind(KINDS[kind], run, rng)
        if found is not None:
            return placed(found, kind, address)
    return None


def _of_kind(kind: Kind, run: Run, rng: Random) -> Question | None:
    """Return a question of a kind about a run, rarely one to which nothing is the answer; None if there is none."""
    subjects = shuffled(dict.fromkeys(kind.subjects(run)), rng)
    asked = (kind.ask(run, *one) for one in subjects[:LOOKS])
    found = next(asked, None)
    if found is None or found.answer or rng.random() < RARELY:
        return found
    return next((one for one in asked if one.answer), found)


@lru_cache(maxsize=len(SYSTEMS))
def kinds_of(system: str) -> tuple[str, ...]:
    """Return the kinds of questions that there are about the runs of a system, those of the quiz last."""
    return tuple(kind for kind in (entry.NAME, *KINDS) if _drawn(kind, system, "0", "") is not None)


def called(item: str, lessons: Lessons) -> Words:
    """Return what is asked, in words. Raises BluecutError if there is no such question."""
    kind, _, where = item.partition(":")
    if kind == LESSON:
        name, _, asked = where.partition(":")
        found, lesson = question(item, "", "", lessons), lessons(name)
        title = lesson.form.title if lesson else name
        if not asked:
            return words_of("assign.item.lesson.any", lesson=title)
        return words_of("assign.item.lesson", lesson=title, asks=found.asks)
    if kind not in (every.NAME, entry.NAME, *KINDS) or where not in (("",) if kind == every.NAME else SYSTEMS):
        _missing(item)
    if kind == every.NAME:
        return kind_called(kind)
    return words_of("assign.item", kind=kind_called(kind), system=LIBRARY.scenario(where).form.title)


def kind_called(kind: str) -> Words:
    """Return what a kind of questions is called, and whether the answer is the same for everybody."""
    found = words_of(f"assign.kind.{kind}" if kind in (every.NAME, entry.NAME) else f"quiz.kind.{kind}")
    return words_of("assign.kind.same", kind=found) if kind in SAME else found
