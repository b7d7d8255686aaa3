"""The wait-for graph as it is drawn."""

import math

from app.core.oracle.deadlock import Waits, waits
from app.pictures.wait_graph import ASIDE, RADIUS, graph
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.tiny import run


def found(name: str) -> tuple[object, Waits]:
    """Return which process waits for which at the end of a scenario's run."""
    made = record(LIBRARY.scenario(name))
    there = waits(made.system, made.end.states, made.end.in_flight())
    assert there is not None
    return made.system.topology, there


def test_two_who_wait_for_each_other_have_an_arrow_each_that_do_not_meet() -> None:
    topology, there = found("real-deadlock")
    drawn = graph(topology, there)  # type: ignore[arg-type]
    assert drawn is not None and [knot.stuck for knot in drawn.knots] == [True, True]
    one, two = drawn.arrows
    assert one.stuck and two.stuck and abs(one.y1 - two.y1) == 2 * ASIDE
    for arrow in (one, two):
        start = next(knot for knot in drawn.knots if knot.name == arrow.wait.process)
        end = next(knot for knot in drawn.knots if knot.name == arrow.wait.source)
        assert math.hypot(arrow.x1 - start.x, arrow.y1 - start.y) > RADIUS
        assert math.hypot(arrow.x2 - end.x, arrow.y2 - end.y) > RADIUS


def test_more_processes_than_can_be_drawn_are_told_in_words_alone() -> None:
    made = run("topology: {ring: 13}\nprogram: {kind: token, holders: {P1: 1}}")
    assert graph(made.system.topology, Waits((), ())) is None
