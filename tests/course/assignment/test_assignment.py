"""What a seed and a name make: the same questions on every machine, and answers that are what the system does."""

import itertools
from random import Random

import pytest

from app.core.kernel.enabled import arrivals
from app.core.kernel.step import step
from app.core.model import recorded_state
from app.core.model.values import BluecutError, Json, World
from app.course.assignment import entry, every
from app.course.assignment.assignment import SAME, Assignment, called, kinds_of, question, sheet
from app.course.assignment.variation import SYSTEMS, run_of
from app.course.lesson import Lesson, load
from app.course.options import components
from app.course.question import Question, grade
from app.course.questions.state import recorded
from app.paths import SCENARIOS
from app.run.run import Run, snapshot
from tests.each import each


def none(name: str) -> Lesson | None:
    return None


def everything() -> Assignment:
    items = ["every", *(f"{kind}:{system}" for system in SYSTEMS for kind in kinds_of(system))]
    return Assignment("", 3, tuple(items))


@pytest.mark.slow
def test_every_kind_of_question_can_be_asked_of_many_and_knows_its_answer() -> None:
    given = everything()
    for name in ("Ann", "王芳", "Bob"):
        for item, asked in zip(given.items, sheet(given, name, none), strict=True):
            assert grade(asked, asked.answer).right, item
            assert asked.asks.en and asked.asks.zh and asked.why is not None


def test_a_name_always_gets_the_same_and_another_seed_something_else() -> None:
    def told(seed: int, name: str) -> list[object]:
        asked = sheet(Assignment("", seed, ("total:ring", "entry:queue", "every", "live:star")), name, none)
        return [(one.address.ref, one.address.step, one.answer) for one in asked]

    assert told(1, "Ann") == told(1, "ANN") != told(1, "Bob")
    assert not set(map(str, told(1, "Ann"))) & set(map(str, told(2, "Ann")))


def test_the_answers_of_a_class_are_spread() -> None:
    given = Assignment("", 5, ("total:three-banks", "entry:three-banks", "content:three-banks"))
    found = [sheet(given, f"student {at}", none) for at in range(30)]
    kinds = list(zip(*found, strict=True))
    assert len({one.answer for one in kinds[0]}) > 10
    assert len({one.answer for one in kinds[1]}) > 4
    assert sum(one.answer == () for one in kinds[2]) < 15


def of_lessons(name: str) -> Lesson | None:
    return load((SCENARIOS / "lessons" / f"{name}.yaml").read_text("utf-8"), f"{name}.yaml")


def test_everybody_gets_other_questions_of_a_lesson_and_nobody_one_of_them_twice() -> None:
    given = Assignment("", 5, ("lesson:loops", "lesson:loops", "lesson:barriers:which", "lesson:barriers"))
    found = [sheet(given, f"student {at}", of_lessons) for at in range(12)]
    for asked in found:
        ids = [one.id for one in asked]
        assert len(set(ids[:2])) == 2 and ids[2] == "which" != ids[3]
        assert all(grade(one, one.answer).right for one in asked)
    assert len({tuple(one.id for one in asked) for asked in found}) > 5
    lettered = {tuple(option.value for option in asked[2].options) for asked in found}
    assert len(lettered) > 2 and len({frozenset(one) for one in lettered}) == 1
    again = sheet(given, "STUDENT 3", of_lessons)
    assert [(one.id, one.options) for one in again] == [(one.id, one.options) for one in found[3]]


def test_a_lesson_has_only_so_many_questions() -> None:
    with pytest.raises(BluecutError, match="there is no question lesson:loops"):
        sheet(Assignment("", 5, ("lesson:loops",) * 4), "Ann", of_lessons)


# --- list all possible snapshots ------------------------------------------------------------------------------------


def possible(asked: Question) -> list[Json]:
    """Try every order in which everything can arrive, one after the other; return what is recorded."""
    run, found = asked.run, []
    seen: set[str] = set()
    left: list[World] = [run.world(asked.address.step)]
    while left:
        world = left.pop()
        next_ones = [action for action, reason in arrivals(run.system, world) if reason is None]
        for action in next_ones:
            after, _ = step(run.system, world, action)
            mark = str((after.states, after.memories, after.queues, after.lanes))
            if mark not in seen:
                seen.add(mark)
                left.append(after)
        if not next_ones:
            found.append(world)
    return [told(run, world) for world in found]


def told(run: Run, world: World) -> Json:
    parts = recorded_state.parts(run.system, world, 1)
    view, show = run.system.program.view, run.system.program.show
    queues: Json = {name: [] for name in run.system.topology.channels}
    for part in parts.values():
        queues |= {name: [show(one.payload) for one in kept] for name, kept in part.channels}
    return {"processes": {name: view(part.state) for name, part in parts.items()}, "channels": queues}


def test_the_possible_snapshots_are_those_that_some_order_of_arrivals_records() -> None:
    for who in map(str, range(4)):
        asked = every.question("7", who)
        assert asked is not None
        reached = {str(components(asked.run, one)) for one in possible(asked)}
        offered = {one.value: str(one.parts) for one in asked.options}
        assert every.FEWEST <= len(asked.answer) == len(reached) <= every.MOST
        assert {offered[name] for name in asked.answer} == reached
        assert len(offered) > len(reached)


def test_a_wrong_list_is_told_why() -> None:
    asked = every.question("7", "Ann")
    assert asked is not None
    wrong = next(one.value for one in asked.options if one.value not in asked.answer)
    for given in ((*asked.answer, wrong), asked.answer[1:], ()):
        judged = grade(asked, tuple(given))
        assert not judged.right and judged.reason is not None


# --- what is wrong with this figure ---------------------------------------------------------------------------------


@pytest.mark.slow
@each("system", lambda: SYSTEMS)
def test_where_the_answer_is_the_same_for_everybody_it_says_so(system: str) -> None:
    for kind in kinds_of(system):
        item = f"{kind}:{system}"
        answers = {question(item, f"7 {i}", f"person {i}", lambda _: None).answer for i in range(6)}
        says = "the same answer for everybody" in called(item, lambda _: None).en
        assert says == (kind in SAME) and (len(answers) == 1 or not says), item
    assert {*SAME} <= {*kinds_of(system)}


@each("system", lambda: [one for one in SYSTEMS if entry.NAME in kinds_of(one)])
def test_one_entry_is_wrong_and_only_one(system: str) -> None:
    found = 0
    for at in range(12):
        rng = Random(f"{system} {at}")
        run, _ = run_of(system, rng)
        asked = entry.question(run, rng)
        if asked is None:
            continue
        found += 1
        number = next(iter(run.verdicts))
        whole = components(run, recorded(run, number))
        truth = {name: f"{value}" if isinstance(value, int) else ", ".join(map(str, value)) or "empty"
                 for name, value in whole.items()}  # fmt: skip
        wrong = [one.value for one in asked.options if one.text.en.partition(": ")[2] != truth[one.value]]
        assert wrong == [asked.answer]
        assert snapshot(run, number)["complete"]
        other = next(one.value for one in asked.options if one.value != asked.answer)
        assert grade(asked, other).reason is not None
    assert found > 3


def test_wrong_entries_are_processes_and_channels() -> None:
    found = set()
    for at in range(20):
        rng = Random(f"both {at}")
        asked = entry.question(run_of("three-banks", rng)[0], rng)
        if asked is not None:
            found.add("->" in str(asked.answer))
    assert found == {True, False}


def test_no_two_items_share_their_numbers() -> None:
    asked = sheet(Assignment("", 1, ("total:ring",) * 4), "Ann", none)
    assert all(a.address.ref != b.address.ref for a, b in itertools.combinations(asked, 2))
