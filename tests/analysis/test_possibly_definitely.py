"""Possibly and definitely, against a search through all states."""

from collections.abc import Callable
from itertools import pairwise, permutations
from typing import Any

import pytest

from app.analysis.possibly_definitely import Question, answer, avoiding, having, sequence
from app.core.oracle.lattice import Cut, Lattice
from app.programs.variables import Values
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from tests.tiny import run

PAPER = record(LIBRARY.scenario("state-that-never-was"))


def both(one: str, two: str, empty: str | None = None) -> Question:
    """p in one state and q in another."""
    return Question("p", "q", lambda a, b: (a, b) == (one, two), empty)


def these(a: Any, b: Any) -> Callable[[Any, Any], bool]:
    """Return the condition that p is in ``a`` and q in ``b``."""
    return lambda x, y: (x, y) == (a, b)


def searched(made: Run, lattice: Lattice, question: Question) -> tuple[bool, bool]:
    """Possibly and definitely as Cooper and Marzullo have it: level by level through all states."""
    found = lattice.levels()
    assert found.whole
    has = having(made, lattice, question)
    possibly = any(has(cut) for level in found.levels for cut in level)
    reached: set[Cut] = {cut for cut in found.levels[0] if not has(cut)}
    for level in found.levels[1:]:
        next_ones = {other for cut in reached for other in lattice.after(cut)}
        reached = {cut for cut in level if cut in next_ones and not has(cut)}
    return possibly, not reached


def test_p_in_a_and_q_in_d_with_nothing_from_p_to_q_is_possible_and_not_certain() -> None:
    lattice = Lattice(PAPER.history)
    found = answer(PAPER, lattice, both("A", "D", "p->q"))
    assert (found.possibly, found.definitely, found.found) == (True, False, 1)
    assert found.examples == ((0, 1),)
    assert found.avoiding == ((0, 0), (1, 0), (1, 1), (1, 2), (2, 2))


def test_both_have_sent_before_anything_arrives_in_every_order() -> None:
    found = answer(PAPER, Lattice(PAPER.history), both("B", "D"))
    assert (found.possibly, found.definitely, found.examples, found.avoiding) == (True, True, ((1, 1),), ())


def test_what_no_state_has_is_not_even_possible() -> None:
    found = answer(PAPER, Lattice(PAPER.history), both("A", "E"))
    assert (found.possibly, found.definitely, found.found, found.examples) == (False, False, 0, ())


@pytest.mark.parametrize("name", ["state-that-never-was", "three-banks", "complete", "slow-marker", "low-watermark"])
def test_pairs_of_two_processes_say_the_same_as_all_states(name: str) -> None:
    made = record(LIBRARY.scenario(name))
    lattice = Lattice(made.history)
    tried = 0
    for one, two in permutations(made.history.names, 2):
        channel = f"{one}->{two}"
        for empty in (None, channel if channel in made.system.topology.channels else None):
            for a in list(dict.fromkeys(sequence(made, one)))[:4]:
                for b in list(dict.fromkeys(sequence(made, two)))[:4]:
                    question = Question(one, two, these(a, b), empty)
                    found = answer(made, lattice, question)
                    assert (found.possibly, found.definitely) == searched(made, lattice, question), (one, a, two, b)
                    has = having(made, lattice, question)
                    assert all(lattice.consistent(cut) and has(cut) for cut in found.examples)
                    way = avoiding(lattice, question, found)
                    assert not any(map(has, way)) and all(b in lattice.after(a) for a, b in pairwise(way))
                    assert not way or (way[0], way[-1]) == (lattice.bottom, lattice.top)
                    tried += 1
    assert tried > 10


def pairs(state: object) -> object:
    """Return the variables of a process, with their values."""
    assert isinstance(state, Values)
    return state.pairs


def test_what_two_processes_know_of_each_other_may_come_through_a_third() -> None:
    made = run("""
        topology: {processes: [p, q, r], channels: [p->q, q->r]}
        program: {kind: variables, values: {p: {x: 0}, q: {y: 0}, r: {z: 0}}}
        script: [{change: {process: p, set: {x: 1}}}, {send: {on: p->q, message: a}}, {deliver: p->q},
          {send: {on: q->r, message: b}}, {deliver: q->r}]
    """)
    question = Question("p", "r", lambda p, r: pairs(p) == (("x", 0),))
    found = answer(made, Lattice(made.history), question)
    assert (found.pairs, found.found, found.possibly, found.definitely) == (4, 1, True, True)
    late = Question("p", "r", lambda p, r: pairs(p) == (("x", 1),))
    assert answer(made, Lattice(made.history), late).examples == ((1, 0, 0), (2, 0, 0), (2, 2, 1))


def test_more_pairs_than_the_bound_are_not_decided() -> None:
    made = run("""
        topology: {processes: [p, q], channels: [p->q, q->p]}
        program: {kind: token, holders: {p: 1}}
        schedule: {kind: seeded, seed: 1, moves: 500}
    """)
    found = answer(made, Lattice(made.history), Question("p", "q", lambda a, b: a == b))
    assert (found.possibly, found.definitely, found.pairs) == (None, None, 0)
