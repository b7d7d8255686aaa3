"""The stage in a state in which the run never was."""

import re

from app.analysis.global_states import world
from app.core.oracle.lattice import Lattice
from app.pictures.render import stage
from app.run.run import record
from app.scenario.library import LIBRARY


def test_the_stage_shows_the_states_and_messages_of_that_state_and_nothing_recorded() -> None:
    run = record(LIBRARY.scenario("state-that-never-was"))
    there = run.standing(world(run, Lattice(run.history), (0, 1)))
    svg = stage(there, 0, "en", said="p in A, q in D")
    assert re.findall(r'data-process="(\w)".*?>([A-D])</text>', svg, re.S) == [("p", "A"), ("q", "D")]
    assert len(re.findall("data-message=", svg)) == 1 and "data-recorded" not in svg
    assert '<desc id="stage-desc">p in A, q in D</desc>' in svg


def test_everything_stands_where_the_player_has_it() -> None:
    run = record(LIBRARY.scenario("three-banks"))
    lattice = Lattice(run.history)
    here, there = (
        re.findall(r'data-process="(\w+)" transform="([^"]+)"', stage(one, 0, "en"))
        for one in (run.standing(world(run, lattice, lattice.top)), run)
    )
    assert here == there and len(here) == 3
